'use strict';
// The browser as the window's platform: it unpacks the module, draws with WebGL 2 and passes events on. browser.hpp and main.cpp
// say what each side offers the other.
(async () => {
const alert = document.querySelector('p');
const dialog = document.querySelector('dialog');
dialog.querySelector('button').onclick = () => dialog.close();
const canvas = document.querySelector('canvas'), field = document.querySelector('textarea');
const fail = sentence => { alert.textContent = sentence; throw new Error(sentence); };
alert.textContent = '';
const complete = new Promise(done => document.addEventListener('DOMContentLoaded', done));  // what follows is read meanwhile

// Base64 of gzip, in a script element of a kind that no browser runs.
const unpacked = async id => {
  const words = document.getElementById(id).textContent;
  const packed = Uint8Array.fromBase64?.(words) ?? Uint8Array.from(atob(words), c => c.charCodeAt(0));  // browsers before 2025
  const gzip = new DecompressionStream('gzip'), writer = gzip.writable.getWriter();
  writer.write(packed);
  writer.close();
  return new Response(gzip.readable).arrayBuffer();
};
const unpacking = Promise.all([unpacked('module').then(WebAssembly.compile), unpacked('data')]);
const gl = canvas.getContext('webgl2', {alpha: false, antialias: false, depth: false}) ??
  fail('This browser has no WebGL 2, which the window is drawn with.');
const [module, data] = await unpacking;

let wasm;
const view = () => new DataView(wasm.memory.buffer);
const bytes = (at, size) => new Uint8Array(wasm.memory.buffer, at, size);  // the memory may grow: never keep one
const text = (at, size) => new TextDecoder().decode(bytes(at, size));
const send = data => bytes(wasm.inbox(data.length), data.length).set(data);
const sendText = words => send(new TextEncoder().encode(words));

// WASI: what the C++ library asks for. Any other call is answered with ENOSYS.
const wasi = {
  clock_time_get(clock, precision, at) { view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true); return 0; },
  random_get(at, size) { crypto.getRandomValues(bytes(at, size)); return 0; },
  environ_sizes_get(count, size) { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return 0; },
  environ_get: () => 0,
  proc_exit(status) { fail(`The page has ended with status ${status}. Load it again.`); },
};

// Drawing.
const program = gl.createProgram();
const shader = (type, source) => {
  const made = gl.createShader(type);
  gl.shaderSource(made, '#version 300 es\n' + source);
  gl.compileShader(made);
  gl.attachShader(program, made);
};
shader(gl.VERTEX_SHADER, `uniform vec2 size; layout(location=0) in vec2 point; layout(location=1) in vec2 place; layout(location=2) in vec4 ink;
  out vec2 at; out vec4 colour;
  void main() { at = place; colour = ink; gl_Position = vec4(point.x / size.x * 2. - 1., 1. - point.y / size.y * 2., 0, 1); }`);
shader(gl.FRAGMENT_SHADER, `precision mediump float; uniform sampler2D image; in vec2 at; in vec4 colour; out vec4 pixel;
  void main() { pixel = colour * texture(image, at); }`);
gl.linkProgram(program);
if (!gl.getProgramParameter(program, gl.LINK_STATUS)) fail(gl.getProgramInfoLog(program));
const size = gl.getUniformLocation(program, 'size'), vertices = gl.createBuffer(), indices = gl.createBuffer(), textures = new Map();

const download = (name, blob) => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};

