# SPDX-License-Identifier: MIT
"""The cases of the fault matrix: a fault, a program, ranks, and how it must end. Data only; matrix.py runs them."""

from dataclasses import dataclass, field

import collectives
import tables

PRIVATE_SHM = ("unshare", "-m", "sh", "-c",
               'mount -t tmpfs -o size=$0 none /dev/shm && exec "$@"')  # then the size and mpiexec
# UCX 1.18 opens files of the peer whose long message comes first, and aborts where it cannot: an MPI_Send of 6 KB to a
# rank without open files always ends in that, a native MPI_Exscan by chance. System V memory needs none.
WITHOUT_FILES = ("env", "UCX_TLS=self,sysv,cma")

# The ways in which a case must end; never by a crash or a hang, and never with a wrong value.
NATIVE = "native"  # output and exit code of the native run
EITHER = "either"  # that, or a clear MPI error
CODE = "code"  # the exit code of the native run, which is not 0
RIGHT = "right"  # right results or MPI errors, where the native run hangs
ENDS = "ends"  # the native run ends at chance, in some exit code other than 0: so does this one

SILENT, ANY = None, object()  # messages: none, whatever


@dataclass(frozen=True)
class Case:
    name: str
    program: tuple = ("victim",)
    ranks: int = 2
    expect: str = NATIVE
    message: object = SILENT  # or regular expressions: so many messages in this order, which they match
    ran: str = ""  # "native" or "grafted": what the report says of all calls
    reason: str = ""  # a reason that the report gives
    env: dict = field(default_factory=dict)  # {folder}: a new folder of the case; {library}, {failing_malloc}
    own_env: dict = field(default_factory=dict)  # rank: environment of this rank alone
    apart: bool = False  # rank 0 starts in {folder}/first, the others in {folder}/others
    prefix: tuple = ()  # of mpiexec
    shell: str = ""  # a line of bash that runs the program
    table: object = None  # makes MPIGRAFT_TABLE in the folder
    change: object = None  # changes it meanwhile
    seconds: int = 30  # of the watchdog
    launches: int = 1  # native and grafted, of which one pair must end as expected
    needs: str = ""  # a probe of matrix.py
    quick: bool = False  # runs in CI


SAMPLE = ("deep_arrays", "duplicate_rules", "nul_amid", "huge_version", "huge_digits", "utf8_lone", "noise")


def table_cases():
    for n in (2, 3):
        for name, (maker, message) in tables.PLACES.items():
            yield Case(f"table {name} n={n}", ranks=n, message=message, ran="native", table=maker, quick=n == 2,
                       needs="unprivileged" if name == "unreadable" else "")
        for name, content in tables.BROKEN.items():
            yield Case(f"table {name} n={n}", ranks=n, message=r"table\.json:\d+:\d+: ", ran="native",
                       table=file_of(content), quick=n == 2 and name in SAMPLE)
        usable = {name: file_of(content) for name, content in tables.USABLE.items()}
        for name, maker in (usable | tables.GOOD_PLACES).items():
            yield Case(f"table {name} n={n}", ranks=n, ran="grafted", table=maker)
        for name, change in tables.CHANGES.items():
            yield Case(f"table {name} at start n={n}", ranks=n, message=ANY, table=file_of(tables.VALID),
                       change=change, quick=n == 2)


def file_of(content):
    return lambda folder: tables.written(folder / "table.json", content)


def different_tables():
    """One name, and another file on each rank: that of rank 0 counts."""
    contents = {"valid": tables.VALID, "other": tables.OTHER, "broken": b"{", "missing": None}
    for first, mine in contents.items():
        usable = first in ("valid", "other")
        for second, theirs in contents.items():
            if first != second:
                yield Case(f"tables differ {first} {second}", ranks=3, table=folders_of(mine, theirs),
                           message=SILENT if usable else r"own/table\.json: |own/table\.json:1:2: ",
                           ran="grafted" if usable else "native", quick=first == "valid", apart=True,
                           env={"MPIGRAFT_TABLE": "/proc/self/cwd/own/table.json"})


def folders_of(mine, theirs):
    def make(folder):
        for name, content in (("first", mine), ("others", theirs)):
            (folder / name / "own").mkdir(parents=True)
            if content is not None:
                tables.written(folder / name / "own" / "table.json", content)
        return None

    return make


# Values that a variable may have on one rank only, and which rank: each makes the settings differ.
DIFFERENT = {"TABLE": "/no/such", "DISABLE": "1", "FORCE": "scan=butterfly", "FORCE native": "scan=native",
             "FORCE strict": "strict", "NODES": "1", "REPRODUCIBLE": "native", "REPRODUCIBLE order": "order", "SHARED": "0"}
HARMLESS = {"VERBOSE": "0", "REPORT": "{folder}/other", "NO_SUCH_VARIABLE": "1"}
DEFECTIVE = {"DISABLE": "yes", "FORCE": "scan=no_such", "NODES": "x", "REPRODUCIBLE": "no", "SHARED": "2", "VERBOSE": "-1"}
ENORMOUS = "9" * 60_000


