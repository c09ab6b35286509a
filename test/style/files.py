#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files are short, name their licence, know nothing of the machine that they were written on, and the top level has no
others."""

import re
import sys

import repository

LONGEST = 300
SOURCES = (".hpp", ".cpp", ".h", ".c", ".F90", ".f90", ".py")
TOP = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "meson.build", "meson_options.txt", "shim", "algorithms",
       "config", "test", "scripts"}
MACHINE_PATH = re.compile(r"(?<![\w.])/(work|home|root|tmp/b-)\b")


def main():
    root = sys.argv[1]
    findings = []
    for path in repository.files(root):
        place = path.relative_to(root)
        if place.parts[0] not in TOP and not place.parts[0].startswith("."):
            findings.append(f"{place}: does not belong at the top level")
        if path.suffix == ".png":
            continue
        lines = path.read_text(errors="replace").splitlines()
        if path.suffix in SOURCES and not any("SPDX-License-Identifier: MIT" in line for line in lines[:2]):
            findings.append(f"{place}: no SPDX line at the top")
        if len(lines) > LONGEST:
            findings.append(f"{place}: {len(lines)} lines, at most {LONGEST}")
        findings += [f"{place}:{number}: a path of one machine: {line.strip()}"
                     for number, line in enumerate(lines, 1) if MACHINE_PATH.search(line)]
    repository.finish(findings)


if __name__ == "__main__":
    main()
