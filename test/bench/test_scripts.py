#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The scripts that measure: what they leave, what they refuse, and how they end. Usage: test_scripts.py BUILD"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import repository

BUILD = Path(sys.argv[1])
ROOT = Path(__file__).resolve().parents[2]
BENCH, GUARD, CLUSTER, FUZZ = (ROOT / "scripts" / name for name in ("bench", "guard", "cluster", "fuzz-table"))
AGAINST = (GUARD, "--build", BUILD, "--against", "native")
RUN = (CLUSTER, "run", "--hosts", "2")
FAKE = """#!/bin/sh
echo '{"ranks": 1, "cells": [{"collective": "scan_scan", "bytes": 8, "arms": [{"arm": "native", "agrees": false}]}]}'
exit 1
"""
# commands with exit code 2, and what they say
REFUSED = (
    ((BENCH, "bogus"), "bogus is none of calls, programs"),
    ((BENCH, "--ranks", "0"), "0: write a number from 1 on"),
    ((BENCH, "--cluster", "2x2", "--rate", "bogus"), "bogus: write a rate such as 20mbit"),
    ((BENCH, "--build", BUILD, "--out", "/proc/x"), "/proc/x"),
    ((BENCH, "plot", "/nonexistent"), "/nonexistent: no results"),
    *(((BENCH, name, "--build", "/nonexistent"), "is missing: scripts/setup; ninja -C /nonexistent")
      for name in ("calls", "programs", "applications", "compositions", "learning")),
    ((*AGAINST, "--ranks", "x"), "x: write a number from 1 on"),
    ((*AGAINST, "--launches", "-1"), "-1: write a number from 1 on"),
    ((*AGAINST, "--env", "FOO"), "FOO: write NAME=VALUE"),
    ((*RUN, "--env", "FOO", "true"), "FOO: write NAME=VALUE"),
    ((*RUN, "--rate", "bogus", "true"), "bogus: write a rate such as 20mbit"),
    ((CLUSTER, "run", "--hosts", "0", "true"), "0: write a number from 1 on"),
    ((FUZZ, "--seconds"), "usage: scripts/fuzz-table"),
    ((FUZZ, "--seconds", "x"), "usage: scripts/fuzz-table"),
    ((ROOT / "test/preload/side_by_side.py", "--mpiexec", "mpiexec", "--library", "/a b/libmpigraft.so", "true"),
     "there is no /a; LD_PRELOAD splits paths"),
)


def marked(*words):
    """The processes that have these words in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            content = path.read_bytes()
            if all(word.encode() in content for word in words):
                found.append(path.parent.name)
        except OSError:  # it is another user's, or has ended
            pass
    return found


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_measures_calls(self):
        run = repository.run(BENCH, "--build", BUILD, "--ranks", "2", "--quick", "--collectives", "bcast", "--bytes", "8",
                             "--out", self.folder, timeout=100)
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("| 2 ranks | bcast |", (self.folder / "table.md").read_text())
        self.assertTrue((self.folder / "ratio.png").exists())

    def test_tells_wrong_results(self):
        fake = self.folder / "shim/bench/mpigraft-bench"
        fake.parent.mkdir(parents=True)
        fake.write_text(FAKE)
        fake.chmod(0o755)
        run = repository.run(BENCH, "compositions", "--build", self.folder, "--ranks", "1", timeout=60)
        self.assertIn("wrong results: native (scan_scan, 8 bytes)", run.stdout)
        self.assertEqual(run.returncode, 2)

    def test_refuses(self):
        for words, told in REFUSED:
            run = repository.run(*words, timeout=60)
            self.assertEqual(run.returncode, 2, run.stdout)
            self.assertIn(told, run.stdout)
            self.assertNotIn("Traceback", run.stdout)

    def test_ends_its_ranks(self):
        for words in ((BENCH, "applications", "prefix_sums"), AGAINST):
            mark = f"STARTED_BY={self.folder}/{Path(words[0]).name}"
            name, value = mark.split("=")
            with open(self.folder / "output", "w+", encoding="utf-8") as output:
                process = subprocess.Popen([*map(str, words), "--build", BUILD], stdout=output, stderr=output,
                                           env=repository.CLEAN | {name: value, "TMPDIR": str(self.folder)})
                end = time.monotonic() + 60
                while not marked(mark, "PMI_RANK=") and time.monotonic() < end:
                    time.sleep(0.1)
                process.send_signal(signal.SIGTERM)
                self.assertEqual(process.wait(60), 130)
                output.seek(0)
                self.assertNotIn("Traceback", output.read())
            self.assertEqual(marked(mark), [])
            self.assertEqual(os.listdir(self.folder), ["output"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
