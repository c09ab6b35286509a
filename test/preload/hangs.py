# SPDX-License-Identifier: MIT
"""libmpigraft-watch.so, alone or beside libmpigraft.so. MPIGRAFT_TIMEOUT: a program that hangs is explained while it
does, once, by one rank; `mpigraft doctor --hang` says the same of what it leaves behind. So does a signal. A program that
is slow goes on, and leaves nothing behind."""

import concurrent.futures
import dataclasses
import os
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import launch

AT_ONCE = 4  # programs; their ranks sleep
ATTEMPTS = (2, 8)  # MPIGRAFT_TIMEOUT; on a loaded machine ranks may come late
LONGEST = 30  # seconds that a start may take, beyond that
SETTLES = 1  # second, in which another message would come
FORCE = "barrier=dissemination,reduce=binomial,allreduce=recursive_doubling"

HEAD = "mpigraft: rank * has waited for * seconds (MPIGRAFT_TIMEOUT), and goes on waiting:\n"
BARRIER = "MPI_Barrier"
CALL = "MPI_COMM_WORLD of 4 ranks, call 2\n"
INT = "of 1 MPI_INT (4 bytes)"
SUM = f"MPI_Allreduce {INT}, MPI_SUM, since *"
OUTSIDE = "at *, and has been outside MPI since then\n"
LAST = f"has ended its last call, {BARRIER}, {OUTSIDE}"
MISSING = f"  missing: rank 2, which has made 1 call there; it {LAST}"


def others(*ranks, last=BARRIER):
    return "".join(f"rank {r} has ended its last call, {last}, {OUTSIDE}" for r in ranks)


def waitall(source, dest, tag=7):
    return f"MPI_Waitall for 2 requests: MPI_Irecv from rank {source}, tag 7; MPI_Issend to rank {dest}, tag {tag}"


