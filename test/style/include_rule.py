#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each folder includes what it may: algorithms/ the standard library, config/ JSON, shim/abi/mpich/ MPI; nobody test/."""

import re
import sys

import repository

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"][^>"]+)[>"]', re.MULTILINE)
STANDARD = r"<[a-z_0-9]+"
SYSTEM = r"<(?!mpi)[a-z_0-9/]+\.h"
# folder: what its #include lines may begin with
RULES = {
    "algorithms": (STANDARD, '"algorithms/.+'),
    "config": (STANDARD, SYSTEM, "<nlohmann/.+", '"(algorithms|config)/.+'),
    "shim": (STANDARD, SYSTEM, '"(algorithms|config|shim)/.+'),
}
COMMAND_ONLY = "<CLI/.+"  # config/command/
TRANSLATION_ONLY = r"<mpi\.h"  # shim/abi/mpich/


def main():
    root = sys.argv[1]
    findings = []
    for path in repository.files(root, ".hpp", ".cpp", ".h", ".c", ".in"):
        place = path.relative_to(root)
        allowed = RULES.get(place.parts[0])
        if allowed is None:
            continue
        if place.match("config/command/*"):
            allowed += (COMMAND_ONLY,)
        if place.match("shim/abi/mpich/*"):
            allowed += (TRANSLATION_ONLY,)
        for header in INCLUDE.findall(path.read_text()):
            if not any(re.fullmatch(rule, header) for rule in allowed):
                findings.append(f"{place}: must not include {header[1:]}")
    repository.finish(findings)


if __name__ == "__main__":
    main()
