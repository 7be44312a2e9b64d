"""Shared by the other checks: the catalogue, and many requests to many workers."""
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading


def is_compiled(parameter):
    """Each of its values has a cubin of its own."""
    return parameter["where"] in ("macro", "template")


def is_of_variant(parameter):
    """A dial, or compiled: `rooftile-cli kernels --combinations` goes through these."""
    return parameter["role"] == "dial" or is_compiled(parameter)


def cli(binaries, *words):
    return subprocess.run([binaries / "rooftile-cli", *words], check=True, capture_output=True, text=True).stdout


def catalogue(binaries, only):
    kernels = json.loads(cli(binaries, "kernels", "--json"))["kernels"]
    return {kernel["name"]: kernel for kernel in kernels if not only or kernel["name"] in only}


def right_ones(kernels):
    """Without those of assets/examples, which show what goes wrong."""
    return {name: each for name, each in kernels.items() if pathlib.Path(each["manifest"]).parents[1].name != "examples"}


def architectures(binaries):
    """The compute capabilities of the GPU table, oldest first."""
    known = {gpu["compute_capability"] for gpu in json.loads(cli(binaries, "gpus", "--json"))["gpus"]}
    return sorted(known, key=lambda cc: [int(part) for part in cc.split(".")])


def combinations(binaries, kernel):
    return [json.loads(line) for line in cli(binaries, "kernels", kernel, "--combinations").splitlines()]


def ask_all(command, shares, timeout):
    """Starts a worker for each list of requests and ends it after so many seconds. Returns pairs of request and final
    answer, which is None if the worker ended before, and how the workers ended."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, XDG_CACHE_HOME=folder)
        with concurrent.futures.ThreadPoolExecutor(len(shares)) as pool:
            results = list(pool.map(lambda share: ask(command, share, environment, timeout), shares))
    return [pair for pairs, _ in results for pair in pairs], [status for _, status in results]


def final(line):
    is_point = line.startswith('{"record":"point"') and '"final":true' in line
    return is_point or line.startswith('{"record":"source_profile"') or '"ptx":' in line


def ask(command, requests, environment, timeout):
    answers = {}
    with tempfile.TemporaryFile("w+") as lines:
        for number, request in enumerate(requests):
            lines.write(json.dumps({**request, "id": number}) + "\n")
        lines.seek(0)
        worker = subprocess.Popen(command, stdin=lines, stdout=subprocess.PIPE, text=True, env=environment,
                                  start_new_session=True)
        watch = threading.Timer(timeout, os.killpg, (worker.pid, signal.SIGKILL))
        watch.start()
        for line in worker.stdout:
            if final(line):
                answer = json.loads(line)
                answers[answer["id"]] = answer
        status = worker.wait()
        watch.cancel()
        return [(request, answers.get(number)) for number, request in enumerate(requests)], status


def print_table(header, rows):
    widths = [max(len(str(row[i])) for row in [header, *rows]) for i in range(len(header))]
    for row in [header, *rows]:
        print(str(row[0]).ljust(widths[0]), *(str(cell).rjust(width) for cell, width in zip(row[1:], widths[1:])))
