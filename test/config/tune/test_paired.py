# SPDX-License-Identifier: MIT
"""Paired launches: their order, their end, and what their times say."""
import os
import sys
import unittest

from command_call import COMMAND

sys.path.insert(0, os.path.join(os.path.dirname(COMMAND), "tune"))
from paired import Times, turns

ARMS = ("native", "null", "grafted")


class Turns(unittest.TestCase):
    def test_each_round_has_every_arm_in_an_order_of_its_own(self):
        made = list(turns(ARMS, 40, warm_up=1))
        rounds = [made[at:at + 3] for at in range(0, len(made), 3)]
        self.assertEqual([{number for _, number in one} for one in rounds], [{number} for number in range(-1, 40)])
        for one in rounds:
            self.assertEqual({arm for arm, _ in one}, {*ARMS})
        self.assertGreater(len({tuple(arm for arm, _ in one) for one in rounds}), 1)

    def test_no_round_begins_for_which_there_is_no_time(self):
        now = 0

        def made(seconds):
            nonlocal now
            count = 0
            for _ in turns(ARMS, 10, seconds=seconds, clock=lambda: now):
                now, count = now + 1, count + 1
            return count

        self.assertEqual([made(seconds) for seconds in (None, 100, 9, 8.5, 0)], [30, 30, 9, 6, 3])


class Verdicts(unittest.TestCase):
    NATIVE, NULL = [1.0, 1.02, 1.01, 1.03], [1.01, 1.0, 1.04, 1.02]

    def verdict(self, this):
        return Times(self.NATIVE, self.NULL, this).verdict()

    def test_only_what_is_beyond_the_noise_counts(self):
        self.assertEqual(self.verdict([0.5, 0.51, 0.52, 0.5]), 1)
        self.assertEqual(self.verdict([1.5, 1.51, 1.52, 1.5]), -1)
        self.assertEqual(self.verdict([1.03, 1.04, 1.02, 1.03]), 0)  # within the tolerance
        self.assertEqual(self.verdict([0.5, 1.5, 0.5, 1.5]), 0)  # not apart
        self.assertEqual(self.verdict([0.9, 1.2, 1.21, 1.22]), 0)  # the shortest disagrees

    def test_a_difference_as_between_native_launches_is_none(self):
        for seconds, verdict in ((1.08, 0), (1.2, -1)):
            self.assertEqual(Times([1.0] * 4, [0.9] * 4, [seconds] * 4).verdict(), verdict)

    def test_few_times_are_no_verdict(self):
        self.assertEqual(self.verdict([0.1]), 0)
        self.assertEqual(Times([1, 1], [], [0.1, 0.1]).verdict(), 0)
        self.assertEqual(Times([1, 1.01], [1, 1.02], [0.1, 0.1]).verdict(), 1)

    def test_ratios(self):
        times = Times(self.NATIVE, self.NULL, [0.5, 0.4, 0.6])
        self.assertAlmostEqual(times.ratio(), 1.015 / 0.5)
        self.assertAlmostEqual(times.ratio(min), 1 / 0.4)
        self.assertAlmostEqual(times.null_ratio(), 1)
        self.assertFalse(times.is_slower_than_both())
        self.assertTrue(times.is_slower_than_both(2.5))
