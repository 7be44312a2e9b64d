#!/usr/bin/env python3
"""Runs programs alone and under `rooftile-cli profile`, and prints a row for each; ends with 1 if one behaves otherwise.

    kernels/checks/programs.py BIN_DIR [FOLDER...]     BIN_DIR holds rooftile-cli and librooftile-inject.so

A FOLDER holds programs of others, a folder with a Makefile each, whose `make run` starts ./main (as in HeCBench); they are
built first. What does not build, runs longer than LONGEST seconds alone, or ends otherwise when it is run alone twice, is
left out and named. Programs in Python follow, as far as their libraries are there; they may run longer. Output is compared word
for word, and without its numbers, since most programs print times; a line that differs is printed.
Needs nvcc, make and a GPU.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
LONGEST = 4.0

GRAPH_DECODE = """
import torch
torch.manual_seed(0)
layers = [torch.nn.TransformerEncoderLayer(512, 8, 1024, dropout=0, batch_first=True, device="cuda").half().eval() for _ in range(4)]
head, cache = torch.nn.Linear(512, 1000, device="cuda").half(), torch.randn(4, 64, 512, device="cuda").half()
def step():
    x = cache
    for layer in layers:
        x = layer(x)
    return head(x[:, -1]).argmax(-1)
with torch.no_grad():
    for _ in range(3):
        step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        token = step()
    for i in range(200):
        cache[:, i % 64] = 0.01 * i
        graph.replay()
torch.cuda.synchronize()
print(token.tolist())
"""
COMPILED = """
import torch
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.GELU(), torch.nn.Linear(512, 256)).cuda()
step = torch.compile(lambda x: torch.softmax(model(x), -1).sum(0))
x = torch.randn(512, 256, device="cuda")
for _ in range(50):
    y = step(x)
print("%.4f" % y.double().abs().sum().item())
"""
TRITON = """
import torch, triton, triton.language as tl
@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)
x = torch.arange(1 << 20, device="cuda", dtype=torch.float32)
out = torch.empty_like(x)
for _ in range(100):
    add[(triton.cdiv(x.numel(), 1024),)](x, x, out, x.numel(), BLOCK=1024)
print(out.sum().item())
"""
JAX = """
import jax, jax.numpy as jnp
@jax.jit
def step(w, x):
    loss = lambda w: jnp.mean((jax.nn.gelu(x @ w) @ w.T - x) ** 2)
    return w - 0.1 * jax.grad(loss)(w)
w, x = jax.random.normal(jax.random.key(0), (512, 1024)) / 32, jax.random.normal(jax.random.key(1), (256, 512))
for _ in range(20):
    w = step(w, x)
print("%.4f" % float(jnp.abs(w).sum()))
"""
CUPY = """
import cupy
x = cupy.arange(1 << 20, dtype=cupy.float32)
for _ in range(50):
    y = cupy.sqrt(x * x + 1).sum()
print(float(y))
"""
PROCESSES = """
import torch, torch.multiprocessing as processes
def work(rank):
    a = torch.full((512, 512), 1.0 + rank, device="cuda")
    for _ in range(50):
        b = a @ a
    print(rank, b[0, 0].item(), flush=True)
if __name__ == "__main__":
    for rank in range(2):
        each = processes.get_context("spawn").Process(target=work, args=(rank,))
        each.start()
        each.join()
"""
IN_PYTHON = {"torch graph decode": ("torch", GRAPH_DECODE), "torch.compile": ("torch", COMPILED), "Triton": ("triton", TRITON),
             "JAX, default reservation": ("jax", JAX), "CuPy": ("cupy", CUPY), "torch, two processes": ("torch", PROCESSES)}


def run(command, folder, limit=120, into=subprocess.PIPE):
    """Status, output and seconds; None if it ran longer. into: for the standard output."""
    begun = time.monotonic()
    try:
        done = subprocess.run(command, cwd=folder, text=True, errors="replace", stdin=subprocess.DEVNULL, stdout=into,
                              stderr=subprocess.PIPE, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    return done, time.monotonic() - begun


def without_numbers(text):
    return re.sub(r"[ \t]+", " ", re.sub(r"\s*[-+]?(nan|inf|\d[\d.,]*([eE][-+]?\d+)?)", " #", text))


def built(folder):
    """The command of `make run`, or why there is none."""
    make = ["make", "-C", str(folder), "ARCH=sm_90"]
    if not (folder / "main").is_file() and subprocess.run([*make, "main"], capture_output=True, text=True).returncode != 0:
        return None
    words = subprocess.run([*make, "-n", "run"], capture_output=True, text=True).stdout.replace("\\\n", " ").splitlines()
    commands = [line.strip() for line in words if line.strip().startswith("./main")]
    return shlex.split(commands[0]) if commands else None


def of_others(folders):
    places = [place for folder in folders for place in sorted(pathlib.Path(folder).resolve().iterdir()) if (place / "Makefile").is_file()]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        for place, command in zip(places, workers.map(built, places)):
            yield place.name, command, place


def in_python(folder):
    yield "training_step.py", [sys.executable, str(HERE / "profile/training_step.py"), "20"], folder
    for name, (needs, text) in IN_PYTHON.items():
        if subprocess.run([sys.executable, "-c", f"import {needs}"], capture_output=True).returncode == 0:
            file = folder / f"{len(list(folder.iterdir()))}.py"
            file.write_text(text)
            yield name, [sys.executable, str(file)], folder


def differing_line(theirs, heard):
    """The first line of a run alone that is not in the profiled one's output; empty if there is none."""
    return next((line for line in theirs.splitlines() if line not in heard), "")


