#!/usr/bin/env python3
"""Makes assets/compiled.jsonl: NVRTC's figures for every combination of the kernels' dials, for predictions without a
compiler. Needs NVRTC, but no GPU; on one core it takes hours.

    kernels/checks/compiled_table.py BIN_DIR FILE [--kernels NAME ...] [--cc 8.0 9.0 ...] [--jobs N]

BIN_DIR holds rooftile-cli and rooftile-worker. Kernels that FILE has already and whose source is still the same are
kept: a run that was cut short goes on where it ended. The first line says who compiled. Each other line is a kernel:
its dials with their values, the key of its source, and by architecture the figures of every place, the last dial
changing fastest: "32*3 40" is 32 three times, then 40; 0 registers: such a place is not legal, or does not compile.
"""
import argparse
import itertools
import json
import os
import pathlib
import subprocess

from workers import ask_all, catalogue, combinations, is_compiled

ARCHITECTURES = ["7.5", "8.0", "8.6", "8.9", "9.0", "10.0", "12.0"]
FIGURES = ["registers_per_thread", "static_shared_bytes", "local_bytes", "spill_store_bytes", "spill_load_bytes",
           "named_barriers"]


def source_key(file):
    """FNV-1a of its text; analysis/model/compiled_table.cpp computes the same."""
    key = 0xcbf29ce484222325
    for byte in pathlib.Path(file).read_bytes():
        key = (key ^ byte) * 0x100000001b3 % 2**64
    return f"{key:016x}"


def compiler(binaries):
    words = subprocess.run([binaries / "rooftile-worker", "--compile-only"], stdin=subprocess.DEVNULL, check=True,
                           capture_output=True, text=True).stdout
    facilities = json.loads(words.splitlines()[0])["facilities"]
    sentence = next(each["sentence"] for each in facilities if each["name"] == "compiler")
    return sentence.removesuffix(" compiles the kernels.")


def run_lengths(numbers):
    runs = [(number, len(list(same))) for number, same in itertools.groupby(numbers)]
    return " ".join(f"{number}*{length}" if length > 1 else str(number) for number, length in runs)


def made_for(cc, binaries, kernel, dials, jobs):
    """The figures of every place, or nothing where the kernel is not for that architecture."""
    compiled_apart = {tuple(each["parameters"][name] for name in dials): each["parameters"]
                      for each in combinations(binaries, kernel)}
    requests = [{"request": "compile", "kernel": kernel, "parameters": parameters, "compute_capability": cc}
                for parameters in compiled_apart.values()]
    shares = [requests[i::jobs] for i in range(min(jobs, len(requests)))]
    answers, _ = ask_all([binaries / "rooftile-worker", "--compile-only"], shares, 24 * 3600)
    compiled = {tuple(request["parameters"][name] for name in dials): answer["compiled"]
                for request, answer in answers if answer and "compiled" in answer}
    places = [compiled.get(place) for place in itertools.product(*dials.values())]
    columns = {figure: [made[figure] if made else 0 for made in places] for figure in FIGURES}
    return {figure: run_lengths(column) for figure, column in columns.items() if any(column)} if compiled else None


def table_line(binaries, kernel, description, asked):
    dials = {each["name"]: each["values"] for each in description["parameters"] if is_compiled(each)}
    made = {cc: made_for(cc, binaries, kernel, dials, asked.jobs) for cc in asked.cc}
    return {"kernel": kernel, "source_key": source_key(description["source"]),
            "dials": [{"name": name, "values": values} for name, values in dials.items()],
            "made": {cc: figures for cc, figures in made.items() if figures}}


def kept_lines(file):
    if not file.exists():
        return {}
    return {line["kernel"]: line for line in map(json.loads, file.read_text().splitlines()[1:])}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("binaries", type=pathlib.Path)
    options.add_argument("file", type=pathlib.Path)
    options.add_argument("--kernels", nargs="*", default=[])
    options.add_argument("--cc", nargs="*", default=ARCHITECTURES)
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = options.parse_args()
    lines = kept_lines(asked.file)
    header = {"record": "compiled_table", "compiler": compiler(asked.binaries)}
    for kernel, description in catalogue(asked.binaries, asked.kernels).items():
        if not description["source"]:
            continue  # a library's
        known = lines.get(kernel)
        if not known or known["source_key"] != source_key(description["source"]):
            lines[kernel] = table_line(asked.binaries, kernel, description, asked)
            print(kernel, flush=True)
            text = [json.dumps(line, separators=(",", ":")) for line in [header, *lines.values()]]
            asked.file.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
