#!/usr/bin/env python3
"""How many sources of a folder open as their owners wrote them.

    kernels/checks/any_source.py BIN_DIR FOLDER [--measure] [--list FILE] [--jobs 2] [--seconds 150] [--json FILE]

FOLDER holds clones of repositories, one folder each; a copy of it is worked on. Every .cu, .cuh, .h and .hpp with a kernel
is opened, and where rooftile asks which kernel, with the first that it names. --list: only these files, one path below
FOLDER a line, such as those that nvcc compiles. Without a GPU it is compiled; with --measure it is launched and counted.
Prints, for each repository and for all: files, open untouched, open with a kernel named, files with a launch, the launch
as in the file, and, with --measure, counted. Then each file that does not open, or is not counted, with its first words."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
COLUMNS = ["files", "untouched", "opens", "has launch", "as in file", "counted"]


def plain(file):
    return COMMENT.sub(" ", file.read_text(errors="replace"))


def holds_kernel(file):
    return file.suffix in (".cu", ".cuh", ".h", ".hpp") and "__global__" in plain(file)


class Judge:
    def __init__(self, arguments, root):
        self.cli = str(pathlib.Path(arguments.bin).resolve() / "rooftile-cli")
        self.measures, self.seconds, self.root = arguments.measure, arguments.seconds, root

    def run(self, *words):
        """Its answer, or the sentence of its failure."""
        try:
            done = subprocess.run([self.cli, "--json", *words], cwd=self.root, capture_output=True, text=True,
                                  errors="replace", timeout=self.seconds)
            answer = json.loads(done.stdout)
        except subprocess.TimeoutExpired:
            return None, f"took longer than {self.seconds} s"
        except json.JSONDecodeError:
            return None, done.stderr or done.stdout
        return (None, answer["error"]["sentence"]) if "error" in answer else (answer, "")

    def judged(self, file):
        text = plain(self.root / file)
        found = {"file": str(file), "has launch": "<<<" in text or "cudaLaunchKernel(" in text or "cudaLaunchCoop" in text}
        answer, why = self.run("occupancy", str(file), "--gpu", "NVIDIA H200")
        kernel = re.search(r'--kernel "?(.*?)"?$', why, re.S)
        found["untouched"] = answer is not None
        place = [str(file), *(["--kernel", kernel.group(1)] if kernel else [])]
        if kernel:
            answer, why = self.run("occupancy", *place, "--gpu", "NVIDIA H200")
        found["opens"] = answer is not None
        origin = (answer or {}).get("launch_origin", "")
        found["as in file"] = found["has launch"] and origin.startswith("as in")
        if answer and self.measures:
            launched, why = self.run("measure", *place)
            point = (launched or {}).get("point", {})
            found["counted"] = "counters" in point and "failure" not in point
            why = why or point.get("failure") or " ".join(point.get("notes", [])) or "It has no counters."
        found["why"] = why.strip()
        return found


def row(name, files):
    cells = [len(files)] + [sum(bool(f.get(column)) for f in files) for column in COLUMNS[1:]]
    return f"{name:40}" + "".join(f"{cell:>12}" for cell in cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--list", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=150)
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    listed = arguments.list and {os.path.normpath(line) for line in arguments.list.read_text().split("\n") if line}
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch) / "sources"
        no_history = lambda folder, names: names if folder.endswith("/.git") else []
        shutil.copytree(arguments.folder, root, symlinks=True, ignore=no_history)
        files = [file.relative_to(root) for file in sorted(root.rglob("*")) if file.is_file() and holds_kernel(file)]
        files = [file for file in files if not listed or str(file) in listed]
        judge = Judge(arguments, root)
        jobs = 1 if arguments.measure else arguments.jobs
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            found = list(pool.map(judge.judged, files))
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1))
    print(f"{'repository':40}" + "".join(f"{column:>12}" for column in COLUMNS))
    for repository in sorted({f["file"].split("/")[0] for f in found}):
        print(row(repository, [f for f in found if f["file"].split("/")[0] == repository]))
    print(row("all", found))
    for f in found:
        if not f["opens"] or (arguments.measure and not f["counted"]):
            print(f"{f['file']}: " + f["why"][:300].replace("\n", " "))


main()
