"""Puts a page together: script, style and what they unpack into the text beside this program. Its data stays to be filled in.

put_together.py PAGE.html NAME=FILE...
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
    page = pathlib.Path(sys.argv[1])
    packed_files = {name: packed(pathlib.Path(file)) for name, file in (each.split('=', 1) for each in sys.argv[2:])}
    script, style = ((here / name).read_text() for name in ('backend.js', 'page.css'))
    text = (here / 'page.html').read_text()
    for mark, value in {
        'style-hash': hash_of(style),
        'script-hash': hash_of(script),
        'style': style,
        **packed_files,
        'script': script,
    }.items():
        text = text.replace(f'@{mark}@', value)
    page.write_text(text)


main()
