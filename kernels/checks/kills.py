#!/usr/bin/env python3
"""Kills the window, the command line and workers at random moments of a sweep. No GPU is needed: the worker is the tests'.

    kernels/checks/kills.py BIN_DIR [--kills 1000] [--seed 1]

Whatever is killed, its session must be readable, and may lack only launches that were under way: a launch is sent after
the one before it has been shown. The command line's progress line counts as shown too. A sweep whose worker is killed
goes on, and has every launch at its end. The window is left out unless there is a display and xdotool. Ends with status 1
if anything is missing."""
import argparse
import collections
import json
import os
import pathlib
import pty
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TILES, PADS = (8, 16, 32), range(9)
LAUNCHES = len(TILES) * len(PADS) ** 2
MOST_TOGETHER = 32  # launches that are sent to the worker at once: app/session/request_queue.cpp


class Place:
    """A folder for one victim, with the command of its worker."""

    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder
        self.session, self.heard = folder / "s.jsonl", folder / "heard"
        self.worker = f"{programs / 'scripted_worker'} --pause 4 --heard {self.heard}"
        self.environment = dict(os.environ, XDG_STATE_HOME=str(folder), XDG_CONFIG_HOME=str(folder))

    def sweep(self, error):
        command = [self.programs / "rooftile-cli", "--worker", self.worker, "sweep", "sgemm_tiled", "-o", self.session,
                   "TILE=" + ",".join(map(str, TILES)), "PAD_A=0..8", "PAD_B=0..8"]
        return subprocess.Popen(command, env=self.environment, stdout=subprocess.DEVNULL, stderr=error)

    def asked(self):
        """The measurements that the worker has read, in order."""
        lines = self.heard.read_text().splitlines() if self.heard.exists() else []
        requests = [json.loads(line) for line in lines if line.endswith("}")]
        return [request["id"] for request in requests if request["request"] == "measure"]


def points(programs, session):
    """The finished launches of a session by id, as the programs read it; None where they cannot."""
    copy = session.with_suffix(".merged")
    merged = subprocess.run([programs / "rooftile-cli", "merge", session, "-o", copy], capture_output=True, text=True)
    if merged.returncode != 0:
        print(f"{session}: {merged.stderr}", file=sys.stderr)
        return None
    records = map(json.loads, copy.read_text().splitlines())
    return {record["id"]: record for record in records if record["record"] == "point"}


def what_is_wrong(place, session, shown):
    """The fault of a killed program's session, of which so many finished launches were shown; empty if there is none."""
    asked = place.asked()
    if not session.exists() or session.stat().st_size == 0:
        return "no session" if shown > 0 or len(asked) > MOST_TOGETHER else ""
    kept = points(place.programs, session)
    if kept is None:
        return "not readable"
    missing = [at for at, number in enumerate(asked) if number not in kept]
    if missing and missing[0] < len(asked) - MOST_TOGETHER:
        return f"launch {missing[0]} of {len(asked)} is missing"
    return f"{shown} launches were shown, {len(kept)} kept" if len(kept) < shown else ""


def progress(terminal):
    """How many launches the progress line calls finished, by everything that was written to the terminal."""
    written = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            piece = b""
        if not piece:
            return max(map(int, re.findall(rb"(\d+)/%d" % LAUNCHES, written)), default=0)
        written += piece


def kill_command_line(place):
    terminal, other_end = pty.openpty()
    victim = place.sweep(other_end)
    os.close(other_end)
    time.sleep(random.uniform(0.02, 2.0))
    victim.kill()
    victim.wait()
    shown = progress(terminal)
    os.close(terminal)
    return what_is_wrong(place, place.session, shown)


def children(process):
    try:
        return list(map(int, pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()))
    except (FileNotFoundError, ProcessLookupError):
        return []


def kill_worker(place):
    sweep = place.sweep(subprocess.DEVNULL)
    time.sleep(random.uniform(0.02, 2.0))
    for worker in random.sample(found := children(sweep), min(1, len(found))):
        try:
            os.kill(worker, signal.SIGKILL)
        except ProcessLookupError:
            pass
    sweep.wait()
    kept = points(place.programs, place.session)
    if kept is None:
        return "not readable"
    failed = [point for point in kept.values() if "failure" in point]
    if len(kept) != LAUNCHES:
        return f"{len(kept)} of {LAUNCHES} launches"
    return f"{len(failed)} launches failed" if len(failed) > 1 else ""


def kill_window(place):
    command = [place.programs / "rooftile", "--worker", place.worker, "--kernel", "sgemm_tiled"]
    victim = subprocess.Popen(command, env=place.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    sessions = place.folder / "rooftile" / "sessions"
    patience = time.monotonic() + 30
    while not list(sessions.glob("*.jsonl")) and time.monotonic() < patience:
        time.sleep(0.02)
    subprocess.run(["xdotool", "key", "s", "sleep", "0.2", "key", "Return"], check=True)
    time.sleep(random.uniform(0.0, 2.0))
    if victim.poll() is not None:
        return f"it had ended by itself with {victim.returncode}"
    victim.kill()
    victim.wait()
    written = list(sessions.glob("*.jsonl"))
    return what_is_wrong(place, written[0], 0) if written else "no session after 30 s"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("programs", type=pathlib.Path)
    arguments.add_argument("--kills", type=int, default=1000)
    arguments.add_argument("--seed", type=int, default=1)
    asked = arguments.parse_args()
    random.seed(asked.seed)
    victims = {"command line": kill_command_line, "worker": kill_worker}
    if os.environ.get("DISPLAY") and shutil.which("xdotool"):
        victims["window"] = kill_window
    killed, launches, wrong = collections.Counter(), collections.Counter(), 0
    for number in range(asked.kills):
        name = list(victims)[number % len(victims)]
        with tempfile.TemporaryDirectory() as folder:
            place = Place(asked.programs.resolve(), pathlib.Path(folder))
            complaint = victims[name](place)
            killed[name] += 1
            launches[name] += len(place.asked())
        if complaint:
            wrong += 1
            print(f"kill {number + 1}, {name}: {complaint}", file=sys.stderr)
    for name in victims:
        print(f"{name}: {killed[name]} kills, {launches[name]} launches asked for")
    print("Every session was readable, and nothing that was shown was missing." if wrong == 0 else f"{wrong} went wrong.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
