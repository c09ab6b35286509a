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
        self.first = None  # the lines of the first native launch
        self.native_difference = self.difference = ""
        self.others = []  # lines of grafted launches that came before any native one

    def add(self, output, is_native):
        lines = Counter(output.splitlines())
        if not is_native:
            self.others = [lines, *self.others[:1]] if self.first is None else self.others
            self.compare(lines)
        elif self.first is None:
            self.first = lines
            for other in self.others:
                self.compare(other)
        elif lines != self.first and not self.native_difference:
            self.native_difference = first_difference(self.first, lines, ("one", "another"))

    def compare(self, lines):
        if self.first is not None and lines != self.first and not self.difference:
            self.difference = first_difference(self.first, lines, ("natively", "grafted"))

    def verdict(self):
        """(SAME, NOT_COMPARABLE or DIFFERENT, the difference in words)"""
        if self.native_difference:
            return NOT_COMPARABLE, self.native_difference
        return (DIFFERENT, self.difference) if self.difference else (SAME, "")