# what of hangs.c, and the explanation; * stands for a time of day or a name
CASES = {
    "missing_barrier": f"{CALL}  waiting in {BARRIER}, since *: 0 1 3\n{MISSING}",
    "missing_gather": f"""{CALL}  waiting in MPI_Gather {INT}, root 0, since *: 0
{MISSING}MPI_COMM_WORLD of 4 ranks, call 3
  waiting in MPI_Alltoall {INT}, since *: 1 3
  missing: rank 0, which has made 2 calls there; it waits in MPI_Gather {INT}, root 0, MPI_COMM_WORLD
{MISSING}""",
    "missing_in_part": f"""communicator * of 2 ranks, call 2
  waiting in MPI_Alltoall of 2 MPI_INT (8 bytes), since *: 3
  missing: rank 2, which has made 1 call there; it has ended its last call, MPI_Alltoall {INT}, {OUTSIDE}""" +
                       others(0, 1, last=f"MPI_Alltoall {INT}"),
    "missing_split": f"{CALL}  waiting in MPI_Comm_split, since *: 0 1 3\n{MISSING}",
    "different_root": f"""{CALL}  waiting in MPI_Reduce {INT}, MPI_SUM, root 0, since *: 0
  waiting in MPI_Reduce {INT}, MPI_SUM, root 2, since *: 2
  ranks differ in root, which must be the same at all ranks
""" + others(1, 3, last=f"MPI_Reduce {INT}, MPI_SUM, root 0"),
    "different_count": f"""{CALL}  waiting in MPI_Allreduce of 0 MPI_INT (0 bytes), MPI_SUM, since *: 2
  waiting in {SUM}: 0 1 3
  ranks differ in bytes, which must be the same at all ranks
""",
    "different_collective": f"""{CALL}  waiting in {SUM}: 0 1 3
  waiting in MPI_Alltoall {INT}, since *: 2
  the ranks call different functions there, so no call can end
""",
    "receive_without_send": f"rank 0 waits in MPI_Recv {INT} from rank 1, tag 7, since *\n  rank 1 {LAST}" +
                            others(2, 3),
    "threads_wait": f"""{CALL}  waiting in {BARRIER}, since *: 0 1 3
{MISSING}rank 0 waits in MPI_Recv {INT} from rank 1, tag 7, since *
  rank 1 waits in {BARRIER}, MPI_COMM_WORLD
""",
    "different_tags": f"""rank 0 waits in MPI_Recv {INT} from rank 1, tag 7, since *
rank 1 waits in MPI_Ssend {INT} to rank 0, tag 8, since *
ranks 0 1: one sends, the other receives, and their tags differ
""" + others(2, 3),
    "cycle_of_sends": "".join(f"rank {r} waits in MPI_Ssend {INT} to rank {(r + 1) % 4}, tag 7, since *\n" for r in range(4)) +
                      "a cycle in which each rank waits for the next: 0 -> 1 -> 2 -> 3 -> 0\n",
    "cycle_of_receives": "".join(f"rank {r} waits in MPI_Recv {INT} from rank {(r + 3) % 4}, any tag, since *\n"
                                 for r in range(4)) +
                         "a cycle in which each rank waits for the next: 0 -> 3 -> 2 -> 1 -> 0\n",
    "wait_for_nothing": f"rank 0 waits in MPI_Wait for MPI_Irecv from rank 1, tag 7, since *\n  rank 1 {LAST}" +
                        others(2, 3),
    "wait_for_all": f"rank 2 waits in {waitall(1, 3, 8)}, since *\nrank 3 waits in {waitall(2, 0)}, since *\n" +
                    others(0, last=waitall(3, 1)) + others(1, last=waitall(0, 2)),
    "detach_for_nothing": "rank 0 waits in MPI_Buffer_detach, since *\n" + others(1, 2, 3),
    "probe_for_nothing": "rank 0 waits in MPI_Probe from any rank, tag 7, since *\n" + others(1, 2, 3),
    "early_finalize": f"""{CALL}  waiting in {BARRIER}, since *: 0 1 3
  waiting in MPI_Finalize, since *: 2
  the ranks call different functions there, so no call can end
""",
    "others_finalize": f"""{CALL}  waiting in MPI_Finalize, since *: 0 1 3
  missing: rank 2, which has made 1 call there; it waits in MPI_Recv {INT} from rank 1, tag 7, MPI_COMM_WORLD
rank 2 waits in MPI_Recv {INT} from rank 1, tag 7, since *
  rank 1 waits in MPI_Finalize, MPI_COMM_WORLD
""",
    "polls_for_ever": f"""{CALL}  waiting in {BARRIER}, since *: 0 1 3
  missing: rank 2, which has made 1 call there; it has ended its last call, {BARRIER}, at *, and looks for messages, by \
MPI_Test or in a call that mpigraft does not see
""",
}

# also right where MPI's own reduction of nothing ends at once, as MPICH 5's does
ALSO_RIGHT = {
    "different_count": f"""{CALL}  waiting in {SUM}: 0 1 3
  completed MPI_Allreduce of 0 MPI_INT (0 bytes), MPI_SUM: 2
  ranks differ in bytes, which must be the same at all ranks
""" + others(2, last="MPI_Allreduce of 0 MPI_INT (0 bytes), MPI_SUM"),
}

# what of hangs.c, and how rank 2 differs there, which MPIGRAFT_CHECK=1 tells at once
DIFFERENCES = {
    "different_root": ("root", f"MPI_Reduce {INT}, MPI_SUM, root 2", f"MPI_Reduce {INT}, MPI_SUM, root 0"),
    "late_root": ("root", f"MPI_Reduce {INT}, MPI_SUM, root 2", f"MPI_Reduce {INT}, MPI_SUM, root 0"),
    "different_count": ("bytes", "MPI_Allreduce of 0 MPI_INT (0 bytes), MPI_SUM", f"MPI_Allreduce {INT}, MPI_SUM"),
    "different_collective": ("function", f"MPI_Alltoall {INT}", f"MPI_Allreduce {INT}, MPI_SUM"),
}

# the explanation of hangs_f08.f90
IN_F08 = f"""ranks with a trace: 2 of 2
rank 0 waits in {waitall(1, 1, 8).replace("MPI_Issend to", "MPI_Irecv from")}, since *
rank 1 waits in MPI_Wait for MPI_Ibarrier, communicator *, since *
"""

