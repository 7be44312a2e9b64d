"""Opens a page from disk in Chromium and Firefox, as a student does: page_test.py ROOFTILE_CLI FOLDER

Pictures of what was seen stay in FOLDER.
"""
import json
import pathlib
import re
import subprocess
import sys
import time

import browsers

cli, folder = sys.argv[1], pathlib.Path(sys.argv[2])
WINDOW = (1280, 720)
GPU_LIST, RTX_4090, BANKS, LICENCES = (350, 27), (246, 415), (518, 672), (493, 606)  # in a window of that size
ONE, THIRTY_TWO, ANSWER = (60, 278), (60, 338), (57, 374)  # of the lesson's question
PHONE = (900, 420)
TILE_8, RAIL_BANKS = (258, 374), (41, 246)  # on that phone


def expect(true, *what):
    if not true:
        raise SystemExit(f'FAILED: {what}')


def make_page(name, *words):
    file = folder / name
    subprocess.run([cli, 'page', *words, '-o', file], check=True)
    return file


def words(browser):
    """The words of the window."""
    return browser.ask("document.querySelector('canvas').ariaLabel") or ''


def until(browser, pattern):
    for _ in range(200):
        if re.search(pattern, words(browser)):
            return
        time.sleep(0.05)
    expect(False, pattern, words(browser), browser.ask("document.querySelector('p').textContent"), browser.errors)


def expect_changed(browser, before, what):
    after = browser.look()
    expect(after != before, what)
    return after


def keep(browser, name):
    (folder / f'{name}.png').write_bytes(browser.look())


def moves_a_dial(browser):
    until(browser, r'Tile 16,.*counted 7\.\d+ TFLOP/s')
    before = browser.look()
    browser.press('ArrowRight')
    until(browser, r'Tile 32,.*counted 8\.\d+ TFLOP/s')
    time.sleep(1)  # the dot moves
    expect_changed(browser, before, 'the dot has moved')
    browser.press('ArrowLeft')
    until(browser, 'Tile 16,')


def shows_banks(browser):
    browser.click(*BANKS)
    until(browser, 'wavefronts?')
    padded, before = words(browser), browser.look()
    browser.press('ArrowLeft')
    until(browser, 'Tile 8,')
    time.sleep(1)
    expect(words(browser) != padded, 'the sentence on wavefronts', padded)
    expect_changed(browser, before, 'the banks have other colours')


def predicts_another_gpu(browser):
    """Nobody has measured this GPU: its occupancy is what the command line says."""
    browser.press('End')
    until(browser, 'Tile 32,')
    browser.click(*GPU_LIST)
    time.sleep(0.5)
    browser.click(*RTX_4090)
    until(browser, 'on RTX 4090: Tile 32,.* predicted ')
    said = subprocess.run([cli, '--json', 'predict', 'sgemm_tiled', 'TILE=32', '--gpu', 'RTX 4090'], capture_output=True, check=True)
    occupancy = json.loads(said.stdout)['theoretical_occupancy']['ratio']
    expect(occupancy < 1 and f'occupancy {100 * occupancy:.3g} %' in words(browser), occupancy, words(browser))


def stays_at_home(browser, file):
    expect(not browser.errors, browser.errors)
    expect(set(browser.requests) <= {file.resolve().as_uri()}, browser.requests)


def try_in(make_browser, file):
    browser = make_browser(WINDOW)
    name = type(browser).__name__.lower()
    try:
        begun = time.monotonic()
        browser.open(file)
        until(browser, ' on ')
        print(f'{name}: the first picture after {time.monotonic() - begun:.1f} s')
        keep(browser, name)
        for look in (moves_a_dial, shows_banks, predicts_another_gpu, shows_licences):
            look(browser)
            keep(browser, f'{name}-{look.__name__}')
        stays_at_home(browser, file)
    finally:
        browser.close()


def expect_touch(file):
    """A phone gets the folded window; a tap moves the dial below the chart, and another opens a drawer."""
    browser = browsers.Chromium(PHONE, touch=True)
    try:
        browser.open(file)
        until(browser, 'Tile 16,')
        browser.tap(*TILE_8)
        until(browser, 'Tile 8,')
        browser.tap(*RAIL_BANKS)
        until(browser, 'wavefronts?')
        keep(browser, 'phone')
        stays_at_home(browser, file)
    finally:
        browser.close()


def expect_lesson(make_browser):
    """A page may open with a lesson; the class guesses before the launch is shown."""
    file = make_page('lesson.html', 'assets/lessons/04-bank-conflicts.md')
    browser = make_browser(WINDOW)
    try:
        browser.open(file)
        until(browser, 'How many wavefronts')
        expect('counted' not in words(browser), words(browser))
        for option, answer in ((ONE, 'Not so on this GPU'), (THIRTY_TWO, 'counted .*Right.* 32 wavefronts where 1 would do')):
            browser.click(*option)
            time.sleep(0.5)
            browser.click(*ANSWER)
            until(browser, answer)
        keep(browser, f'{make_browser.__name__.lower()}-lesson')
        stays_at_home(browser, file)
    finally:
        browser.close()


def lesson_file(name, text):
    file = folder / name
    file.write_text(text)
    return file


