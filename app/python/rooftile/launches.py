"""Launches as pandas and notebooks take them."""

import base64
import html
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from rooftile.program import answer

_columns = {"time_s": "time", "flops_per_s": "FLOP/s", "dram_bytes": "DRAM", "dram_intensity_flops_per_byte": "FLOP/B at DRAM",
            "share_of_nearest_roof": "of the nearest roof", "theoretical_occupancy": "occupancy"}


class Launch(Mapping):
    """One launch, flat: "kernel", "gpu" (and "device", its number, where the machine has several), "evidence", its parameters
    by name ("TILE"), and its figures by the ids of `rooftile-cli` ("time_s", "dram_bytes"), in base units; then "verdict" and
    "advice". A figure that is not known has no key."""

    def __init__(self, document):
        """document: a launch as `rooftile-cli --json` prints it, or one of its predicted places."""
        self.document = document
        point = document["point"]
        self.parameters = dict(point["parameters"])
        self._values = {"kernel": point["kernel"], "gpu": point["gpu"], "evidence": _evidence(document)}
        if "device" in point:
            self._values["device"] = point["device"]
        self._values |= self.parameters
        self._values |= {name: figure["value"] for name, figure in document.get("figures", {}).items()}
        for words in ("verdict", "advice"):
            said = document.get(words, {})
            self._values[words] = said.get("title") or said.get("sentence") or ""

    def text(self, figure):
        """A figure for people, with its unit; a dash where it is not known."""
        return self.document.get("figures", {}).get(figure, {}).get("text", "–")

    def __getitem__(self, name):
        return self._values[name]

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def __repr__(self):
        dials = " ".join(f"{name}={value:g}" for name, value in self.parameters.items())
        return f"{self['kernel']} {dials} on {self['gpu']}: {self.text('time_s')}, {self['evidence']}. {self['verdict']}"


class Launches(Sequence):
    """Launches, the fastest first, or in another order. In a notebook: a table, and the roofline where there is a session."""

    def __init__(self, launches, session=None, picture=None, order=lambda each: each.get("time_s", float("inf"))):
        self._launches = sorted(launches, key=order)
        self._session, self._picture = session, picture

    def __getitem__(self, at):
        return self._launches[at]

    def __len__(self):
        return len(self._launches)

    def __repr__(self):
        return "\n".join(map(repr, self._launches)) or "no launches"

    def frame(self):
        """A pandas.DataFrame, a row for each launch."""
        import pandas

        return pandas.DataFrame([dict(each) for each in self._launches])

    def roofline(self):
        """The roofline with these launches as SVG text; None for predictions of several places."""
        if self._picture is None and self._session is not None:
            with tempfile.TemporaryDirectory() as folder:
                self._picture = Path(answer("report", self._session, "-o", folder)["roofline"]).read_text()
        return self._picture

    def _repr_html_(self):
        return _image(self.roofline()) + self._table()

    def _table(self):
        dials = _dials_that_differ(self._launches)
        kernels = ["kernel"] if len({each["kernel"] for each in self._launches}) > 1 else []
        columns = [name for name in _columns if any(name in each for each in self._launches)]
        head = [*kernels, *dials, *(_columns[name] for name in columns), "verdict"]
        rows = [[each[name] for name in kernels] + [f"{each[dial]:g}" for dial in dials] + [each.text(name) for name in columns] + [each["verdict"]]
                for each in self._launches]
        return "<table>" + _row("th", head) + "".join(_row("td", row) for row in rows) + "</table>"


def _evidence(document):
    return document.get("placement", {}).get("evidence", "predicted")


def _image(svg):
    """As wide as the page at most."""
    data = base64.b64encode(svg.encode()).decode() if svg else ""
    return f'<img style="max-width:100%" src="data:image/svg+xml;base64,{data}"/>' if data else ""


def _row(tag, cells):
    return "<tr>" + "".join(f'<{tag} style="white-space:nowrap">{html.escape(cell)}</{tag}>' for cell in cells) + "</tr>"


def _dials_that_differ(launches):
    names = launches[0].parameters if launches else {}
    return [name for name in names if len({each.parameters.get(name) for each in launches}) > 1]
