#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library shows MPI_* and UCX's progress only, and needs neither an MPI library nor a C++ runtime in the process."""

import re
import subprocess
import sys

from repository import finish

NEEDED = re.compile(r"(libc|libm|libgcc_s|ld-linux[\w-]*)\.so\.\d+")


def lines(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def main():
    library = sys.argv[1]
    findings = []
    exported = [line.split()[-1] for line in lines("nm", "-D", "--defined-only", library)]
    findings += [f"exports {name}" for name in exported if not name.startswith("MPI_") and name != "ucp_worker_progress"]
    if not exported:
        findings.append("exports nothing")
    for line in lines("nm", "-D", "--undefined-only", library):
        kind, name = line.split()[-2:]
        if kind == "U" and name.startswith(("MPI_", "PMPI_")):
            findings.append(f"cannot be loaded without MPI: {name} is not weak")
    for line in lines("readelf", "-d", "--wide", library):
        needed = re.search(r"\(NEEDED\).*\[(.+)\]", line)
        if needed and not NEEDED.fullmatch(needed[1]):
            findings.append(f"needs {needed[1]}")
    finish(findings)


if __name__ == "__main__":
    main()
