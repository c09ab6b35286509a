#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The launcher that belongs to the MPICH of a program, by the rule in mpigraft(1), LAUNCHERS. As a program:
launcher.py [PROGRAM|FOLDER] prints where Hydra is, for what needs its options; FOLDER is that of MPICH's library."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("mpiexec.mpich", "mpiexec.hydra", "mpiexec")
VARIABLE = "MPIGRAFT_LAUNCHER"
REMEDY = f"name a launcher with {VARIABLE}"


class NoLauncher(Exception):
    pass


def output_of(*command):
    """The output of a command; empty if it cannot be run."""
    env = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True, errors="replace", timeout=10, env=env, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def is_hydra(path):
    return "HYDRA" in output_of(path, "--version")


def folder_of_library(program):
    """The folder of the MPICH that a program is linked to, or None. A folder in place of the program is taken as
    that."""
    if program and Path(program).is_dir():
        return Path(program).resolve()
    found = re.search(r"libmpi(?:ch)?\.so\.12 => (/\S+)", output_of("ldd", program)) if program else None
    return Path(found[1]).resolve().parent if found else None


def found(program=None):
    """The path of MPICH's launcher: in a folder bin above its library, otherwise on PATH. Raises NoLauncher."""
    library = folder_of_library(program)
    above = [folder / "bin" for folder in (library, *library.parents)[:-1]] if library else []
    others = []
    for folder in dict.fromkeys([*map(str, above), *filter(None, os.environ.get("PATH", "").split(":"))]):
        for path in filter(None, (shutil.which(f"{folder}/{name}") for name in NAMES)):
            if is_hydra(path):
                return path
            others.append(path)
    seen = f" ({', '.join(others)}: of another MPI)" if others else ""
    raise NoLauncher(f"no mpiexec of MPICH on PATH{seen}; install it, or {REMEDY}")


def hydra(program=None):
    """The path of a launcher that takes Hydra's options. Raises NoLauncher."""
    named = os.environ.get(VARIABLE)
    if not named:
        return found(program)
    path = shutil.which(named)
    if not path or not is_hydra(path):
        raise NoLauncher(f"{VARIABLE}={named}: here it must be MPICH's mpiexec (Hydra) without arguments")
    return path


if __name__ == "__main__":
    try:
        print(hydra(*sys.argv[1:2]))
    except NoLauncher as error:
        print(error, file=sys.stderr)
        sys.exit(2)
