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
    parser = launch.arguments(__doc__)
    parser.add_argument("--alone-first", required=True, help="a program that begins with communicators of one rank")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    options.program[0] = str(Path(options.program[0]).absolute())  # ranks start in other folders
    launcher = launch.Launcher(options.mpiexec, options.library)
    failures = launch.Failures()
    native = launcher.native(2, options.program)

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
            expect(required, launcher.grafted(2, options.program, {"MPIGRAFT_TABLE": table}), True, "")
        for what, required in STALE.items():
            table = written(first, required)
            told = rf"{re.escape(str(table))}: {what} is \".*\", the table requires \".*\"; the embedded table takes its place$"
            expect(required, launcher.grafted(2, options.program, {"MPIGRAFT_TABLE": table}), False, told)
            alone = launcher.grafted(2, [options.alone_first], {"MPIGRAFT_TABLE": table})
            failures.expect(alone.code == 0 and alone.stdout == "2 ranks\n", f"alone first: {alone}")
            failures.expect(len(alone.messages()) == 1, f"alone first: messages {alone.messages()}")
        # One name, another table on each rank: the first rank's counts.
        own = {"MPIGRAFT_TABLE": "/proc/self/cwd/table.json"}
        written(other, FITS[0])
        expect("stale on rank 0", launcher.grafted_mpmd(in_folders(options.program, (first, other)), own), False,
               "takes its place")
        expect("stale on rank 1", launcher.grafted_mpmd(in_folders(options.program, (other, first)), own), True, "")
    failures.exit()


if __name__ == "__main__":
    main()
