#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""C and C++ look as .clang-format says; skipped where there is no clang-format."""

import shutil
import subprocess
import sys

import repository


def main():
    tool = shutil.which("clang-format")
    if tool is None:
        print("no clang-format")
        sys.exit(repository.SKIPPED)
    sources = repository.files(sys.argv[1], ".hpp", ".cpp", ".h", ".c")
    sys.exit(subprocess.run([tool, "--dry-run", "-Werror", *sources]).returncode)


if __name__ == "__main__":
    main()
