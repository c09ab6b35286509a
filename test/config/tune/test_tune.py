# SPDX-License-Identifier: MIT
"""The parts of mpigraft tune and compare that need no run: paired launches, what these say, merging."""
import contextlib
import io
import os
import random
import sys
import unittest
from collections import Counter
from types import SimpleNamespace
from unittest import mock

from command_call import COMMAND

sys.path.insert(0, os.path.join(os.path.dirname(COMMAND), "tune"))
import plan
import rules
import sequences
import verify
from outcome import COSTLY, Outcome
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
        for seconds, verdict in ((1.05, 0), (1.2, -1)):
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
        differing = Times([1.0], [1.2], [1.25])
        self.assertAlmostEqual(differing.ratio(), 1.1 / 1.25)
        self.assertTrue(differing.is_slower_than_both())

    def test_a_call_of_mpigraft_h_is_compared_with_the_faster_arm_of_the_two_calls(self):
        samples = verify.Samples({arm: {"word": [us]} for arm, us in (("apart", 90), ("null", 8), ("fused", 10))}, {})
        self.assertEqual(verify.best_variant("scan_reduce", samples, "word", 1.05), ("apart", {"scan_reduce/fused": 0.8}))


class Merging(unittest.TestCase):
    def rules(self, chosen):
        ratios = {key: {name: 2.0} for key, name in chosen.items()}
        groups = rules.groups_of("scan", chosen, ratios, {})
        return [(group.rule["algorithm"], group.rule["ranks"], group.rule["bytes"]) for group in groups]

    def test_every_cell_gets_what_was_chosen_and_no_rules_overlap(self):
        draw = random.Random(1)
        chosen = {(ranks, size): draw.choice(("scan/a", "scan/b", "native", None))
                  for ranks in (2, 3, 4, 7, 36) for size in (1, 8, 9, 4096, 5000, 1 << 20)}
        made = self.rules(chosen)
        for (ranks, size), name in chosen.items():
            fits = [rule for rule, at, of in made if within(at, ranks) and within(of, size)]
            self.assertEqual(fits, [name.split("/")[-1]] if name else [], (ranks, size))

    def test_no_border_lies_outside_its_neighbours(self):
        for size, following in ((a, b) for b in range(2, 301) for a in range(1, b)):
            self.assertTrue(size <= rules.between(size, following) < following, (size, following))

    def test_where_the_ranks_are(self):
        def run(nodes, each, oversubscribed=False):
            facts = {"nodes": nodes, "ranks_per_node": each, "more_ranks_than_cores": oversubscribed}
            return rules.conditions_of(facts)
        self.assertEqual(run(1, [8, 8]), {"nodes": {"max": 1}, "oversubscribed": False})
        self.assertEqual(run(1, [8, 8], True), {"nodes": {"max": 1}, "oversubscribed": True})
        self.assertEqual(run(4, [1, 1]), {"nodes": {"min": 2}, "ranks_per_node": {"max": 1}, "oversubscribed": False})
        self.assertEqual(run(4, [2, 8]), {"nodes": {"min": 2}, "ranks_per_node": {"min": 2}, "oversubscribed": False})
        self.assertEqual(run(4, [1, 8], True), {"nodes": {"min": 2}, "oversubscribed": True})


def within(limits, value):
    least, most = rules.range_of(limits)
    return least <= value <= most


