#!/usr/bin/env python3
"""Compares `rooftile-cli profile` with Nsight Compute on programs that know nothing of rooftile.

    kernels/checks/profile_agreement.py BIN_DIR [OUT_DIR]   BIN_DIR holds rooftile-cli and librooftile-inject.so

The programs stand in kernels/checks/profile: kernels of every kind on two streams, cuBLAS, and a training step if PyTorch
is installed. The first launch of each kernel and shape is compared. "time" is the time of this launch, which runs alone
both with rooftile and with ncu; "time as always" is the median of our launches that are not counted, which may run beside
others. Bytes of DRAM are compared only if they cannot stay in L2, times only if a microsecond matters little.
Replay saves and restores memory in both tools, so a launch finds other data in the caches than it does in the program.
ncu therefore counts bytes and time twice, with the caches as they are and with flushed caches: differences between these
two come from the caches alone. It counts instructions in a run of their own, since patching the code changes the bytes of
L2 and DRAM.
Needs nvcc, ncu and a GPU. OUT_DIR gets what rooftile and ncu printed.
"""
import csv
import io
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SASS = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"
TENSOR = ["sm__ops_path_tensor_src_bf16_dst_fp32.sum", "sm__ops_path_tensor_src_tf32_dst_fp32.sum",
          "sm__ops_path_tensor_src_fp16.sum", "sm__ops_path_tensor_src_fp64.sum"]
# The quantities compared: our value from a point, ncu's metrics that add up to the same, and how far they may differ [%].
QUANTITIES = {
    "FFMA": (lambda p: p["counters"]["ffma"], [SASS.format("ffma")], 0),
    "FADD": (lambda p: p["counters"]["fadd"], [SASS.format("fadd")], 0),
    "DFMA": (lambda p: p["counters"]["dfma"], [SASS.format("dfma")], 0),
    "HFMA": (lambda p: p["counters"]["hfma"], [SASS.format("hfma")], 0),
    "tensor": (lambda p: sum(p["counters"]["tensor_flops_by_pipe"].values()), TENSOR, 0),
    "instructions": (lambda p: p["counters"]["warp_instructions"], ["sm__inst_executed.sum"], 0),
    "L1": (lambda p: p["counters"]["l1_bytes"], ["l1tex__t_bytes.sum"], 1),
    "L2": (lambda p: p["counters"]["l2_bytes"], ["lts__t_bytes.sum"], 3),
    "DRAM read": (lambda p: p["counters"]["dram_read_bytes"], ["dram__bytes_read.sum"], 3),
    "DRAM write": (lambda p: p["counters"]["dram_write_bytes"], ["dram__bytes_write.sum"], 3),
    "time": (lambda p: 1e9 * p["counters"]["duration_s"], ["gpu__time_duration.sum"], 3),
    "time as always": (lambda p: 1e9 * p["timing"]["median_s"], ["gpu__time_duration.sum"], 3),
}
MEMORY = ["L1", "L2", "DRAM read", "DRAM write", "time"]
# Below these nothing is compared: [B] of what passes L2 and DRAM, [ns] of time.
LEAST = {"L2": 1e6, "DRAM read": 64e6, "DRAM write": 64e6, "time": 20e3, "time as always": 20e3}


def run(command, **more):
    begun = time.monotonic()
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True, **more)
    return done, time.monotonic() - begun


def built(folder, name, *options):
    program = folder / name
    subprocess.run(["nvcc", "-O2", "-arch=native", "-cudart", "static", HERE / "profile" / f"{name}.cu", *options, "-o",
                    program], check=True)
    return program


def programs(folder):
    yield "several_kernels", [built(folder, "several_kernels"), "4"], []
    yield "cublas", [built(folder, "cublas", "-lcublas"), "4"], []
    if subprocess.run(["python3", "-c", "import torch"], capture_output=True).returncode == 0:
        yield "training_step", ["python3", HERE / "profile" / "training_step.py", "2"], ["-c", "20"]


def base_name(name):
    """"void at::copy<float, 4>(float*)" -> "copy": ncu and rooftile write the rest differently."""
    plain, depth = "", 0
    for letter in name.replace("(anonymous namespace)", ""):
        depth += letter in "<("
        plain += letter if depth == 0 else ""
        depth -= letter in ">)" and depth > 0
    return plain.split("::")[-1].split(" ")[-1]


def ours(binaries, command, out):
    done, wall = run([binaries / "rooftile-cli", "--json", "profile", "--replay", "always", "-o", out / "session.jsonl", "--", *command])
    (out / "profile.json").write_text(done.stdout)
    (out / "profile.err").write_text(done.stderr)
    points = {}
    for entry in json.loads(done.stdout)["points"]:
        point = entry["point"]
        shape = tuple(tuple(point["launch"][side]) for side in ("grid", "block"))
        points.setdefault((base_name(point["kernel"]), *shape), []).append(point)
    return done, wall, {key: same[0] for key, same in points.items() if len(same) == 1}


