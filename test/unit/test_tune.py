#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The parts of mpigraft tune that need no run: halving, choice, merging, what is kept, what is planned."""
import json
import os
import random
import sys
import unittest
from pathlib import Path

from command_call import COMMAND, Folder

sys.path.insert(0, os.path.join(os.path.dirname(COMMAND), "tune"))
import choose
import halving
import machine
import merge
import outcome
import plan
import results
import rules
import units
from table import ratios_told, render


def arm(name, median, low, high, ratio=1.0, verdict="", ran=None, agrees=True):
    return {"arm": name, "ran": ran or name, "median_us": median, "low_us": low, "high_us": high, "ratio": ratio,
            "verdict": verdict, "agrees": agrees}


def cell(native, null, **arms):
    """Times as (median, low, high)."""
    return {"arms": [arm("native", *native, ran="native"), arm("null", *null, ran="native"),
                     *(arm(f"scan/{name}", *times, ratio=native[0] / times[0]) for name, times in arms.items())]}


class Choice(unittest.TestCase):
    def test_noise_means_native(self):
        """The interval of the fastest overlaps that of one native arm."""
        found = choose.leaders([cell((10, 9, 11), (10, 7, 11), fast=(6, 5, 8))], 1.05)
        self.assertEqual(found, {})

    def test_a_margin_is_asked_for(self):
        measured = [cell((10, 9.9, 10.1), (10, 9.9, 10.1), fast=(9, 8.9, 9.1))]
        self.assertEqual(list(choose.leaders(measured, 1.05)), ["scan/fast"])
        self.assertEqual(list(choose.leaders(measured, 1.10)), [])

    def test_the_last_figures_count(self):
        first = cell((10, 9, 11), (10, 9, 11), a=(1, 1, 1), b=(2, 2, 2))
        last = cell((10, 9, 11), (10, 9, 11), a=(9, 8, 10))
        self.assertEqual({name: arm["ratio"] for name, arm in choose.leaders([first, last], 1.05).items()}, {"scan/b": 5})

    def test_wrong_or_flat_ones_never_win(self):
        measured = cell((10, 9, 11), (10, 9, 11))
        measured["arms"] += [arm("scan/wrong", 1, 1, 1, agrees=False), arm("scan/lane", 1, 1, 1, ran="scan/flat")]
        self.assertEqual(choose.leaders([measured], 1.05), {})

    def leaders(self, **ratios):
        """Arms with intervals of one per cent."""
        return {name: arm(name, 1 / ratio, 0.99 / ratio, 1.01 / ratio, ratio) for name, ratio in ratios.items()}

    def test_neighbours_agree_on_what_is_nearly_best_in_each(self):
        chosen = choose.choose({2: {8: self.leaders(a=10, b=9.5), 64: self.leaders(b=10, c=5), 512: {}}})
        self.assertEqual(chosen, {(2, 8): "b", (2, 64): "b", (2, 512): "native"})

    def test_rows_of_ranks_agree_too(self):
        chosen = choose.choose({2: {8: self.leaders(a=10, b=9.5)}, 4: {8: self.leaders(b=7)}, 8: {8: self.leaders(c=7)}})
        self.assertEqual(list(chosen.values()), ["b", "b", "c"])

    def test_where_noise_hides_a_difference_there_is_none(self):
        best, other = arm("a", 1, 0.8, 1.3, 10), arm("b", 1.4, 1.2, 1.6, 7)
        self.assertEqual(list(choose.best_of({"a": best, "b": other})), ["a", "b"])
        self.assertEqual(list(choose.best_of({"a": best, "b": other | {"low_us": 1.35}})), ["a"])