def expect_code(make_browser):
    """What a kernel does to memory is read from its compiled code, which the page brings, for a GPU that nobody measured too."""
    place = 'kernel = "transpose_naive"\ndials = { BLOCK_X = 16, BLOCK_Y = 16 }\nshow = "sectors"\n'
    file = make_page('code.html', lesson_file('code.md', f'# Code\n## Step\n```rooftile\n{place}gpu = "RTX 4090"\n```\n'))
    browser = make_browser(WINDOW)
    try:
        browser.open(file)
        until(browser, r'on RTX 4090: .* predicted .* accesses of a warp, each of 16 sectors where 4 would do')
        keep(browser, f'{make_browser.__name__.lower()}-code')
        stays_at_home(browser, file)
    finally:
        browser.close()


def expect_steps():
    """The steps of a block are read from compiled code, and where a result was wrong its map stands beside them."""
    dials = 'dials = { TILE = 32, N = 1024, BARRIERS = 2 }'
    file = make_page('steps.html', lesson_file('steps.md', f'# Race\n## Step\n```rooftile\nkernel = "sgemm_race"\n{dials}\nshow = "tile"\n```\n'))
    browser = browsers.Chromium(WINDOW)
    try:
        browser.open(file)
        until(browser, r'Step 1 of 32: the block has loaded 8.19 kB .* 143,073 of 1,048,576')
        keep(browser, 'steps')
        stays_at_home(browser, file)
    finally:
        browser.close()


def expect_notes():
    """A session opens at its first note, with the window as it stood."""
    note = {'record': 'note', 'id': 1, 'text': 'Look at the banks.', 'kernel': 'transpose_tiled', 'parameters': {'TILE': 32, 'PAD': 0},
            'caches': 'cold', 'gpu': 'NVIDIA H200', 'level': 'shared', 'panel': 'banks'}
    session = folder / 'noted.jsonl'
    session.write_text(pathlib.Path('assets/sessions/h100_h200.jsonl').read_text() + json.dumps(note) + '\n')
    file = make_page('noted.html', session)
    browser = browsers.Chromium(WINDOW)
    try:
        browser.open(file)
        until(browser, 'Note 1: Look at the banks.* 32 wavefronts')
        keep(browser, 'notes')
        stays_at_home(browser, file)
    finally:
        browser.close()


def drop(browser, name, text):
    browser.ask(f"""(() => {{ const given = new DataTransfer(); given.items.add(new File([{text}], {json.dumps(name)}));
      window.dispatchEvent(new DragEvent('drop', {{dataTransfer: given, cancelable: true}})); }})()""")


def expect_harmless_lesson():
    """HTML in a lesson is text; a lesson that is wrong, or too long, is told of and harms nothing."""
    html = '<img src=x onerror=alert(1)></script><script>document.title = "taken"</script>'
    text = f'# {html}\n## {html}\n{html}\n```rooftile\nkernel = "sgemm_tiled"\nquestion = \'{html}\'\nnumber = "TILE"\n```\n'
    file = make_page('hostile-lesson.html', lesson_file('hostile.md', text))
    browser = browsers.Chromium(WINDOW)
    try:
        browser.open(file)
        until(browser, '<img src=x onerror')
        for name, dropped, told in (('wrong.md', json.dumps('# One\n## Step\n```rooftile\nkernel = "sgemm_tyled"\n```\n'), "wrong.md:4: no kernel is called 'sgemm_tyled'"),
                                    ('long.md', '"# ".repeat(5 << 20)', 'long.md: a lesson of .* at most 256 kB'),
                                    ('none.jsonl', '"<script>"', 'none.jsonl:1: ')):
            drop(browser, name, dropped)
            until(browser, told)
            expect(browser.ask('document.title') == 'rooftile', name)
        stays_at_home(browser, file)
    finally:
        browser.close()


def shows_licences(browser):
    browser.press('?', '?')
    time.sleep(0.5)
    browser.click(*LICENCES)
    for _ in range(100):
        text = browser.ask("document.querySelector('dialog[open] pre')?.textContent") or ''
        if 'muparser' in text:
            break
        time.sleep(0.05)
    for library in ('Dear ImGui', 'ImPlot', 'libfmt-dev', 'nlohmann-json3-dev', 'libtomlplusplus-dev', 'libmuparser-dev', 'libre2-dev', 'libsimdjson-dev',
                    'libc++-19-dev-wasm32', 'wasi-libc'):
        expect(library in text, library, text[:200])
    browser.ask("document.querySelector('dialog button').click()")


def expect_harmless_session():
    """The text of a session is data: it is shown, and nothing in it runs."""
    hostile = '</script><script>document.title = "taken"</script><img src=x onerror=alert(1)>'
    recorded = pathlib.Path('assets/sessions/h100_h200.jsonl').read_text()
    session = folder / 'hostile.jsonl'
    session.write_text(recorded.replace('NVIDIA H200', json.dumps(hostile)[1:-1]))
    file = make_page('hostile.html', session)
    browser = browsers.Chromium(WINDOW)
    try:
        browser.open(file)
        until(browser, 'on </script>')
        expect(browser.ask('document.title') == 'rooftile', browser.ask('document.title'))
        stays_at_home(browser, file)
    finally:
        browser.close()


def main():
    file = make_page('page-test.html')
    expect(file.stat().st_size <= 8_000_000, file.stat().st_size)
    in_both = [lambda browser: try_in(browser, file), expect_lesson, expect_code]
    once = [lambda: expect_touch(file), expect_notes, expect_harmless_session, expect_harmless_lesson, expect_steps]
    for make_browser in (browsers.Chromium, browsers.Firefox):
        for test in in_both:
            test(make_browser)
    for test in once:
        test()
    print(f'{2 * len(in_both) + len(once)} passed, 0 failed')


main()
