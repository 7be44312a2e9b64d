#!/usr/bin/env python3
"""A sweep over a real ssh to this machine itself, whose connection is cut three times: nothing is lost, nothing twice.
  kernels/checks/ssh.py BIN_DIR     as root, with openssh-server; no GPU is needed
"""
import collections
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

SERVER = """Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/key.pub
PidFile {folder}/sshd.pid
StrictModes no
UsePAM no
ForceCommand cd {folder}/home && HOME={folder}/home exec sh -c "$SSH_ORIGINAL_COMMAND"
"""
CLIENT = """Host box
  HostName 127.0.0.1
  Port {port}
  User root
  IdentityFile {folder}/key
  UserKnownHostsFile {folder}/known
  StrictHostKeyChecking no
"""
CUTS = 3


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def write_program(file, text):
    file.parent.mkdir(exist_ok=True)
    file.write_text("#!/bin/sh\n" + text)
    file.chmod(0o755)


@contextlib.contextmanager
def server(folder):
    port = free_port()
    for key in ("key", "host_key"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key], check=True)
    (folder / "home").mkdir()
    (folder / "server.conf").write_text(SERVER.format(port=port, folder=folder))
    (folder / "client.conf").write_text(CLIENT.format(port=port, folder=folder))
    write_program(folder / "path/ssh", f'exec {shutil.which("ssh")} -F {folder}/client.conf "$@"\n')
    pathlib.Path("/run/sshd").mkdir(exist_ok=True)
    daemon = subprocess.Popen([shutil.which("sshd") or "/usr/sbin/sshd", "-D", "-f", folder / "server.conf"])
    try:
        yield daemon
    finally:
        daemon.terminate()
        daemon.wait()


def connections(daemon):
    """The processes that serve one each."""
    children = pathlib.Path(f"/proc/{daemon.pid}/task/{daemon.pid}/children").read_text()
    return [int(pid) for pid in children.split()]


def final_points(session):
    """How often each combination was measured; a half-written last line counts nothing."""
    counts = collections.Counter()
    for line in session.read_text().splitlines() if session.exists() else []:
        with contextlib.suppress(json.JSONDecodeError):
            record = json.loads(line)
            if record["record"] == "point" and record["final"]:
                counts[json.dumps(record["parameters"], sort_keys=True)] += 1
    return counts


def main():
    built = pathlib.Path(sys.argv[1]).resolve()
    root = pathlib.Path(__file__).resolve().parents[2]
    with tempfile.TemporaryDirectory() as name, server(pathlib.Path(name)) as daemon:
        folder = pathlib.Path(name)
        shutil.copy(built / "rooftile-cli", folder / "path/rooftile-cli")
        write_program(folder / "path/rooftile-worker", f'exec {built}/scripted_worker --pause 30 "$@"\n')
        environment = os.environ | {"PATH": f'{folder}/path:{os.environ["PATH"]}', "ROOFTILE_DATA": str(root),
                                    "XDG_STATE_HOME": str(folder), "XDG_CACHE_HOME": str(folder)}
        session = folder / "sweep.jsonl"
        sweep = subprocess.Popen(
            [folder / "path/rooftile-cli", "--on", "box", "sweep", "sgemm_tiled", "TILE=8,16,32", "PAD_A=0..8",
             "PAD_B=0..8", "-o", session], env=environment, stdout=subprocess.DEVNULL)
        cuts, measured = 0, 0
        while sweep.poll() is None:
            time.sleep(0.2)
            if cuts < CUTS and len(final_points(session)) > measured + 30:
                measured = len(final_points(session))
                for pid in connections(daemon):
                    os.kill(pid, signal.SIGKILL)
                cuts += 1
        counts = final_points(session)
        print(f"{cuts} cuts; {len(counts)} of 243 combinations measured, "
              f"{sum(times - 1 for times in counts.values())} twice; the sweep ended with {sweep.returncode}")
        sys.exit(len(counts) != 243 or max(counts.values()) > 1 or cuts < CUTS or sweep.returncode != 0)


if __name__ == "__main__":
    main()