class Merging(unittest.TestCase):
    def rules(self, chosen):
        ratios = {key: {} if name == "native" else {name: 2.0} for key, name in chosen.items()}
        groups = rules.groups_of("scan", chosen, ratios, {})
        return [(group.rule["algorithm"], group.rule["ranks"], group.rule["bytes"]) for group in groups]

    def test_a_rule_reaches_halfway_and_not_beyond_what_was_measured(self):
        self.assertEqual(self.rules({(4, 8): "scan/a", (4, 512): "scan/a", (4, 8192): "native"}),
                         [("a", {"min": 4, "max": 4}, {"max": "2K"}),
                          ("native", {"min": 4, "max": 4}, {"min": 2049, "max": "8K"})])

    def test_ranks_with_the_same_choices_become_one_rule(self):
        self.assertEqual(self.rules({(2, 8): "scan/a", (8, 8): "scan/a", (32, 8): "scan/b"}),
                         [("a", {"max": 16}, {"max": 8}), ("b", {"min": 17, "max": 32}, {"max": 8})])

    def test_every_cell_gets_what_was_chosen_and_no_rules_overlap(self):
        draw = random.Random(1)
        chosen = {(ranks, size): draw.choice(("scan/a", "scan/b", "native"))
                  for ranks in (2, 3, 4, 7, 36) for size in (1, 8, 9, 4096, 5000, 1 << 20)}
        made = self.rules(chosen)
        for (ranks, size), name in chosen.items():
            fits = [rule for rule, at, of in made if within(at, ranks) and within(of, size)]
            self.assertEqual(fits, [name.split("/")[-1]], (ranks, size))

    def test_where_the_ranks_are(self):
        def run(nodes, each, crowded=False):
            return rules.conditions_of({"nodes": nodes, "ranks_per_node": each, "more_ranks_than_cores": crowded})
        self.assertEqual(run(1, [8, 8]), {"nodes": {"max": 1}, "crowded": False})
        self.assertEqual(run(1, [8, 8], True), {"nodes": {"max": 1}, "crowded": True})
        self.assertEqual(run(4, [1, 1]), {"nodes": {"min": 2}, "ranks_per_node": {"max": 1}, "crowded": False})
        self.assertEqual(run(4, [2, 8]), {"nodes": {"min": 2}, "ranks_per_node": {"min": 2}, "crowded": False})
        self.assertEqual(run(4, [1, 8], True), {"nodes": {"min": 2}, "crowded": True})

    def test_a_table_without_rules_is_one(self):
        self.assertEqual(json.loads(render({"version": 1, "rules": []})), {"version": 1, "rules": []})

    def test_between(self):
        for least, most, middle in ((8, 8192, 256), (2, 8, 4), (0, 100, 10), (1000, 1001, 896)):
            self.assertEqual(merge.between(least, most), middle)


CATALOGUE = [{"name": name, "collective": name.split("/")[0], "cuts": cuts} for name, cuts in
             (("scan/whole", "never"), ("scan/slow", "never"), ("scan/cuts", "always"), ("bcast/cuts", ""))]


class UserOperators(unittest.TestCase):
    """User operators rely on whole vectors. If the best algorithm cuts them, they get the best of the others."""
    def rules(self, collective="scan", **arms):
        times = {name: (median, 0.99 * median, 1.01 * median) for name, median in arms.items()}
        runs = [cell((10, 9.9, 10.1), (10, 9.9, 10.1), **times)]
        measured = {plan.Cell(2, size, collective): runs for size in (8, 64)}
        where = {2: {"nodes": 1, "ranks_per_node": [2, 2], "more_ranks_than_cores": False}}
        found = outcome.Outcome(measured, where, 1.05, CATALOGUE)
        return [(group.rule["algorithm"], group.rule.get("operator")) for group in found.groups()]

    def test_a_rule_of_their_own_comes_first(self):
        self.assertEqual(self.rules(cuts=1, whole=2, slow=3), [("whole", "user"), ("cuts", None)])

    def test_one_rule_is_for_all_where_it_cuts_nothing(self):
        self.assertEqual(self.rules(cuts=2, whole=1), [("whole", None)])

    def test_native_without_a_rule_where_nothing_whole_is_faster(self):
        self.assertEqual(self.rules(cuts=1, whole=11), [("cuts", None)])
        self.assertEqual(self.rules(cuts=11, whole=11), [("native", None)])

    def test_broadcasts_have_no_operator(self):
        self.assertEqual(self.rules(collective="bcast", cuts=1, whole=2), [("cuts", None)])


def within(limits, value):
    return units.parse_size(str(limits.get("min", 0))) <= value <= units.parse_size(str(limits.get("max", 1 << 62)))


class Halving(unittest.TestCase):
    def decide(self, times):
        """Names of the last run, and how many arms were measured in all, where times have no noise."""
        asked = []

        def find(names):
            asked.append(names)
            return {"arms": [arm(name, times[name], 0, 0) for name in names]}
        measured, names = halving.next_names(list(times), find)
        self.assertEqual((len(measured), names), (len(asked), []))
        return asked[-1], sum(map(len, asked))

    def test_the_winner_is_never_dropped(self):
        draw = random.Random(2)
        for count in range(1, 40):
            times = {f"scan/{i}": draw.uniform(1, 20) for i in range(count)}
            last, arms = self.decide(times)
            self.assertIn(min(times, key=times.get), last)
            self.assertLessEqual(len(last), halving.FINALISTS)
            self.assertLessEqual(arms, 2 * count + 8)

    def test_the_hopeless_go_at_once(self):
        times = {f"scan/{i}": 100.0 for i in range(15)} | {"scan/best": 1.0}
        self.assertEqual(self.decide(times), (["scan/best"], 17))

    def test_where_all_are_slower_native_has_won(self):
        slow = {"arms": [arm(f"scan/{i}", 9, 9, 9, verdict="slower") for i in range(8)]}
        self.assertEqual(halving.next_names([one["arm"] for one in slow["arms"]], lambda _: slow), ([slow], []))

    def test_as_many_runs_as_foretold(self):
        for count in range(0, 40):
            times = {f"scan/{i}": 1 + i / 100 for i in range(count)}
            runs = []
            halving.next_names(list(times), lambda names: runs.append(1) or {
                "arms": [arm(name, times[name], 0, 0) for name in names]})
            self.assertLessEqual(len(runs), halving.rounds_left(list(times)))


