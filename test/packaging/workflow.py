#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The steps Configure, Build and Test of config/site/github-workflow.yml, with a small CMake project: its test runs under
mpigraft, on more ranks than there are cores."""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

import repository

STEP = re.compile(r"- name: (\w+)\n +run: (\w.+)\n(?: +env:\n((?: {10}\w+: .+\n)+))?")
PROJECT = """cmake_minimum_required(VERSION 3.20)
project(small C)
find_package(MPI REQUIRED COMPONENTS C)
enable_testing()
add_test(NAME sums COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 4 ${PROGRAM})
"""


def main():
    root, program, command, mpicc = map(Path, sys.argv[1:])
    if not shutil.which("cmake"):
        repository.skip("no cmake")
    steps = {name: (step, dict(re.findall(r"(\w+): (.+)", variables)))
             for name, step, variables in STEP.findall((root / "config/site/github-workflow.yml").read_text())}
    assert list(steps) == ["Configure", "Build", "Test"], steps
    with tempfile.TemporaryDirectory(prefix="mpigraft-workflow-") as folder:
        (Path(folder) / "CMakeLists.txt").write_text(PROJECT.replace("${PROGRAM}", str(program)))
        for step, variables in steps.values():
            variables = {name: value.replace("${{ github.workspace }}", folder) for name, value in variables.items()}
            path = f"{command.parent}:{mpicc.parent}:{os.environ['PATH']}"
            env = {**os.environ, "PATH": path, "MPI_C_COMPILER": str(mpicc), **variables}
            done = repository.run("sh", "-c", step, cwd=folder, env=env, timeout=200)
            assert done.returncode == 0, f"{step}\n{done.stdout}"
        report = (Path(folder) / "report.txt").read_text()
    assert "all 4 ranks" in report and "@ verified: " in report, report


if __name__ == "__main__":
    main()