KILLED = ("missing_barrier", "missing_in_part", "different_collective")


def masked(text):
    text = re.sub(r"\d\d:\d\d:\d\d", "*", text)
    text = re.sub(r"rank \d has waited for \d+ seconds", "rank * has waited for * seconds", text)
    return re.sub(r"communicator [0-9a-f.]+", "communicator *", text)


def until_explained(command, folder, seconds, ask=None):
    """Runs a command that never ends until it has said why, and a while longer; `ask`: the signal that makes it. Returns
    what it has said on stderr, and whether it still runs."""
    path = Path(folder) / "stderr"
    with open(path, "w") as stderr, launch.started(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                                   stderr=stderr, env=launch.ENVIRONMENT) as process:
        end = time.monotonic() + seconds + LONGEST
        while time.monotonic() < end and process.poll() is None and "mpigraft:" not in path.read_text():
            time.sleep(3 if ask else 0.1)  # until ranks wait; the signal ends those that have not begun
            if ask:
                process.send_signal(ask)
                time.sleep(SETTLES)
        time.sleep(SETTLES)
        lives = process.poll() is None
    return path.read_text(), lives


def command_of(bench, error, settings, ranks=4, program="hangs"):
    settings = {"LD_PRELOAD": bench.options.library, "MPIGRAFT_FORCE": FORCE, **settings}
    return [bench.options.mpiexec, *launch.words_of(settings), "-n", str(ranks), bench.program(program), error]


def doctor(bench, folder):
    done = bench.mpigraft("doctor", "--hang", folder)
    return done.code, masked(done.stdout), done.stderr


def explained(bench, error, seconds):
    """The message of the library, and what the doctor says afterwards."""
    with tempfile.TemporaryDirectory(prefix="mpigraft-hangs-") as name:
        command = command_of(bench, error, {"MPIGRAFT_TIMEOUT": seconds, "MPIGRAFT_TRACE": f"{name}/trace"})
        told, _ = until_explained(command, name, seconds)
        return masked(told), doctor(bench, f"{name}/trace")


def judge(bench, error):
    texts = ["ranks with a trace: 4 of 4\n" + cases[error] for cases in (CASES, ALSO_RIGHT) if error in cases]
    expected = [(HEAD + text, (1, text, "")) for text in texts]
    for seconds in ATTEMPTS:
        found = explained(bench, error, seconds)
        if found in expected:
            return
    expected = expected[0]
    bench.failures.expect_alike(f"{error}: the message", expected[0], found[0])
    bench.failures.expect_alike(f"{error}: what the doctor says", expected[1], found[1])


def check(bench, error):
    """One message, of rank 2 and another one, in whatever order they came."""
    with tempfile.TemporaryDirectory(prefix="mpigraft-hangs-") as name:
        told, _ = until_explained(command_of(bench, error, {"MPIGRAFT_CHECK": 1, "TMPDIR": name}), name, 0)
    what, wrong, right = DIFFERENCES[error]
    head, *lines = told.splitlines()
    bench.expect(head == "mpigraft: MPIGRAFT_CHECK: in call 2 of MPI_COMM_WORLD, ranks differ in "
                         f"{what}, which must be the same at all ranks", f"{error}: {told}")
    found = {re.sub(r"rank [013]", "rank *", line) for line in lines}
    bench.expect(len(lines) == 2 and found == {f"  rank 2: {wrong}", f"  rank *: {right}"}, f"{error}: {told}")


def signalled(bench, name):
    """One rank tells, of those that wait. SIGUSR1 leaves the job alone, SIGTERM ends it."""
    with tempfile.TemporaryDirectory(prefix="mpigraft-hangs-") as folder:
        settings = {"MPIGRAFT_TIMEOUT": 100, "MPIGRAFT_SIGNAL": "USR1", "TMPDIR": folder}
        text, lives = until_explained(command_of(bench, "missing_barrier", settings), folder, 0, getattr(signal, name))
    bench.expect(f" got the signal {name}:\nranks with a trace: 4 of 4\n" in text and "missing: rank 2, " in text
                 and text.count("mpigraft:") == 1, f"{name}: {text}")
    bench.expect(lives == (name == "SIGUSR1"), f"{name}: the job {'lives' if lives else 'is over'}")