const page = {
  texture(id, create, x, y, w, h, row, at) {
    if (create) textures.set(id, gl.createTexture());
    gl.bindTexture(gl.TEXTURE_2D, textures.get(id));
    gl.pixelStorei(gl.UNPACK_ROW_LENGTH, row);
    const pixels = bytes(at, ((h - 1) * row + w) * 4);
    if (!create) return gl.texSubImage2D(gl.TEXTURE_2D, 0, x, y, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    for (const name of ['MIN_FILTER', 'MAG_FILTER']) gl.texParameteri(gl.TEXTURE_2D, gl['TEXTURE_' + name], gl.LINEAR);
    for (const name of ['WRAP_S', 'WRAP_T']) gl.texParameteri(gl.TEXTURE_2D, gl['TEXTURE_' + name], gl.CLAMP_TO_EDGE);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, w, h, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  },
  forget(id) { gl.deleteTexture(textures.get(id)); textures.delete(id); },
  begin(width, height, red, green, blue) {
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(red, green, blue, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.SCISSOR_TEST);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.useProgram(program);
    gl.uniform2f(size, width, height);
    gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
    for (let i = 0; i < 3; ++i) gl.enableVertexAttribArray(i);
  },
  list(v, vSize, i, iSize) {
    gl.bufferData(gl.ARRAY_BUFFER, bytes(v, vSize), gl.STREAM_DRAW);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, bytes(i, iSize), gl.STREAM_DRAW);
  },
  draw(id, count, first, base, x0, y0, x1, y1) {
    x0 = Math.max(0, x0); y0 = Math.max(0, y0); x1 = Math.min(canvas.width, x1); y1 = Math.min(canvas.height, y1);
    if (x1 <= x0 || y1 <= y0) return;
    gl.scissor(x0, canvas.height - y1, x1 - x0, y1 - y0);
    gl.bindTexture(gl.TEXTURE_2D, textures.get(id));
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 20, base);  // WebGL has no base vertex
    gl.vertexAttribPointer(1, 2, gl.FLOAT, false, 20, base + 8);
    gl.vertexAttribPointer(2, 4, gl.UNSIGNED_BYTE, true, 20, base + 16);
    gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_SHORT, first);
  },
  clipboard(at, size) { navigator.clipboard?.writeText(text(at, size)).catch(() => {}); },
  save(name, nameSize, at, size) { download(text(name, nameSize), new Blob([bytes(at, size).slice()])); },
  async licences() {
    dialog.querySelector('pre').textContent = new TextDecoder().decode(await unpacked('licences'));
    dialog.showModal();
  },
  picture() { canvas.toBlob(picture => download('rooftile.png', picture)); },
  fail(at, size) { fail(text(at, size)); },
};

const known = {wasi_snapshot_preview1: wasi, page}, imports = {};
for (const each of WebAssembly.Module.imports(module)) (imports[each.module] ??= {})[each.name] = known[each.module]?.[each.name] ?? (() => 52);
wasm = (await WebAssembly.instantiate(module, imports)).exports;
wasm._initialize();
send(new Uint8Array(data));
if (!wasm.start()) return;

// A frame is drawn four times after each event, since Dear ImGui sizes some things from the frame before, and a little later for
// tooltips; nothing is drawn while nothing happens.
let owed = 0, asked = 0, blink = 0, late = [];
const cursors = ['none', 'default', 'text', 'move', 'ns-resize', 'ew-resize', 'nesw-resize', 'nwse-resize', 'pointer', 'wait', 'progress', 'not-allowed'];
const ask = (frames = 1) => { owed = Math.max(owed, frames); asked ||= requestAnimationFrame(draw); };
const wake = () => { late.forEach(clearTimeout); late = [150, 600, 5500].map(ms => setTimeout(ask, ms)); ask(4); };
function draw(now) {
  asked = 0;
  const state = wasm.frame(now / 1000);
  canvas.style.cursor = cursors[state & 255] ?? 'default';
  const typing = !!(state & 256);
  if (typing !== (document.activeElement === field)) (typing ? field : canvas).focus({preventScroll: true});
  clearTimeout(blink);
  if (typing) blink = setTimeout(ask, 200);
  if (--owed > 0 || state & 512) return ask();
  const at = wasm.words(), words = text(at, new Uint8Array(wasm.memory.buffer).indexOf(0, at) - at);
  if (words !== canvas.ariaLabel) canvas.ariaLabel = words;  // for those who do not see the picture
}

