#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The scripts that measure: what they leave, and how they end. Usage: test_scripts.py BUILD"""

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import repository

BUILD = Path(sys.argv[1])
ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts/benchmarks"), str(ROOT / "test/preload")]
import places  # noqa: E402,F401 -- first: it finds the modules below
import timing  # noqa: E402
from launch import processes_with, wait_until  # noqa: E402

BENCH, GUARD = ROOT / "scripts/bench", ROOT / "scripts/guard"
FAKE = """#!/bin/sh
echo '{"ranks": 1, "cells": [{"collective": "scan_scan", "bytes": 8, "arms": [{"arm": "native", "agrees": false}]}]}'
exit 1
"""


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_measures_calls(self):
        for more in ("--collectives", "bcast"), ("--algorithms", "bcast/binomial"):
            run = repository.run(BENCH, "--build", BUILD, "--ranks", "2", "--quick", "--bytes", "8", "--out", self.folder,
                                 *more, timeout=100, env=repository.CLEAN | {"MPIGRAFT_FORCE": "bcast=native"})
            self.assertEqual(run.returncode, 0, run.stdout)
        self.assertRegex((self.folder / "results.jsonl").read_text(), r'"asked": \["mpigraft .*"ran": "bcast/')
        self.assertRegex((self.folder / "table.md").read_text(),
                         r"\| 2 ranks \| bcast \| .*\d.*\n\| 2 ranks \| bcast/binomial \|")
        self.assertTrue((self.folder / "ratio.png").exists())

    def test_tells_wrong_results(self):
        fake = self.folder / "shim/bench/mpigraft-bench"
        fake.parent.mkdir(parents=True)
        fake.write_text(FAKE)
        fake.chmod(0o755)
        (self.folder / "config").symlink_to(BUILD / "config")
        run = repository.run(BENCH, "compositions", "--build", self.folder, "--ranks", "1", timeout=60)
        self.assertIn("wrong results: native (scan_scan, 8 bytes)", run.stdout)
        self.assertEqual(run.returncode, 1)

    def test_refusals(self):
        tuned = self.folder / "site.json.results.jsonl"
        tuned.write_text('{"place": "mpiexec -n 2", "asked": [], "seconds": 1, "calls": []}\n')
        build, env = ("--build", BUILD), repository.CLEAN | {"TMPDIR": str(self.folder)}
        for words in ((BENCH, "calls", *build, "--ranks", "-"), (BENCH, "learning", *build, "--ranks", "-"),
                      (BENCH, "calls", *build, "--ranks", "2", "--collectives", "scan", "--algorithms", "bcast/binomial"),
                      (BENCH, "applications", *build, "--ranks", "2", "--quick", "--plot", "/absent/x.png", "segment_sum"),
                      (GUARD, *build, "--against", "native", "--quick", "--cells", "scan/1,reduce/1O24"),
                      (ROOT / "scripts/cluster", "run", *build, "--hosts", "201", "true"),
                      (BENCH, "plot", tuned), (BENCH, "plot", tuned, "--out", "/absent/folder")):
            with self.subTest(words):
                self.assertEqual(repository.run(*words, timeout=100, cwd=self.folder, env=env).returncode, 2)

    def test_times_of_programs(self):
        for seconds, stopped, cell, code in (([[1.0] * 3, [1.0] * 3, [0.5] * 3], [], "1, 0.5: **2**", 0),
                                             ([[1.0] * 3, [0.9] * 3, [0.94] * 3], [], "1, 0.94: 1.01", 0),
                                             ([[9.0], [], [3.0] * 3], ["native"], "> 9, 3: **> 3**", 0),
                                             ([[1.0], [1.0], [9.0]], ["preloaded"], "1, > 9: **< 0.111**", 1),
                                             ([[9.0], [], [9.0]], ["native", "preloaded"], "> 9, > 9: not known", 0)):
            timed = timing.Timed(None, None, 3, seconds=dict(zip(timing.ARMS, seconds)), stopped={*stopped})
            self.assertEqual((timing.cell(timed), timing.exit_code([timed])), (cell, code))

    def test_ends_its_ranks(self):
        for words in ((BENCH, "applications", "prefix_sums"), (GUARD, "--against", "native")):
            mark = f"STARTED_BY={self.folder}/{Path(words[0]).name}"
            name, value = mark.split("=")
            with open(self.folder / "output", "w+", encoding="utf-8") as output:
                process = subprocess.Popen([*map(str, words), "--build", BUILD], stdout=output, stderr=output,
                                           env=repository.CLEAN | {name: value, "TMPDIR": str(self.folder)})
                wait_until(lambda: processes_with(mark, "PMI_RANK="), 60)
                process.send_signal(signal.SIGTERM)
                self.assertEqual(process.wait(60), 130)
                output.seek(0)
                self.assertNotIn("Traceback", output.read())
            self.assertEqual(processes_with(mark), [])
            self.assertEqual(os.listdir(self.folder), ["output"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
