# SPDX-License-Identifier: MIT
"""Paired launches: several arms in turn, in random order, and what their times say. The first arm is the base, the null
arm is the base once more: as far as the two differ, nothing is said. mpigraft tune, mpigraft compare and scripts/guard
share this."""

import random
import time
from dataclasses import dataclass, field
from statistics import median, quantiles

TOLERANCE = 0.03  # a smaller difference is none
LEAST, LEAST_OF_BASE = 2, 3  # times, to judge them


def turns(arms, launches, warm_up=0, seconds=None, clock=time.monotonic):
    """(arm, number) of each launch, in rounds with every arm once, in random order. The caller makes the launch before it
    asks for the next one. Numbers below 0 are those of the warm-up, to be discarded, with the base first. No round begins
    that would end after `seconds`, if it takes as long as the one before."""
    begin = clock()
    for number in range(-warm_up, launches):
        of_round = clock()
        for arm in random.sample(list(arms), len(arms)) if number >= 0 else arms:
            yield arm, number
        now = clock()
        if seconds is not None and now - begin + now - of_round > seconds:
            return


@dataclass
class Times:
    """The times of one thing in each arm."""
    base: list = field(default_factory=list)
    null: list = field(default_factory=list)
    this: list = field(default_factory=list)

    def ratio(self, of=median):
        return of(self.base + self.null) / of(self.this)

    def null_ratio(self):
        return median(self.base) / median(self.null)

    def is_slower_than_both(self, margin=1.0):
        """Slower, by the margin and by medians, than the slower of the two base arms."""
        return median(self.this) * margin > max(median(self.base), median(self.null))

    def noise(self):
        """By which factor base and null differ."""
        return max(self.null_ratio(), 1 / self.null_ratio())

    def judged(self):
        """True if there are times enough for a verdict."""
        enough = len(self.this) >= LEAST and len(self.base) + len(self.null) >= LEAST_OF_BASE
        return enough and bool(self.base and self.null)

    def verdict(self):
        """-1 if this is slower than the base, 1 if it is faster, 0 if no difference is beyond the noise. The ratios of
        medians and of minima both tell of it by more than the tolerance and, of medians, by more than base and null
        differ; and three quarters of this arm's times are on one side of three quarters of the base's."""
        if not self.judged():
            return 0
        low, _, high = quantiles(self.this)
        low_of_base, _, high_of_base = quantiles(self.base + self.null)
        ratios, noise = (self.ratio(), self.ratio(min)), self.noise()
        if low > high_of_base and max(ratios) < 1 - TOLERANCE and ratios[0] < 1 / noise:
            return -1
        return 1 if high < low_of_base and min(ratios) > 1 + TOLERANCE and ratios[0] > noise else 0
