# SPDX-License-Identifier: MIT
"""What people write and read: sizes and times, tables, messages, a bar with the time left; and how they end a program."""

import math
import os
import re
import signal
import sys
import time
import traceback

KILO = ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K"))
SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}
WIDTH = 30  # of a bar
LINES_BETWEEN = 10  # where stderr is a file
INTERRUPTED = 130  # exit code after Ctrl-C


class Failed(Exception):
    """Says what went wrong, for people."""


def size_text(size):
    """A size as the table and mpigraft-bench take it: K, M and G are powers of 1024."""
    for unit, letter in KILO:
        if size and size % unit == 0:
            return f"{size // unit}{letter}"
    return str(size)


def parse_size(text):
    match = re.fullmatch(r"(\d+)([KMG]?)", text, re.IGNORECASE)
    if not match:
        raise ValueError(f'"{text}" is not a size; write 65536, 64K or 1M')
    return int(match[1]) * {letter: unit for unit, letter in KILO}.get(match[2].upper(), 1)


def parse_seconds(text):
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    if not match:
        raise ValueError(f'"{text}" is not a time; write 90s, 5m or 1h')
    return float(match[1]) * SECONDS[match[2]]


def minutes(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def budget(seconds):
    """As --budget takes it, rounded up."""
    return f"{math.ceil(seconds)}s" if seconds <= 120 else f"{math.ceil(seconds / 60)}m"


def columns(rows):
    """A table of texts whose columns are aligned."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths)).rstrip() for row in rows)


def counted(count, one, several=""):
    """"1 rank", "2 ranks", and with `several` "2 launches"."""
    return f"{count} {one if count == 1 else several or one + 's'}"


def environment(keeps=lambda name, value: False):
    """That of this process, without those variables of mpigraft's for which `keeps` is false."""
    return {name: value for name, value in os.environ.items() if not name.startswith("MPIGRAFT_") or keeps(name, value)}


def say(verb, message):
    """`verb`: that of the mpigraft command."""
    print(f"mpigraft {verb}: {message}", file=sys.stderr, flush=True)


class Progress:
    """A bar with the time left."""

    def __init__(self, what):
        self.what, self.begin, self.open = what, time.monotonic(), False

    def show(self, done, of, label=""):
        terminal = sys.stderr.isatty()
        if not terminal and done % LINES_BETWEEN and done != of:
            return
        elapsed = time.monotonic() - self.begin
        left = minutes(elapsed / done * (of - done)) if done else "?"
        bar = "#" * (WIDTH * done // max(of, 1))
        self.open = terminal and done != of
        print(f"\r[{bar:{WIDTH}}] {done}/{of} {self.what}, {minutes(elapsed)}, "
              f"{left} left  {label:40}", end="" if self.open else "\n",
              file=sys.stderr, flush=True)

    def end_line(self):
        """What follows comes below the bar."""
        if self.open:
            print(file=sys.stderr)
        self.open = False


class Stream:
    """A standard stream whose reader may go away, as in `mpigraft tune ... | head`: what nobody reads is dropped."""

    def __init__(self, stream):
        self.stream = stream

    def write(self, text):
        try:
            self.stream.write(text)
            self.stream.flush()
        except BrokenPipeError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.stream.fileno())  # also for what is left in the buffer
            os.close(nowhere)

    def flush(self):
        """Nothing waits: every write has flushed."""

    def __getattr__(self, name):
        return getattr(self.stream, name)


def begin():
    """What a program begins with: it outlives the readers of its output. SIGTERM, and the end of its terminal unless
    nohup hides that, stop it as Ctrl-C does, which works even where a shell in the background has it ignored."""
    def interrupt(*_):
        raise KeyboardInterrupt

    sys.stdout, sys.stderr = Stream(sys.stdout), Stream(sys.stderr)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interrupt)


def program(verb, work, cannot_run, resume=""):
    """The exit code of a program behind the mpigraft command: that of its work, or why that ended early."""
    begin()
    try:
        return work()
    except KeyboardInterrupt:
        print(file=sys.stderr)
        say(verb, "stopped" + resume)
        return INTERRUPTED
    except (Failed, OSError, ValueError) as error:
        say(verb, error)
        return cannot_run
    except Exception:  # else Python's own exit code would be one of the verb's
        traceback.print_exc()
        return cannot_run


def run_to_end(main):
    """Runs a program, and ends with its exit code, or that of Ctrl-C."""
    begin()
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