def measured(binaries, command, folder, longest):
    """A row of the table, or a sentence on why there is none."""
    alone = []
    for _ in range(2):
        alone.append(run(command, folder, longest))
        if alone[-1] is None:
            return f"takes longer than {longest:.0f} s"
    (first, one), (second, other) = alone
    if first.returncode != second.returncode:
        return "ends otherwise from run to run"
    report = folder / "rooftile.json"
    with open(report, "w") as into:
        ours = run([str(binaries / "rooftile-cli"), "--json", "profile", "--", *command], folder, into=into)
    if ours is None:
        return {"same": "hangs", "status": first.returncode, "alone": min(one, other), "ours": 120, "told": {}, "points": []}
    done, seconds = ours
    told = json.loads(report.read_text() or "{}")
    said = "".join(line for line in done.stderr.splitlines(True) if not line.startswith("rooftile-cli: "))
    exact = first.stdout == second.stdout and not differing_line(first.stdout, said)
    other_line = differing_line(without_numbers(first.stdout), without_numbers(said))
    same = not other_line and done.returncode == first.returncode
    if not same:
        print(f"  status {done.returncode} in place of {first.returncode}; not said: {other_line[:150]!r}")
    return {"same": ("exactly" if exact else "but for numbers") if same else "OTHERWISE", "status": first.returncode,
            "alone": min(one, other), "ours": seconds, "told": told.get("program", {}), "points": told.get("points", [])}


def line_of(name, row):
    told, points = row["told"], row["points"]
    total = told.get("gpu_time_s", 0)
    uncounted = sum(told.get("uncounted_s", {}).values())
    share = f"{100 * uncounted / total:.0f} %" if total else "-"
    counted = sum("counters" in entry["point"] for entry in points)
    return (f"{name[:28]:28} {row['status']:>6} {row['same']:>15} {row['alone']:7.2f} {row['ours']:8.2f} {row['ours'] / row['alone']:6.2f}"
            f" {told.get('launches', 0):9.0f} {len(points):7} {counted:8} {share:>12}")


def main():
    binaries = pathlib.Path(sys.argv[1]).resolve()
    rows, left_out = [], []
    print(f"{'program':28} {'status':>6} {'output':>15} {'alone s':>7} {'profiled':>8} {'ratio':>6} {'launches':>9} {'kernels':>7} {'counted':>8} "
          f"{'uncounted':>12}", flush=True)
    with tempfile.TemporaryDirectory() as made:
        for name, command, folder in [*of_others(sys.argv[2:]), *in_python(pathlib.Path(made))]:
            longest = 60 if command and command[0] == sys.executable else LONGEST
            row = measured(binaries, command, folder, longest) if command else "does not build"
            if isinstance(row, str):
                left_out.append(f"{name} {row}")
                continue
            rows.append(row)
            print(line_of(name, row), flush=True)
    print("left out: " + "; ".join(left_out))
    changed = [row for row in rows if row["same"] in ("OTHERWISE", "hangs")]
    print(f"{len(rows)} programs: {len(rows) - len(changed)} behave the same; "
          f"{sum(1 for row in rows if row['points'])} launched kernels; alone {sum(row['alone'] for row in rows):.0f} s, "
          f"profiled {sum(row['ours'] for row in rows):.0f} s")
    sys.exit(1 if changed or not rows else 0)


if __name__ == "__main__":
    main()