def ncus(command, metrics, caches, out):
    done, wall = run(["ncu", "--clock-control", "none", "--cache-control", caches, "--csv", "--page", "raw",
                      "--print-units", "base", "--metrics", ",".join(metrics), *command])
    out.write_text(done.stdout + done.stderr)
    launches = {}
    for row in csv.DictReader(io.StringIO(done.stdout[done.stdout.index('"ID"'):])):
        if not row["ID"]:
            continue  # the units
        shape = tuple(tuple(int(side) for side in re.findall(r"\d+", row[name])) for name in ("Grid Size", "Block Size"))
        values = {metric: float((row.get(metric) or "nan").replace(",", "")) for metric in metrics}
        launches.setdefault((base_name(row["Kernel Name"]), *shape), []).append(values)
    return wall, launches


def difference(mine, theirs):
    return 100 * abs(mine - theirs) / theirs if theirs else (0.0 if mine == 0 else float("inf"))


def values_of(launches, name):
    """ncu's values by kernel and shape: from the first launch, or the median of all."""
    values = {}
    for key, same in launches.items():
        each = [sum(launch.get(metric, math.nan) for metric in QUANTITIES[name][1]) for launch in same]
        values[key] = statistics.median(each) if name == "time as always" else each[0]
    return values


def compare(points, name, launches, flushed):
    """By kernel and shape: our value, and ncu's with the caches as they are and flushed."""
    theirs, after_flush = values_of(launches, name), values_of(flushed, name)
    return {key: (QUANTITIES[name][0](point), theirs[key], after_flush.get(key, math.nan))
            for key, point in points.items() if "counters" in point and theirs.get(key, -1) >= LEAST.get(name, 0)}


def is_between(mine, theirs, flushed, allowed):
    least, most = min(theirs, flushed), max(theirs, flushed)
    return least * (1 - allowed / 100) <= mine <= most * (1 + allowed / 100)


def show(name, values):
    allowed = QUANTITIES[name][2]
    differences = {key: difference(mine, theirs) for key, (mine, theirs, _) in values.items()}
    between = sum(is_between(*each, allowed) for each in values.values())
    print(f"  {name:14} median {statistics.median(differences.values()):6.2f} %  worst {max(differences.values()):7.2f} %  "
          f"{sum(value <= allowed for value in differences.values()):2} of {len(values):2} within {allowed} %"
          f"{f', {between} between ncu and ncu flushed' if name in MEMORY else ''}")
    for key in sorted(differences, key=differences.get, reverse=True):
        if differences[key] > allowed:
            mine, theirs, flushed = values[key]
            print(f"    {differences[key]:7.2f} %: {mine:.0f}, ncu {theirs:.0f}, flushed {flushed:.0f}: {key[0][:60]} {key[1]}")


def counted_by_ncu(command, folder):
    """Launches with the caches as they are, launches with flushed caches, and the seconds of the first."""
    of_memory = {metric for name in MEMORY for metric in QUANTITIES[name][1]}
    all_metrics = {metric for _, group, _ in QUANTITIES.values() for metric in group}
    wall, launches = ncus(command, sorted(of_memory), "none", folder / "ncu.csv")
    _, flushed = ncus(command, sorted(of_memory), "all", folder / "ncu_flushed.csv")
    more_wall, instructions = ncus(command, sorted(all_metrics - of_memory), "none", folder / "ncu_instructions.csv")
    for key, same in launches.items():
        for launch, counts in zip(same, instructions.get(key, [])):
            launch.update(counts)
    return launches, flushed, wall + more_wall


def check(binaries, out, program, command, few):
    folder = out / f"of_{program}"
    folder.mkdir(parents=True, exist_ok=True)
    run(command)  # the driver's caches are filled
    ours(binaries, command, folder)  # and the libraries are read from disk, as ncu's are before it is timed
    plain, plain_wall = run(command)
    done, wall, points = ours(binaries, command, folder)
    unchanged = plain.stdout in done.stderr and plain.returncode == done.returncode
    launches, flushed, ncu_wall = counted_by_ncu(command, folder)
    compared = {name: compare(points, name, launches, flushed) for name in QUANTITIES}
    print(f"{program}: {len(points)} kernels and shapes, {len(compared['FFMA'])} of them compared")
    for name, values in compared.items():
        if values:
            show(name, values)
    _, roofline_wall = run(["ncu", "--clock-control", "none", "--set", "roofline", *few, *command])
    totals = json.loads((folder / "profile.json").read_text())["program"]
    print(f"  output and status {'unchanged' if unchanged else 'CHANGED'}; {totals['launches']:.0f} launches, "
          f"{totals['launches_counted']:.0f} counted in {totals['passes']} passes")
    print(f"  wall: plain {plain_wall:.2f} s, profile {wall:.2f} s (counting {totals['counting_s']:.2f} s), "
          f"ncu with these metrics {ncu_wall:.2f} s, ncu --set roofline {' '.join(few)} {roofline_wall:.2f} s", flush=True)
    return len(compared["FFMA"]) > 0 and unchanged


def main():
    binaries = pathlib.Path(sys.argv[1]).resolve()
    out = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "build/profile_agreement").resolve()
    out.mkdir(parents=True, exist_ok=True)
    sound = [check(binaries, out, *program) for program in programs(out)]
    sys.exit(0 if all(sound) else 1)


if __name__ == "__main__":
    main()
