#!/usr/bin/env python3
"""Compares the manifests' predictions with the counters, over a spread of every kernel's dials. Needs a GPU.

    kernels/checks/model_check.py BIN_DIR [--kernels NAME ...] [--each N] [--all]

BIN_DIR holds rooftile-cli and rooftile-worker. For every kernel N combinations (6) are launched at a size of whole tiles
and at a ragged one; factors, extra columns and distributions take turns. FLOPs must be equal and L1 bytes within 2 %, or
within the limit that a kernel's manifest states. Wavefronts of shared memory are counted twice. The count by instruction
is exact but includes the stores of cp.async. The hardware's count leaves these out but includes the turns lost to lines
that come to L1. The nearer count must be within 5 %, since warps at the edge of a ragged size are modelled as whole ones.
Prints a row per kernel, each launch that is outside (with --all each launch), and how many launches are equal.
"""
import argparse
import pathlib
import sys

from verify_all import others
from workers import ask_all, catalogue, combinations, is_of_variant, print_table, right_ones

WHOLE = {"M": 512, "N": 512, "K": 512}
RAGGED = {"M": 500, "N": 1001, "K": 333}
ARRAYS = {"N": 1 << 20}, {"N": 1000003}
TMA = {"M": 500, "N": 1000, "K": 328}  # wants K and N in eights
L1_ALLOWED, WAVEFRONTS_ALLOWED = 2, 5  # percent
MANIFEST_SAYS = {"gemm_bf16_mma": 4}  # of L1


def sizes(kernel):
    names = {p["name"] for p in kernel["parameters"]}
    whole, ragged = (WHOLE, RAGGED) if "M" in names else ARRAYS
    ragged = TMA if kernel["name"].endswith("wgmma") else ragged
    return [{name: value for name, value in size.items() if name in names} for size in (whole, ragged)]


def spread(dials, count):
    return [dials[i * len(dials) // count] for i in range(count)] if len(dials) > count else dials


def launches(kernel, dials):
    settable = {p["name"] for p in kernel["parameters"] if is_of_variant(p)}
    for turn, each in enumerate(dials):
        chosen = {name: value for name, value in each["parameters"].items() if name in settable}
        for size in sizes(kernel):
            yield {"kernel": kernel["name"], "parameters": {**others(kernel, turn), **chosen, **size}, "caches": "warm"}


def failure(answer):
    return "the worker ended" if answer is None else answer.get("failure")


def off(counted, modelled):
    """In percent; nothing where the manifest does not say."""
    return None if modelled is None else 100 * (counted - modelled) / modelled if modelled else 100 * bool(counted)


def differences(point, profile):
    modelled, counted = point["modelled"], point["counters"]
    wavefronts = modelled["shared_bytes"] / 128 if "shared_bytes" in modelled else None
    exact = sum(line.get("shared_wavefronts", 0) for line in profile.get("lines", []))
    return {
        "FLOPs": off(flops(counted, modelled["pipe"]), modelled.get("flops")),
        "L1": off(counted["l1_bytes"], modelled.get("l1_bytes")),
        "wavefronts": off(exact, wavefronts),
        "by hardware": off(counted["shared_wavefronts"], wavefronts),
    }


def flops(counted, pipe):
    if pipe.endswith("tensor"):
        return counted["tensor_flops"]
    return counted["fadd"] + counted["fmul"] + 2 * counted["ffma"]


def nearer(found):
    return min(abs(found["wavefronts"] or 0), abs(found["by hardware"] or 0))


def within(kernel, found):
    l1_allowed = MANIFEST_SAYS.get(kernel, L1_ALLOWED)
    return not found["FLOPs"] and abs(found["L1"] or 0) <= l1_allowed and nearer(found) <= WAVEFRONTS_ALLOWED


def largest(found, name):
    values = [each[name] for each in found if each[name] is not None]
    return f"{max(values, key=abs):+.2f} %" if values else "-"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("binaries", type=pathlib.Path)
    options.add_argument("--kernels", nargs="*", default=[])
    options.add_argument("--each", type=int, default=6)
    options.add_argument("--all", action="store_true")
    asked = options.parse_args()
    names = ["FLOPs", "L1", "wavefronts", "by hardware"]
    wanted = [launch for name, kernel in right_ones(catalogue(asked.binaries, asked.kernels)).items()
              if kernel["source"]  # a library's has no model of its traffic
              for launch in launches(kernel, spread(combinations(asked.binaries, name), asked.each))]
    requests = [{"request": request, **launch} for request in ("measure", "profile") for launch in wanted]
    answers = [answer for _, answer in ask_all([asked.binaries / "rooftile-worker"], [requests], 1800)[0]]
    found, outside = {}, 0
    for launch, point, profile in zip(wanted, answers, answers[len(wanted):]):
        reason = failure(point) or failure(profile)
        each = None if reason else differences(point, profile)
        beyond = reason is not None or not within(launch["kernel"], each)
        outside += beyond
        if asked.all or beyond:
            print(launch["kernel"], launch["parameters"], reason or each, file=sys.stderr)
        found.setdefault(launch["kernel"], []).extend([each] if each else [])
    rows = [[name, len(each), *(largest(each, what) for what in names)] for name, each in found.items()]
    print_table(["largest difference", "launches", *names], rows)
    counted = [each for of_kernel in found.values() for each in of_kernel if each["wavefronts"] is not None]
    print(f"{len(wanted)} launches, {outside} outside; wavefronts equal in {sum(nearer(c) == 0 for c in counted)} of "
          f"{len(counted)}")
    sys.exit(1 if outside else 0)


if __name__ == "__main__":
    main()
