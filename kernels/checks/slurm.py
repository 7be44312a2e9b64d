#!/usr/bin/env python3
"""A sweep by a real Slurm of one node, which this script starts and stops: tasks are killed, nothing is lost.
  kernels/checks/slurm.py BIN_DIR     as root, with slurm-wlm and munge; no GPU is needed
"""
import collections
import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

NODE = socket.gethostname().split(".")[0]
CONFIGURATION = """ClusterName=test
SlurmctldHost={node}(127.0.0.1)
SlurmctldPort={port}
SlurmdPort={port1}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1
NodeName={node} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={node} Default=YES MaxTime=INFINITE State=UP
"""


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@contextlib.contextmanager
def cluster(folder):
    (folder / "state").mkdir()
    (folder / "spool").mkdir()
    (folder / "munge.key").write_bytes(os.urandom(1024))
    (folder / "munge.key").chmod(0o400)
    (folder / "slurm.conf").write_text(CONFIGURATION.format(
        node=NODE, folder=folder, port=free_port(), port1=free_port(), cpus=os.cpu_count()))
    os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
    log = open(folder / "daemons.log", "w")
    daemons = [subprocess.Popen(command, stdout=log, stderr=log) for command in (
        ["munged", "--foreground", "--force", f"--key-file={folder}/munge.key", f"--socket={folder}/munge.socket",
         f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log", f"--seed-file={folder}/munged.seed"],
        ["slurmctld", "-D"], ["slurmd", "-D", "-N", NODE])]
    try:
        wait_for(lambda: "idle" in subprocess.run(["sinfo"], capture_output=True, text=True).stdout, "the node is idle")
        yield
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
        for daemon in daemons:
            daemon.wait()


def wait_for(holds, what, limit=60):
    end = time.monotonic() + limit
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"{limit} s and not yet: {what}")
        time.sleep(0.1)


def tiles_and_pads(session):
    """How often each combination was measured."""
    records = [json.loads(line) for line in session.read_text().splitlines()]
    return collections.Counter(
        json.dumps(record["parameters"], sort_keys=True) for record in records
        if record["record"] == "point" and record["final"])


def main():
    binaries = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name, cluster(pathlib.Path(name)):
        folder = pathlib.Path(name)
        session = folder / "sweep.jsonl"
        command = [str(binaries / "rooftile-cli"), "--worker", f"{binaries}/scripted_worker --pause 400", "sweep",
                   "sgemm_tiled", "TILE=4,8,16,32", "PAD_A=0..2", "PAD_B=0,1", "--slurm", "--time=5", "-n", "3",
                   "-o", str(session)]
        killed = 0
        while not killed or (folder / "sweep.jsonl.parts").exists():
            sweep = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            running = lambda: subprocess.run(["squeue", "--noheader", "--array", "--states=RUNNING", "--format=%F_%K"],
                                             capture_output=True, text=True).stdout.split()
            wait_for(lambda: running() or sweep.poll() is not None, "a task runs")
            time.sleep(1)
            for task in running()[:1] if killed < 3 else []:
                subprocess.run(["scancel", task], check=True)
                killed += 1
            print(sweep.communicate(timeout=120)[1].strip())
            print(f"  {len(tiles_and_pads(session))} launches are in the file" if session.exists() else "  no file")
        measured = tiles_and_pads(session)
        print(f"{killed} tasks killed; {len(measured)} of 24 combinations measured, "
              f"{sum(times - 1 for times in measured.values())} twice")
        sys.exit(len(measured) != 24 or max(measured.values()) > 1 or killed < 3)


if __name__ == "__main__":
    main()
