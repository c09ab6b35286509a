#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Open MPI's launcher for the tests, which use Hydra's options: mpiexec_of_open_mpi.py [-genv NAME VALUE] -n N [-env
NAME VALUE] PROGRAM... [: -n N ...]. It starts any number of ranks on any number of cores, and as root. Several
programs are one for the launcher, because that of Open MPI 5.0.7 crashes on more: each rank becomes its own."""

import json
import os
import shutil
import sys

OPTIONS = {"-bind-to": "--bind-to"}
OF_RANK = "--of-rank"  # and, in JSON, [[ranks, words of a program], ...]


def programs(words):
    """Options of Open MPI's, and [[ranks, words]]; settings of variables become `env` before each program."""
    options, common, found = [], [], []
    perturb = os.environ.pop("MALLOC_PERTURB_", None)  # Meson sets it; the launcher crashes by it where ranks abort
    if perturb:
        common.append(f"MALLOC_PERTURB_={perturb}")
    while words:
        ranks, variables = None, []
        while words and words[0].startswith("-"):
            option = words.pop(0)
            if option in ("-genv", "-env"):
                (common if option == "-genv" else variables).append(f"{words.pop(0)}={words.pop(0)}")
            elif option in ("-n", "-np"):
                ranks = words.pop(0)
            elif option in OPTIONS:
                options += [OPTIONS[option], words.pop(0)]
            else:
                sys.exit(f"mpiexec_of_open_mpi.py: {option} is not known here")
        end = words.index(":") if ":" in words else len(words)
        found.append([ranks, ["env", *common, *variables, *words[:end]]])
        words = words[end + 1:]
    return options, found


def command_for(words):
    options, found = programs(words)
    if len(found) == 1 and found[0][0] is None:
        return [*options, *found[0][1]]
    if len(found) == 1:
        return ["--oversubscribe", *options, "-n", found[0][0], *found[0][1]]
    ranks = sum(int(ranks) for ranks, _ in found)
    return ["--oversubscribe", *options, "-n", str(ranks), sys.executable, "-IS", __file__, OF_RANK, json.dumps(found)]


def become_program_of_rank(found):
    rank = int(os.environ["OMPI_COMM_WORLD_RANK"])
    for ranks, words in found:
        rank -= int(ranks)
        if rank < 0:
            os.execvp(words[0], words)


def main():
    if sys.argv[1:2] == [OF_RANK]:
        become_program_of_rank(json.loads(sys.argv[2]))
    launcher = shutil.which("mpirun.openmpi") or shutil.which("mpirun")
    if not launcher:
        sys.exit("mpiexec_of_open_mpi.py: no mpirun of Open MPI on PATH")
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    os.environ.setdefault("OMPI_MCA_btl", "^tcp")  # it warns of networks that it cannot use, and all ranks are here
    os.execv(launcher, [launcher, *command_for(sys.argv[1:])])


if __name__ == "__main__":
    main()
