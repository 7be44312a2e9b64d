#!/usr/bin/env python3
"""Every way in which a launch goes wrong, with good launches between, on a machine with a GPU.

    kernels/checks/faults.py BIN_DIR [--orders 5] [--kills 5]

Each order visits every fault once, shuffled, a good launch before and after each. Prints a row per fault: its sentence,
how many of the good launches beside it were counted, and the time until the next launch is counted. Then a worker is
killed at each stage of a launch, and the same launch is asked for once more. Last, workers are killed in the middle of
sweeps. Ends with status 1 if a good launch was lost, if a fault has no sentence of its own, or if a killed launch is not
reported, or not counted when it is asked for again."""
import argparse
import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

GOOD = "good"
FAULTS = {  # what the kernel does with its element i
    "illegal address": "out[i + (1ll << 40)] = 0;",
    "misaligned address": "*(float2*)((char*)out + 4) = make_float2(0, 0);",
    "trap": "__trap();",
    "assert": '__assertfail("i < 0", "faults.cu", 1, "faults", 1);',
    "stack overflow": "out[i] = deep(i + 1000000);",
    "endless loop": "for (;;) __nanosleep(1000);",
    "wrong result": "out[i] = 3 * in[i];",
    "too many threads": "out[i] = 2 * in[i];",
    "too much shared memory": "out[i] = 2 * in[i];",
    "out of device memory": "out[i] = 2 * in[i];",
    "too few arguments": "out[i] = 2 * in[i];",
    "argument of a wrong size": "out[i] = 2 * in[i];",
}
# Slow, so that a worker can be killed in the middle: compiled in some 10 s, run in about half a second.
SLOW_TO_COMPILE = "float s = in[i]; " + " ".join(
    f"for (int k = 0; k < 64; ++k) s = sinf(s) + powf(s, {k}.f);" for k in range(120)) + " out[i] = 2 * in[i] + (s == 0.123f);"
SLOW_TO_RUN = "if (i == 0) for (int k = 0; k < 400; ++k) __nanosleep(1000000); out[i] = 2 * in[i];"
STAGES = {  # the kernel, the word in the session that comes just before the stage, and the seconds until the stage is under way
    "compiling": (SLOW_TO_COMPILE, "", 5.0),  # a worker introduces itself within 3 s
    "verifying": (SLOW_TO_RUN, '"compiled":', 0.2),
    "timing": (SLOW_TO_RUN, '"compiled":', 1.2),
    "counting": (SLOW_TO_RUN, '"timing":', 0.2),
}
SOURCE = """
extern "C" __device__ void __assertfail(const char*, const char*, unsigned, const char*, unsigned long);
__device__ __noinline__ float deep(int n) {
  volatile float here[64];
  here[n & 63] = n;
  return n <= 0 ? here[0] : deep(n - 1) + here[n & 63];
}
#if %(too_few)s
extern "C" __global__ void faults(const float* in, float* out, int N, int more) {
#elif %(wrong_size)s
extern "C" __global__ void faults(const float* in, float* out, long long N) {
#else
extern "C" __global__ void faults(const float* in, float* out, int N) {
#endif
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
%(cases)s  out[i] = 2 * in[i];
}
"""
REFERENCE = """
extern "C" __global__ void reference(const float* in, float* out, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) out[i] = 2 * in[i];
}
"""
MANIFEST = """
title = "Faults"
idea = "a fault at some steps"
order = 1
source = "faults.cu"
entry = "faults"

[[parameter]]
name = "STEP"
label = "Step"
values = [%(steps)s]
default = 0

[[parameter]]
name = "N"
label = "Size"
role = "size"
values = [1048576]
default = 1048576

[[buffer]]
name = "in"
count = "N%(memory)s"
role = "input"

[[buffer]]
name = "out"
count = "N"
role = "output"

[launch]
arguments = [{ buffer = "in" }, { buffer = "out" }, { int = "N" }]
grid = ["ceil_div(N, 256)"]
block = ["256%(threads)s"]
dynamic_shared_bytes = "0%(shared)s"

[work]
elements = "N"
elements_label = "numbers"

[traffic]
compulsory_dram = "8 * N"

[verify]
source = "reference.cu"
entry = "reference"
grid = ["ceil_div(N, 256)"]
block = ["256"]
tolerance = "0"
"""


def at(steps, fault, more):
    """More of something at the steps that are to have this fault."""
    return "".join(f" + (STEP == {i} ? {more} : 0)" for i, step in enumerate(steps) if step == fault)


def where(steps, fault):
    """True for the preprocessor at the steps that are to have this fault."""
    return " || ".join(["0"] + [f"STEP == {i}" for i, step in enumerate(steps) if step == fault])


def write_kernel(folder, steps, bodies=FAULTS):
    folder = folder / "faults"
    folder.mkdir(parents=True, exist_ok=True)
    cases = "".join(f"#if STEP == {i}\n  {{ {bodies[step]} return; }}\n#endif\n" for i, step in enumerate(steps) if step != GOOD)
    (folder / "faults.cu").write_text(SOURCE % {
        "cases": cases,
        "too_few": where(steps, "too few arguments"),
        "wrong_size": where(steps, "argument of a wrong size")})
    (folder / "reference.cu").write_text(REFERENCE)
    (folder / "kernel.toml").write_text(MANIFEST % {
        "steps": ", ".join(map(str, range(len(steps)))),
        "memory": at(steps, "out of device memory", "1e12"),
        "threads": at(steps, "too many threads", 2048),
        "shared": at(steps, "too much shared memory", 400000)})