def environments():
    for n in (2, 3):
        for rank in (0, n - 1):
            for name, value in {**DIFFERENT, **{f"{name} defect": value for name, value in DEFECTIVE.items()}}.items():
                variable = "MPIGRAFT_" + name.split()[0]
                strict = value == "strict"
                absent = name == "DISABLE"  # then no report has all ranks
                yield Case(f"environment {name} on rank {rank} n={n}", ranks=n, message=ANY if strict else "",
                           expect=EITHER if strict else NATIVE, ran="" if absent else "native", own_env={rank: {variable: value}},
                           env={"MPIGRAFT_ANSWER": "1"}, quick=n == 2)
            for name, value in HARMLESS.items():
                yield Case(f"environment {name} on rank {rank} n={n}", ranks=n,
                           message="unknown variable" if name.startswith("NO") and rank == 0 else SILENT,
                           ran="grafted" if name != "REPORT" else "", own_env={rank: {"MPIGRAFT_" + name: value}})
        yield Case(f"environment FORCE of each rank n={n}", ranks=n, message="", ran="native", quick=n == 2,
                   own_env={rank: {"MPIGRAFT_FORCE": f"exscan={name}"} for rank, name in enumerate(("doubling_1", "doubling_123"))})
        yield Case(f"no library on rank 0 n={n}", ranks=n, message="", own_env={0: {"LD_PRELOAD": ""}}, quick=n == 2,
                   env={"MPIGRAFT_ANSWER": "1"})
    for name in dict.fromkeys(name.split()[0] for name in (*DIFFERENT, "VERBOSE", "REPORT")):
        for what, value in {"enormous": ENORMOUS, "binary": "\udcff\x1b[2J\n%n"}.items():
            yield Case(f"environment {name} {what}", message=ANY, expect=EITHER,
                       env={"MPIGRAFT_" + name: "{folder}/" * (name == "REPORT") + value})
    for name, value in {"full": "/dev/full", "folder": "{folder}", "missing": "/no/such", "fifo": "{folder}/f",
                        "missing as JSON": "/no/such/job.json", "folder as JSON": "{folder}/d.json"}.items():
        yield Case(f"report {name}", message="MPIGRAFT_REPORT: cannot write",
                   env={"MPIGRAFT_REPORT": value}, table=fifo_and_folder, quick=True)


def fifo_and_folder(folder):
    tables.os.mkfifo(folder / "f")
    (folder / "d.json").mkdir()
    return None


# Settings that say what the library does while allocations fail.
BUSY = {"default": {}, "forced": {"MPIGRAFT_FORCE": "scan=two_tree,exscan=hierarchical,bcast=circulant,reduce=two_tree",
                                  "MPIGRAFT_NODES": "1", "MPIGRAFT_VERBOSE": "2"},
        "reported": {"MPIGRAFT_REPORT": "{folder}/job.json"}, "verified": {"MPIGRAFT_VERIFY": "1"},
        "learning": {"MPIGRAFT_LEARN": "{folder}/learned.json"},
        "broken": {"MPIGRAFT_TABLE": "/no/such", "MPIGRAFT_FORCE": "strict"}}
THROUGH_MPI = {"MPIGRAFT_SHARED": "0"}  # calls inside a node then need a private communicator, too
ALLOCATIONS = {0: (*range(1, 40), *range(40, 200, 4)), 1: range(1, 40)}  # of the rank


def allocations():
    for setting, env in BUSY.items():
        for rank, numbers in ALLOCATIONS.items():
            for number in numbers:
                for later in (False, True):
                    fault = {"FAULT_RANK": str(rank), "FAULT_MALLOC": str(number), **({"FAULT_ALL": "1"} if later else {})}
                    yield Case(f"malloc {setting} rank {rank} number {number}{' and later' * later}", expect=EITHER,
                               message=ANY, env={**env, **fault, "LD_PRELOAD": "{failing_malloc}:{library}"},
                               needs="fault fires" if number > 1 else "first fault fires", quick=number % 32 == 1)


DEEDS = ("throw", *(f"{name}_self" for name in collectives.NAMES), "other_self", "reduce_local", "sendrecv_self",
         "comm_rank", "type_size", "wtime", "probe", "dup_self", "wrong_call")


def operators():
    for collective in collectives.COMBINING:
        for deed in DEEDS:
            for n in (2, 3):
                if deed != "throw" or n == 2:  # in larger jobs the others wait for the rank that left, natively too
                    yield Case(f"operator {deed} {collective} n={n}", ("operators", deed, collective), n,
                               message=SILENT, quick=n == 2 and deed in ("throw", "scan_self", "dup_self"))
            yield Case(f"operator {deed} {collective} later", ("operators", deed, collective, "later"), 3, message=SILENT,
                       expect=RIGHT if deed == "throw" else NATIVE, quick=deed in ("throw", "scan_self", "dup_self", "probe"))
        for form in ("shared_flat", "shared_slices"):
            if (collective, form) not in collectives.ALGORITHMS:
                continue
            yield Case(f"operator throw {collective} {form}", ("operators", "throw", collective), message=SILENT,
                       env={"MPIGRAFT_FORCE": f"{collective}={form}"}, quick=True)
        for deed in ("throw_all", "abort"):
            yield Case(f"operator {deed} {collective}", ("operators", deed, collective), 3, expect=CODE, quick=True)


