#!/usr/bin/env python3
"""Compiles every combination of every kernel's dials for every architecture. Needs NVRTC, but no GPU.

    kernels/checks/compile_all.py BIN_DIR [--kernels NAME ...] [--cc 8.0 9.0 ...] [--jobs N]

BIN_DIR holds rooftile-cli and rooftile-worker. The architectures are those of the GPU table. Prints, by kernel and
architecture, how many variants were compiled and how many spill; fails if one does not compile. A dash: the kernel
needs another GPU, or NVRTC does not know this one.
"""
import argparse
import os
import pathlib
import sys

from workers import architectures, ask_all, catalogue, combinations, print_table


def spilled(point):
    made = point["compiled"]
    return made["spill_store_bytes"] + made["spill_load_bytes"] + made["local_bytes"] > 0


def cell(answers):
    made = [a for a in answers if a and "compiled" in a]
    unfit = ("needs compute capability", "that only compute capability", "does not compile for compute capability")
    if not made and all(a and any(words in a["failure"] for words in unfit) for a in answers):
        return "-"
    words = [str(len(made))]
    spills, failures = sum(map(spilled, made)), len(answers) - len(made)
    words += [f"{spills} spill"] if spills else []
    words += [f"{failures} FAIL"] if failures else []
    return ", ".join(words)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("binaries", type=pathlib.Path)
    options.add_argument("--kernels", nargs="*", default=[])
    options.add_argument("--cc", nargs="*")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = options.parse_args()
    asked.cc = asked.cc or architectures(asked.binaries)
    rows, total, failed = [], 0, []
    for kernel, description in catalogue(asked.binaries, asked.kernels).items():
        if not description["source"]:
            continue  # a library's
        dials = combinations(asked.binaries, kernel)
        row = [kernel]
        for cc in asked.cc:
            requests = [{"request": "compile", "kernel": kernel, "parameters": each["parameters"],
                         "compute_capability": cc} for each in dials]
            shares = [requests[i::asked.jobs] for i in range(min(asked.jobs, len(requests)))]
            pairs, _ = ask_all([asked.binaries / "rooftile-worker", "--compile-only"], shares, 3600)
            row.append(cell([answer for _, answer in pairs]))
            total += sum(1 for _, answer in pairs if answer and "compiled" in answer)
            failed += [] if row[-1] == "-" else [pair for pair in pairs if not pair[1] or "failure" in pair[1]]
        rows.append(row)
        print(*row, file=sys.stderr)
    print_table(["compiled", *asked.cc], rows)
    print(f"{total} variants compiled, {len(failed)} failed")
    for request, answer in failed[:20]:
        print(f"  {request}: {answer['failure'] if answer else 'the worker ended'}")
    sys.exit(1 if failed or not total else 0)


if __name__ == "__main__":
    main()
