#!/usr/bin/env python3
"""Compares rooftile's counters with Nsight Compute's on the same launches: cold caches, clocks left alone.

    kernels/checks/ncu_agreement.py BIN_DIR        BIN_DIR holds rooftile-cli and rooftile-worker

Both sides take the median over some rounds, each with buffers of its own: the place of the buffers decides up to 9 % of
L2's traffic (seen on an H200 with ncu alone). Prints one row per configuration with the differences in percent, and the
median of all. Needs ncu and a GPU.
"""
import csv
import io
import json
import pathlib
import statistics
import subprocess
import sys

from workers import catalogue

ROUNDS = 3
# A request launches once to verify, then to time, and no more often than this under ncu, where all takes long.
LAUNCHES_UNDER_NCU = 1 + 3
# Every bundled kernel at its defaults, and the kernels that a class looks at first with other dials too.
MORE_CASES = [
    ("sgemm_tiled", {"TILE": 8, "N": 2048}),
    ("sgemm_tiled", {"TILE": 32, "N": 2048}),
    ("sgemm_tiled", {"TILE": 32, "PAD_A": 1, "N": 1024}),
    ("sgemm_naive", {"BLOCK_X": 64, "N": 1024}),
    ("transpose_tiled", {"TILE": 32, "PAD": 0, "N": 4096}),
    ("transpose_tiled", {"TILE": 16, "PAD": 1, "N": 8192}),
]

SASS = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"
# The quantities compared: our value from a record's counters, and ncu's metrics that add up to the same.
QUANTITIES = {
    "FFMA": (lambda c, t: c["ffma"], [SASS.format("ffma")]),
    "FMUL": (lambda c, t: c["fmul"], [SASS.format("fmul")]),
    "L1 bytes": (lambda c, t: c["l1_bytes"], ["l1tex__t_bytes.sum"]),
    "L2 bytes": (lambda c, t: c["l2_bytes"], ["lts__t_bytes.sum"]),
    "DRAM read": (lambda c, t: c["dram_read_bytes"], ["dram__bytes_read.sum"]),
    "DRAM write": (lambda c, t: c["dram_write_bytes"], ["dram__bytes_write.sum"]),
    "wavefronts": (lambda c, t: c["shared_wavefronts"],
                   ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"]),
    "time": (lambda c, t: t["median_s"], ["gpu__time_duration.sum"]),
    "occupancy": (lambda c, t: 100 * c["achieved_occupancy"], ["sm__warps_active.avg.pct_of_peak_sustained_active"]),
}
# How far the two may differ, in percent (occupancy: points). OR_ELSE: or by this much, since it is chance how much of
# small outputs leaves L2.
ALLOWED = {"FFMA": 0, "FMUL": 0, "L1 bytes": 1, "L2 bytes": 3, "DRAM read": 3, "DRAM write": 5, "wavefronts": 1,
           "time": 3, "occupancy": 1}
OR_ELSE = {"time": 2e-6, "DRAM write": 1e6}
SCALE = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}


def cases(kernels):
    own = sorted(name for name, kernel in kernels.items() if kernel["source"])  # a library's have names of their own
    return [(name, {}) for name in own] + MORE_CASES


def requests(all_cases, rounds):
    lines = [{"request": "measure", "id": len(all_cases) * turn + i, "kernel": kernel, "parameters": parameters,
              "caches": "cold"} for turn in range(rounds) for i, (kernel, parameters) in enumerate(all_cases)]
    return "".join(json.dumps(line) + "\n" for line in lines)


def medians(launches, names):
    return {name: statistics.median(launch[name] for launch in launches) for name in names}


# The points of each case's launches.
def ours(binaries, all_cases):
    run = subprocess.run([binaries / "rooftile-worker"], input=requests(all_cases, ROUNDS), text=True,
                         capture_output=True, check=True)
    records = [json.loads(line) for line in run.stdout.splitlines()]
    final = {record["id"]: record for record in records if record.get("final")}
    return [[final[len(all_cases) * turn + i] for turn in range(ROUNDS)] for i in range(len(all_cases))]


