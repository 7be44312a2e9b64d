"""Puts a page together: MODULE.wasm, the compiled code of kernels, script and style into the text beside this program.
Its data stays to be filled in.

put_together.py MODULE.wasm CODE.jsonl PAGE.html
"""
import base64
import gzip
import hashlib
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent


def base64_of(data):
    return base64.b64encode(data).decode()


def packed(file):
    return base64_of(gzip.compress(file.read_bytes(), 9, mtime=0))


def hash_of(text):
    """As a content security policy names a script or style that may be used."""
    return 'sha256-' + base64_of(hashlib.sha256(text.encode()).digest())


def main():
    module, code, page = map(pathlib.Path, sys.argv[1:])
    script, style = ((here / name).read_text() for name in ('backend.js', 'page.css'))
    text = (here / 'page.html').read_text()
    for mark, value in {
        'style-hash': hash_of(style),
        'script-hash': hash_of(script),
        'style': style,
        'module': packed(module),
        'code': packed(code),
        'script': script,
    }.items():
        text = text.replace(f'@{mark}@', value)
    page.write_text(text)


main()
