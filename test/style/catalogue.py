#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The list in algorithms/meson.build holds every algorithm, and is the only one."""

import sys
from pathlib import Path

import repository


def headers(root):
    """COLLECTIVE/NAME of each header that describes an algorithm."""
    for path in Path(root, "algorithms").glob("*/*.hpp"):
        if "AlgorithmInfo info" in path.read_text():
            yield f"{path.parent.name}/{path.stem}"


def main():
    root, listed = sys.argv[1], sys.argv[2:]
    found = set(headers(root))
    findings = [f"algorithms/{name}.hpp is not in algorithms/meson.build" for name in sorted(found - set(listed))]
    findings += [f"{name} is listed and has no header with an AlgorithmInfo" for name in sorted(set(listed) - found)]
    for path in repository.files(root, ".hpp", ".cpp", ".h", ".c", ".in"):
        place = path.relative_to(root)
        if place.parts[0] == "test":
            continue
        text = path.read_text()
        findings += [f'{place}: "{name}" belongs in algorithms/meson.build' for name in listed if f'"{name}"' in text]
    repository.finish(findings)


if __name__ == "__main__":
    main()
