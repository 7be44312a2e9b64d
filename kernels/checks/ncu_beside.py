#!/usr/bin/env python3
"""Shows that Nsight Compute can profile beside a worker that rests, and that a worker at work keeps the counters.

    kernels/checks/ncu_beside.py BIN_DIR        BIN_DIR holds rooftile-worker

A worker gives its counters back after --idle seconds without a request, and takes them again with the next one.
Needs ncu and a GPU.
"""
import json
import pathlib
import subprocess
import sys
import time

IDLE = 3
REQUEST = {"request": "measure", "kernel": "sgemm_tiled", "parameters": {"N": 256}, "caches": "cold"}


def counted(worker, number):
    worker.stdin.write(json.dumps({**REQUEST, "id": number}) + "\n")
    worker.stdin.flush()
    for line in worker.stdout:
        answer = json.loads(line)
        if answer["record"] == "point" and answer["id"] == number and answer["final"]:
            return "counters" in answer
    sys.exit("the worker ended")


def ncu_profiles(binaries):
    """Whether ncu can profile a second worker, which only verifies."""
    command = ["ncu", "--clock-control", "none", "--metrics", "dram__bytes_read.sum", "-c", "1", "-k", "sgemm_tiled",
               binaries / "rooftile-worker", "--verify-only"]
    ncu = subprocess.run(command, input=json.dumps({**REQUEST, "id": 1}) + "\n", text=True, capture_output=True)
    return "dram__bytes_read.sum" in ncu.stdout and "==ERROR==" not in ncu.stdout + ncu.stderr


def main():
    binaries = pathlib.Path(sys.argv[1])
    command = [binaries / "rooftile-worker", "--idle", str(IDLE)]
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    counted(worker, 1)
    time.sleep(20)  # the roofs that are left are measured first
    steps = [("the worker counts", True, counted(worker, 2)),
             ("ncu beside it", False, ncu_profiles(binaries))]
    time.sleep(IDLE + 2)
    steps += [("ncu once the worker rests", True, ncu_profiles(binaries)),
              ("the worker counts again", True, counted(worker, 3))]
    worker.stdin.close()
    worker.wait()
    for name, expected, seen in steps:
        print(f"{name:28} {'yes' if seen else 'no':4} {'' if seen == expected else 'NOT AS EXPECTED'}")
    sys.exit(any(seen != expected for _, expected, seen in steps))


if __name__ == "__main__":
    main()