def killed(bench, error):
    """A job without MPIGRAFT_TIMEOUT says nothing, and leaves its traces when it is killed."""
    expected = (1, "ranks with a trace: 4 of 4\n" + CASES[error], "")
    for seconds in ATTEMPTS:
        with tempfile.TemporaryDirectory(prefix="mpigraft-hangs-") as name:
            outcome = dataclasses.replace(bench.launcher, seconds=seconds).grafted(
                4, [bench.program("hangs"), error], {"MPIGRAFT_FORCE": FORCE, "MPIGRAFT_TRACE": name})
            found = doctor(bench, name)
        if found == expected:
            break
    bench.expect(outcome.hung and not outcome.messages(), f"{error}, killed: {outcome.stderr}")
    bench.failures.expect_alike(f"{error}, killed: what the doctor says", expected, found)


def goes_on(bench, words, told, messages):
    """A job that ends, and what it is told; shells between the launcher and ranks do not matter."""
    with tempfile.TemporaryDirectory(prefix="mpigraft-hangs-") as folder:
        program = ["/bin/sh", "-c", f"'{bench.program('hangs')}' {words}; exit $?"]
        relative = "../" * 20 + folder.lstrip("/")  # the program goes elsewhere
        settings = {"MPIGRAFT_TIMEOUT": 1, "MPIGRAFT_CHECK": 1, "MPIGRAFT_SIGNAL": "USR1", "MPIGRAFT_REPORT": ""}
        outcome = bench.launcher.grafted(4, program, {**settings, "TMPDIR": relative})
        left = os.listdir(folder)
    bench.expect(outcome.code == 0 and outcome.stdout.startswith("slow: ok"), f"{words}: {outcome}")
    bench.expect(told in outcome.stderr and outcome.stderr.count("mpigraft:") == messages, f"{words}: {outcome}")
    bench.expect(not left, f"{words}: it leaves {left}")


def in_f08(bench):
    """Functions of mpi_f08 that call PMPI are seen, too, with the requests and communicators that they make."""
    for seconds in ATTEMPTS:
        with tempfile.TemporaryDirectory(prefix="mpigraft-hangs-") as folder:
            settings = {"MPIGRAFT_TIMEOUT": seconds, "TMPDIR": folder}
            told, _ = until_explained(command_of(bench, "", settings, 2, "hangs_f08"), folder, seconds)
        if masked(told) == HEAD + IN_F08:
            return
    bench.failures.expect_alike("hangs_f08", HEAD + IN_F08, masked(told))


def singletons(bench):
    """Two jobs of one shell, without a launcher: one hangs, the other ends."""
    with tempfile.TemporaryDirectory(prefix="mpigraft-hangs-") as folder:
        settings = {"LD_PRELOAD": bench.options.library, "MPIGRAFT_TIMEOUT": 3, "TMPDIR": folder}
        both = '"$0" cycle_of_receives & sleep 1; "$0" slow 0; wait'
        words = [f"{name}={value}" for name, value in settings.items()]
        told, _ = until_explained(["env", *words, "sh", "-c", both, bench.program("hangs")], folder, 3)
    bench.expect("1 of 1\nrank 0 waits in MPI_Recv " in told, f"singletons: {told}")


@launch.case
def hangs(bench):
    """A word, if there is one, is the error of hangs.c, or the signal, that is tried. What goes on is tried alone, because
    a late start would be told of, too."""
    only = bench.options.words
    every = ((judge, CASES), (check, DIFFERENCES), (killed, KILLED), (signalled, ("SIGUSR1", "SIGTERM")))
    jobs = [(how, what) for how, cases in every for what in cases if not only or what in only]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for done in [pool.submit(how, bench, what) for how, what in jobs]:
            done.result()
    goes_on(bench, "slow 3", "missing: rank 2, ", 1)  # which comes after others have told that it is missing
    goes_on(bench, "slow 0 no_room", "/rank-2: File too large\n", 4)
    singletons(bench)
    if os.path.exists(bench.program("hangs_f08")):
        in_f08(bench)
