#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A room's names are in its own namespace: config/table/ declares in mpigraft::table, and so on. Other rooms qualify
them, so config/ and shim/ take in no namespace of mpigraft as a whole."""

import re
import sys

import repository
from include_rule import step_of

OPENED = re.compile(r"^namespace (mpigraft\b[\w:]*) \{", re.MULTILINE)
TAKEN_IN = re.compile(r"^\s*using namespace ((?!std::)[\w:]+);", re.MULTILINE)
# Only macros, extern "C" functions, which have no namespace, and MPI's own names.
WITHOUT = ("shim/abi/other_functions.hpp", "shim/entry/fortran_mpich.cpp", "shim/entry/fortran_open_mpi.cpp",
           "shim/watch/fortran_mpich.cpp", "shim/watch/fortran_open_mpi.cpp", "shim/compose/api.cpp", "shim/abi/standard/interface.hpp",
           "shim/abi/openmpi/interface.hpp", "shim/abi/translation/interface.hpp")


def findings_of(place, text, room):
    own = f"mpigraft::{room}"
    opened = set(OPENED.findall(text))
    if not opened and str(place) not in WITHOUT:
        yield f"{place}: declares nothing in {own}"
    yield from (f"{place}: opens {name}, which is not its room's" for name in sorted(opened - {own}))
    yield from (f"{place}: takes in all of {name}" for name in TAKEN_IN.findall(text)
                if not name.startswith(f"{room}::"))


def main():
    root = sys.argv[1]
    findings = []
    for path in repository.files(root, ".hpp", ".cpp", ".hpp.in", ".cpp.in"):
        place = path.relative_to(root)
        if step := step_of(place.parts):
            findings += findings_of(place, path.read_text(), step[2])
    repository.finish(findings)


if __name__ == "__main__":
    main()
