#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mpigraft model: its formats, its files, its refusals."""
import csv
import io
import json
import unittest

from command_call import Folder, call


class Model(Folder):
    def model(self, *arguments):
        return call("model", "--collective", "scan", "--ranks", "4", *arguments)

    def test_json(self):
        code, out, _ = self.model("--bytes", "8,1K..4K", "--json")
        self.assertEqual(code, 0)
        cells = json.loads(out)
        self.assertEqual([cell["bytes"] for cell in cells], [8, 1024, 2048, 4096])
        for cell in cells:
            self.assertEqual(list(cell), ["collective", "ranks", "bytes", "lower_bound_s", "algorithms"])
            times = [algorithm["predicted_s"] for algorithm in cell["algorithms"]]
            self.assertEqual(times, sorted(times))
            self.assertGreaterEqual(times[0], cell["lower_bound_s"] * (1 - 1e-9))

    def test_csv_has_every_algorithm_of_the_collective(self):
        _, listed, _ = call("list", "--json")
        names = {entry["name"] for entry in json.loads(listed) if entry["collective"] == "scan"}
        code, out, _ = self.model("--bytes", "64", "--csv")
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual(code, 0)
        self.assertEqual({row["algorithm"] for row in rows}, names)

    def test_latency_is_used(self):
        _, out, _ = self.model("--bytes", "8", "--json", "--latency", "1ms")
        self.assertAlmostEqual(json.loads(out)[0]["lower_bound_s"], 2e-3, places=7)

    def test_a_run_of_too_many_events_is_named_and_has_no_price(self):
        huge = ("model", "--collective", "scan", "--ranks", "4000", "--bytes", "32000")
        _, out, _ = call(*huge, "--csv")
        rows = {row["algorithm"]: row for row in csv.DictReader(io.StringIO(out))}
        self.assertEqual((rows["scan/transpose"]["predicted_s"], rows["scan/transpose"]["segment"]), ("", ""))
        self.assertGreater(float(rows["scan/linear_pipeline"]["predicted_s"]), 0)
        _, out, _ = call(*huge, "--json")
        self.assertEqual(json.loads(out)[0]["algorithms"][-1],
                         {"algorithm": "scan/transpose", "predicted_s": None, "segment": None})
        _, out, _ = call(*huge)
        self.assertRegex(out, r"scan/transpose +not priced: too many events *\n")

    def test_goal(self):
        file = self.path("run.goal")
        code, _, _ = self.model("--bytes", "8", "--goal", file, "--algorithm", "scan/simultaneous_binomial")
        self.assertEqual(code, 0)
        with open(file, encoding="utf-8") as goal:
            self.assertTrue(goal.read().startswith("num_ranks 4\nrank 0 {\n"))

    def test_refusals(self):
        for arguments in (("--bytes", "x"), ("--bytes", "8", "--latency", "1"), (),
                          ("--bytes", "8", "--goal", self.path("f"), "--algorithm", "no/such"),
                          ("--bytes", "8", "--goal", "/nonexistent/f", "--algorithm", "scan/butterfly")):
            code, out, error = self.model(*arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertTrue(error)


if __name__ == "__main__":
    unittest.main(argv=["test_model"])
