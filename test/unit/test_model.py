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
        names = {entry["name"] for entry in json.loads(listed) if entry["collective"] == "scan" and entry["nodes"] == "any"}
        code, out, _ = self.model("--bytes", "64", "--csv")
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual(code, 0)
        self.assertEqual({row["algorithm"] for row in rows}, names)

    def test_latency_is_used(self):
        _, out, _ = self.model("--bytes", "8", "--json", "--latency", "1ms")
        self.assertAlmostEqual(json.loads(out)[0]["lower_bound_s"], 2e-3, places=7)

    def test_the_machine_is_the_tables_but_for_what_options_say(self):
        table = self.write("t.json", json.dumps({"version": 1, "machine": {"latency": "3us", "combine": "1MB/s"},
                                                 "rules": []}))
        def bound(*arguments, **variables):
            _, out, _ = call("model", "--collective", "bcast", "--ranks", "4", "--bytes", "1M", "--json", *arguments,
                             **variables)
            return json.loads(out)[0]["lower_bound_s"]
        transfer = 2**20 / 12.5e9
        self.assertAlmostEqual(bound(), 2 * 1.5e-6 + transfer, places=9)
        self.assertAlmostEqual(bound("--table", table), 2 * 3e-6 + transfer, places=9)
        self.assertAlmostEqual(bound(MPIGRAFT_TABLE=table), 2 * 3e-6 + transfer, places=9)
        self.assertAlmostEqual(bound("--table", table, "--latency", "5us"), 2 * 5e-6 + transfer, places=9)
        self.assertAlmostEqual(bound("--table", table, "--bandwidth", "1GB/s"), 2 * 3e-6 + 2**20 / 1e9, places=9)
        self.assertEqual(self.model("--bytes", "8", "--table", "/no/such.json")[:2], (2, ""))

    def test_what_is_too_large_to_record_is_named_and_has_no_price(self):
        huge = ("model", "--collective", "bcast", "--ranks", "4", "--bytes", "2G")
        _, out, _ = call(*huge, "--csv")
        for row in csv.DictReader(io.StringIO(out)):
            self.assertEqual((row["predicted_s"], row["segment"]), ("", ""))
        _, out, _ = call(*huge, "--json")
        self.assertIn({"algorithm": "bcast/circulant", "predicted_s": None, "segment": None},
                      json.loads(out)[0]["algorithms"])
        _, out, _ = call(*huge)
        self.assertRegex(out, r"bcast/circulant +not priced: too large to record *\n")

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
