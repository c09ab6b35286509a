# SPDX-License-Identifier: MIT
"""The parts of mpigraft tune that need no run: merging, comparisons, policies, what is planned."""
import contextlib
import io
import json
import os
import random
import sys
import tempfile
import time
import unittest
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from command_call import COMMAND, DEFAULT_TABLE

sys.path.insert(0, os.path.join(os.path.dirname(COMMAND), "tune"))
import console
import jobs
import learn
import machine
import plan
import policy
import rules
import sequences
import verify
from outcome import COSTLY, Outcome


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

    def test_a_call_of_mpigraft_h_is_compared_with_the_faster_arm_of_the_two_calls(self):
        samples = verify.Samples({arm: {"word": [us]} for arm, us in (("apart", 90), ("null", 8), ("fused", 10))}, {})
        self.assertEqual(verify.best_variant("scan_reduce", samples, "word", 1.05), ("apart", {"scan_reduce/fused": 0.8}))

    def test_what_makes_the_calls_behind_it_slower_is_native(self):
        self.assertEqual(self.settled({"scan": 30, "reduce": -5, "barrier": 0}), (["scan"], [6, 5]))
        self.assertEqual(self.settled({"scan": 30, "reduce": 50, "barrier": -90}), ([], []))
        self.assertEqual(self.settled({"scan": 30, "reduce": 50, "barrier": -20}), (["reduce", "scan"], [6, 5, 3]))
        self.assertEqual(self.settled({"scan": 30}), (["scan"], [3]))

    def test_what_seems_to_make_calls_slower_is_native_without_time_to_tell_more(self):
        with contextlib.redirect_stderr(io.StringIO()) as told:
            self.assertEqual(self.settled({"scan": 30, "reduce": -5}, 0), (["scan", "reduce"], []))
        self.assertIn("no time is left to tell which calls make those behind them slow at 4 ranks", told.getvalue())


class Policy(unittest.TestCase):
    POLICY = Path(DEFAULT_TABLE).with_name("policy.json")

    def test_with_nothing_measured_the_embedded_tables_are_what_they_were(self):
        for name in ("default.json", "default_openmpi.json"):
            table = Path(DEFAULT_TABLE).with_name(name)
            self.assertEqual(policy.Policy(self.POLICY, table).rules_of([], None), json.loads(table.read_text())["rules"])

    def extended(self, algorithm, ranks, oversubscribed, nodes=1, collective="scan", **more):
        where = {"nodes": {"max": 1} if nodes == 1 else {"min": 2}, "oversubscribed": oversubscribed,
                 "ranks": {"max": ranks}}
        rule = {"collective": collective, "algorithm": algorithm, **where, "note": "measured at N ranks: fast", **more}
        return policy.Policy(self.POLICY, Path("/nowhere")).rules_of([rule], lambda _: nodes)

    def test_rules_are_extended_to_places_and_cut_where_they_tell_nothing(self):
        (rule,) = self.extended("binomial", 2, False, collective="reduce")
        self.assertEqual((rule["ranks"], rule["nodes"], "oversubscribed" in rule), ({"max": 2}, {"max": 1}, False))
        cut = self.extended("shared_flat", 8, True)
        self.assertEqual([(rule["algorithm"], rule.get("bytes")) for rule in cut],
                         [("shared_flat", {"max": "2K"}), ("native", {"min": 2049})])
        cut = self.extended("linear_pipeline", 8, True, bytes={"max": "1M"})
        self.assertEqual([(rule["algorithm"], rule["bytes"]) for rule in cut],
                         [("native", {"max": 131071}), ("linear_pipeline", {"min": "128K", "max": "1M"})])

    def test_on_several_nodes_only_scans_are_extended(self):
        where = {"ranks_per_node": {"max": 1}, "bytes": {"min": "64K", "max": "1M"}}
        (scan,) = self.extended("two_tree", 4, False, 4, **where)
        (reduce,) = self.extended("two_tree", 4, False, 4, collective="reduce", **where)
        self.assertEqual((scan["nodes"], reduce["nodes"]), ({"min": 2}, {"min": 4, "max": 4}))

    def test_rules_for_what_was_not_measured_stay_behind_the_others(self):
        measured = {"collective": "reduce", "algorithm": "binomial", "ranks": {"max": 2}, "nodes": {"max": 1},
                    "oversubscribed": False, "note": "measured at 2 ranks: fast"}
        before = json.loads(Path(DEFAULT_TABLE).read_text())["rules"]
        after = policy.Policy(self.POLICY, Path(DEFAULT_TABLE)).rules_of([measured], lambda _: 1)
        of_two = [rule for rule in after if rule["collective"] == "reduce" and rule.get("ranks") == {"max": 2}]
        self.assertEqual([rule["note"] for rule in of_two], ["two ranks on a node: fast"])
        of_no_place = [rule for rule in before if rule["note"].startswith("not measured: ")]
        self.assertEqual([rule for rule in after if rule in of_no_place], of_no_place)
        self.assertEqual(after[-1], of_no_place[-1])

    def test_rules_between_measured_ranks_are_those_of_the_smaller(self):
        rule = {"collective": "scan", "algorithm": "two_tree", "ranks": {"max": 24}, "nodes": {"min": 2},
                "oversubscribed": True, "bytes": {"min": "64K", "max": "1M"}, "note": "measured at 16 ranks: fast"}
        runs = [{"ranks": ranks, "nodes": nodes, "mpi": "MPICH"} for ranks, nodes in ((2, 1), (16, 4), (36, 4))]
        rules = json.loads(policy.Policy(self.POLICY, Path("/nowhere")).apply([rule], "", runs))["rules"]
        self.assertIn({"min": 2}, [one["nodes"] for one in rules if one["algorithm"] == "two_tree"])
        self.assertNotIn({"max": 1}, [one["nodes"] for one in rules if one["algorithm"] == "two_tree"])

    def test_what_has_no_place_comes_as_it_is(self):
        measured = {"collective": "scan", "algorithm": "binomial", "ranks": {"max": 8}, "nodes": {"max": 1},
                    "oversubscribed": False, "note": "measured at 8 ranks: fast"}
        self.assertEqual(policy.Policy(self.POLICY, Path("/nowhere")).rules_of([measured], lambda _: 1), [measured])


