#!/usr/bin/env python3
"""Compares the theoretical occupancy of every combination of every kernel's dials with the driver's own: blocks per SM,
and for clusters how many are active at once. Needs a GPU; nothing is launched.

    kernels/checks/driver_occupancy.py BIN_DIR [--kernels NAME ...] [--jobs N]

BIN_DIR holds rooftile-cli and rooftile-worker. Workers compile; the driver is asked about the cubins that they keep.
Prints by kernel how many agree, then the active clusters by size; fails where blocks per SM differ.
"""
import argparse
import collections
import concurrent.futures
import ctypes
import json
import os
import pathlib
import struct
import sys
import tempfile

from workers import ask, catalogue, cli, combinations, is_compiled, print_table

MAX_DYNAMIC_SHARED, CARVEOUT, NON_PORTABLE_CLUSTERS = 8, 9, 14  # CUfunction_attribute
CLUSTER_DIMENSION = 4  # CUlaunchAttributeID


class LaunchAttribute(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int), ("pad", ctypes.c_int), ("value", ctypes.c_uint * 16)]


class LaunchConfig(ctypes.Structure):
    _fields_ = [("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared", ctypes.c_uint),
                ("stream", ctypes.c_void_p), ("attributes", ctypes.POINTER(LaunchAttribute)), ("count", ctypes.c_uint)]


class Driver:
    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        context = ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status != 0:
            raise RuntimeError(f"{name} ended with {status}")

    def attribute(self, number):
        value = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), number, 0)
        return value.value

    def occupancy(self, cubin, entry, launch):
        """Blocks per SM, and active clusters of the whole GPU where the launch has clusters."""
        module, function, answer = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int()
        self.call("cuModuleLoadData", ctypes.byref(module), cubin)
        try:
            self.call("cuModuleGetFunction", ctypes.byref(function), module, entry.encode())
            shared, threads = launch["dynamic_shared_bytes"], launch["block"]
            self.call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED, shared)
            if "carveout_percent" in launch:
                self.call("cuFuncSetAttribute", function, CARVEOUT, launch["carveout_percent"])
            self.call("cuOccupancyMaxActiveBlocksPerMultiprocessor", ctypes.byref(answer), function,
                      threads[0] * threads[1] * threads[2], ctypes.c_size_t(shared))
            blocks = answer.value
            return blocks, self.clusters(function, launch) if product(launch.get("cluster", [1])) > 1 else None
        finally:
            self.call("cuModuleUnload", module)

    def clusters(self, function, launch):
        self.call("cuFuncSetAttribute", function, NON_PORTABLE_CLUSTERS, 1)
        attribute = LaunchAttribute(CLUSTER_DIMENSION)
        attribute.value[:3] = launch["cluster"]
        config = LaunchConfig((ctypes.c_uint * 3)(*launch["grid"]), (ctypes.c_uint * 3)(*launch["block"]),
                              launch["dynamic_shared_bytes"], None, ctypes.pointer(attribute), 1)
        answer = ctypes.c_int()
        self.call("cuOccupancyMaxActiveClusters", ctypes.byref(answer), function, ctypes.byref(config))
        return answer.value


def product(extents):
    result = 1
    for extent in extents:
        result *= extent
    return result


def kept_cubins(folder):
    """Kept cubins, by source and macros; kernels/worker/compile/cubin_cache.cpp writes them."""
    found = {}
    for file in pathlib.Path(folder).glob("**/*.cubin"):
        blocks, at, data = [], 0, file.read_bytes()
        while at < len(data):
            size, = struct.unpack_from("<Q", data, at)
            blocks.append(data[at + 8:at + 8 + size])
            at += 8 + size
        _, options, source = blocks[0].decode().split("\n", 2)
        macros = dict(option[2:].split("=") for option in options.split() if option.startswith("-D"))
        found[source, tuple(sorted((name, float(value)) for name, value in macros.items()))] = blocks[2]
    return found


