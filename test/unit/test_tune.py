#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The parts of mpigraft tune that need no run: comparisons, merging, policies, what is kept, what is planned."""
import json
import os
import random
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

from command_call import COMMAND, DEFAULT_TABLE, Folder

sys.path.insert(0, os.path.join(os.path.dirname(COMMAND), "tune"))
import compositions
import learn
import machine
import merge
import outcome
import plan
import policy
import results
import rules
import units
import verify
from table import ratios_told, render


class Compared(unittest.TestCase):
    CELL = plan.Cell(2, 8, "scan")

    def chosen(self, margin=1.0, **figures):
        where = {2: {"nodes": 1, "ranks_per_node": [2, 2], "more_ranks_than_cores": False}}
        found = outcome.Outcome({self.CELL: ("scan/a", 2.0)}, where, ("scan",))
        found.take_back({self.CELL: verify.Compared(10, 12, **{"other": 5, "ran": "scan/a", **figures})}, margin)
        return found.chosen[self.CELL]

    def test_what_is_slower_than_both_native_arms_is_taken_back(self):
        self.assertEqual([self.chosen(other=us) for us in (5, 11.9, 12.1)], ["scan/a", "scan/a", "native"])
        self.assertEqual([self.chosen(other=us, margin=2) for us in (5.9, 6.1)], ["scan/a", "native"])

    def test_what_did_not_run_or_was_wrong_is_taken_back(self):
        self.assertEqual((self.chosen(ran="scan/flat"), self.chosen(right=False)), ("native", "native"))

    def test_the_best_way_of_a_composition_beats_the_quicker_of_the_two_calls(self):
        def best(apart, null, fused):
            times = {"apart": {"w": apart}, "null": {"w": null}, "fused": {"w": fused}}
            return compositions.best_way("scan_scan", times, "w", 1.05)[0]
        self.assertEqual([best(10, 10, 9), best(10, 9, 9), best(10, 10, 9.9)], ["scan_scan/fused", "apart", "apart"])


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
        def run(nodes, each, oversubscribed=False):
            facts = {"nodes": nodes, "ranks_per_node": each, "more_ranks_than_cores": oversubscribed}
            return rules.conditions_of(facts)
        self.assertEqual(run(1, [8, 8]), {"nodes": {"max": 1}, "oversubscribed": False})
        self.assertEqual(run(1, [8, 8], True), {"nodes": {"max": 1}, "oversubscribed": True})
        self.assertEqual(run(4, [1, 1]), {"nodes": {"min": 2}, "ranks_per_node": {"max": 1}, "oversubscribed": False})
        self.assertEqual(run(4, [2, 8]), {"nodes": {"min": 2}, "ranks_per_node": {"min": 2}, "oversubscribed": False})
        self.assertEqual(run(4, [1, 8], True), {"nodes": {"min": 2}, "oversubscribed": True})

    def test_a_table_without_rules_is_one(self):
        self.assertEqual(json.loads(render({"version": 1, "rules": []})), {"version": 1, "rules": []})

    def test_between(self):
        for least, most, middle in ((8, 8192, 256), (2, 8, 4), (0, 100, 10), (1000, 1001, 896)):
            self.assertEqual(merge.between(least, most), middle)


def within(limits, value):
    return units.parse_size(str(limits.get("min", 0))) <= value <= units.parse_size(str(limits.get("max", 1 << 62)))


class Policy(unittest.TestCase):
    POLICY = policy.read(Path(DEFAULT_TABLE).with_name("policy.json"))

    def test_with_nothing_measured_the_embedded_tables_are_what_they_were(self):
        literal = [rule for of_mpi in self.POLICY["rules"].values() for rule in of_mpi]
        for name, mpi in (("default.json", "MPICH Version"), ("default_openmpi.json", "Open MPI v4")):
            before = json.loads(Path(DEFAULT_TABLE).with_name(name).read_text())["rules"]
            kept = [rule for rule in before if rule not in literal]
            self.assertEqual(policy.rules_of(self.POLICY, kept, [], None, mpi), before)

    def extended(self, algorithm, ranks, oversubscribed, nodes=1, collective="scan", **more):
        where = {"nodes": {"max": 1} if nodes == 1 else {"min": 2}, "oversubscribed": oversubscribed,
                 "ranks": {"max": ranks}}
        rule = {"collective": collective, "algorithm": algorithm, **where, "note": "measured at N ranks: fast", **more}
        found = policy.rules_of(self.POLICY, [], [rule], lambda _: nodes, "MPICH")
        return found[:len(found) - len(self.POLICY["rules"]["MPICH"])]

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

    def test_what_has_no_place_comes_as_it_is(self):
        measured = {"collective": "scan", "algorithm": "binomial", "ranks": {"max": 8}, "nodes": {"max": 1},
                    "oversubscribed": False, "note": "measured at 8 ranks: fast"}
        self.assertEqual(policy.rules_of(self.POLICY, [], [measured], lambda _: 1, "MPICH")[0], measured)


class Learned(unittest.TestCase):
    def test_the_rule_of_a_call(self):
        rules_ = [{"collective": "scan", "algorithm": "a", "operator": "user", "bytes": {"min": 8, "max": 15}},
                  {"collective": "scan", "algorithm": "b", "segment": "8K", "bytes": {"min": 8, "max": 15}},
                  {"collective": "barrier", "algorithm": "native"}]
        found = [learn.rule_for(cell, rules_) for cell in (plan.Cell(2, 8, "scan", True), plan.Cell(2, 15, "scan"),
                                                           plan.Cell(2, 0, "barrier"), plan.Cell(2, 16, "scan"))]
        self.assertEqual(found, [*rules_, None])
        self.assertEqual([learn.choice_of(rule) for rule in rules_], ["scan/a", "scan/b@8K", "native"])
        for note, gain in (("learned: 1.75e+04 times the speed of native, by 9 calls; x", 17500),
                           ("learned: no algorithm that was tried is faster, by 9 calls; x", 1)):
            self.assertEqual(learn.gain_of({"note": note}), gain)


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
    COMMAND = SimpleNamespace(without_data={"barrier"}, combining={"scan", "reduce"})

    def test_cells_of_a_report(self):
        def row(collective, ranks, least, most, calls, why="no rule"):
            return {"collective": collective, "ranks": ranks, "bytes_min": least, "bytes_max": most, "calls": calls,
                    "why": why}
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