class Planned(unittest.TestCase):
    COMMAND = SimpleNamespace(without_data={"barrier"}, combining={"scan", "reduce"})

    def test_cells_of_a_report(self):
        def row(collective, ranks, least, most, calls, reason="no rule"):
            return {"collective": collective, "ranks": ranks, "bytes_min": least, "bytes_max": most, "calls": calls,
                    "reason": reason}
        rows = [row("scan", 4, 8, 8, 1), row("scan", 4, 8, 8, 5), row("bcast", 4, 8, 512, 3), row("scan", 1, 8, 8, 9),
                row("reduce", 4, 0, 0, 9), row("exscan", 4, 8, 8, 9), row("barrier", 4, 0, 0, 2),
                row("reduce", 4, 8, 8, 1, "a user operator gets whole vectors")]
        self.assertEqual(plan.cells_of_report({"rows": rows}, ("scan", "bcast", "reduce", "barrier"), self.COMMAND),
                         [plan.Cell(4, 8, "scan"), plan.Cell(4, 8, "bcast"), plan.Cell(4, 64, "bcast"),
                          plan.Cell(4, 512, "bcast"), plan.Cell(4, 0, "barrier"), plan.Cell(4, 8, "reduce"),
                          plan.Cell(4, 32, "reduce", True)])

    def test_a_grid_has_user_operators_and_barriers_once(self):
        cells = plan.grid([2], ("scan", "bcast", "barrier"), [8, 100], self.COMMAND)
        self.assertEqual([cell.word for cell in cells], ["scan:8", "scan:32:matrix", "bcast:8", "barrier:0", "scan:104",
                                                         "scan:128:matrix", "bcast:104"])

    def machine(self, latency, bcast, reduce):
        """`bcast`, `reduce`: {size: us}"""
        asked = []

        def run(words):
            collectives, size = words[1].split(","), int(words[3])
            asked.append(size)
            us = {"scan": latency, "bcast": bcast.get(size), "reduce": reduce.get(size)}
            return {"cells": [{"collective": name, "arms": [{"arm": arm, "min_us": us[name]}]}
                              for name, arm in zip(collectives, words[5].split(","))]}
        return machine.measure(run).in_table(), asked

    def test_the_machine(self):
        small, large = machine.SIZES
        us = large / 1e4  # at 10 GB/s
        found, asked = self.machine(2.0, {small: 20, large: 2 + us}, {small: 30, large: 2 + 3 * us})
        self.assertEqual((found, asked), ({"latency": "2us", "bandwidth": "10GB/s", "combine": "5GB/s"}, [8, small, large]))
        us = small / 10  # at 10 MB/s
        found, asked = self.machine(2.0, {small: 2 + us}, {small: 2 + 2 * us})
        self.assertEqual((found, asked), ({"latency": "2us", "bandwidth": "10MB/s", "combine": "10MB/s"}, [8, small]))
        found, _ = self.machine(2.0, {small: 20, large: 9.0}, {small: 20, large: 8.0})
        self.assertEqual(set(found), {"latency", "bandwidth"})  # noise hides the rest

    def test_units(self):
        for text, size in (("8", 8), ("64K", 65536), ("1m", 1 << 20), ("3G", 3 << 30)):
            self.assertEqual(console.parse_size(text), size)
        self.assertEqual([console.size_text(size) for size in (0, 1000, 2560 << 10, 5 << 20)],
                         ["0", "1000", "2560K", "5M"])
        self.assertEqual([console.parse_seconds(text) for text in ("90s", "5m", "1.5h", "7")], [90, 300, 5400, 7])
        for parse, text in ((console.parse_size, "8X"), (console.parse_seconds, "5 minutes")):
            self.assertRaises(ValueError, parse, text)

    def test_a_job_may_take_the_time_that_those_before_it_have_left(self):
        cells, seconds = [plan.Cell(ranks, size, "scan") for ranks in (2, 8) for size in range(8, 104, 8)], []
        no_jobs = SimpleNamespace(runs_of=lambda *_: [], launch_seconds=lambda: 50)
        learner = learn.Learner(no_jobs, cells, "", time.monotonic() + 700, SimpleNamespace(show=lambda *_: None))
        learner.learn = lambda _, of_job: seconds.append(round(of_job, -2))
        learner.learn_all()
        self.assertEqual(seconds, [300, 600])

    def test_a_job_that_hangs_is_stopped_when_the_budget_is_over(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(jobs, "GRACE", 0.1):
            hanging = jobs.Jobs(["sh", "-c", "sleep 60"], "", "", jobs.Results(Path(folder, "results")), Path(folder, "table"))
            hanging.deadline = 0
            self.assertRaisesRegex(console.Failed, "longer than 0:00, and was stopped", hanging.run, 2, ["learn"], [], "")
