#!/usr/bin/env python3
"""Launches every combination of every kernel's dials over ragged sizes and verifies each result. Needs a GPU.

    kernels/checks/verify_all.py BIN_DIR [--kernels NAME ...] [--jobs N] [--sanitizer TOOL] [--timeout S] [--random N]

BIN_DIR holds rooftile-cli and rooftile-worker. Sizes are 1, primes, one more and one less than a tile, and differ
between M, N and K; factors, strides and distributions take turns. With --sanitizer memcheck, racecheck, initcheck or
synccheck one combination of each launch shape runs under compute-sanitizer, at two sizes because TMA refuses odd ones.
With --random N launches of each kernel of matrices are drawn in place of all: dials, strides, factors and shapes that are
ragged, multiples of 8, tall, wide, of one row or of an inner size of 1. Prints a table; fails when a result is wrong, a worker ends early or the sanitizer complains.
"""
import argparse
import os
import pathlib
import random
import sys

from workers import ask_all, catalogue, combinations, is_of_variant, print_table, right_ones

ARRAYS = [1, 2, 3, 5, 31, 1021, 100003]
MATRICES = [(1, 1, 1), (1, 64, 33), (17, 1, 5), (31, 33, 32), (64, 64, 64), (67, 129, 65), (127, 63, 255),
            (131, 264, 72)]
SIDES = {"M": ("BM", "TILE", "TILE_Y", "BLOCK_Y"), "N": ("BN", "TILE", "TILE_X", "BLOCK_X"), "K": ("BK", "TILE")}


def sizes(kernel, names, dials):
    """Assignments of M, N and K, as far as the kernel has them."""
    if "M" not in names:
        block = 4 * dials.get("BLOCK", 1) * dials.get("ITEMS", 1)
        most = next(max(p["values"]) for p in kernel["parameters"] if p["name"] == "N")
        return [{"N": min(n, most)} for n in (*ARRAYS, block - 1, block + 1)]
    side = {name: next((dials[dial] for dial in choices if dial in dials), 32) for name, choices in SIDES.items()}
    around = [tuple(max(1, side[name] + sign * step) for name, step in zip("MNK", (1, -1, 1))) for sign in (1, -1)]
    return [{name: value for name, value in zip("MNK", size) if name in names} for size in (*MATRICES, *around)]


def others(kernel, turn):
    """A turn of the factors, strides and distributions: the parameters that neither dials nor M, N, K set."""
    chosen = {}
    for parameter in kernel["parameters"]:
        if not is_of_variant(parameter) and parameter["name"] not in SIDES:
            chosen[parameter["name"]] = parameter["values"][turn % len(parameter["values"])]
            turn //= len(parameter["values"])
    return chosen


def requests(kernel, dials, once, turn):
    """Size by size, so that a worker makes the inputs and the reference of a size once."""
    names = {p["name"] for p in kernel["parameters"]}
    settable = {p["name"] for p in kernel["parameters"] if is_of_variant(p)}
    places = [{name: value for name, value in each["parameters"].items() if name in settable} for each in dials]
    for at in (5, 7) if once else range(len(MATRICES) + 2):
        for values in places:
            for size in sizes(kernel, names, values)[at:at + 1]:
                yield {"request": "measure", "kernel": kernel["name"], "caches": "warm",
                       "parameters": {**values, **size, **others(kernel, turn)}}
                turn += 1


def drawn_shape(draw):
    """M, N, K and EXTRA: any, or by eights as TMA wants them."""
    step = draw.choice([1, 8])
    most = draw.choice([(700, 700, 700), (5000, 40, 300), (40, 5000, 300), (1, 3000, 900), (900, 900, 1)])
    sizes = [max(1, draw.randint(1, limit) // step * step) for limit in most]
    return {**dict(zip("MNK", sizes)), "EXTRA": draw.randint(0, 5) * step}


def drawn_requests(kernel, dials, draw, count):
    """Launches of drawn dials over drawn shapes, one variant after the other."""
    settable = {p["name"] for p in kernel["parameters"] if is_of_variant(p)}
    for _ in range(count):
        values = {name: value for name, value in draw.choice(dials)["parameters"].items() if name in settable}
        factors = {"alpha": draw.choice([1, 2, 0.5, -1]), "beta": draw.choice([0, 1, 0.5])}
        yield {"request": "measure", "kernel": kernel["name"], "caches": "warm",
               "parameters": {**values, **drawn_shape(draw), **factors}}


def one_of_each_shape(dials):
    shapes = {}
    for each in dials:
        shapes.setdefault(str(each["launch"]), each)
    return list(shapes.values())


def illegal(kernel, answer):
    """A size or stride that the dials rule out is no failure."""
    reasons = [constraint["reason"] for constraint in kernel.get("constraints", [])]
    return answer and answer.get("failure") in reasons


def main():
    options = argparse.ArgumentParser()
    options.add_argument("binaries", type=pathlib.Path)
    options.add_argument("--kernels", nargs="*", default=[])
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--sanitizer")
    options.add_argument("--random", type=int, metavar="N")
    options.add_argument("--timeout", type=float, default=600)
    asked = options.parse_args()
    command = [asked.binaries / "rooftile-worker", "--verify-only"]
    if asked.sanitizer:
        command = ["compute-sanitizer", "--tool", asked.sanitizer, "--error-exitcode", "9", *command,
                   "--exact-buffers"]
    kernels = right_ones(catalogue(asked.binaries, asked.kernels))
    dials = {name: combinations(asked.binaries, name) for name in kernels}
    if asked.sanitizer:
        dials = {name: one_of_each_shape(each) for name, each in dials.items()}
    draws = [random.Random(seed) for seed in range(asked.jobs)]
    shares = [[request for name, kernel in kernels.items()
               for request in (drawn_requests(kernel, dials[name], draws[i], -(-asked.random // asked.jobs)) if asked.random
                               else requests(kernel, dials[name][i::asked.jobs], bool(asked.sanitizer), i))]
              for i in range(asked.jobs)]
    pairs, statuses = ask_all(command, shares, asked.timeout)

    rows, failures = [], []
    for name, kernel in kernels.items():
        of_kernel = [(r, a) for r, a in pairs if r["kernel"] == name]
        legal = [(r, a) for r, a in of_kernel if not illegal(kernel, a)]
        wrong = [(r, a) for r, a in legal if not a or "failure" in a or not a["verification"]["passed"]]
        rows.append([name, len(dials[name]), len(legal), len(of_kernel) - len(legal), len(wrong)])
        failures += wrong
    rows.append(["all", *(sum(row[i] for row in rows) for i in range(1, 5))])
    print_table([asked.sanitizer or "verified", "combinations", "launches", "illegal sizes", "failures"], rows)
    for request, answer in failures[:20]:
        print(f"  {request['kernel']} {request['parameters']}: {answer['failure'] if answer else 'the worker ended'}")
    bad = [status for status in statuses if status != 0]
    if bad:
        print(f"{len(bad)} of {len(statuses)} workers ended with status {', '.join(map(str, bad))}")
    sys.exit(1 if failures or bad else 0)


if __name__ == "__main__":
    main()
