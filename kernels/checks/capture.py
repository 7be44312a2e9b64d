#!/usr/bin/env python3
"""Captures launches of programs, replays them, and compares results and times with the program's own.

    kernels/checks/capture.py BIN_DIR [FOLDER] [--only WORD]     BIN_DIR holds rooftile-cli, rooftile-worker, librooftile-inject.so

The programs are capture/captured_kernels.cu, built with nvcc for this GPU if BIN_DIR has no captured_kernels, profile/cublas.cu
where it builds, and capture/torch_kernels.py where PyTorch is installed. The captured folders stay in FOLDER if it is given.
Each row: what was captured, whether the replay's memory equals the program's bit by bit, and the time of the replay (caches
warm, then cold) beside the program's median. Kernels of captured_kernels.cu are captured a second time with --source: whether
the compiled file gives the same memory (numbers of floating point within the tolerance of their type), and, of one that has a
dial, the best of its values beside the program's own.
Ends with 1 if a launch that should be replayed is not, is not equal, or the best value is slower than the program's.

    kernels/checks/capture.py BIN_DIR --program SOURCE KERNEL DIAL=VALUES COMMAND...
does the last with a program of others.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from workers import print_table

HERE = pathlib.Path(__file__).resolve().parent
OWN = ["scale_add<float>", "scale_add<double>", "polynomial", "scale_view", "histogram", "multiply", "neighbour_sum",
       "two_steps", "add_offset", "row_energy", "through_tensor_map"]
DIALS = {"multiply": "tile=8,16,32", "row_energy": "row_threads=64,128,256"}
TORCH = ["gemm", "(?i)softmax", "(?i)gelu", "reduce_kernel", "(?i)index|gather", "triton_scale"]
NOT_REPLAYED = {"through_table", "through_texture"}


def run(words):
    return subprocess.run([str(word) for word in words], text=True, capture_output=True)


def built(binaries, source, folder, libraries=()):
    """The program, or None where it does not build."""
    if (binaries / source.stem).exists():
        return binaries / source.stem
    program = folder / source.stem
    done = run(["nvcc", "-O2", "-std=c++17", "-arch=native", "-lineinfo", "-o", program, source, *libraries])
    if done.returncode != 0:
        print(f"{source.name} is left out: {done.stderr.strip()[-500:]}")
        return None
    return program


def json_of(done):
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {}


def captured(binaries, kernel, place, program, *source):
    done = run([binaries / "rooftile-cli", "--json", "profile", "--capture", kernel, *source, "-o", place, "--", *program])
    points = json_of(done).get("points", [])
    told = [line for line in done.stderr.splitlines() if "captured" in line and "measure" not in line]
    time = points[0]["point"].get("timing", {}).get("median_s") if points else None
    return time, (told[-1].split("rooftile-cli: ", 1)[-1] if told else f"status {done.returncode}: {done.stderr[-300:]}")


def replayed(binaries, place, caches):
    done = run([binaries / "rooftile-cli", "--json", "measure", place, "--caches", caches])
    point = json_of(done).get("point", {})
    equal = point.get("verification", {}).get("passed", False)
    why = point.get("failure") or ("" if equal else done.stderr.strip()[-300:])
    return equal, point.get("timing", {}).get("median_s"), why


def microseconds(seconds):
    return f"{1e6 * seconds:.1f}" if seconds else "-"


def row_of(binaries, kernel, place, program):
    time, told = captured(binaries, kernel, place, program)
    name = pathlib.Path(program[-1]).stem
    if not place.exists():
        return [name, kernel, "-", "no", "-", "-", microseconds(time), "-"], told
    size = sum(file.stat().st_size for file in place.iterdir())
    equal, warm, why = replayed(binaries, place, "warm")
    _, cold, _ = replayed(binaries, place, "cold") if equal else (False, None, "")
    ratio = f"{warm / time:.3f}" if warm and time else "-"
    return [name, kernel, f"{size / 1e6:.1f} MB", "yes" if equal else "no", microseconds(warm), microseconds(cold),
            microseconds(time), ratio], why


def row_of_source(binaries, kernel, place, program, source, dials):
    """The launch with its source: its dials, whether it is still right, and the best value of a dial."""
    _, told = captured(binaries, kernel, place, program, "--source", source)
    name = source.parent.name if source.stem == "main" else source.stem
    if not (place / "kernel.toml").exists() or ".cubin" in (place / "kernel.toml").read_text().split("entry")[0]:
        return [name, kernel, "no", "-", "-", "-"], told, False
    equal, own, why = replayed(binaries, place, "cold")
    if not dials or not equal:
        return [name, kernel, "yes" if equal else "no", microseconds(own), "-", "-"], why, equal
    session = place / "dials.jsonl"
    done = run([binaries / "rooftile-cli", "--json", "sweep", place, dials, "-o", session])
    right = [each["point"] for each in json_of(done).get("points", [])
             if each["point"].get("verification", {}).get("passed") and "timing" in each["point"]]
    if not right:
        return [name, kernel, "yes", microseconds(own), "-", "-"], done.stderr[-300:], False
    best = min(right, key=lambda point: point["timing"]["median_s"])
    dial = dials.split("=")[0]
    found = best["timing"]["median_s"]
    return ([name, kernel, "yes", microseconds(own), microseconds(found), f"{dial}={best['parameters'].get(dial)}"],
            f"{len(right)} of {len(json_of(done)['points'])} places are right", found <= 1.03 * own)


def programs(binaries, folder):
    own = built(binaries, HERE / "capture/captured_kernels.cu", folder)
    if own:
        yield from ((kernel, [own]) for kernel in [*OWN, *sorted(NOT_REPLAYED)])
    cublas = built(binaries, HERE / "profile/cublas.cu", folder, ["-lcublas"])
    if cublas:
        yield "gemm", [cublas]
    if run([sys.executable, "-c", "import torch; assert torch.cuda.is_available()"]).returncode == 0:
        yield from ((kernel, [sys.executable, HERE / "capture/torch_kernels.py"]) for kernel in TORCH)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaries", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--only", default="")
    parser.add_argument("--program", nargs=argparse.REMAINDER, default=[])
    options = parser.parse_args()
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="capture-"))
    folder = options.folder or scratch
    folder.mkdir(parents=True, exist_ok=True)
    if options.program:
        source, kernel, dials, *command = options.program
        row, why, sound = row_of_source(options.binaries.resolve(), kernel, folder / "sourced", command,
                                        pathlib.Path(source).resolve(), dials)
        print(*row, why, sep="  ")
        return 0 if sound else 1
    rows, reasons, sound, sourced = [], [], True, []
    for number, (kernel, program) in enumerate(programs(options.binaries.resolve(), scratch)):
        if options.only not in kernel:
            continue
        row, why = row_of(options.binaries.resolve(), kernel, folder / f"launch{number}", program)
        sound = sound and (row[3] == "yes" or kernel in NOT_REPLAYED)
        rows.append(row)
        reasons += [f"{kernel}: {why}"] if why else []
        if kernel in OWN:
            row, why, is_sound = row_of_source(options.binaries.resolve(), kernel, folder / f"sourced{number}", program,
                                               HERE / "capture/captured_kernels.cu", DIALS.get(kernel))
            sourced.append(row)
            reasons += [f"{kernel} with its source: {why}"] if why else []
            sound = sound and is_sound
    print_table(["program", "kernel", "captured", "equal", "warm us", "cold us", "program us", "warm/program"], rows)
    print_table(["source", "kernel", "equal", "cold us", "best us", "at"], sourced)
    print(*reasons, sep="\n")
    shutil.rmtree(scratch)
    return 0 if sound and rows else 1


if __name__ == "__main__":
    sys.exit(main())
