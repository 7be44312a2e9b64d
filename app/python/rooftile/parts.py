"""Records what a part of this process launches on the GPU."""

import contextlib
import ctypes
import json
import os
import tempfile
import warnings
from pathlib import Path

from rooftile.launches import Launches
from rooftile.program import RooftileError, answer, program
from rooftile.questions import read, session_file


class Part:
    """launches: what the part launched, a row for each kernel and shape, those that took most of the GPU's time first. They
    are known once it is over."""

    launches = Launches([])

    def __repr__(self):
        return repr(self.launches)

    def _repr_html_(self):
        return self.launches._repr_html_()


@contextlib.contextmanager
def profile(*, replay="seldom", session=None):
    """Counts and times what is launched inside, as `rooftile-cli profile` does of a whole program:

        with rooftile.profile() as part:
            model(batch)
        part.launches

    replay: whether launches are run again for every pass: "never", "seldom" or "always". session: a new file that keeps
    the launches. The part waits for the GPU when it ends. Only one part at a time is recorded."""
    if session and not Path(session).absolute().parent.is_dir():
        raise RooftileError(f"The launches cannot be kept in {session}: there is no such folder.")
    part = Part()
    with tempfile.TemporaryDirectory(prefix="rooftile-") as folder:
        end = _begin(folder, replay)
        try:
            yield part
        finally:
            end()
        part.launches = _recorded(Path(folder), session_file(session))


def _begin(folder, replay):
    """Gives what ends the part."""
    wanted = {"ROOFTILE_PROFILE_FOLDER": folder, "ROOFTILE_PROFILE_REPLAY": replay}
    library = ctypes.CDLL(str(_library()))
    library.rooftile_begin_part.restype = ctypes.c_char_p
    os.environ.update(wanted)
    try:
        why_not = library.rooftile_begin_part()
    finally:
        for name in wanted:
            del os.environ[name]
    if why_not:
        raise RooftileError(why_not.decode())
    return library.rooftile_end_part


def _library():
    """Beside the programs in a build folder, else where it is installed."""
    beside = Path(program("rooftile-cli")).resolve().parent
    places = [beside / "librooftile-inject.so", beside / "../lib/rooftile/librooftile-inject.so"]
    for place in places:
        if place.exists():
            return place
    raise RooftileError(f"Nothing is recorded: {places[0]} is missing. Rooftile has it where it is built with CUDA.")


def _recorded(folder, session):
    """The launches of this process, with the roofs of its GPU."""
    file = next(folder.glob("*.jsonl"))
    records = [json.loads(line) for line in file.read_text().splitlines()]
    missing = [each for record in records for each in record.get("facilities", []) if each["state"] != "ready"]
    for each in missing:
        warnings.warn(f"{each['sentence']} {each['fix']}".strip(), stacklevel=4)
    if not any(record["record"] == "point" for record in records):
        return Launches([])
    answer("merge", file, "--roofs", "-o", session)
    return Launches(read(session), session=session, order=_time_of_all)


def _time_of_all(launch):
    """The GPU's time of all its launches; negative, so that the longest comes first."""
    return -launch.document["point"]["program"]["total_s"]
