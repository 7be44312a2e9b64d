#!/usr/bin/env python3
"""Writes the PTX that a page brings, of places of the bundled kernels: for pictures, the steps of a block and predictions.
Needs NVRTC, but no GPU; on two cores it takes some minutes.

    kernels/checks/page_code.py BIN_DIR FILE [--session SESSION] [--jobs N]

BIN_DIR holds rooftile-cli and rooftile-worker. The places of SESSION come first, then the others, the fewer dials
differ from their defaults, the earlier, as long as a kernel's code takes at most SHARE bytes. Each place is two lines:
what it is, and the worker's answer. The PTX is for the oldest architecture that the kernel runs on, so every later
GPU has it too. Kernels that FILE has already and whose source is still the same are kept.
"""
import argparse
import json
import os
import pathlib
import re
import tomllib
import zlib

from compiled_table import source_key
from workers import ask_all, catalogue, combinations, is_compiled

SHARE = 175_000           # [B] compressed, of a page of 8 MB: some thirty kernels have so much
OLDEST = "7.5"   # that NVRTC 13 knows


def described(kernel):
    return tomllib.loads(pathlib.Path(kernel["manifest"]).read_text())


def variant(parameters, dials):
    return tuple(parameters.get(name, default) for name, default in dials.items())


def recorded(session, kernel, dials):
    points = (json.loads(line) for line in session.read_text().splitlines() if f'"{kernel}"' in line)
    return {variant(point["parameters"], dials) for point in points if point.get("record") == "point" and point["kernel"] == kernel}


def places(binaries, kernel, description, session):
    """The parameters of each variant that is compiled apart, in the order of their worth."""
    dials = {each["name"]: each["default"] for each in description["parameters"] if is_compiled(each)}
    apart = {variant(each["parameters"], dials): each["parameters"] for each in combinations(binaries, kernel)}
    launched, usual = recorded(session, kernel, dials), tuple(dials.values())
    differing = lambda values: sum(value != default for value, default in zip(values, usual))
    order = sorted(apart, key=lambda values: (values not in launched, differing(values)))
    return [(dict(zip(dials, values)), apart[values]) for values in order]


def shortened(answer, root):
    """Its PTX without comments, empty lines and indentation, and the machine's code with the lines of that; files as they
    are called below the root."""
    lines, now_at = [], []
    for line in re.sub(r"//[^\n]*", "", answer["ptx"].replace(f"{root}/", "")).splitlines():
        now_at.append(len(lines) + 1)
        lines += [line.strip()] if line.strip() else []
    blocks = [{"lines": [now_at[line - 1] for line in block["lines"]], "kept": [now_at[line - 1] for line in block["kept"]],
               "target": block["target"], "waits": block["waits"]} for block in answer.get("machine_code", [])]
    return {"ptx": "\n".join(lines) + "\n", "machine_code": blocks}


def code_of(binaries, kernel, description, wanted, jobs):
    manifest = described(description)
    cc, key = manifest.get("minimum_cc", OLDEST), source_key(description["source"])
    root = pathlib.Path(description["manifest"]).parents[3]
    lines, packer, size = [], zlib.compressobj(9), 0
    while wanted and size < SHARE:
        some, wanted = wanted[:8 * jobs], wanted[8 * jobs:]
        requests = [{"request": "compile", "kernel": kernel, "parameters": parameters, "compute_capability": cc} for _, parameters in some]
        answers, _ = ask_all([binaries / "rooftile-worker", "--ptx"], [requests[i::jobs] for i in range(min(jobs, len(requests)))], 3600)
        compiled = {json.dumps(request["parameters"]): answer for request, answer in answers if answer and not answer.get("failure")}
        for values, parameters in some:
            answer = compiled.get(json.dumps(parameters))
            if answer and size < SHARE:
                place = {"kernel": kernel, "source_key": key, "compute_capability": cc, "parameters": values}
                code = {"id": 0, "symbol": answer["symbol"], **shortened(answer, root)}
                both = [json.dumps(each, separators=(",", ":")) for each in (place, code)]
                size += len(packer.compress("\n".join(both).encode()) + packer.flush(zlib.Z_SYNC_FLUSH))
                lines += both
    print(f"{kernel}: {len(lines) // 2} places, {size} bytes", flush=True)
    return lines


def kept_lines(file):
    """By kernel and its source's key."""
    kept, lines = {}, file.read_text().splitlines() if file.exists() else []
    for place, code in zip(lines[::2], lines[1::2]):
        of = json.loads(place)
        kept.setdefault((of["kernel"], of["source_key"]), []).extend((place, code))
    return kept


def main():
    options = argparse.ArgumentParser()
    options.add_argument("binaries", type=pathlib.Path)
    options.add_argument("file", type=pathlib.Path)
    options.add_argument("--session", type=pathlib.Path, default="assets/sessions/h100_h200.jsonl")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = options.parse_args()
    kept, lines = kept_lines(asked.file), []
    for kernel, description in catalogue(asked.binaries, []).items():
        if not description["source"]:
            continue
        lines += kept.get((kernel, source_key(description["source"]))) or code_of(
            asked.binaries, kernel, description, places(asked.binaries, kernel, description, asked.session), asked.jobs)
    text = "".join(line + "\n" for line in lines)
    if not asked.file.exists() or asked.file.read_text() != text:  # else the page is not built again
        asked.file.write_text(text)


if __name__ == "__main__":
    main()
