#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Open MPI's launcher for the tests, which speak Hydra's language: mpiexec_of_open_mpi.py [-genv NAME VALUE] -n N
[-env NAME VALUE] PROGRAM... [: -n N ...]. It starts any number of ranks on any number of cores, and as root."""

import os
import shutil
import sys

OPTIONS = {"-bind-to": "--bind-to"}


def contexts(words):
    """Open MPI's words for Hydra's; what sets variables becomes `env` before each program."""
    common, command = [], []
    while words:
        ranks, variables, context = None, [], []
        while words and words[0].startswith("-"):
            option = words.pop(0)
            if option in ("-genv", "-env"):
                (common if option == "-genv" else variables).append(f"{words.pop(0)}={words.pop(0)}")
            elif option in ("-n", "-np"):
                ranks = words.pop(0)
            elif option in OPTIONS:
                context += [OPTIONS[option], words.pop(0)]
            else:
                sys.exit(f"mpiexec_of_open_mpi.py: {option} is not known here")
        end = words.index(":") if ":" in words else len(words)
        command += ["-n", ranks, *context, "env", *common, *variables, *words[:end], *words[end:end + 1]]
        words = words[end + 1:]
    return command


def main():
    launcher = shutil.which("mpirun.openmpi") or shutil.which("mpirun")
    if not launcher:
        sys.exit("mpiexec_of_open_mpi.py: no mpirun of Open MPI on PATH")
    options = ["--oversubscribe"] if any(word in sys.argv for word in ("-n", "-np")) else []
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    os.execv(launcher, [launcher, *options, *contexts(sys.argv[1:])])


if __name__ == "__main__":
    main()
