# SPDX-License-Identifier: MIT
"""Launches: of mpigraft-bench, whose output is read as it comes, and of programs whose wall time and output are wanted. Each
has a session of its own, so that a terminal's Ctrl-C reaches only this program, which ends them."""

import json
import os
import signal
import stat
import subprocess
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from console import Failed, minutes

WRONG_RESULTS = 1  # exit code of mpigraft-bench
PATIENCE = 5  # seconds, for a launcher to end its ranks
LONGEST = 1e9  # seconds that an alarm takes
KEPT_ERRORS = 4096  # bytes of stderr to show if a launch fails


class OutOfTime(Failed):
    pass


def stop(process):
    """Ends a launcher, which then ends its ranks, and what is left of its process group. Ranks are in other groups, and
    would survive if the launcher were killed at once."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            pass
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def started(command, **options):
    """A process that has ended, with its ranks, when this is left. Raises Failed."""
    try:
        process = subprocess.Popen(command, start_new_session=True, **options)
    except OSError as error:
        raise Failed(f"cannot run {command[0]}: {error.strerror}") from error
    try:
        yield process
    finally:
        stop(process)


@contextmanager
def at_most(seconds):
    """Raises OutOfTime in what takes longer. An alarm does: to wait with a timeout means to poll, which falsifies times."""
    def out_of_time(*_):
        raise OutOfTime(f"a launch took longer than {minutes(seconds)}, and was stopped")

    signal.signal(signal.SIGALRM, out_of_time)
    try:
        signal.setitimer(signal.ITIMER_REAL, min(max(seconds, 0.001), LONGEST))
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def run_bench(launcher, bench, arguments, env=None, each_line=lambda line: None, seconds=LONGEST):
    """Runs mpigraft-bench; its JSON, of cells or of a job, with the seconds that all took. Raises Failed,
    also where a cell has wrong results, and OutOfTime."""
    mixed = "--mixed" in arguments
    command = [str(word) for word in (*launcher, bench, *arguments, *([] if mixed else ["--json", "-"]))]
    begin, lines = time.monotonic(), []
    with started(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=env) as process, at_most(seconds):
        for line in process.stdout:
            lines.append(line)
            each_line(line)
        code = process.wait()
    told = f"exit code {code} of {' '.join(command)}"
    if code not in (0, WRONG_RESULTS):
        raise Failed(told)
    out = "".join(lines)
    try:
        run = json.loads(lines[-1] if mixed else out)
    except (ValueError, IndexError) as error:
        if out.count('"mpigraft":') > 1:  # documents of several ranks, which srun mixes
            raise Failed(f"{told}, which started each rank as a job of its own: the launcher belongs to another MPI, "
                               "or srun lacks --mpi=pmi2") from error
        raise Failed(f"{told}, which printed no JSON: {out[:80]!r}") from error
    wrong = [f"{arm['arm']} ({cell['collective']}, {cell['bytes']} bytes)" for cell in run.get("cells", ())
             for arm in cell["arms"] if not arm["agrees"]]
    if wrong:
        raise Failed(f"wrong results: {', '.join(wrong)}, on {run['ranks']} ranks; nothing is kept of them")
    return {"seconds": round(time.monotonic() - begin, 3), **run}


def arms_of(cell):
    """{arm: its figures} of a cell of a run of mpigraft-bench."""
    return {arm["arm"]: arm for arm in cell["arms"]}


@dataclass
class Launch:
    code: int
    seconds: float
    output: bytes
    errors: str  # the end of it


def standard_input():
    """The file that is this program's standard input, from its beginning, for a launch; nothing if it is no file."""
    is_file = stat.S_ISREG(os.fstat(0).st_mode)
    return open("/proc/self/fd/0" if is_file else os.devnull, "rb")


def launch(command, env, folder, seconds):
    """Runs a command to its end. Raises OutOfTime after so many seconds, and Failed if it cannot begin."""
    with standard_input() as given, open(folder / "stdout", "w+b") as out, open(folder / "stderr", "w+b") as errors:
        begin = time.monotonic()
        with started(command, stdin=given, stdout=out, stderr=errors, env=env) as process, at_most(seconds):
            process.wait()
            took = time.monotonic() - begin
        out.seek(0)
        errors.seek(max(0, errors.seek(0, os.SEEK_END) - KEPT_ERRORS))
        return Launch(process.returncode, took, out.read(), errors.read().decode(errors="replace"))
