# SPDX-License-Identifier: MIT
"""Other MPIs than MPICH. Those of MPICH's binary interface are grafted where MPIGRAFT_ABI=mpich asks for it. Under all
others, and under the standard ABI of MPI-5, where handles are pointers, calls reach MPI as the program made them, in
silence; with MPIGRAFT_VERBOSE one line in the job tells why, and `mpigraft doctor` says so of a program."""

import re
from pathlib import Path

import collectives
import launch
from launch import case

TOLD = re.compile(r"this MPI \((?:\"(.*)\"|([^\s,]+))(?:, the standard ABI of MPI-5)?\) (?:needs|is unknown)"
                  r".*: every call stays native$|library (lacks) PMPI_")
# Of a rank: twice, on two communicators, in two forms.
CALLS = 2 * 2 * 2 * len(collectives.FUNCTIONS + collectives.EQUAL_PARTS)
# The beginnings of MPIs' version texts: those of MPICH's binary interface, and others, of which some are built on MPICH
# or stand before another MPI.
FAMILY = ("Intel(R) MPI Library 2021.9 for Linux* OS\n", "MPI VERSION    : CRAY MPICH version 8.1.25 (ANL base 3.4a2)\n",
          "MVAPICH2 Version      :\t2.3.7\n", "MVAPICH Version:\t4.0\n", "=== ParaStation MPI 5.9.2 ===\n")
OTHERS = ("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4", "HPE MPT 2.28  05/03/23 02:42:30",
          "FUJITSU MPI Library 4.0.1 (4.0.5fj4.0.0)", "MPIwrapper 2.10.4, using MPIABI 2.9.0, wrapping:\nMPICH Version: 4.0.2",
          "Mukautuva 23.04 over:\nMPICH Version: 4.0.2", "WI4MPI 3.6.4", "", "\n", "x" * 250)
TWIN = "0x7f1284000101"  # whose low half looks like a communicator of MPICH's own ABI
OF_MPI_4 = ("Comm_create_from_group", "Pack_c", "Unpack_c", "Type_get_contents_c", "Type_get_envelope_c",
            "Scan_c", "Exscan_c", "Bcast_c", "Reduce_c", "Allreduce_c", "Iscan_c", "Ibcast_c")


def of_standard_abi(bench):
    return {"LD_PRELOAD": Path(bench.library).with_name("libmpigraft-abi.so")}


def one_line(bench, what, outcome, why=None):
    told = [TOLD.search(line) for line in outcome.messages()]
    bench.expect(len(told) == 1 and told[0] and why in (None, *told[0].groups()), f"{what}: not one line", outcome)
    bench.expect(outcome.report == "", f"{what}: a report", outcome)


def untouched(bench, what, native, start, why=None):
    """`start`: a launch with this environment, of which MPI knows nothing unless it is verbose."""
    for verbose in (0, 1):
        outcome = start({"MPIGRAFT_VERBOSE": verbose})
        bench.failures.expect_alike(what, (native.code, sorted(native.stdout.splitlines())),
                                    (outcome.code, sorted(outcome.stdout.splitlines())))
        if verbose:
            one_line(bench, what, outcome, why)
        else:
            bench.expect(not outcome.messages() and not outcome.report, f"{what}: not silent", outcome)


def doctor(bench, program, words, code=0, **env):
    outcome = bench.mpigraft("doctor", bench.program(program), **env)
    said = re.search(words, outcome.stdout, re.MULTILINE)
    bench.expect(outcome.code == code and said, f"doctor of {program}, {words}", outcome)


@case
def other_mpis(bench):
    """The standard ABI is known by its answer, whatever its name, and by its name where it cannot be asked."""
    for name, why, text, preload in (
        ("asked_for_abi", "libmpi5.so", None, {}),
        ("named_for_abi", "libmpi_abi.so.1", None, {}),
        ("asked_for_abi", "lacks", None, of_standard_abi(bench)),  # its stand-in has few functions
        *(("any_mpi", text.split("\n")[0][:60] if text else "libany_mpi.so", text, {}) for text in (*FAMILY, *OTHERS)),
    ):
        program = ["env", *([] if text is None else [f"MPI_TEXT={text}"]), bench.program(name)]
        native = bench.launcher.native(2, program)
        bench.expect(native.code == 0 and native.stdout.count("\n") == 2 * CALLS, f"{name}: natively", native)
        bench.expect(native.stdout.count(TWIN) == CALLS, f"{name}: no such handle", native)
        untouched(bench, f"{name} {text}", native, lambda env: bench.launcher.grafted(2, program, preload | env), why)
    doctor(bench, "named_for_abi", "^ok +program .* the standard ABI of MPI-5 .*libmpi_abi.so.1.* preload libmpigraft-abi.so")
    for name, library in (("named_for_abi", "libmpi_abi.so.1"), ("serial_program", "libstand_in.so"),
                          ("calls", "libmpich.so.12")):
        doctor(bench, name, rf"^ok +symbols +MPI_ functions are in \S*/{library}$")