class Kept(Folder):
    def test_what_is_added_is_found_again(self):
        file = Path(self.path("r.jsonl"))
        results.Results(file).add("here", ["scan", 8], {"seconds": 1})
        again = results.Results(file)
        self.assertEqual(again.find("here", ["scan", 8]), {"place": "here", "asked": ["scan", 8], "seconds": 1})
        self.assertIsNone(again.find("there", ["scan", 8]))

    def test_a_line_that_was_cut_short_is_measured_again(self):
        file = Path(self.path("r.jsonl"))
        for number in (1, 2):
            results.Results(file).add("here", [number], {})
        file.write_bytes(file.read_bytes()[:-3])
        again = results.Results(file)
        self.assertEqual([run["asked"] for run in again.runs], [[1]])
        again.add("here", [3], {})
        self.assertEqual([run["asked"] for run in results.read_runs(file)], [[1], [3]])

    def test_what_is_no_result_is_told(self):
        with self.assertRaisesRegex(SystemExit, "r.jsonl:2: not a result"):
            results.read_runs(Path(self.write("r.jsonl", "{}\nx\n")))


class Planned(unittest.TestCase):
    def test_cells_of_a_report(self):
        def row(collective, ranks, least, most, calls):
            return {"collective": collective, "ranks": ranks, "bytes_min": least, "bytes_max": most, "calls": calls}
        rows = [row("scan", 4, 8, 8, 1), row("scan", 4, 8, 8, 5), row("bcast", 4, 8, 512, 3), row("scan", 1, 8, 8, 9),
                row("reduce", 4, 0, 0, 9), row("exscan", 4, 8, 8, 9)]
        self.assertEqual(plan.cells_of_report({"rows": rows}, ("scan", "bcast", "reduce")),
                         [plan.Cell(4, 8, "scan"), plan.Cell(4, 8, "bcast"), plan.Cell(4, 64, "bcast"),
                          plan.Cell(4, 512, "bcast")])

    def test_candidates(self):
        def entry(name, commutative=False):
            return {"name": name, "collective": name.split("/")[0], "commutative": commutative}
        catalogue = [entry("scan/a"), entry("scan/b"), entry("scan/c", True), entry("bcast/d"), entry("scan/unpriced")]
        here, prices = plan.Cell(4, 8, "scan"), {"scan/a": 1.0, "scan/b": plan.MODEL_FACTOR * 1.01, "scan/c": 2.0}
        self.assertEqual(plan.candidates(here, catalogue, prices, None), ["scan/a", "scan/unpriced"])
        self.assertEqual(plan.candidates(here, catalogue, {}, {"scan/b", "bcast/d"}), ["scan/b"])

    def test_the_machine(self):
        def run(**times):
            return {"cells": [{"collective": name.split("_", 1)[0], "arms": [
                {"arm": name.replace("_", "/", 1), "min_us": time}]} for name, time in times.items()]}
        megabyte_us = (1 << 20) / 1e4  # at 10 GB/s
        found = machine.fit(run(scan_butterfly=2.0),
                            run(bcast_binomial=2 + megabyte_us, reduce_binomial=2 + 3 * megabyte_us))
        self.assertEqual(found, {"latency": "2us", "bandwidth": "10GB/s", "combine": "5GB/s"})
        slow = machine.fit(run(scan_butterfly=2.0), run(bcast_binomial=2 + 1000 * megabyte_us, reduce_binomial=1e7))
        self.assertEqual((slow["bandwidth"], slow["combine"]), ("10MB/s", "106KB/s"))
        found = machine.fit(run(scan_butterfly=2.0), run(bcast_binomial=9.0, reduce_binomial=8.0))
        self.assertEqual(set(found), {"latency", "bandwidth"})  # noise hides the rest

    def test_what_is_told(self):
        cells = [plan.Cell(4, 65536, "scan"), plan.Cell(4, 8, "exscan"), plan.Cell(4, 1000, "scan")]
        self.assertEqual(plan.in_words(cells), ["scan of 1000, 64K bytes, 4 ranks", "exscan of 8 bytes, 4 ranks"])
        for ratios, told in (([3.57, 3.61], "3.6"), ([1.04, 114.2], "1.0 to 114"), ([61.9], "62")):
            self.assertEqual(ratios_told(ratios), f"{told} times native's speed")

    def test_units(self):
        for text, size in (("8", 8), ("64K", 65536), ("1m", 1 << 20), ("3G", 3 << 30)):
            self.assertEqual(units.parse_size(text), size)
        self.assertEqual([units.size_text(size) for size in (0, 1000, 2560 << 10, 5 << 20)],
                         ["0", "1000", "2560K", "5M"])
        self.assertEqual([units.parse_seconds(text) for text in ("90s", "5m", "1.5h", "7")], [90, 300, 5400, 7])
        for parse, text in ((units.parse_size, "8X"), (units.parse_seconds, "5 minutes")):
            self.assertRaises(ValueError, parse, text)


if __name__ == "__main__":
    unittest.main(argv=["test_tune"])
