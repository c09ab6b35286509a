#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A table for another MPI library or host costs one message, and the embedded table decides, on all ranks alike."""

import json
import platform
import re
import tempfile
from pathlib import Path

import launch

# The embedded table names it for no call.
OURS = "exscan/k_ported"
HOST = platform.node()
FITS = ({"mpi": "MPICH Version: [45].*"}, {"mpi": "*", "host": HOST}, {"host": HOST[:1] + "*"}, {})
STALE = {"the MPI library": {"mpi": "MPICH Version: 3.*"}, "the host": {"mpi": "MPICH*", "host": HOST + "-no-such"}}


def written(folder, required):
    rule = {"collective": "exscan", "algorithm": OURS.split("/")[1]}
    folder.mkdir(exist_ok=True)
    (folder / "table.json").write_text(json.dumps({"version": 1, "requires": required, "rules": [rule]}))
    return folder / "table.json"


def in_folders(program, folders):
    return [(1, {}, ["env", "-C", str(folder), *program]) for folder in folders]


def main():
    options, launcher, failures = launch.begin(launch.arguments(__doc__, "program"))
    program = [str(Path(options.program).absolute())]  # ranks start in other folders
    native = launcher.native(2, program)

    def expect(what, outcome, ours, message):
        failures.expect_alike(f"{what}: result", (native.code, native.stdout), (outcome.code, outcome.stdout))
        ran, messages = {row["ran"] for row in outcome.rows()}, outcome.messages()
        failures.expect(ran == {OURS} if ours else ran and OURS not in ran, f"{what}: ran {ran}")
        right = len(messages) == 1 and re.search(message, messages[0]) if message else not messages
        failures.expect(right, f"{what}: messages {messages}")

    with tempfile.TemporaryDirectory() as name:
        first, other = Path(name, "first"), Path(name, "other")
        for required in FITS:
            table = written(first, required)
            expect(required, launcher.grafted(2, program, {"MPIGRAFT_TABLE": table}), True, "")
        for what, required in STALE.items():
            table = written(first, required)
            told = rf"{re.escape(str(table))}: {what} is \".*\", the table requires \".*\"; the embedded table takes its place$"
            expect(required, launcher.grafted(2, program, {"MPIGRAFT_TABLE": table}), False, told)
            # The library tells on all ranks what it could not tell on communicators of one rank.
            alone_first = launcher.grafted(2, [*program, "alone-first"], {"MPIGRAFT_TABLE": table})
            expect(f"{required}, alone first", alone_first, False, told)
        # One name, another table on each rank: the first rank's counts.
        own = {"MPIGRAFT_TABLE": "/proc/self/cwd/table.json"}
        written(other, FITS[0])
        expect("stale on rank 0", launcher.grafted_mpmd(in_folders(program, (first, other)), own), False,
               "takes its place")
        expect("stale on rank 1", launcher.grafted_mpmd(in_folders(program, (other, first)), own), True, "")
    failures.exit()


if __name__ == "__main__":
    main()
