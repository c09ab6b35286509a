# SPDX-License-Identifier: MIT
"""Launches of a program whose wall time and output are wanted."""

import os
import signal
import stat
import subprocess
import time
from dataclasses import dataclass

from bench import stop

KEPT_ERRORS = 4096  # bytes of stderr to show if a launch fails


class CannotStart(Exception):
    pass


class OutOfTime(Exception):
    pass


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


def end_of(file):
    file.seek(0, os.SEEK_END)
    file.seek(max(0, file.tell() - KEPT_ERRORS))
    return file.read().decode(errors="replace")


def wait(process, seconds):
    """Waits for a process. An alarm ends it: to wait with a timeout means to poll, which falsifies short times."""
    def out_of_time(*_):
        raise OutOfTime

    signal.signal(signal.SIGALRM, out_of_time)
    try:
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
        process.wait()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def launch(command, env, folder, seconds):
    """Runs a command to its end. Raises OutOfTime after so many seconds, and CannotStart. However this ends, the command
    and its ranks have ended, too. They have a session of their own, so a terminal's Ctrl-C reaches only this program."""
    with standard_input() as given, open(folder / "stdout", "w+b") as out, open(folder / "stderr", "w+b") as errors:
        begin = time.monotonic()
        try:
            process = subprocess.Popen(command, stdin=given, stdout=out, stderr=errors, env=env, start_new_session=True)
        except OSError as error:
            raise CannotStart(f"cannot run {command[0]}: {error.strerror}") from error
        try:
            wait(process, seconds)
            took = time.monotonic() - begin
        finally:
            stop(process)
        out.seek(0)
        return Launch(process.returncode, took, out.read(), end_of(errors))
