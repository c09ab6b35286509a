#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A library that grafts exports only collectives with their forms, what set-up needs, functions that look, that start or
free requests, those of mpigraft.h and those that drive messages. One that watches exports any function of MPI. That for
Open MPI has its Fortran names, too, and that for MPICH those of mpi_f08 which call PMPI. It needs neither an MPI library
nor a C++ runtime in the process."""

import re
import subprocess
import sys

from repository import finish

COLLECTIVE = "(scan|exscan|bcast|reduce|barrier|allreduce|reduce_scatter|reduce_scatter_block|allgather|allgatherv)"
BEGIN_OR_END = "(init|init_thread|finalize|comm_free|comm_disconnect|start|startall|request_free|op_free)"
LOOKS = "(improbe|iprobe|test|testall|testany|testsome|request_get_status(_all|_any|_some)?|parrived|win_test)"
GRAFTS = re.compile(f"(I?{COLLECTIVE}(_init)?(_c)?|{BEGIN_OR_END}|{LOOKS})", re.IGNORECASE)
WATCHES = re.compile("[A-Za-z_]+")
C = "MPI_(?P<c>[A-Z][a-z_]+)|MPIGRAFT_[A-Z][a-z_]+|ucp_worker_progress"
MPICH = re.compile(C + "|mpi_(?P<f08>[a-z_]+)_f08_|opal_progress")
STANDARD = re.compile(C + "|opal_progress")
OPEN_MPI = re.compile(r"MPI_(?P<f>[A-Z][a-z_]+)_f(08)?|" + STANDARD.pattern + "|MPI_(?P<upper>[A-Z_]+)|mpi_(?P<f08>[a-z_]+)_f08_"
                      "|mpi_(?P<lower>[a-z_]+?)_{0,2}|ompi_(?P<ompi>[a-z_]+)_f")
NEEDED = re.compile(r"(libc|libm|libgcc_s|ld-linux[\w-]*)\.so\.\d+")


def lines(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def findings_of(library):
    exported = [line.split()[-1] for line in lines("nm", "-D", "--defined-only", library)]
    if not exported:
        yield "exports nothing"
    shown = OPEN_MPI if library.endswith("-ompi.so") else STANDARD if library.endswith("-abi.so") else MPICH
    allowed = WATCHES if "-watch" in library else GRAFTS
    for name in exported:
        found = shown.fullmatch(name)
        function = found and next((part for part in found.groups() if part), None)
        if not found or (function and not allowed.fullmatch(function)):
            yield f"exports {name}"
    for line in lines("nm", "-D", "--undefined-only", library):
        kind, name = line.split()[-2:]
        if kind == "U" and name.startswith(("MPI_", "PMPI_")):
            yield f"cannot be loaded without MPI: {name} is not weak"
    for line in lines("readelf", "-d", "--wide", library):
        needed = re.search(r"\(NEEDED\).*\[(.+)\]", line)
        if needed and not NEEDED.fullmatch(needed[1]):
            yield f"needs {needed[1]}"


if __name__ == "__main__":
    finish([f"{library}: {finding}" for library in sys.argv[1:] for finding in findings_of(library)])
