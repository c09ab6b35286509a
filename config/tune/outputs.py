# SPDX-License-Identifier: MIT
"""Compares what launches of a program printed, as lines in any order: ranks print when they come to it."""

from collections import Counter

from units import counted

WIDTH = 100  # of a line that is shown
SAME, NOT_COMPARABLE, DIFFERENT = "same", "not comparable", "different"


def shown(line):
    text = line.decode(errors="backslashreplace")
    return f'"{text[:WIDTH]}{"..." if len(text) > WIDTH else ""}"'


def first_difference(before, after, names):
    """In words. `before`, `after`: lines and how often each occurs, which are not the same."""
    missing, added = list((before - after).elements()), list((after - before).elements())
    told = [f"{name} {shown(lines[0])}" for name, lines in zip(names, (missing, added)) if lines]
    count = max(len(missing), len(added))
    return f"{', '.join(told)} ({counted(count, 'line')} in all)"


class Outputs:
    def __init__(self):
        self.first = None  # the lines of the first launch, which is native
        self.native_difference = self.difference = ""

    def add(self, output, is_native):
        lines = Counter(output.splitlines())
        if self.first is None:
            self.first = lines
        elif lines == self.first:
            return
        elif is_native:
            self.native_difference = self.native_difference or first_difference(self.first, lines, ("one", "another"))
        else:
            self.difference = self.difference or first_difference(self.first, lines, ("natively", "grafted"))

    def verdict(self):
        """(SAME, NOT_COMPARABLE or DIFFERENT, the difference in words)"""
        if self.native_difference:
            return NOT_COMPARABLE, self.native_difference
        return (DIFFERENT, self.difference) if self.difference else (SAME, "")
