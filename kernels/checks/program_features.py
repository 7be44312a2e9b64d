#!/usr/bin/env python3
"""Checks on a device what rooftile-cli does with whole programs beside counting them: a row for each, ends with 1 if one is wrong.

    kernels/checks/program_features.py BIN_DIR     BIN_DIR holds rooftile-cli and librooftile-inject.so

The programs are kernels/checks/profile/repeated_kernels.cpp and contexts.cu; NVTX ranges and CUDA graphs are those of a small
PyTorch program, left out where there is no PyTorch, and MPS is where its daemon is. Needs nvcc.
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

TORCH = """
import torch
a = torch.randn(1024, 1024, device="cuda")
with torch.cuda.nvtx.range("warm up"):
    for _ in range(30):
        torch.mm(a, a).relu()
torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    b = torch.mm(a, a).relu()
    c = b.cumsum(0)
with torch.cuda.nvtx.range("steps"):
    for _ in range(100):
        with torch.cuda.nvtx.range("replay"):
            graph.replay()
torch.cuda.synchronize()
print("sum %.3f" % c.double().abs().mean().item())
"""


def run(*command):
    return subprocess.run([str(word) for word in command], text=True, capture_output=True)


def profile(binaries, options, command):
    done = run(binaries / "rooftile-cli", "--json", "profile", *options, "--", *command)
    return done, json.loads(done.stdout) if done.stdout.strip() else {}


def points(report):
    return {entry["point"]["kernel"].split("(")[0]: entry["point"] for entry in report.get("points", [])}


def older_runtime(binaries, program, folder):
    """The library loads though the first libstdc++ on the program's path is an empty one."""
    (folder / "empty.c").write_text("")
    run("cc", "-shared", "-o", folder / "libstdc++.so.6", folder / "empty.c")
    done, report = profile(binaries, [], ["env", f"LD_LIBRARY_PATH={folder}", program, 5])
    return "counters" in points(report).get("multiply", {}), f"status {done.returncode}, {len(points(report))} kernels"


def not_handed_on(binaries, program, _):
    """A program without the variable is told as that."""
    done, _ = profile(binaries, [], ["env", "-u", "CUDA_INJECTION64_PATH", program, 5])
    told = [line for line in done.stderr.splitlines() if "nothing is recorded" in line]
    return bool(told) and "did not load rooftile's library" in told[0], "; ".join(told)


def several_rounds(binaries, program, _):
    _, report = profile(binaries, ["--replay", "never", "--times", "3"], [program, 200])
    counters = points(report).get("multiply", {}).get("counters", {})
    spread = counters.get("spread", {})
    return (counters.get("rounds") == 3 and spread.get("ffma") == 0,
            f"rounds {counters.get('rounds')}, spread: " + ", ".join(f"{name} {spread.get(name, -1):.4f}" for name in
                                                                     ["ffma", "l1_bytes", "l2_bytes", "dram_read_bytes"]))


def checked(binaries, program, folder):
    """As fast as its baseline, for which it is run twelve times. The program ends with 3, so a shell makes that 0."""
    command = ["sh", "-c", f"{program} 40; true"]
    recorded = run(binaries / "rooftile-cli", "check", folder / "b.jsonl", "--record", "--", *command)
    done = run(binaries / "rooftile-cli", "check", folder / "b.jsonl", "--", *command)
    more = run(binaries / "rooftile-cli", "check", folder / "b.jsonl", "--tolerance", "0", "--", "sh", "-c", f"{program} 80; true")
    return ((recorded.returncode, done.returncode, more.returncode) == (0, 0, 1),
            f"{recorded.returncode}, {done.returncode}, twice the work {more.returncode}: " + done.stderr.strip().splitlines()[-1])


def contexts(binaries, folder, *arguments):
    """What contexts.cu prints alone and profiled, and its points."""
    program = folder / "contexts"
    if not program.exists():
        subprocess.run(["nvcc", "-O2", "-arch=native", HERE / "profile/contexts.cu", "-o", program, "-lcuda"], check=True)
    alone = run(program, *arguments)
    done, report = profile(binaries, [], [program, *arguments])
    same = alone.stdout in done.stderr and alone.returncode == done.returncode
    return same, [entry["point"] for entry in report.get("points", [])], report.get("program", {})


