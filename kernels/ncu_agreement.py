#!/usr/bin/env python3
"""Holds rooftile's counters against Nsight Compute's on the same launches: cold caches, clocks left alone.

    kernels/ncu_agreement.py BIN_DIR        BIN_DIR holds rooftile-cli and rooftile-worker

Prints one row a launch with the differences in percent, and the median of all. Needs ncu and a GPU.
"""
import csv
import io
import json
import pathlib
import statistics
import subprocess
import sys

CASES = [
    ("sgemm_tiled", {"TILE": 8, "N": 2048}),
    ("sgemm_tiled", {"TILE": 16, "N": 2048}),
    ("sgemm_tiled", {"TILE": 32, "N": 2048}),
    ("sgemm_tiled", {"TILE": 32, "PAD_A": 1, "N": 1024}),
    ("sgemm_naive", {"BLOCK_X": 32, "N": 1024}),
    ("transpose_tiled", {"TILE": 32, "PAD": 0, "N": 8192}),
    ("transpose_tiled", {"TILE": 32, "PAD": 1, "N": 8192}),
]

SASS = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"
# What is compared: our value of a record's counters, and ncu's metrics that add up to the same.
QUANTITIES = {
    "FFMA": (lambda c, t: c["ffma"], [SASS.format("ffma")]),
    "FMUL": (lambda c, t: c["fmul"], [SASS.format("fmul")]),
    "L1 bytes": (lambda c, t: c["l1_bytes"], ["l1tex__t_bytes.sum"]),
    "L2 bytes": (lambda c, t: c["l2_bytes"], ["lts__t_bytes.sum"]),
    "DRAM read": (lambda c, t: c["dram_read_bytes"], ["dram__bytes_read.sum"]),
    "DRAM write": (lambda c, t: c["dram_write_bytes"], ["dram__bytes_write.sum"]),
    "wavefronts": (lambda c, t: c["shared_wavefronts"],
                   ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"]),
    "time": (lambda c, t: t["median_s"], ["gpu__time_duration.sum"]),
    "occupancy": (lambda c, t: 100 * c["achieved_occupancy"], ["sm__warps_active.avg.pct_of_peak_sustained_active"]),
}
SCALE = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}


def request(kernel, parameters):
    line = {"request": "measure", "id": 1, "kernel": kernel, "parameters": parameters, "caches": "cold"}
    return json.dumps(line) + "\n"


def ours(binaries, kernel, parameters):
    run = subprocess.run([binaries / "rooftile-worker"], input=request(kernel, parameters), text=True,
                         capture_output=True, check=True)
    points = [json.loads(line) for line in run.stdout.splitlines() if '"record":"point"' in line]
    if "failure" in points[-1] or "counters" not in points[-1]:
        sys.exit(f"{kernel} {parameters}: {points[-1].get('failure') or points[-1].get('notes')}")
    return points[-1]


def ncus(binaries, kernel, parameters):
    metrics = sorted({name for _, names in QUANTITIES.values() for name in names})
    run = subprocess.run(["ncu", "--clock-control", "none", "--cache-control", "all", "--csv", "-k", kernel, "-c", "2",
                          "--metrics", ",".join(metrics), binaries / "rooftile-worker"],
                         input=request(kernel, parameters), text=True, capture_output=True, check=True)
    table = run.stdout[run.stdout.index('"ID"'):]
    values = {}
    for row in csv.DictReader(io.StringIO(table)):
        number = float(row["Metric Value"].replace(",", "")) * SCALE.get(row["Metric Unit"], 1)
        values[row["Metric Name"]] = number  # the second launch: the first one's writes are not all settled
    return values


def difference(name, mine, theirs):
    if name == "occupancy":
        return mine - theirs  # points
    return 100 * (mine - theirs) / theirs if theirs else (0.0 if mine == 0 else float("inf"))


def main():
    binaries = pathlib.Path(sys.argv[1]).resolve()
    print(f"{'launch':44}" + "".join(f"{name:>12}" for name in QUANTITIES) + "   (percent; occupancy in points)")
    everything = []
    for kernel, parameters in CASES:
        point, theirs = ours(binaries, kernel, parameters), ncus(binaries, kernel, parameters)
        row = []
        for name, (mine, metrics) in QUANTITIES.items():
            row.append(difference(name, mine(point["counters"], point["timing"]), sum(theirs[m] for m in metrics)))
        everything += [abs(d) for d in row]
        label = kernel + " " + " ".join(f"{k}={v}" for k, v in parameters.items())
        print(f"{label:44}" + "".join(f"{d:12.2f}" for d in row))
    print(f"median of all differences {statistics.median(everything):.2f} %")


if __name__ == "__main__":
    main()
