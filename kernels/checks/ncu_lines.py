#!/usr/bin/env python3
"""Compares the sums over all source lines of rooftile-cli lines with Nsight Compute's source page.

    kernels/checks/ncu_lines.py BIN_DIR        BIN_DIR holds rooftile-cli and rooftile-worker

Prints one row per launch: the differences of the counts, which must be 0, and the largest difference between the two
tools' shares of a stall reason, in points; that one is statistical. Needs ncu and a GPU.
"""
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

CASES = [
    ("transpose_tiled", {"TILE": 32, "PAD": 0, "N": 2048}),
    ("transpose_tiled", {"TILE": 32, "PAD": 1, "N": 2048}),
    ("sgemm_tiled", {"TILE": 16, "PAD_A": 1, "PAD_B": 1, "N": 1024}),
    ("sgemm_register_2d", {"N": 1024}),
]
# Our name of a count, and ncu's heading of it.
COUNTS = {
    "executed": "Instructions Executed",
    "thread_executed": "Predicated-On Thread Instructions Executed",
    "global_sectors": "L2 Theoretical Sectors Global",
    "ideal_global_sectors": "L2 Theoretical Sectors Global Ideal",
    "shared_wavefronts": "L1 Wavefronts Shared",
    "ideal_shared_wavefronts": "L1 Wavefronts Shared Ideal",
}
# CUPTI's name of a reason, and ncu's heading where it is not the same behind "stall_".
REASONS = {
    "dispatch_stall": "dispatch", "imc_miss": "imc", "lg_throttle": "lg", "long_scoreboard": "long_sb",
    "math_pipe_throttle": "math", "mio_throttle": "mio", "no_instructions": "no_inst",
    "short_scoreboard": "short_sb", "sleeping": "sleep", "tex_throttle": "tex",
}


def run(command, **more):
    return subprocess.run(command, text=True, capture_output=True, check=True, **more).stdout


def ours(binaries, kernel, parameters):
    words = [f"{name}={value}" for name, value in parameters.items()]
    return json.loads(run([binaries / "rooftile-cli", "lines", kernel, *words, "--json"]))["total"]


def source_page(binaries, kernel, parameters):
    request = {"request": "measure", "id": 1, "kernel": kernel, "parameters": parameters, "caches": "cold"}
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.ncu-rep"
        run(["ncu", "--clock-control", "none", "--section", "SourceCounters", "-k", kernel, "-c", "1", "-o", report,
             binaries / "rooftile-worker"], input=json.dumps(request) + "\n")
        return run(["ncu", "--import", report, "--page", "source", "--csv", "--print-source", "sass"])


def ncus(page):
    """Sums over all instructions, by heading."""
    table = page[page.index('"Address"'):]
    sums = {}
    for row in csv.DictReader(io.StringIO(table)):
        for heading, value in row.items():
            if heading and value and value.isdigit():
                sums[heading] = sums.get(heading, 0) + int(value)
    return sums


def stall_difference(mine, theirs):
    stalls = mine["stall_samples"]
    headings = {reason: "stall_" + REASONS.get(reason, reason) for reason in stalls}
    all_mine = sum(stalls.values())
    all_theirs = sum(value for heading, value in theirs.items()
                     if heading.startswith("stall_") and "Not Issued" not in heading)
    return max(abs(100 * stalls[reason] / all_mine - 100 * theirs.get(heading, 0) / all_theirs)
               for reason, heading in headings.items())


def main():
    binaries = pathlib.Path(sys.argv[1]).resolve()
    print(f"{'launch':54}" + "".join(f"{name:>25}" for name in COUNTS) + f"{'stalls, points':>16}")
    equal = True
    for kernel, parameters in CASES:
        mine, theirs = ours(binaries, kernel, parameters), ncus(source_page(binaries, kernel, parameters))
        differences = [mine[name] - theirs[heading] for name, heading in COUNTS.items()]
        equal &= not any(differences)
        label = kernel + " " + " ".join(f"{name}={value}" for name, value in parameters.items())
        print(f"{label:54}" + "".join(f"{d:25}" for d in differences) + f"{stall_difference(mine, theirs):16.1f}")
    sys.exit(0 if equal else "some counts differ")


if __name__ == "__main__":
    main()
