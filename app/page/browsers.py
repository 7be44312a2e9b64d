"""Chromium and Firefox without a display, each through its own protocol: open a file, press, point, ask, look.

Both keep `errors`, what the page writes to its console or throws, and `requests`, the addresses it asks for.
"""
import base64
import contextlib
import itertools
import json
import pathlib
import socket
import subprocess
import tempfile
import time
import urllib.request

import websocket  # Debian's python3-websocket

KEYS = {'ArrowRight': '\ue014', 'ArrowLeft': '\ue012', 'End': '\ue010', 'Home': '\ue011'}


def free_port():
    with socket.create_server(('127.0.0.1', 0)) as server:
        return server.getsockname()[1]


class Browser:
    """A running browser with one page of the given size, at the other end of a socket."""

    def __init__(self, command, address, size):
        self.errors, self.requests, self.numbers = [], [], itertools.count(1)
        # A process of Chromium's may still write when the first one has ended.
        self.folder = tempfile.TemporaryDirectory(prefix='rooftile-browser-', ignore_cleanup_errors=True)
        (pathlib.Path(self.folder.name) / 'user.js').write_text('user_pref("webgl.force-enabled", true);\n')  # for Firefox
        self.program = subprocess.Popen([part.replace('FOLDER', self.folder.name) for part in command],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.size = size
        self.socket = websocket.create_connection(self.wait_for(address), timeout=60, suppress_origin=True)

    def wait_for(self, address):
        for _ in range(300):
            with contextlib.suppress(OSError):
                return address()
            time.sleep(0.1)
        raise SystemExit('the browser does not start')

    def call(self, method, **parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({'id': number, 'method': method, 'params': parameters} | self.of_page))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get('id') == number:
                if 'error' in answer:
                    raise SystemExit(f'{method}: {answer}')
                return answer.get('result', {})
            self.hear(answer.get('method', ''), answer.get('params', {}))

    def close(self):
        self.socket.close()
        self.program.terminate()
        self.program.wait()
        self.folder.cleanup()


class Chromium(Browser):
    """Through the DevTools protocol."""

    def __init__(self, size, touch=False):
        port = free_port()
        self.of_page = {}
        super().__init__(['chromium', '--headless=new', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
                          f'--remote-debugging-port={port}', '--user-data-dir=FOLDER', 'about:blank'],
                         lambda: json.load(urllib.request.urlopen(f'http://127.0.0.1:{port}/json/version'))['webSocketDebuggerUrl'], size)
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.of_page = {'sessionId': self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']}
        for domain in ('Page', 'Runtime', 'Network', 'Log'):
            self.call(domain + '.enable')
        self.call('Emulation.setDeviceMetricsOverride', width=size[0], height=size[1], deviceScaleFactor=1, mobile=touch)
        self.call('Emulation.setTouchEmulationEnabled', enabled=touch)

    def hear(self, method, said):
        if method == 'Network.requestWillBeSent':
            self.requests.append(said['request']['url'])
        elif method in ('Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Log.entryAdded'):
            self.errors.append(json.dumps(said))

    def open(self, file):
        self.call('Page.navigate', url=pathlib.Path(file).resolve().as_uri())

    def ask(self, expression):
        return self.call('Runtime.evaluate', expression=expression, returnByValue=True)['result'].get('value')

    def press(self, key, text=''):
        code = key if len(key) > 1 else 'Key' + key.upper()
        self.call('Input.dispatchKeyEvent', type='keyDown', key=key, code=code, text=text)
        time.sleep(0.05)
        self.call('Input.dispatchKeyEvent', type='keyUp', key=key, code=code)

    def click(self, x, y):
        for kind in ('mouseMoved', 'mousePressed', 'mouseReleased'):
            self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, button='none' if kind == 'mouseMoved' else 'left', clickCount=1)
            time.sleep(0.05)

    def tap(self, x, y):
        self.call('Input.dispatchTouchEvent', type='touchStart', touchPoints=[{'x': x, 'y': y}])
        time.sleep(0.05)
        self.call('Input.dispatchTouchEvent', type='touchEnd', touchPoints=[])

    def look(self):
        return base64.b64decode(self.call('Page.captureScreenshot')['data'])


class Firefox(Browser):
    """Through WebDriver BiDi."""

    def __init__(self, size):
        port = free_port()
        self.of_page = {}
        super().__init__(['firefox-esr', '--headless', '--no-remote', '--profile', 'FOLDER', f'--remote-debugging-port={port}',
                          f'--width={size[0]}', f'--height={size[1]}'],
                         lambda: urllib.request.urlopen(f'http://127.0.0.1:{port}') and f'ws://127.0.0.1:{port}/session', size)
        self.call('session.new', capabilities={})
        self.page = {'context': self.call('browsingContext.getTree')['contexts'][0]['context']}
        self.call('session.subscribe', events=['log.entryAdded', 'network.beforeRequestSent'])
        self.call('browsingContext.setViewport', viewport={'width': size[0], 'height': size[1]}, **self.page)

    def hear(self, method, said):
        if method == 'network.beforeRequestSent':
            self.requests.append(said['request']['url'])
        elif method == 'log.entryAdded':
            self.errors.append(json.dumps(said))

    def open(self, file):
        self.call('browsingContext.navigate', url=pathlib.Path(file).resolve().as_uri(), wait='complete', **self.page)

    def ask(self, expression):
        return self.call('script.evaluate', expression=expression, target=self.page, awaitPromise=True)['result'].get('value')

    def act(self, kind, *actions):
        self.call('input.performActions', actions=[{'type': kind, 'id': kind, 'actions': list(actions)}], **self.page)

    def press(self, key, text=''):
        value = KEYS.get(key, text)
        self.act('key', {'type': 'keyDown', 'value': value}, {'type': 'pause', 'duration': 50}, {'type': 'keyUp', 'value': value})

    def click(self, x, y):
        self.act('pointer', {'type': 'pointerMove', 'x': x, 'y': y}, {'type': 'pause', 'duration': 50}, {'type': 'pointerDown', 'button': 0},
                 {'type': 'pause', 'duration': 50}, {'type': 'pointerUp', 'button': 0})

    def look(self):
        return base64.b64decode(self.call('browsingContext.captureScreenshot', **self.page)['data'])