class Comparing(unittest.TestCase):
    def setUp(self):
        self.progress = self.enterContext(mock.patch("verify.Progress"))

    @staticmethod
    def comparison(run, seconds=float("inf")):
        """By such launches, each of which takes a second to start, in so many seconds."""
        jobs = SimpleNamespace(launch_seconds=lambda: 1, find=lambda *_: None, run=run)
        return verify.Comparison(jobs, lambda needed: needed <= seconds)

    def compared(self, seconds):
        """How long 9 launches of 100 kinds of calls measured, and what was told."""
        cells, took = [plan.Cell(2, size, "scan") for size in range(100)], []

        def run(_ranks, _name, words, _table, _variables):
            took.append(float(words[words.index("--time") + 1]))
            return {"calls": [{"us": 1.0, "ran": "scan/binomial", "agrees": True}] * len(cells), "sequences": []}

        with contextlib.redirect_stderr(io.StringIO()) as told:
            found, _ = verify.verify(self.comparison(run, seconds), {cell: "scan/binomial" for cell in cells}, "", "")
        self.assertEqual(len(found), len(cells) if took else 0)
        return took, told.getvalue()

    def test_launches_measure_as_long_as_the_budget_allows(self):
        for seconds, each in ((1000, 15), (100, 7), (50, 3)):
            self.assertEqual(self.compared(seconds), (9 * [each], ""))
        self.assertEqual(self.compared(40), ([], "mpigraft tune: the budget leaves no time to compare 2 ranks with native, "
                                                 "which takes 0:36 or more\n"))

    def test_what_seems_slower_is_compared_once_more(self):
        """In the first launches two kinds are slower than native, and one of them later, too."""
        cells, launches = [plan.Cell(2, size, "scan") for size in (8, 16, 24)], []

        def run(_ranks, name, words, table, _variables):
            asked = words[words.index("--mixed") + 1].split(",")
            launches.append((asked, name[3]))
            slow = {cells[1].word} | (set() if len(asked) < len(cells) else {cells[2].word})
            return {"calls": [{"us": 2.0 if table == "rules" and word in slow else 1.0 + int(name[3]) % 2 / 100,
                               "ran": "scan/binomial", "agrees": True} for word in asked], "sequences": []}

        found, _ = verify.verify(self.comparison(run), {cell: "scan/binomial" for cell in cells}, "rules", "")
        self.assertEqual([len(words) for words, _ in launches], 9 * [3] + 9 * [2])
        self.assertEqual(self.progress.call_count, 2)  # so each tells its own time left
        self.assertEqual({number for _, number in launches}, {str(number) for number in range(6)})
        self.assertEqual([len(found[cell].this) for cell in cells], [3, 6, 6])
        self.assertEqual([found[cell].is_slower_than_both() for cell in cells[:2]], [False, True])

    def settled(self, costs, seconds=float("inf")):
        """(cells left native, number of arms in each comparison after the first) if all three collectives are grafted."""
        cells, made = [plan.Cell(4, 8, name) for name in costs], []
        outcome = Outcome({cell: ("binomial", 2.0) for cell in cells}, {}, ())

        def run(_ranks, name, _words, table, _variables):
            made.append(name[2:4])
            us = 100 + int(name[3]) % 2 + sum(costs[word.split(":")[0]] for word in table.split())
            return {"calls": [{"us": 1.0, "ran": "", "agrees": True}] * len(cells),
                    "sequences": [{"calls": list(range(len(cells))), "us": us}]}

        def table_of(some):
            return " ".join(cell.word for cell in cells if some.chosen[cell] != "native")

        comparison = self.comparison(run, seconds)
        _, jobs = verify.verify(self.comparison(run), outcome.chosen, table_of(outcome), "")
        made.clear()
        sequences.Sequences(comparison, outcome, table_of, "").settle(4, *jobs[4])
        of_turns = Counter(int(number) // verify.LAUNCHES for _, number in made)
        costly = [cell.collective for cell in outcome.taken_back.get(COSTLY, ())]
        return costly, [count // verify.LAUNCHES for count in of_turns.values()]

    def test_what_makes_the_calls_behind_it_slower_is_native(self):
        self.assertEqual(self.settled({"scan": 30, "reduce": -5, "barrier": 0}), (["scan"], [6, 5]))
        self.assertEqual(self.settled({"scan": 30, "reduce": 50, "barrier": -90}), ([], []))
        self.assertEqual(self.settled({"scan": 30, "reduce": 50, "barrier": -20}), (["reduce", "scan"], [6, 5, 3]))
        self.assertEqual(self.settled({"scan": 30}), (["scan"], [3]))

    def test_what_seems_to_make_calls_slower_is_native_without_time_to_tell_more(self):
        with contextlib.redirect_stderr(io.StringIO()) as told:
            self.assertEqual(self.settled({"scan": 30, "reduce": -5}, 0), (["scan", "reduce"], []))
        self.assertIn("no time is left to tell which calls make those behind them slow at 4 ranks", told.getvalue())
