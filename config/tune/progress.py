# SPDX-License-Identifier: MIT
"""A bar with the time left."""

import sys
import time

from units import minutes

WIDTH = 30
LINES_BETWEEN = 10  # where stderr is a file


class Progress:
    def __init__(self, what):
        self.what, self.begin, self.open = what, time.monotonic(), False

    def show(self, done, of, label):
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

    def say(self, line):
        """A line of its own, above the bar."""
        print(("\n" if self.open else "") + line, file=sys.stderr, flush=True)
        self.open = False
