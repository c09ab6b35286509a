#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Under the standard ABI of MPI-5, where handles are pointers, calls reach MPI as the program made them, with one warning
in the job, and `mpigraft doctor` says so of the program. MPICH's own ABI in a library of MPI-5 stays what it is."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "preload"))

import launch  # noqa: E402

WARNING = re.compile(r"standard ABI \((\S+)\).*: every call stays native$")
CALLS = 2 * 2 * 8  # of a rank: twice, on two communicators, one of each kind
TWIN = "0x7f1284000101"  # whose low half looks like a communicator of MPICH's own ABI


class Tests:
    def __init__(self, options):
        self.options = options
        self.launcher = launch.Launcher(options.mpiexec, options.library, 60, grafts_all=True)
        self.failures = launch.Failures()

    def program(self, name):
        return str(self.options.programs / name)

    def expect(self, condition, what, outcome):
        self.failures.expect(condition, f"{what}\n{outcome.code}\n{outcome.stdout}{outcome.stderr}{outcome.report}")

    def one_warning(self, what, library, outcome):
        warned = [WARNING.search(line) for line in outcome.messages()]
        self.expect(len(warned) == 1 and warned[0] and library in (None, warned[0][1]), f"{what}: not one warning", outcome)
        self.expect(outcome.report == "", f"{what}: a report", outcome)

    def untouched(self):
        """Known by its answer, whatever its name, and by its name where it cannot be asked."""
        for program, library in (("asked_for_abi", "libmpi5.so"), ("named_for_abi", "libmpi_abi.so.1")):
            native, outcome = (start(2, [self.program(program)]) for start in (self.launcher.native, self.launcher.grafted))
            self.expect(native.code == 0 and native.stdout.count("\n") == 2 * CALLS, f"{program}: natively", native)
            self.expect(native.stdout.count(TWIN) == CALLS, f"{program}: no such handle", native)
            self.failures.expect_alike(program, (native.code, sorted(native.stdout.splitlines())),
                                       (outcome.code, sorted(outcome.stdout.splitlines())))
            self.one_warning(program, library, outcome)

    def own_abi(self):
        """libmpich.so of MPI-5 says that it has no standard ABI."""
        calls, version = [self.program("calls")], self.program("abi_version.so")
        preload = {"LD_PRELOAD": f"{version}:{self.options.library}"}
        outcome = self.launcher.grafted(2, calls, preload)
        ran = {row["ran"] == "native" for row in outcome.rows()}
        self.expect(outcome.code == 0 and not outcome.messages() and ran == {False}, "own ABI: not grafted", outcome)
        outcome = self.launcher.grafted(2, calls, {**preload, "ABI_MAJOR": "1"})
        self.expect(outcome.code == 0, "the same library, if it said 1", outcome)
        self.one_warning("the same library, if it said 1", None, outcome)

    def doctor(self):
        outcome = launch.run([self.options.command, "doctor", self.program("named_for_abi")], 60)
        said = re.search("^PROBLEM +program .* uses the standard ABI of MPI-5 .*libmpi_abi.so.1", outcome.stdout, re.MULTILINE)
        self.expect(outcome.code == 1 and said, "doctor", outcome)


def main():
    parser = launch.arguments(__doc__)
    parser.add_argument("--programs", required=True, type=Path, help="folder of the built programs")
    parser.add_argument("--command", help="mpigraft, where it is built")
    tests = Tests(parser.parse_args())
    tests.untouched()
    tests.own_abi()
    if tests.options.command:
        tests.doctor()
    tests.failures.exit()


if __name__ == "__main__":
    main()