def told(found, program):
    uncounted = program.get("uncounted_s", {})
    return (f"{program.get('launches', 0):.0f} launches, {program.get('launches_counted', 0):.0f} counted, "
            f"{sum('counters' in point for point in found)} of {len(found)} kernels; not counted: "
            + ", ".join(f"{1e3 * time:.2f} ms {why}" for why, time in uncounted.items()))


def green_contexts(binaries, _, folder):
    same, found, program = contexts(binaries, folder, "green", "60")
    return same and bool(found), told(found, program)


def several_devices(binaries, _, folder):
    """A kernel on each, and in a graph with a node for each."""
    same, found, program = contexts(binaries, folder, "devices", "40")
    return same and any("counters" in point for point in found), told(found, program)


def under_mps(binaries, program, folder):
    """Two programs at once that share the GPU through MPS, each profiled for itself."""
    os.environ |= {"CUDA_MPS_PIPE_DIRECTORY": str(folder / "mps"), "CUDA_MPS_LOG_DIRECTORY": str(folder / "mps")}
    (folder / "mps").mkdir()
    run("nvidia-cuda-mps-control", "-d")
    with concurrent.futures.ThreadPoolExecutor() as pool:
        both = list(pool.map(lambda _: profile(binaries, [], [program, "40"]), range(2)))
    subprocess.run(["nvidia-cuda-mps-control"], input="quit\n", text=True)
    del os.environ["CUDA_MPS_PIPE_DIRECTORY"], os.environ["CUDA_MPS_LOG_DIRECTORY"]
    words = [told([entry["point"] for entry in report.get("points", [])], report.get("program", {})) for _, report in both]
    return all(done.returncode == 3 and report.get("points") for done, report in both), "; ".join(words)


def torch_program(folder):
    script = folder / "graphs.py"
    script.write_text(TORCH)
    return ["python3", script]


def ranges(binaries, _, folder):
    _, report = profile(binaries, ["--by-range"], torch_program(folder))
    found = report.get("program", {}).get("by_range_s", {})
    return {"warm up", "steps/replay"} <= found.keys(), ", ".join(f"{name} {1e3 * time:.2f} ms" for name, time in found.items())


def graphs(binaries, _, folder):
    _, report = profile(binaries, [], torch_program(folder))
    inside = [entry["point"] for entry in report.get("points", []) if entry["point"]["program"]["in_graphs"] > 0]
    uncounted = report.get("program", {}).get("uncounted_s", {})
    whole = points(report).get("CUDA_graph_1", {})
    return (any("counters" in point for point in inside) and "launched by CUDA graphs alone" in uncounted and "counters" in whole,
            f"the graph {whole.get('counters', {}).get('l2_bytes')} bytes at L2; {len(inside)} kernels in graphs, {sum('counters' in point for point in inside)} with figures from outside; not counted: "
            + ", ".join(f"{1e3 * time:.2f} ms {why}" for why, time in uncounted.items()))


def main():
    binaries = pathlib.Path(sys.argv[1]).resolve()
    rows = [older_runtime, not_handed_on, several_rounds, checked, green_contexts, several_devices]
    if shutil.which("nvidia-cuda-mps-control"):
        rows.append(under_mps)
    if run("python3", "-c", "import torch").returncode == 0:
        rows += [ranges, graphs]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = folder / "repeated_kernels"
        subprocess.run(["c++", "-O2", "-std=c++20", "-static-libstdc++", "-static-libgcc", "-I/usr/local/cuda/include",
                        HERE / "profile/repeated_kernels.cpp", "-o", program, "-ldl", "-pthread"], check=True)
        sound = []
        for row in rows:
            right, words = row(binaries, program, folder)
            print(f"{row.__name__:16} {'right' if right else 'WRONG'}  {words}", flush=True)
            sound.append(right)
    sys.exit(0 if all(sound) else 1)


if __name__ == "__main__":
    main()
