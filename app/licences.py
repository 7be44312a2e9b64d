"""Collects the licences of the libraries that a page or a wheel carries, from where the distribution keeps them.

licences.py FILE [--package NAME]... [--linked PROGRAM]... [--text NAME=FILE]...

--linked: the packages of the shared libraries that a program loads. Licences that a package only names, as all packages
share them, stand at the end.
"""
import argparse
import pathlib
import re
import subprocess

DOCUMENTS, SHARED = pathlib.Path('/usr/share/doc'), pathlib.Path('/usr/share/common-licenses')


def packages_of(program):
    said = subprocess.run(['ldd', program], check=True, capture_output=True, text=True).stdout
    found = {str(pathlib.Path(file).resolve()) for file in re.findall(r'=> (/\S+)', said)}
    files = found | {file.removeprefix('/usr') for file in found}  # some packages still name /lib
    owners = subprocess.run(['dpkg-query', '-S', *files], capture_output=True, text=True).stdout
    return {line.split(':')[0] for line in owners.splitlines()}


def main():
    options = argparse.ArgumentParser()
    options.add_argument('file', type=pathlib.Path)
    for name in ('package', 'linked', 'text'):
        options.add_argument('--' + name, action='append', default=[])
    asked = options.parse_args()
    texts = {}  # the names of all that share a text, by the text
    for name, file in (each.split('=', 1) for each in asked.text):
        texts.setdefault(pathlib.Path(file).read_text(), []).append(name)
    for package in sorted(set(asked.package).union(*map(packages_of, asked.linked))):
        texts.setdefault((DOCUMENTS / package / 'copyright').read_text(), []).append(package)
    named = sorted(set(re.findall(r'common-licenses/([\w.-]*\w)', ''.join(texts))))
    for name in named:
        texts.setdefault((SHARED / name).read_text(), []).append(name)
    asked.file.parent.mkdir(parents=True, exist_ok=True)
    asked.file.write_text('\n'.join(f'{"=" * 78}\n{", ".join(names)}\n{"=" * 78}\n{text}' for text, names in texts.items()))


main()
