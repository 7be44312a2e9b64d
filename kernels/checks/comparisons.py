#!/usr/bin/env python3
"""How often `rooftile-cli compare` is right, on a machine with a GPU.

    kernels/checks/comparisons.py BIN_DIR [--slower 1.03]

Every bundled kernel is compared with itself, and streams of many sizes with streams that are 3 % longer. Prints a row per
comparison. Ends with status 1 if more than one in twenty equals is told apart, or more than one in twenty of the longer
streams is not found."""
import argparse
import json
import pathlib
import subprocess
import sys
import time

# Beyond arrays of 0.6 GB the place that an allocation gets decides more than 3 % (12 % on an H100).
STREAMS = [("triad", "N", elements * 2**20) for elements in (48, 56, 64, 72, 80, 88, 96, 104, 112, 128)]
STREAMS += [("copy", "M", rows) for rows in (4096, 5120, 6144, 7168, 8192, 9216, 10240, 12288, 14336, 16384)]


def ask(cli, *words):
    done = subprocess.run([cli, "--json", *map(str, words)], capture_output=True, text=True)
    document = json.loads(done.stdout)
    return document if "error" not in document else sys.exit(f"{' '.join(map(str, words))}: {document['error']['sentence']}")


def row(title, found, seconds):
    print(f"{title:34} {found['a']['figures']['time_s']['text']:>9} {found['ratio']:7.4f}  {found['ratio_low']:.4f} to "
          f"{found['ratio_high']:.4f}  {found['answer']:14} {seconds:5.1f} s", flush=True)


def compare(cli, title, *words):
    begin = time.monotonic()
    found = ask(cli, "compare", *words)
    row(title, found, time.monotonic() - begin)
    return found["answer"]


def equals(cli):
    kernels = [each["name"] for each in ask(cli, "kernels")["kernels"]]
    return [compare(cli, name, name, name) for name in kernels]


def longer(cli, factor):
    step = 4096  # that every block divides
    return [compare(cli, f"{kernel} {size}={value}", kernel, kernel, f"--a={size}={value}",
                    f"--b={size}={round(value * factor / step) * step if size == 'N' else round(value * factor)}")
            for kernel, size, value in STREAMS]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--slower", type=float, default=1.03)
    asked = parser.parse_args()
    cli = asked.bin / "rooftile-cli"
    same, slower = equals(cli), longer(cli, asked.slower)
    alike, found = same.count("no difference"), slower.count("slower")
    print(f"\n{alike} of {len(same)} equals: no difference; {found} of {len(slower)} that are {asked.slower}x as long: slower")
    return alike * 20 < len(same) * 19 or found * 20 < len(slower) * 19


if __name__ == "__main__":
    sys.exit(main())
