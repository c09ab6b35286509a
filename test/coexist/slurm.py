# SPDX-License-Identifier: MIT
"""A Slurm for a test: slurmctld, and a slurmd for each of two nodes, which are this machine. Its configuration, state
and logs are in a temporary folder, its ports are free ones of 127.0.0.1, and it ends with the test."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import launch

NODES = ("n0", "n1")
CORES = 2  # of each node, whatever the machine has
SECONDS = 20  # to start, and to end
DAEMONS = ("slurmctld", "slurmd")
COMMANDS = ("srun", "sbatch", "scancel", "squeue", "sinfo", "scontrol")
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"  # a user's PATH lacks the daemons

# auth/none: everything is this user's. linuxproc: no cgroup is needed. No default plugin for MPI: as Slurm comes.
CONFIGURATION = """ClusterName=mpigraft
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
PlugStackConfig={folder}/plugstack.conf
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
MpiDefault=none
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=10 State=UP
"""


def missing():
    """Says why no Slurm can be started here; None if one can be tried."""
    absent = [name for name in (*DAEMONS, *COMMANDS) if not shutil.which(name, path=PATH)]
    if absent:
        return f"no {', '.join(absent)}; install slurmctld, slurmd and slurm-client"
    return None if os.geteuid() == 0 else "slurmd needs root"


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Slurm:
    """A context; `env` is the environment in which Slurm's commands find it."""

    def __enter__(self):
        self.kept = tempfile.TemporaryDirectory(prefix="mpigraft-slurm-")
        self.folder = Path(self.kept.name)
        self.env = {name: value for name, value in launch.ENVIRONMENT.items() if not name.startswith("SLURM_")}
        self.env |= {"SLURM_CONF": str(self.folder / "slurm.conf"), "PATH": PATH}
        self.daemons = []
        try:
            self.configure()
            self.daemons.append(self.start("slurmctld", "-D", "-c"))
            self.daemons += [self.start("slurmd", "-D", "-N", node) for node in NODES]
            self.wait_for("the nodes", self.all_idle)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if any(daemon.poll() is None for daemon in self.daemons):
            self.ask("scancel", "--user", "root")
            try:
                self.wait_for("the end of all jobs", lambda: not self.ask("squeue", "-h"))
            except launch.Skipped:
                pass
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(SECONDS)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self.kept.cleanup()

    def configure(self):
        host, ports = socket.gethostname().split(".")[0], free_ports(1 + len(NODES))
        nodes = "\n".join(f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs={CORES}"
                          for node, port in zip(NODES, ports[1:]))
        (self.folder / "plugstack.conf").touch()
        for name in ("state", *(f"spool/{node}" for node in NODES)):
            (self.folder / name).mkdir(parents=True)
        text = CONFIGURATION.format(host=host, ports=ports, folder=self.folder, nodes=nodes)
        (self.folder / "slurm.conf").write_text(text)

    def start(self, *command):
        with open(self.folder / f"{command[-1].strip('-')}.log", "w") as log:
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.env)

    def ask(self, *command):
        """The stdout of one of Slurm's commands; empty if it does not answer."""
        return launch.run(command, SECONDS, self.env).stdout

    def all_idle(self):
        return self.ask("sinfo", "-h", "-N", "-o", "%T").split() == ["idle"] * len(NODES)

    def wait_for(self, what, holds):
        end = time.monotonic() + SECONDS
        while not holds():
            if time.monotonic() > end or any(daemon.poll() is not None for daemon in self.daemons):
                raise launch.Skipped(f"Slurm: waited in vain for {what}\n{self.logs()}")
            time.sleep(0.2)

    def logs(self):
        """The last lines of each daemon's log."""
        return "\n".join(f"{path.name}: " + " / ".join(path.read_text(errors="replace").splitlines()[-3:])
                         for path in sorted(self.folder.glob("*.log")))
