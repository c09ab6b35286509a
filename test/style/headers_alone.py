#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every header compiles by itself; where there is no <mpi.h>, unless it belongs to a translation. That is shown of a header
once something that compiles includes it before all else: a source, all of which the build compiles, or another header."""

import argparse
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import repository

WITHOUT_MPI = re.compile("(algorithms|config|shim)/(?!bench/|abi/translation/)")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--mpi-include", required=True)
    parser.add_argument("compiler", nargs="+")
    options = parser.parse_args()

    def check(path):
        mpi = [] if WITHOUT_MPI.match(str(path.relative_to(options.root))) else ["-isystem", options.mpi_include]
        command = [*options.compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                   "-I", options.root, "-I", options.build, *mpi, "-include", path, "-x", "c++", "/dev/null"]
        return subprocess.run(command, capture_output=True, text=True).stderr

    def first_included(path):
        first = re.search(r'^#include "(.*)"$|^#include', path.read_text(), re.MULTILINE)
        return first and first[1]

    headers = {str(path.relative_to(options.root)): path for path in repository.files(options.root, ".hpp")}
    shown = {first_included(path) for name, path in headers.items() if WITHOUT_MPI.match(name)}
    shown |= {first_included(path) for path in repository.files(options.root, ".cpp")}
    headers = [path for name, path in headers.items() if name not in shown]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        errors = list(pool.map(check, headers))
    repository.finish([error for error in errors if error])


if __name__ == "__main__":
    main()
