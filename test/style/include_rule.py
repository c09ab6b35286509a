#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each folder includes only what it may: algorithms/ the standard library, config/ JSON, shim/abi/translation/ and
mpigraft.h MPI; only test/ may include test/. In config/ and shim/ no room includes a higher one."""

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
COMMAND_ONLY = "<CLI/.+"  # config/command/, and shim/bench/, which is a command, too
OF_MPI = r"<mpi\.h"  # shim/bench/, shim/abi/translation/, and the header for programs
BESIDE = r'"(kinds\.h|\.\./\.\./algorithms/collective\.hpp)'  # the model of calls; C programs are built without -I

# folder: its rooms, low to high; those of one step do not know each other
ROOMS = {
    "config": ("table", "learning report analysis", "command"),
    "shim": ("base", "abi", "wait watch", "memory", "agree", "execute", "observe", "learn", "entry", "compose", "bench"),
}


def step_of(parts):
    """(folder, step of its room, room) of a file or a header, which say how high it is; None if it is in no room."""
    steps = ROOMS.get(parts[0], ())
    return next(((parts[0], step, parts[1]) for step, rooms in enumerate(steps) if parts[1] in rooms.split()), None)


def runs_back_up(place, header):
    here, there = step_of(place.parts), step_of(header.split("/"))
    if not here or not there or here[0] != there[0]:
        return False
    return there[1] > here[1] or (there[1] == here[1] and there[2] != here[2])


def main():
    root = sys.argv[1]
    findings = []
    for path in repository.files(root, ".hpp", ".cpp", ".h", ".c", ".in"):
        place = path.relative_to(root)
        allowed = RULES.get(place.parts[0])
        if allowed is None or place.parts[1] == "man":
            continue
        if place.match("config/command/*"):
            allowed += (COMMAND_ONLY,)
        if place.match("shim/bench/*"):
            allowed += (COMMAND_ONLY, OF_MPI, "<nlohmann/.+", BESIDE)
        if any(place.match(text) for text in ("shim/abi/translation/*", "shim/mpigraft.h")):
            allowed += (OF_MPI,)
        for header in INCLUDE.findall(path.read_text()):
            if not any(re.fullmatch(rule, header) for rule in allowed):
                findings.append(f"{place}: must not include {header[1:]}")
            if runs_back_up(place, header[1:]):
                findings.append(f"{place}: includes {header[1:]} of a higher room")
    repository.finish(findings)


if __name__ == "__main__":
    main()