// Events.
const on = (target, names, act) => names.split(' ').forEach(name => target.addEventListener(name, e => { act(e); wake(); }, {passive: false}));
const buttons = [0, 2, 1, 3, 4];
let zoom = 1;  // points of the window for one of the page
const point = e => wasm.pointer(e.offsetX * zoom, e.offsetY * zoom, e.pointerType === 'touch');
on(canvas, 'pointermove', point);
on(canvas, 'pointerdown', e => { e.preventDefault(); canvas.setPointerCapture(e.pointerId); point(e); wasm.button(buttons[e.button] ?? 0, 1); });
on(canvas, 'pointerup', e => { point(e); wasm.button(buttons[e.button] ?? 0, 0); if (e.pointerType === 'touch') wasm.leave(); });
on(canvas, 'pointercancel', e => { for (let i = 0; i < 3; ++i) wasm.button(i, 0); wasm.leave(); });
on(canvas, 'pointerleave', e => wasm.leave());
on(canvas, 'contextmenu', e => e.preventDefault());
on(canvas, 'wheel', e => { e.preventDefault(); const f = e.deltaMode ? 1 / 3 : 1 / 100; wasm.wheel(-e.deltaX * f, -e.deltaY * f); });
const named = e => /^[a-z]$/i.test(e.key) ? e.key.toUpperCase() : e.code
  .replace(/^(Key|Digit)/, '').replace(/^Numpad/, 'Keypad').replace(/^Arrow(.*)/, '$1Arrow').replace(/^Bracket(.*)/, '$1Bracket')
  .replace(/^(Control|Meta|Shift|Alt)(Left|Right)/, (_, k, s) => s + ({Control: 'Ctrl', Meta: 'Super'}[k] ?? k))
  .replace('Backquote', 'GraveAccent').replace('Quote', 'Apostrophe').replace('ContextMenu', 'Menu');
const key = (name, down, e) => { sendText(name); wasm.key(down, e.ctrlKey, e.shiftKey, e.altKey, e.metaKey); };
on(window, 'keydown keyup', e => {
  if (e.isComposing || e.keyCode === 229) return;
  const down = e.type === 'keydown', name = named(e), control = e.ctrlKey || e.metaKey;
  if (control && name === 'V') return;  // the paste event brings it, with the text
  if (/^(Tab|.*Arrow|Page.*|Backspace|Home|End)$/.test(name) || control && 'ZYSF'.includes(name)) e.preventDefault();
  if (!(down && e.repeat)) key(name, down, e);
  if (down && e.target !== field && e.key.length === 1 && !control && !e.altKey) { sendText(e.key); wasm.type(); }
});
on(window, 'paste', e => {
  e.preventDefault();  // else the text area takes the text too
  sendText(e.clipboardData.getData('text/plain'));
  wasm.paste();
  key('V', 1, {ctrlKey: true});
  key('V', 0, {});
});
on(field, 'input compositionend', e => { if (e.isComposing) return; sendText(field.value); wasm.type(); field.value = ''; });
on(window, 'focus', () => wasm.focus(1));
on(window, 'blur', () => wasm.focus(0));
on(window, 'dragover', e => e.preventDefault());
on(window, 'drop', async e => {
  e.preventDefault();
  for (const file of e.dataTransfer.files) { sendText(`${file.name}\n${await file.text()}`); wasm.open(); wake(); }
});
const smallest = 640;  // the width of the smallest layout, in points: a phone held upright gets smaller letters
const fit = () => {
  zoom = Math.max(1, smallest / innerWidth);
  canvas.width = Math.round(innerWidth * devicePixelRatio);
  canvas.height = Math.round(innerHeight * devicePixelRatio);
  wasm.resize(innerWidth * zoom, innerHeight * zoom, devicePixelRatio / zoom);
};
on(window, 'resize', fit);
on(canvas, 'webglcontextlost', e => e.preventDefault());
on(canvas, 'webglcontextrestored', () => location.reload());
fit();
draw(performance.now());
wake();
complete.then(() => unpacked('code')).then(code => { send(new Uint8Array(code)); wasm.code(); wake(); });
})();
