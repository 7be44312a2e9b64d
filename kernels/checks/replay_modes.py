#!/usr/bin/env python3
"""Compares the ways of counting a program: a pass a launch, and replay.

    kernels/checks/replay_modes.py BIN_DIR [PROGRAM ARGUMENTS...]   BIN_DIR holds rooftile-cli and librooftile-inject.so

Without PROGRAM it is kernels/checks/profile/repeated_kernels.cpp, built with c++ if BIN_DIR has no repeated_kernels: few
kernels, then 60 shapes, then three quarters of the GPU's memory reserved, then four threads that launch them all at once, and that load and
unload code between.
Each is run alone and with --replay never, seldom and always (which is left out where memory is reserved). Output
and status must be the same, instructions counted a pass a launch must be those of a replay, and multiply's FFMA and the
tensor operations must be those that are known. Ends with 1 if they are not. The times are printed beside those of a run in
which no launch is counted.
"""
import json
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
EXACT = ["ffma", "fadd", "dfma", "warp_instructions"]
BYTES = ["l1_bytes", "l2_bytes", "dram_read_bytes", "dram_write_bytes"]
MORE_THAN_ANY = str(2**31 - 1)  # launches
KNOWN = {"multiply": ("ffma", 1024**3), "tensor": ("bf16", 264 * 8 * 64 * 4096)}


def run(command):
    begun = time.monotonic()
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True)
    return done, time.monotonic() - begun


def count(binaries, replay, command, *options):
    done, wall = run([binaries / "rooftile-cli", "--json", "profile", "--replay", replay, *options, "--", *command])
    try:
        return done, wall, json.loads(done.stdout)
    except json.JSONDecodeError:
        print(f"  --replay {replay}: no JSON, status {done.returncode}\n{done.stderr[-3000:]}")
        return done, wall, None


def values(point):
    counters = point["counters"]
    found = {name: counters.get(name) for name in EXACT + BYTES}
    found["bf16"] = sum(counters.get("tensor_flops_by_pipe", {}).values())
    return found


def counted(points):
    return {(point["kernel"], tuple(point["launch"]["grid"]), tuple(point["launch"]["block"])): values(point)
            for point in points if "counters" in point}


def differences(ours, replayed):
    """The worst relative difference of each quantity over all kernels counted in both ways."""
    worst = {}
    for name, mine in ours.items():
        theirs = replayed.get(name, {})
        for quantity, value in mine.items():
            if value is not None and theirs.get(quantity):
                worst[quantity] = max(worst.get(quantity, 0), abs(value / theirs[quantity] - 1))
    return worst


def is_known(kernels):
    sound = True
    for missing in KNOWN.keys() - {name.split("(")[0] for name, *_ in kernels}:
        print(f"  WRONG: {missing} was not counted")
        sound = False
    for (name, *_), mine in kernels.items():
        quantity, expected = KNOWN.get(name.split("(")[0], (None, None))
        if quantity and mine[quantity] != expected:
            print(f"  WRONG: {name} {quantity} {mine[quantity]}, known {expected}")
            sound = False
    return sound


def show(mode, wall, report, kernels, unchanged, told):
    program, points = report["program"], [entry["point"] for entry in report["points"]]
    by_passes = sum(point["program"].get("counted_without_replay", False) for point in points)
    print(f"  --replay {mode:6} {wall:6.2f} s, counting {program['counting_s']:.2f} s; {len(kernels)} of {len(points)} kernels "
          f"counted, {by_passes} a pass a launch, {program['kernels_incomplete']} incomplete; launches counted "
          f"{program['launches_counted']:.0f}, in one pass {program['launches_counted_in_one_pass']:.0f}; "
          f"{'unchanged' if unchanged else 'CHANGED: ' + told[-2000:]}")
    for line in told.splitlines():
        if line.startswith(("rooftile:", "loop")) or "ailed" in line:
            print(f"    {line[:200]}")


def kernel_times(report):
    return {(point["kernel"], tuple(point["launch"]["grid"]), tuple(point["launch"]["block"])): point["program"]["total_s"]
            for point in (entry["point"] for entry in report["points"])}


def show_times(report, traced):
    """The times of all kernels beside those of a run in which every launch was traced and none counted."""
    ours, theirs = kernel_times(report), kernel_times(traced)
    apart = sorted(((ours.get(name, 0) - time, name[0]) for name, time in theirs.items()), key=lambda row: -abs(row[0]))
    total = sum(theirs.values())
    print(f"    GPU time {sum(ours.values()) / total:.4f} of {1000 * total:.3f} ms traced;",
          ", ".join(f"{name[:40]} {100 * more / total:+.2f} %" for more, name in apart[:3]), flush=True)


def check(binaries, title, command, modes, known=True):
    run(command)  # fills the driver's caches
    alone, alone_wall = run(command)
    print(f"{title}: alone {alone_wall:.2f} s, status {alone.returncode}, {alone.stdout.strip()[-80:]} {alone.stderr.strip()[-40:]}")
    sound, by_mode = True, {}
    traced = count(binaries, "never", command, "--skip", MORE_THAN_ANY)[2]
    for mode in modes:
        done, wall, report = count(binaries, mode, command)
        if report is None:
            sound = False
            continue
        unchanged = alone.stdout in done.stderr and alone.returncode == done.returncode
        by_mode[mode] = counted([entry["point"] for entry in report["points"]])
        show(mode, wall, report, by_mode[mode], unchanged, done.stderr)
        show_times(report, traced)
        sound = unchanged and (not known or is_known(by_mode[mode])) and sound
    for mode in [mode for mode in by_mode if mode != "always" and "always" in by_mode]:
        worst = differences(by_mode[mode], by_mode["always"])
        print(f"  {mode} against always, worst of all kernels:",
              ", ".join(f"{name} {100 * value:.2f} %" for name, value in worst.items()), flush=True)
        sound = sound and (not known or all(worst.get(name, 0) < 1e-3 for name in EXACT))
    return sound


def own_program(binaries):
    program = binaries / "repeated_kernels"
    if not program.exists():
        subprocess.run(["c++", "-O2", "-std=c++20", "-I/usr/local/cuda/include", HERE / "profile/repeated_kernels.cpp", "-o",
                        program, "-ldl", "-pthread"], check=True)
    return program


def main():
    binaries = pathlib.Path(sys.argv[1]).resolve()
    every = ["never", "seldom", "always"]
    if sys.argv[2:]:
        sys.exit(0 if check(binaries, sys.argv[2], sys.argv[2:], every, known=False) else 1)
    program = own_program(binaries)
    total = subprocess.run(["nvidia-smi", "--query-gpu=memory.total", "--format=csv,noheader,nounits"], text=True,
                           capture_output=True).stdout.split()
    most = int(total[0]) * 3 // 4 // 1024 if total else 40
    sound = [check(binaries, "few kernels", [program, 20], every),
             check(binaries, "60 shapes", [program, 20, 60], every),
             check(binaries, f"{most} GB reserved", [program, 20, 0, most], ["never", "seldom"]),
             check(binaries, "four threads", [program, 60, 20, 0, 4], every),
             check(binaries, "code unloaded by four threads", [program, 4, 0, 0, 4, 40], every)]
    sys.exit(0 if all(sound) else 1)


if __name__ == "__main__":
    main()