@case
def own_abi(bench):
    """MPICH's own ABI in a library of MPI-5, which says that it has no standard ABI, stays what it is; so it does if the
    library of the standard ABI is preloaded."""
    calls = [bench.program("calls")]
    preload = {"LD_PRELOAD": f"{bench.program('abi_version.so')}:{bench.library}"}
    outcome = bench.launcher.grafted(2, calls, preload)
    ran = {row["ran"] == "native" for row in outcome.rows()}
    bench.expect(outcome.code == 0 and not outcome.messages() and ran == {False}, "own ABI: not grafted", outcome)
    outcome = bench.launcher.grafted(2, calls, {**preload, "ABI_MAJOR": "1", "MPIGRAFT_VERBOSE": "1"})
    bench.expect(outcome.code == 0, "the same library, if it said 1", outcome)
    one_line(bench, "the same library, if it said 1", outcome)
    untouched(bench, "libmpigraft-abi.so", bench.launcher.native(2, calls),
              lambda env: bench.launcher.grafted(2, calls, of_standard_abi(bench) | env))


def without_mpi_4(library, folder):
    """A copy of MPICH's library in which the loader finds none of these functions, because their names are changed."""
    content = Path(library).read_bytes()
    for name in OF_MPI_4:
        there = b"\0PMPI_" + name.encode() + b"\0"
        assert content.count(there) == 1, f"{library} has no {name}"
        content = content.replace(there, there.replace(b"PMPI", b"XMPI"))
    (folder / "libmpich.so.12").write_bytes(content)


@case
def mpich_family(bench):
    """Libraries of MPICH's binary interface that say another name, and lack what MPI-4 added: native unless asked for,
    grafted with right results where they are, and native with one warning where their self-check fails."""
    calls, named = [bench.program("calls")], bench.program("mpich_family.so")
    mpich = re.search(r"libmpich\.so\.12 => (\S+)", launch.run(["ldd", *calls], 60).stdout)[1]
    native = bench.launcher.native(2, calls)
    without_mpi_4(mpich, bench.folder)
    found = {"LD_LIBRARY_PATH": bench.folder}

    def start(text, **env):
        env |= found | {"LD_PRELOAD": f"{named}:{bench.library}", "MPI_TEXT": text, "MPIGRAFT_VERBOSE": "1"}
        outcome = bench.launcher.grafted(2, calls, env)
        bench.failures.expect_alike(f"{text}{env}", (native.code, native.stdout), (outcome.code, outcome.stdout))
        return outcome

    for text in FAMILY:
        outcome = start(text)
        told = outcome.messages()
        bench.expect(len(told) == 1 and told[0].endswith("needs MPIGRAFT_ABI=mpich: every call stays native"),
                     "not one line", outcome)
        bench.expect(not outcome.report, "a report", outcome)
        outcome = start(text, MPIGRAFT_ABI="mpich", MPIGRAFT_VERIFY="1")
        bench.expect(outcome.ran() == {"grafted"}, f"{text}: not grafted", outcome)
    outcome = start(FAMILY[0], MPIGRAFT_ABI="mpich", MPI_OTHERWISE="1")
    told = [line for line in outcome.messages() if "a predefined type has a different size" in line]
    bench.expect(len(told) == 1 and outcome.ran() == {"native"}, "not one warning", outcome)
    # the conformance test of every algorithm, in which the shim is linked
    env = found | {"LD_PRELOAD": named, "MPI_TEXT": FAMILY[0], "MPIGRAFT_ABI": "mpich"}
    outcome = launch.run([bench.options.mpiexec, *launch.words_of(env), "-n", "2", bench.options.conformance], 200)
    bench.expect(outcome.code == 0, "conformance", outcome)
    # the doctor asks the library that the loader finds
    (bench.folder / "libmpich.so.12").write_bytes(Path(bench.program("libany_mpi.so")).read_bytes())
    for text, words, code, env in (
        (FAMILY[0], r"PROBLEM +program .*Intel\(R\).* native; .* MPIGRAFT_ABI=mpich on all", 1, {}),
        (FAMILY[0], r"ok +program .*\(Intel\(R\).* grafts", 0, {"MPIGRAFT_ABI": "mpich"}),
        ("WI4MPI 3.6.4\n", r"PROBLEM +program .*\(WI4MPI 3.6.4\), where every call", 1, {}),
    ):
        doctor(bench, "calls", words, code, LD_LIBRARY_PATH=bench.folder, MPI_TEXT=text, **env)