def refused():
    for mistake in ("root", "type", "buffers", "init"):
        for how in ("returns", "handles", "throws"):
            for n in (2, 3):
                yield Case(f"{mistake} refused, {how} n={n}", ("refused", mistake, how), n, ran="grafted", quick=n == 2,
                           env={"MPIGRAFT_FORCE": "bcast=binomial"})  # it sets communicators up after four calls


def communicators():
    for kind in ("messages", "synchronous", "barrier", "allreduce", "broadcast"):
        for n in (2, 3, 4):
            yield Case(f"freed with pending {kind} n={n}", ("communicators", "pending", kind), n, ran="grafted", quick=n == 2)
    # Seconds on idle cores; on oversubscribed ones each waits for native collectives.
    yield Case("3000 communicators in turn", ("communicators", "in_turn", "3000"), ran="grafted", seconds=300)
    many, none_left = "512 private communicators are in use", "MPI has no context id left for a private communicator"
    yield Case("1500 communicators alive", ("communicators", "alive", "1500"), seconds=300, reason=many, env=THROUGH_MPI)
    yield Case("300 communicators in turn beside 1900", ("communicators", "in_turn", "300", "1900"), ran="grafted",
               seconds=60, quick=True)
    yield Case("600 communicators alive", ("communicators", "alive", "600"), seconds=60, quick=True, reason=many,
               env=THROUGH_MPI)
    yield Case("600 communicators alive, verbose", ("communicators", "alive", "600"), seconds=60, quick=True,
               env={"MPIGRAFT_VERBOSE": "1", **THROUGH_MPI}, message=("communicator of 2 ranks", f"{many}: further communicators stay native"))
    for who in ("all", "0", "1"):
        for when in ("before", "after"):
            yield Case(f"context ids used up by {who} {when}", ("communicators", "used_up", who, when),
                       reason=none_left, seconds=120, quick=who == "0", env=THROUGH_MPI)  # "all" makes 2000 communicators
    yield Case("context ids used up by all before, verbose", ("communicators", "used_up", "all", "before"), seconds=120,
               env={"MPIGRAFT_VERBOSE": "1", **THROUGH_MPI},
               message=("communicator of 2 ranks", f"{none_left}: further communicators stay native"))


def signals():
    for n in (2, 3):
        for microseconds in (300, 1000, 5000):
            yield Case(f"signal every {microseconds} us n={n}", ("signals", "storm", str(microseconds)), n,
                       quick=microseconds == 1000)
        for rank in range(n):
            yield Case(f"SIGTERM caught by rank {rank} n={n}", ("signals", "polite", str(rank)), n)
            # mpiexec 4.0 adds SIGKILL by "or", which leaves these as they are; 4.2.1 tells 15 in four of five launches,
            # and else 9, 6 or 0.
            for number in (15, 9):
                yield Case(f"signal {number} to rank {rank} n={n}", ("signals", str(number), str(rank)), n, expect=CODE,
                           quick=number == 15 and n == 2, launches=5)
        for signal in ("TERM", "INT"):
            yield Case(f"SIG{signal} to mpiexec n={n}", ("signals", "forever"), n, expect=ENDS,
                       prefix=("timeout", "-s", signal, "1"), quick=n == 2)


def limits():
    for rank in (0, 1):
        yield Case(f"no open files on rank {rank}", ("victim", "files", str(rank)), message=ANY, quick=True,
                   prefix=WITHOUT_FILES)
        yield Case(f"no file may grow on rank {rank}", ("victim", "length", str(rank)), quick=True,
                   message="File too large" if rank == 0 else SILENT)
        yield Case(f"/dev/shm full after MPI_Init on rank {rank}", ("victim", "shm", str(rank)), expect=EITHER,
                   prefix=(*PRIVATE_SHM, "64m"), needs="mount", quick=True)
    for rank in (1, 3):  # one node shares memory, and the other does not
        yield Case(f"no open files on rank {rank} of two nodes", ("victim", "files", str(rank)), 4, message=ANY,
                   quick=True, ran="grafted", env={"MPIGRAFT_NODES": "2"}, prefix=WITHOUT_FILES)
    yield Case("nobody reads stderr", message=ANY, env={"MPIGRAFT_VERBOSE": "2"}, quick=True,
               shell='exec "$0" "$@" 2> >(exec true)')
    for size in ("4k", "64k", "1m", "2m", "4m", "16m"):
        yield Case(f"/dev/shm of {size}", expect=ENDS, prefix=(*PRIVATE_SHM, size), needs="mount")


def all_cases():
    return [*table_cases(), *different_tables(), *environments(), *allocations(), *operators(), *refused(),
            *communicators(), *signals(), *limits()]
