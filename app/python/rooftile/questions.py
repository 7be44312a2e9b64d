"""The questions that one asks: a function for each verb of rooftile-cli."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from rooftile.launches import Launch, Launches
from rooftile.program import answer

_sessions = tempfile.TemporaryDirectory(prefix="rooftile-")  # of this process
_made = iter(range(10**9))


def session_file(wanted=None):
    """The file to keep launches in: the one that is wanted, else one that ends with this process."""
    return Path(wanted) if wanted else Path(_sessions.name) / f"{next(_made)}.jsonl"


def kernels():
    """The names of the bundled kernels."""
    return [each["name"] for each in answer("kernels")["kernels"]]


def measure(kernel, *, caches="cold", **dials):
    """Launches the kernel here, verifies it, times it and counts what it does. Gives a Launch."""
    return sweep(kernel, caches=caches, **dials)[0]


def sweep(kernel, *, caches="cold", best=False, devices=None, session=None, **dials):
    """Measures every legal combination; best: searches for the fastest instead. devices: GPUs of the machine that share
    the sweep, "all" or their numbers. session: a new file that keeps the launches. Gives Launches."""
    file = session_file(session)
    words = [f"--caches={caches}", "-o", file] + (["--best"] if best else [])
    if devices is not None:
        words.append("--devices=" + (devices if devices == "all" else ",".join(map(str, devices))))
    answer("sweep", kernel, *_assignments(dials or _one_place(kernel)), *words)
    return read(file)


def predict(kernel, *, gpu, **dials):
    """What the kernel would do on a GPU that need not be here. Where every dial has one value, one launch with all its
    figures; else the time and occupancy of every legal place of those that have several, the fastest first."""
    if any(map(_is_several, dials.values())):
        found = answer("predict", kernel, *_assignments(_default_dials(kernel) | dials), "--gpu", gpu, "--all")
        return Launches(Launch(_launch_of(place, found)) for place in found["places"] if not place["why_not"])
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "roofline.svg"
        launch = Launch(answer("predict", kernel, *_assignments(dials), "--gpu", gpu, "-o", picture))
        return Launches([launch], picture=picture.read_text())


def _launch_of(place, found):
    """A place of `predict --all` in the form of a launch."""
    time = place["predicted_s"]
    return {"point": {"kernel": found["kernel"], "gpu": found["gpu"], "parameters": place["parameters"]},
            "figures": {"time_s": {"value": time, "text": _time_text(time)},
                        "theoretical_occupancy": {"value": place["occupancy"], "text": f"{place['occupancy']:.1%}"}},
            "verdict": {"title": f"Would be bound by {place['longest_text']}"}}


def _time_text(seconds):
    unit, factor = next(each for each in (("s", 1), ("ms", 1e3), ("µs", 1e6)) if seconds * each[1] >= 1 or each[1] == 1e6)
    return f"{seconds * factor:.3g} {unit}"


def occupancy(kernel, *, gpu, **dials):
    """How many blocks fit on an SM and what limits them, as `rooftile-cli --json occupancy` says it."""
    return answer("occupancy", kernel, *_assignments(dials), "--gpu", gpu)


def read(session, kernel=None):
    """The launches of a session file; kernel: of one kernel alone."""
    words = [session, kernel] if kernel else [session]
    return Launches(map(Launch, answer("points", *words)["points"]), session=None if kernel else session)


def _is_several(value):
    return isinstance(value, Iterable) and not isinstance(value, str)


def _assignments(dials):
    """TILE=[8, 16] is TILE=8,16."""
    return [f"{name}={','.join(map(str, value)) if _is_several(value) else value}" for name, value in dials.items()]


def _parameters(kernel):
    return answer("kernels", kernel)["kernels"][0]["parameters"]


def _default_dials(kernel):
    """The dials as they stand where nobody turns them; without those that follow others."""
    return {each["name"]: each["default"] for each in _parameters(kernel)
            if each["role"] == "dial" and not isinstance(each["default"], str)}


def _one_place(kernel):
    """A sweep of one place names one value."""
    first = next(each for each in _parameters(kernel) if not isinstance(each["default"], str))
    return {first["name"]: first["default"]}
