#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mpigraft-bench: what its arms are, what ran in them, and what it refuses. Usage: test_bench.py MPIEXEC BENCH"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MPIEXEC, BENCH = sys.argv[1:]
WRONG = (
    ("--algorithms bcast/two_tree@x", 'is not a segment; write a size such as 8K, none, ports=K or barrier'),
    ("--algorithms bcast/two_tree@8K@ports=2", "bcast/two_tree takes no ports; remove @ports=2"),
    ("--algorithms exscan/k_ported@ports=9", '"ports=9" is not a number of ports; write 1 to 8'),
    ("--algorithms default@8K", '"default" takes no @'),
    ("--algorithms scan_scan/decomposed", 'is not an algorithm'),
    ("--algorithms bcast/twotree@8K", 'is not an algorithm; did you mean "bcast/two_tree"?'),
    ("--mixed scan", '"scan" is not a call; write scan:8'),
    ("--mixed scan_reduce:32:matrix", '"scan_reduce:32:matrix" is not a call; write scan:8'),
    ("--mixed scan:8 --op max", "--op excludes --mixed"),
)


def bench(*words, env=None, ranks=2):
    return subprocess.run([MPIEXEC, "-n", str(ranks), BENCH, *words], capture_output=True, text=True, timeout=60, check=False,
                          env=env)


class Arms(unittest.TestCase):
    def cells(self, *words, ranks=2):
        """Of a run, in which all results are right."""
        run = bench(*words, "--time", "0", "--min-reps", "8", "--json", "-", ranks=ranks)
        self.assertEqual(run.returncode, 0, run.stderr)
        document = json.loads(run.stdout)
        self.assertTrue(all(arm["agrees"] for cell in document["cells"] for arm in cell["arms"]))
        self.assertTrue(document["command"].startswith(f"mpigraft-bench {' '.join(words)}"))
        return document["cells"]

    def test_options_of_algorithms(self):
        asked = ["scan/linear_pipeline@8K", "scan/binomial@barrier", "bcast/two_tree", "bcast/two_tree@none"]
        cells = self.cells("--collectives", "scan,bcast", "--bytes", "80000", "--algorithms", ",".join(asked))
        arms = {arm["arm"]: arm["ran"] for cell in cells for arm in cell["arms"] if "/" in arm["arm"]}
        self.assertEqual(arms, {name: name for name in asked})

    def test_parts(self):
        """Parts have one length, or two."""
        asked = ["reduce_scatter/pairwise", "allgather/ring"]
        cells = self.cells("--collectives", "reduce_scatter,allgather", "--bytes", "8,16", "--algorithms", ",".join(asked))
        self.assertEqual([arm["ran"] for cell in cells for arm in cell["arms"] if "/" in arm["arm"]],
                         [name for name in asked for _ in range(2)])

    def test_compositions(self):
        for ranks, sizes in ((2, "8,100K"), (4, "64,4K")):
            with self.subTest(sizes):
                self.judge_compositions(self.cells("--collectives", "scan_reduce,scan_allreduce,scan_scan", "--bytes", sizes,
                                                   "--algorithms", "all", ranks=ranks))

    def judge_compositions(self, cells):
        ran = {cell["collective"]: {arm["arm"]: arm["ran"] for arm in cell["arms"]} for cell in cells}
        self.assertEqual(set(ran), {"scan_reduce", "scan_allreduce", "scan_scan"})
        for name, arms in ran.items():
            variants = {arm: ran for arm, ran in arms.items() if "/" in arm}
            self.assertEqual(variants, {variant: variant for variant in variants})
            self.assertEqual(len(variants), 3 if name == "scan_allreduce" else 2)
            self.assertEqual(arms["native"], "native")
            self.assertIn(arms["default"], variants)

    def test_back_to_back(self):
        cell, = self.cells("--collectives", "bcast", "--bytes", "8", "--back-to-back")
        self.assertEqual(cell["repetitions"], 8)
        self.assertGreaterEqual(cell["calls"], 10)

    def test_a_job_of_mixed_calls_learns_until_all_is_decided(self):
        words = ["scan:8", "scan:64:matrix", "barrier:0", "allgather:1K", "scan_reduce:8"]
        with tempfile.TemporaryDirectory() as folder:
            table, learned = Path(folder, "table.json"), Path(folder, "learned.json")
            table.write_text('{"version": 1, "rules": [{"collective": "scan", "algorithm": "binomial"}]}')
            env = os.environ | {"MPIGRAFT_TABLE": str(table)}
            timed = bench("--mixed", ",".join(words), "--time", "0.3", env=env)
            learns = bench("--mixed", ",".join(words[1:-1]), "--time", "50", env=env | {"MPIGRAFT_LEARN": str(learned)})
            self.assertEqual((timed.returncode, learns.returncode), (0, 0), timed.stderr + learns.stderr)
            self.assertNotIn("leaked", timed.stderr + learns.stderr)
            rules = [rule for rule in json.loads(learned.read_text())["rules"] if "note" in rule]
        job = json.loads(timed.stdout)
        self.assertEqual([f"{call['collective']}:{call['bytes']}" for call in job["calls"]],
                         ["scan:8", "scan:64", "barrier:0", "allgather:1024", "scan_reduce:8"])
        self.assertEqual([call["ran"] for call in job["calls"][:3]], ["scan/binomial"] * 2 + ["native"])
        self.assertTrue(all(call["agrees"] and call["us"] > 0 for call in job["calls"]))
        self.assertEqual([made["calls"] for made in job["sequences"]], [[0, 1, 2, 3, 4]])
        *told, last = [json.loads(line) for line in learns.stdout.splitlines()]
        self.assertEqual((told[-1], last["decided"], last["trials"], last["sequences"]), ({"decided": 3, "of": 3}, 3, 3, []))
        self.assertEqual({rule["collective"] for rule in rules}, {"scan", "barrier", "allgather"})

    def test_sequences_are_of_calls_of_similar_sizes(self):
        sizes = [8, 65536, 512, 64, 32768, 16, 4096, 128, 256, 32]
        job = json.loads(bench("--mixed", ",".join(f"scan:{size}" for size in sizes), "--time", "0.1").stdout)
        found = [sorted(sizes[index] for index in made["calls"]) for made in job["sequences"]]
        self.assertEqual(found, [[8, 16, 32, 64, 128], [256, 512, 4096, 32768, 65536]])
        self.assertTrue(all(made["us"] > 0 for made in job["sequences"]))

    def test_refusals(self):
        for words, message in WRONG:
            run = bench(*words.split())
            self.assertEqual(run.returncode, 2, words)
            self.assertIn(message, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
