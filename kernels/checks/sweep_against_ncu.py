#!/usr/bin/env python3
"""Measures how many times faster a sweep with counters is than Nsight Compute on the same launches.

    kernels/checks/sweep_against_ncu.py BIN_DIR        BIN_DIR holds rooftile-cli and rooftile-worker

ncu profiles the launches of one worker process with its roofline set; the time of ncu's start is left out. Needs ncu and
a GPU.
"""
import json
import pathlib
import subprocess
import sys
import time

FEW, MANY = 4, 24  # launches that ncu profiles: the difference gives the cost of one
SIZE = 1024


def requests():
    tiles = [{"TILE": tile, "PAD_A": pad, "N": SIZE} for tile in (8, 16, 32) for pad in range(9)]
    lines = [{"request": "measure", "id": i + 1, "kernel": "sgemm_tiled", "parameters": p, "caches": "cold"}
             for i, p in enumerate(tiles)]
    return "".join(json.dumps(line) + "\n" for line in lines)


def ncu_seconds(binaries, launches):
    begin = time.monotonic()
    subprocess.run(["ncu", "--clock-control", "none", "--set", "roofline", "-k", "sgemm_tiled", "-c", str(launches),
                    "--kill", "yes", binaries / "rooftile-worker"],
                   input=requests(), text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.monotonic() - begin


def main():
    binaries = pathlib.Path(sys.argv[1]).resolve()
    run = subprocess.run([binaries / "rooftile-cli", "--json", "bench", "sweep", "--size", str(SIZE)],
                         capture_output=True, text=True, check=True)
    ours = json.loads(run.stdout)
    each = ours["wall_s"] / ours["points"]
    ncu = (ncu_seconds(binaries, MANY) - ncu_seconds(binaries, FEW)) / (MANY - FEW)
    print(f"a configuration of {ours['points']:.0f}: {1e3 * each:.1f} ms, of which {1e3 * ours['overhead_s']:.1f} ms "
          f"beyond its launches")
    print(f"a launch under ncu --set roofline: {1e3 * ncu:.0f} ms, {ncu / each:.1f} times as long")


if __name__ == "__main__":
    main()
