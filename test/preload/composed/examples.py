#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the examples of mpigraft.h(3), C, C++ and Fortran, and runs them, without the library preloaded."""

import argparse
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import launch  # noqa: E402

# ranks change the level by 1, 2, -3, 4, 5
RANKS, EXPECTED = 5, "highest level: 9\n"


def examples(page):
    """{kind: text}"""
    section = Path(page).read_text().replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\").split(".SH EXAMPLES")[1]
    return dict(re.findall(r"^\.SS (\w+)[^\n]*\n.*?^\.nf\n(.*?)^\.fi", section, re.MULTILINE | re.DOTALL))


def run(*command):
    done = launch.run(command, 100)
    return done.code, done.stdout, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--page", "--include", "--library", "--mpiexec"):
        parser.add_argument(name, required=True)
    for name in ("--cc", "--cxx", "--fc"):
        parser.add_argument(name, default="", help="a compiler with its options")
    options = parser.parse_args()
    texts = examples(options.page)
    kinds = {"C": (options.cc, "c"), "C++": (options.cxx, "cpp"), "Fortran": (options.fc, "f90")}
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind, (compiler, ending) in kinds.items():
            if not compiler:
                print(f"{kind}: skipped: no compiler")
                continue
            source, program = Path(folder, f"example.{ending}"), Path(folder, f"example-{ending}")
            source.write_text(texts[kind.rstrip("+")])
            built = run(*compiler.split(), "-Wall", "-I", options.include, source, options.library, "-o", program)
            ran = run(options.mpiexec, "-n", str(RANKS), program) if built[0] == 0 else built
            if built != (0, "", "") or ran != (0, EXPECTED, ""):
                failed += 1
                print(f"{kind}: built: {built}\nran: {ran}")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
