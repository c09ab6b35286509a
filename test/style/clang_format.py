#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""C and C++ look as .clang-format says. Versions differ in taste, so only the one below judges; skipped without it."""

import re
import shutil
import subprocess
import sys

import repository

VERSION = 14


def version(tool):
    """The tool's version, or None if there is no such tool."""
    if shutil.which(tool) is None:
        return None
    told = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
    return int(re.search(r"version (\d+)", told)[1])


def main():
    found = {tool: version(tool) for tool in (f"clang-format-{VERSION}", "clang-format")}
    right = [tool for tool in found if found[tool] == VERSION]
    if not right:
        there = found["clang-format"]
        repository.skip(f"needs clang-format {VERSION}" + (f", not {there}" if there else ""))
    sources = repository.files(sys.argv[1], ".hpp", ".cpp", ".h", ".c")
    sys.exit(subprocess.run([right[0], "--dry-run", "-Werror", *sources]).returncode)


if __name__ == "__main__":
    main()