def compiled(binaries, kernels, gpu, jobs):
    """Every combination's final point, and the cubins."""
    requests = [{"request": "compile", "kernel": kernel, "parameters": each["parameters"],
                 "compute_capability": gpu["compute_capability"], "sm_count": gpu["sms"]}
                for kernel in kernels for each in combinations(binaries, kernel)]
    shares = [requests[i::jobs] for i in range(jobs)]
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, XDG_CACHE_HOME=folder)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            command = [binaries / "rooftile-worker", "--compile-only"]
            results = list(pool.map(lambda share: ask(command, share, environment, 3600), shares))
        answers = [answer for pairs, _ in results for _, answer in pairs if answer and "compiled" in answer]
        return answers, kept_cubins(folder)


class Ours:
    """rooftile's blocks per SM, asked once for each block."""
    def __init__(self, binaries, gpu):
        self.binaries, self.gpu, self.known = binaries, gpu, {}

    def blocks(self, point):
        made, launch = point["compiled"], point["launch"]
        words = ["occupancy", "--json", "--gpu", self.gpu, "--block", str(product(launch["block"])),
                 "--registers", str(made["registers_per_thread"]), "--shared", str(made["static_shared_bytes"]),
                 "--dynamic", str(launch["dynamic_shared_bytes"])]
        if "carveout_percent" in launch:
            words += ["--carveout", str(launch["carveout_percent"])]
        key = tuple(words)
        if key not in self.known:
            self.known[key] = json.loads(cli(self.binaries, *words))["theoretical_occupancy"]["blocks_per_sm"]
        return self.known[key]


def gpu_of_device(binaries, driver):
    cc = f"{driver.attribute(75)}.{driver.attribute(76)}"
    known = json.loads(cli(binaries, "gpus", "--json"))["gpus"]
    gpu = next(each for each in known if each["compute_capability"] == cc)
    return dict(gpu, sms=driver.attribute(16))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("binaries", type=pathlib.Path)
    options.add_argument("--kernels", nargs="*", default=[])
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = options.parse_args()
    driver = Driver()
    gpu = gpu_of_device(asked.binaries, driver)
    ours = Ours(asked.binaries, gpu["name"])
    kernels = {name: each for name, each in catalogue(asked.binaries, asked.kernels).items() if each["source"]}
    answers, cubins = compiled(asked.binaries, kernels, gpu, asked.jobs)
    agree, differ, clusters = collections.Counter(), [], {}
    for point in answers:
        kernel = kernels[point["kernel"]]
        macros = {each["name"] for each in kernel["parameters"] if is_compiled(each)}
        key = tuple(sorted((name, value) for name, value in point["parameters"].items() if name in macros))
        cubin = cubins[pathlib.Path(kernel["source"]).read_text(), key]
        try:
            blocks, active = driver.occupancy(cubin, kernel["entry"], point["launch"])
        except RuntimeError as error:  # more shared memory than a block may have
            blocks, active = 0, None
            if ours.blocks(point) != 0:
                print(point["kernel"], key, error)
        agree[point["kernel"]] += blocks == ours.blocks(point)
        if blocks != ours.blocks(point):
            differ.append((point["kernel"], key, blocks, ours.blocks(point)))
        if active is not None:
            size = product(point["launch"]["cluster"])
            clusters[size, blocks] = max(clusters.get((size, blocks), 0), active)
    counts = collections.Counter(point["kernel"] for point in answers)
    print_table(["kernel", "combinations", "agree"], [[name, counts[name], agree[name]] for name in kernels])
    print_table(["cluster size", "blocks per SM", "active clusters", "blocks of them", "blocks of all SMs"],
                [[size, blocks, active, active * size, blocks * gpu["sms"]]
                 for (size, blocks), active in sorted(clusters.items())])
    for kernel, key, theirs, mine in differ[:20]:
        print(f"{kernel} {dict(key)}: the driver says {theirs} blocks per SM, rooftile {mine}")
    sys.exit(1 if differ or not answers else 0)


if __name__ == "__main__":
    main()