def sweep(binaries, words, kernels=None, limit=4, beside=None):
    """The points of a sweep in launch order, and the seconds it took. beside: called with the session file meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        session = pathlib.Path(folder) / "session.jsonl"
        options = ["--kernels", str(kernels)] if kernels else []
        start = time.monotonic()
        if beside:
            threading.Thread(target=beside, args=[session], daemon=True).start()
        run = subprocess.run([binaries / "rooftile-cli", *options, "--launch-limit", str(limit), "sweep", *words, "-o", session],
                             capture_output=True, text=True)
        seconds = time.monotonic() - start
        if not session.exists():
            sys.exit(f"no session: {run.stdout[-500:]} {run.stderr[-2000:]}")
        records = map(json.loads, session.read_text().splitlines())
        return [record for record in records if record["record"] == "point"], seconds


def visit(binaries, steps):
    with tempfile.TemporaryDirectory() as folder:
        write_kernel(pathlib.Path(folder), steps)
        points, seconds = sweep(binaries, ["faults", f"STEP=0..{len(steps) - 1}"], folder)
    return {int(point["parameters"]["STEP"]): point for point in points}, seconds


def is_counted(point):
    return point is not None and "failure" not in point and "counters" in point


def sentence(point):
    return "" if point is None else point.get("failure", "")


def visit_orders(binaries, orders, seed):
    """By fault: its sentences, and whether the good launches beside it were counted."""
    said, beside = collections.defaultdict(set), collections.defaultdict(list)
    for order in range(orders):
        faults = list(FAULTS)
        random.Random(seed + order).shuffle(faults)
        steps = [GOOD] + [step for fault in faults for step in (fault, GOOD)]
        points, _ = visit(binaries, steps)
        for i, step in enumerate(steps):
            if step != GOOD:
                said[step].add(sentence(points.get(i)))
                beside[step] += [is_counted(points.get(i - 1)), is_counted(points.get(i + 1))]
    return said, beside


def seconds_lost(binaries, fault, without):
    _, seconds = visit(binaries, [GOOD, fault, GOOD])
    return seconds - without


def workers():
    found = subprocess.run(["pgrep", "-x", "rooftile-worker"], capture_output=True, text=True).stdout.split()
    return [int(process) for process in found]


def kill_the_worker_that_measures():
    """Kills the oldest worker; False if there is none."""
    processes = workers()
    if processes:
        os.kill(min(processes), signal.SIGKILL)  # it was started first
    return bool(processes)


def kill_at(session, word, delay):
    """Kills the worker so many seconds after a word stands in the session. False if there was no worker."""
    end = time.monotonic() + 60
    while time.monotonic() < end and not (session.exists() and word in session.read_text()):
        time.sleep(0.01)
    time.sleep(delay)
    return kill_the_worker_that_measures()


def killed_at_stage(binaries, stage):
    """The sentence on a launch whose worker was killed at this stage, and whether all is well: a worker was killed, the
    launch that this harmed is reported, and the same launch was counted.

    The measuring worker waits while other processes compile ahead: killing it then may harm no launch."""
    body, word, delay = STAGES[stage]
    hit = []
    with tempfile.TemporaryDirectory() as folder:
        # The time makes the source new, so that no cubin of it is kept.
        write_kernel(pathlib.Path(folder), [GOOD, stage], {stage: f"/* {time.time_ns()} */ {body}"})
        points, _ = sweep(binaries, ["faults", "STEP=1,1"], folder, 60,
                          lambda session: hit.append(kill_at(session, word, delay)))
    said = [sentence(point) for point in points if sentence(point)]
    told = all(is_counted(point) or "signal 9" in sentence(point) for point in points)
    return " | ".join(said) or "no launch failed", hit == [True] and len(points) == 2 and told and is_counted(points[-1])


def killed_sweeps(binaries, kills, seed):
    """Workers killed in the middle of as many sweeps, launches that failed, launches that were counted."""
    killed = failed = counted = 0
    for kill in range(kills):
        hit = []
        delay = random.Random(seed + kill).uniform(0.7, 1.6)

        def end_the_first():
            if kill_the_worker_that_measures():
                hit.append(True)

        timer = threading.Timer(delay, end_the_first)
        timer.start()
        points, _ = sweep(binaries, ["sgemm_tiled", "N=1024", "TILE=16", "PAD_A=0..7", "PAD_B=0..7"])
        timer.cancel()
        killed += len(hit)
        failed += sum(bool(point.get("failure")) for point in points)
        counted += sum(is_counted(point) for point in points)
    return killed, failed, counted


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaries", type=pathlib.Path)
    parser.add_argument("--orders", type=int, default=5)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()

    said, beside = visit_orders(asked.binaries, asked.orders, asked.seed)
    _, without = visit(asked.binaries, [GOOD, GOOD, GOOD])
    print(f"{'fault':24} {'good':>8} {'costs':>7}  sentence")
    lost = silent = 0
    for fault in FAULTS:
        costs = seconds_lost(asked.binaries, fault, without)
        lost += beside[fault].count(False)
        own = [words for words in said[fault] if words and "The worker ended" not in words]
        silent += len(said[fault]) != len(own)
        print(f"{fault:24} {sum(beside[fault]):3} of {len(beside[fault]):2} {costs:5.2f} s  {' | '.join(sorted(said[fault]))[:300]}")
    unmended = 0
    for stage in STAGES:
        said, again = killed_at_stage(asked.binaries, stage)
        unmended += not again
        print(f"killed while {stage:11} {'counted when asked again' if again else 'NOT counted again'}  {said[:300]}")
    killed, failed, counted = killed_sweeps(asked.binaries, asked.kills, asked.seed)
    print(f"{asked.kills} sweeps of 64, {killed} workers killed: {failed} launches failed, {counted} counted")
    bad = lost > 0 or silent > 0 or unmended > 0 or failed > killed or failed + counted != 64 * asked.kills
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
