"""Runs the programs of this installation."""

import ctypes
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

_installed = Path(__file__).resolve().parent / "bin"


class RooftileError(Exception):
    """What rooftile-cli says went wrong: place, cause, what to do."""


def program(name):
    """The path of one of our programs: of ROOFTILE_BIN, of this wheel, else of PATH."""
    folders = [os.environ["ROOFTILE_BIN"]] if "ROOFTILE_BIN" in os.environ else [str(_installed)]
    found = shutil.which(name, path=os.pathsep.join(folders)) or shutil.which(name)
    if not found:
        raise RooftileError(f"{name} is neither in {' nor in '.join(folders)} nor in PATH.")
    return found


def _document(*words):
    done = subprocess.run([program("rooftile-cli"), "--json", *map(str, words)], capture_output=True, text=True)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        raise RooftileError(done.stderr.strip() or f"rooftile-cli ended with {done.returncode} and said nothing.") from None


def answer(*words):
    """What `rooftile-cli --json WORDS` prints, as a dict. Raises RooftileError with its sentence."""
    document = _document(*words)
    if "error" in document:
        raise RooftileError(document["error"]["sentence"])
    return document


def has_gpu():
    """Whether launches can be measured here: `rooftile-cli doctor` says what is missing."""
    states = {each["name"]: each["state"] for each in _document("doctor").get("facilities", [])}
    return states.get("driver") == "ready"


def _become(name):
    path = program(name)
    os.execv(path, [path, *sys.argv[1:]])


def window():
    if sys.argv[1:2] == ["doctor"]:  # which needs no display
        _become("rooftile-cli")
    try:
        ctypes.CDLL("libX11.so.6")
    except OSError:
        sys.exit("rooftile: This machine has no X11, which the window needs (libX11.so.6). rooftile-cli does the same job on the "
                 "terminal: `rooftile-cli report` draws the roofline, `rooftile-cli page` makes a page for a browser.")
    _become("rooftile")


def command_line():
    _become("rooftile-cli")


def worker():
    _become("rooftile-worker")