# The timed launches of each shape, behind a flush like the counted ones. DRAM is measured in a run of its own, which takes
# ncu one pass: between several passes ncu restores the outputs, and the next pass writes them back.
def ncus(binaries, all_cases, names):
    metrics = {metric for _, group in QUANTITIES.values() for metric in group}
    of_dram = {metric for metric in metrics if metric.startswith("dram__")}
    most, rest = (ncu(binaries, all_cases, names, sorted(group)) for group in (metrics - of_dram, of_dram))
    return {shape: most[shape] | rest[shape] for shape in most.keys() & rest.keys()}


def ncu(binaries, all_cases, names, metrics):
    run = subprocess.run(["ncu", "--clock-control", "none", "--cache-control", "all", "--csv", "--print-units", "base",
                          "-k", "regex:^(" + "|".join(names) + ")$", "--metrics", ",".join(metrics),
                          binaries / "rooftile-worker"],
                         input=requests(all_cases, ROUNDS), text=True, capture_output=True, check=True)
    launches = {}
    for row in csv.DictReader(io.StringIO(run.stdout[run.stdout.index('"ID"'):])):
        shape = (row["Kernel Name"], row["Grid Size"], row["Block Size"])
        number = float(row["Metric Value"].replace(",", "")) * SCALE.get(row["Metric Unit"], 1)
        launches.setdefault(shape, {}).setdefault(int(row["ID"]), {})[row["Metric Name"]] = number
    return {shape: medians(timed(shape, values), metrics) for shape, values in launches.items()}


def timed(shape, values):
    if len(values) != ROUNDS * LAUNCHES_UNDER_NCU:
        sys.exit(f"{shape} was launched {len(values)} times under ncu, not {ROUNDS * LAUNCHES_UNDER_NCU}")
    return [values[i] for number, i in enumerate(sorted(values)) if number % LAUNCHES_UNDER_NCU > 0]


def shape_of(entry, launch):
    text = lambda sides: "(" + ", ".join(str(side) for side in (sides + [1, 1, 1])[:3]) + ")"
    return (entry, text(launch["grid"]), text(launch["block"]))


def difference(name, mine, theirs):
    if name == "occupancy":
        return mine - theirs  # points
    return 100 * (mine - theirs) / theirs if theirs else (0.0 if mine == 0 else float("inf"))


def is_allowed(name, mine, theirs):
    return abs(difference(name, mine, theirs)) <= ALLOWED[name] or abs(mine - theirs) <= OR_ELSE.get(name, 0)


def main():
    binaries = pathlib.Path(sys.argv[1]).resolve()
    kernels = catalogue(binaries, [])
    all_cases = cases(kernels)
    entries = {name: kernels[name]["entry"] for name, _ in all_cases}
    points, launches = ours(binaries, all_cases), ncus(binaries, all_cases, sorted(set(entries.values())))
    print(f"{'launch':36}" + "".join(f"{name:>12}" for name in QUANTITIES) + "   (percent; occupancy in points)")
    everything, beyond = [], 0
    for (kernel, parameters), same in zip(all_cases, points):
        point = same[0]
        label = kernel + " " + " ".join(f"{k}={v}" for k, v in parameters.items())
        theirs = launches.get(shape_of(entries[kernel], point["launch"])) if "launch" in point else None
        if theirs is None or not all("counters" in each for each in same):
            print(f"{label:36}not compared: {point.get('failure') or point.get('notes') or 'ncu has no such launch'}")
            continue
        row = ""
        for name, (mine, metrics) in QUANTITIES.items():
            values = [mine(each["counters"], each["timing"]) for each in same]
            pair = statistics.median(values), sum(theirs[m] for m in metrics)
            everything.append(abs(difference(name, *pair)))
            mark = " " if is_allowed(name, *pair) else "!"
            beyond += mark == "!"
            row += f"{difference(name, *pair):11.2f}{mark}"
        print(f"{label:36}{row}")
    print(f"median of all {len(everything)} differences {statistics.median(everything):.2f} %, "
          f"{beyond} marked beyond what is allowed")


if __name__ == "__main__":
    main()
