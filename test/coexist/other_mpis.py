#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Under another MPI than MPICH, and under the standard ABI of MPI-5, where handles are pointers, calls reach MPI as the
program made them, in silence. With MPIGRAFT_VERBOSE one line in the job tells why, and `mpigraft doctor` says so of a
program. MPICH's own ABI in a library of MPI-5 stays what it is."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "preload"))

import launch  # noqa: E402

TOLD = re.compile(r"this MPI \((?:\"(.*)\"|([^\s,]+))(?:, the standard ABI of MPI-5)?\) (?:needs|is unknown)"
                  r".*: every call stays native$|library (lacks) PMPI_")
CALLS = 2 * 2 * 8  # of a rank: twice, on two communicators, one of each kind
# The beginnings of other MPIs' version texts; some are built on MPICH, or stand before another MPI.
TEXTS = ("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4", "Intel(R) MPI Library 2021.9 for Linux* OS",
         "MPI VERSION    : CRAY MPICH version 8.1.25 (ANL base 3.4a2)", "MVAPICH2 Version      :\t2.3.7",
         "MVAPICH Version:\t4.0", "=== ParaStation MPI 5.9.2 ===", "HPE MPT 2.28  05/03/23 02:42:30",
         "FUJITSU MPI Library 4.0.1 (4.0.5fj4.0.0)", "MPIwrapper 2.10.4, using MPIABI 2.9.0, wrapping:\nMPICH Version: 4.0.2",
         "Mukautuva 23.04 over:\nMPICH Version: 4.0.2", "WI4MPI 3.6.4", "", "\n", "x" * 250)
TWIN = "0x7f1284000101"  # whose low half looks like a communicator of MPICH's own ABI


class Tests:
    def __init__(self, options, launcher, failures):
        self.options, self.launcher, self.failures, self.expect = options, launcher, failures, failures.expect
        self.of_standard_abi = {"LD_PRELOAD": Path(options.library).with_name("libmpigraft-abi.so")}

    def program(self, name):
        return f"{self.options.programs}/{name}"

    def one_line(self, what, why, outcome):
        told = [TOLD.search(line) for line in outcome.messages()]
        self.expect(len(told) == 1 and told[0] and why in (None, *told[0].groups()), f"{what}: not one line", outcome)
        self.expect(outcome.report == "", f"{what}: a report", outcome)

    def untouched(self, program, why, env, preloads=()):
        def start(launch_it, more):
            return launch_it(2, ["env", *(f"{name}={value}" for name, value in env.items()), self.program(program)], *more)

        native = start(self.launcher.native, [])
        self.expect(native.code == 0 and native.stdout.count("\n") == 2 * CALLS, f"{program}: natively", native)
        self.expect(native.stdout.count(TWIN) == CALLS, f"{program}: no such handle", native)
        for verbose in ("0", "1"):
            outcome = start(self.launcher.grafted, [{"MPIGRAFT_VERBOSE": verbose, **dict(preloads)}])
            self.failures.expect_alike(f"{program} {env}", (native.code, sorted(native.stdout.splitlines())),
                                       (outcome.code, sorted(outcome.stdout.splitlines())))
            if verbose == "1":
                self.one_line(f"{program} {env}", why, outcome)
            else:
                self.expect(not outcome.messages() and not outcome.report, f"{program} {env}: not silent", outcome)

    def all_untouched(self):
        """The standard ABI is known by its answer, whatever its name, and by its name where it cannot be asked."""
        self.untouched("asked_for_abi", "libmpi5.so", {})
        self.untouched("named_for_abi", "libmpi_abi.so.1", {})
        self.untouched("asked_for_abi", "lacks", {}, self.of_standard_abi)  # its stand-in has few functions
        for text in TEXTS:
            self.untouched("any_mpi", text.split("\n")[0][:60] if text else "libany_mpi.so", {"MPI_TEXT": text})

    def own_abi(self):
        """libmpich.so of MPI-5 says that it has no standard ABI."""
        calls, version = [self.program("calls")], self.program("abi_version.so")
        preload = {"LD_PRELOAD": f"{version}:{self.options.library}"}
        outcome = self.launcher.grafted(2, calls, preload)
        ran = {row["ran"] == "native" for row in outcome.rows()}
        self.expect(outcome.code == 0 and not outcome.messages() and ran == {False}, "own ABI: not grafted", outcome)
        outcome = self.launcher.grafted(2, calls, {**preload, "ABI_MAJOR": "1", "MPIGRAFT_VERBOSE": "1"})
        self.expect(outcome.code == 0, "the same library, if it said 1", outcome)
        self.one_line("the same library, if it said 1", None, outcome)

    def library_of_the_standard_abi(self):
        """The library of the standard ABI, preloaded into a program of MPICH's own."""
        calls = [self.program("calls")]
        native, outcome = self.launcher.native(2, calls), self.launcher.grafted(2, calls, self.of_standard_abi)
        self.failures.expect_alike("libmpigraft-abi.so", (native.code, native.stdout), (outcome.code, outcome.stdout))
        self.expect(not outcome.messages() and not outcome.report, "libmpigraft-abi.so: not silent", outcome)
        outcome = self.launcher.grafted(2, calls, {**self.of_standard_abi, "MPIGRAFT_VERBOSE": "1"})
        self.one_line("libmpigraft-abi.so", None, outcome)

    def doctor(self):
        outcome = launch.run([self.options.command, "doctor", self.program("named_for_abi")], 60)
        said = re.search("^ok +program .* the standard ABI of MPI-5 .*libmpi_abi.so.1.* preload libmpigraft-abi.so", outcome.stdout,
                         re.MULTILINE)
        self.expect(said, "doctor", outcome)
        for program, library in (("named_for_abi", "libmpi_abi.so.1"), ("serial_program", "libstand_in.so"),
                                 ("calls", "libmpich.so.12")):
            outcome = launch.run([self.options.command, "doctor", self.program(program)], 60)
            self.expect(re.search(rf"^ok +symbols +MPI_ functions are in \S*/{library}$", outcome.stdout, re.MULTILINE),
                        f"doctor: symbols of {program}", outcome)


def main():
    parser = launch.arguments(__doc__, "--programs")
    parser.add_argument("--command", help="mpigraft, where it is built")
    options, launcher, failures = launch.begin(parser, seconds=60, grafts_all=True)
    tests = Tests(options, launcher, failures)
    tests.all_untouched()
    tests.own_abi()
    tests.library_of_the_standard_abi()
    if options.command:
        tests.doctor()
    failures.exit()


if __name__ == "__main__":
    main()
