#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Libraries of MPICH's binary interface that say another name, and lack what MPI-4 added: native unless
MPIGRAFT_ABI=mpich asks for them, grafted with right results where it does, and native with one warning where their
self-check fails."""

import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "preload"))

import launch  # noqa: E402

TEXTS = ("Intel(R) MPI Library 2021.9 for Linux* OS\n", "MPI VERSION    : CRAY MPICH version 8.1.25 (ANL base 3.4a2)\n",
         "MVAPICH2 Version      :\t2.3.7\n", "MVAPICH Version:\t4.0\n", "=== ParaStation MPI 5.9.2 ===\n")
OF_MPI_4 = ("Comm_create_from_group", "Pack_c", "Unpack_c", "Type_get_contents_c", "Type_get_envelope_c",
            "Scan_c", "Exscan_c", "Bcast_c", "Reduce_c", "Allreduce_c", "Iscan_c", "Ibcast_c")


def without_mpi_4(library, folder):
    """A copy of MPICH's library in which the loader finds none of these functions, because their names are changed."""
    content = Path(library).read_bytes()
    for name in OF_MPI_4:
        there = b"\0PMPI_" + name.encode() + b"\0"
        assert content.count(there) == 1, f"{library} has no {name}"
        content = content.replace(there, there.replace(b"PMPI", b"XMPI"))
    (folder / "libmpich.so.12").write_bytes(content)


def library_of(program):
    return re.search(r"libmpich\.so\.12 => (\S+)", launch.run(["ldd", program], 60).stdout)[1]


class Tests:
    def __init__(self, options, launcher, failures, folder):
        self.options, self.launcher, self.failures, self.expect = options, launcher, failures, failures.expect
        self.programs = Path(options.programs)
        self.calls, self.named = str(self.programs / "calls"), self.programs / "mpich_family.so"
        self.env = {"LD_PRELOAD": f"{self.named}:{options.library}", "LD_LIBRARY_PATH": folder}
        without_mpi_4(library_of(self.calls), folder)

    def start(self, text, **env):
        outcome = self.launcher.grafted(2, [self.calls], {**self.env, "MPI_TEXT": text, "MPIGRAFT_VERBOSE": "1", **env})
        native = self.launcher.native(2, [self.calls])
        self.failures.expect_alike(f"{text}{env}", (native.code, native.stdout), (outcome.code, outcome.stdout))
        return outcome

    def unasked(self, text):
        outcome = self.start(text)
        told = outcome.messages()
        self.expect(len(told) == 1 and told[0].endswith("needs MPIGRAFT_ABI=mpich: every call stays native"),
                    "not one line", outcome)
        self.expect(not outcome.report, "a report", outcome)

    def asked(self, text):
        outcome = self.start(text, MPIGRAFT_ABI="mpich", MPIGRAFT_VERIFY="1")
        self.expect(outcome.ran() == {"grafted"}, f"{text}: not grafted", outcome)

    def otherwise(self, text):
        outcome = self.start(text, MPIGRAFT_ABI="mpich", MPI_OTHERWISE="1")
        told = [line for line in outcome.messages() if "a predefined type has a different size" in line]
        self.expect(len(told) == 1 and outcome.ran() == {"native"}, "not one warning", outcome)

    def doctor(self, folder, text, code, words, **env):
        """The doctor asks the library that the loader finds."""
        (folder / "libmpich.so.12").write_bytes((self.programs / "libany_mpi.so").read_bytes())
        path = {"LD_LIBRARY_PATH": str(folder), "MPI_TEXT": text}
        outcome = launch.run([self.options.command, "doctor", self.calls], 60, {**launch.ENVIRONMENT, **path, **env})
        self.expect(outcome.code == code and re.search(words, outcome.stdout), f"doctor, {words}", outcome)

    def conformance(self):
        """Runs the conformance test of every algorithm, in which the shim is linked."""
        settings = {**self.env, "LD_PRELOAD": self.named, "MPI_TEXT": TEXTS[0], "MPIGRAFT_ABI": "mpich"}
        command = [self.options.mpiexec]
        for name, value in settings.items():
            command += ["-genv", name, str(value)]
        outcome = launch.run([*command, "-n", "2", self.options.conformance], 200)
        self.expect(outcome.code == 0, "conformance", outcome)


def main():
    parser = launch.arguments(__doc__, "--programs", "--conformance")
    parser.add_argument("--command", help="mpigraft, where it is built")
    options, launcher, failures = launch.begin(parser, grafts_all=True)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as others:
        tests = Tests(options, launcher, failures, Path(folder))
        if options.command:
            tests.doctor(Path(others), TEXTS[0], 1, r"PROBLEM +program .*Intel\(R\).* native; .* MPIGRAFT_ABI=mpich on all")
            tests.doctor(Path(others), TEXTS[0], 0, r"ok +program .*\(Intel\(R\).* grafts", MPIGRAFT_ABI="mpich")
            tests.doctor(Path(others), "WI4MPI 3.6.4\n", 1, r"PROBLEM +program .*\(WI4MPI 3.6.4\), where every call")
        for text in TEXTS:
            tests.unasked(text)
            tests.asked(text)
        tests.otherwise(TEXTS[0])
        tests.conformance()
    failures.exit()


if __name__ == "__main__":
    main()
