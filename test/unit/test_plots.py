#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The drawings of --plot, as SVG: matplotlib leaves each text as a comment there."""
import json
import re
import subprocess
import sys
import unittest

from command_call import DEFAULT_TABLE, Folder, call, text_of
from test_report import report, row

SKIPPED = 77


class Plots(Folder):
    def texts(self, *arguments):
        file = self.path("plot.svg")
        self.assertEqual(call(*arguments, "--plot", file), (0, "", ""))
        return re.findall(r"<!-- (.*?) -->", text_of(file))

    def holds(self, texts, *wanted):
        self.assertEqual([text for text in wanted if text not in texts], [], texts)

    def test_report(self):
        document = report(program="a_$x_{", rows=[row(bytes_min=0), row(collective="bcast", bytes_min=1024)])
        texts = self.texts("report", self.write("job.json", json.dumps(document)))
        self.holds(texts, "a_$x_{", "scan", "bcast", "0 B", "1 KiB", "14.0 ms", "100")
        self.assertNotIn("reduce", texts)

    def test_map(self):
        texts = self.texts("explain", "--all", "--table", DEFAULT_TABLE)
        self.holds(texts, "scan, 1 rank a node", "reduce, 1 rank a node", "native", "simultaneous_binomial", "two_tree", "32K", "1024")

    def test_model(self):
        texts = self.texts("model", "--collective", "scan", "--ranks", "4", "--bytes", "8..64K")
        self.holds(texts, "scan, 4 ranks (model)", "lower bound", "simultaneous_binomial", "16", "1K", "predicted us")
        ends = [text for text in texts if text in ("binary_tree", "transpose", "lower bound")]
        self.assertEqual(ends, ["binary_tree", "transpose", "lower bound"])  # slowest first


if __name__ == "__main__":
    there = [subprocess.run([python, "-c", "import matplotlib"], stderr=subprocess.DEVNULL, check=False).returncode == 0
             for python in ("python3", "/usr/bin/python3")]
    if not any(there):
        print("skipped: no matplotlib to draw with; install it: apt-get install python3-matplotlib")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])
