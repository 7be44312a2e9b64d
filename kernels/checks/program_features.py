#!/usr/bin/env python3
"""Checks on a device what rooftile-cli does with whole programs beside counting them: a row for each, ends with 1 if one is wrong.

    kernels/checks/program_features.py BIN_DIR     BIN_DIR holds rooftile-cli and librooftile-inject.so

The program is kernels/checks/profile/repeated_kernels.cpp; NVTX ranges and CUDA graphs are those of a small PyTorch program,
left out where there is no PyTorch.
"""
import json
import pathlib
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
    rows = [older_runtime, not_handed_on, several_rounds, checked]
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
