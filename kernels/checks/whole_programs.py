#!/usr/bin/env python3
"""What counting whole programs costs, and bytes of launches that are not replayed beside ncu's.

    kernels/checks/whole_programs.py BIN_DIR     BIN_DIR holds rooftile-cli and librooftile-inject.so

Cost: 20 steps of PyTorch and of JAX alone and under `rooftile-cli profile` by turns, and one step of PyTorch under
`ncu --set roofline`. Bytes: repeated_kernels counted a pass a launch beside `ncu --replay-mode application
--cache-control none`, which replays no launch either; DRAM below the size of L2 is written when others need the room.
Ends with 1 if a program's output or status is not the one that it has alone. Needs ncu and a GPU, and PyTorch and JAX
for their rows.
"""
import csv
import io
import json
import pathlib
import statistics
import sys
import tempfile

import programs
import replay_modes

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = 2
BYTES = {"l1_bytes": "l1tex__t_bytes.sum", "l2_bytes": "lts__t_bytes.sum", "dram_read_bytes": "dram__bytes_read.sum",
         "dram_write_bytes": "dram__bytes_write.sum"}


def cost(binaries, name, command):
    """Medians alone and profiled; both once before, so that all comes from memory."""
    replay_modes.run(command)
    replay_modes.count(binaries, "seldom", command)
    alone, ours = [], []
    for _ in range(ROUNDS):
        theirs, wall = replay_modes.run(command)
        alone.append(wall)
        done, wall, report = replay_modes.count(binaries, "seldom", command)
        ours.append(wall)
    told = report["program"]
    counted = sum("counters" in entry["point"] for entry in report["points"])
    same = theirs.stdout in done.stderr and theirs.returncode == done.returncode
    print(f"{name:22} alone {statistics.median(alone):6.2f} s  profiled {statistics.median(ours):6.2f} s  ratio "
          f"{statistics.median(ours) / statistics.median(alone):.2f}  {counted} of {len(report['points'])} kernels counted, "
          f"{told['launches_counted']:.0f} of {told['launches']:.0f} launches  {'same output' if same else 'OTHER OUTPUT'}",
          flush=True)
    return statistics.median(ours) - statistics.median(alone), same


def beside_ncu(ours):
    step = [sys.executable, HERE / "profile/training_step.py", "1"]
    _, alone = replay_modes.run(step)
    _, wall = replay_modes.run(["ncu", "--clock-control", "none", "--set", "roofline", *step])
    print(f"ncu --set roofline of one step {wall:.1f} s, {wall - alone:.1f} s more than alone; ours {ours:.1f} s more for 20 steps: "
          f"{(wall - alone) / ours:.1f} times", flush=True)


def bytes_beside_ncu(binaries):
    program = replay_modes.own_program(binaries)
    done, _ = replay_modes.run(["ncu", "--clock-control", "none", "--cache-control", "none", "--replay-mode", "application",
                                "--check-exit-code", "no", "--launch-skip", "41", "--launch-count", "8", "--csv", "--page",
                                "raw", "--print-units", "base", "--metrics", ",".join(BYTES.values()), program, "20"])
    if '"ID"' not in done.stdout:
        sys.exit(f"ncu: {done.stdout[-1000:]}{done.stderr[-1000:]}")
    theirs = {}
    for row in csv.DictReader(io.StringIO(done.stdout[done.stdout.index('"ID"'):])):
        if row["ID"]:
            launch = {key: float(row[name].replace(",", "")) for key, name in BYTES.items()}
            theirs.setdefault(row["Kernel Name"].split("(")[0], []).append(launch)
    _, _, report = replay_modes.count(binaries, "never", [program, "40"], "--times", "3")
    for entry in report["points"]:
        point = entry["point"]
        for key in BYTES if "counters" in point else ():
            values = [launch[key] for launch in theirs.get(point["kernel"].split("(")[0], [])]
            if values and statistics.median(values) > 1e6:
                print(f"  {point['kernel']:14} {key:16} {point['counters'][key]:14.0f}  ncu {statistics.median(values):14.0f}  "
                      f"{100 * (point['counters'][key] / statistics.median(values) - 1):+.2f} %", flush=True)


def main():
    binaries = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as made:
        results = [cost(binaries, name, command) for name, command, _ in programs.in_python(pathlib.Path(made))
                   if name.startswith(("training", "JAX"))]
    if results:
        beside_ncu(results[0][0])
    bytes_beside_ncu(binaries)
    sys.exit(0 if all(same for _, same in results) else 1)


if __name__ == "__main__":
    main()
