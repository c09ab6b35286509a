#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A library exports only MPI_*, functions of mpi_f08, those of mpigraft.h and those that drive messages; that for Open
MPI also its Fortran names. It needs neither an MPI library nor a C++ runtime in the process."""

import re
import subprocess
import sys

from repository import finish

C = "(MPI|MPIGRAFT)_[A-Z][a-z_]+|ucp_worker_progress"
MPICH = re.compile(C + "|mpi_[a-z_]+_f08_")
STANDARD = re.compile(C + "|opal_progress")
OPEN_MPI = re.compile(STANDARD.pattern + "|mpi_[a-z_]+_f08_|MPI_[A-Z_]+|MPI_[A-Z][a-z_]+_f08|mpi_[a-z_]+|ompi_[a-z_]+_f")
NEEDED = re.compile(r"(libc|libm|libgcc_s|ld-linux[\w-]*)\.so\.\d+")


def lines(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def findings_of(library):
    exported = [line.split()[-1] for line in lines("nm", "-D", "--defined-only", library)]
    if not exported:
        yield "exports nothing"
    shown = OPEN_MPI if library.endswith("-ompi.so") else STANDARD if library.endswith("-abi.so") else MPICH
    yield from (f"exports {name}" for name in exported if not shown.fullmatch(name))
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
