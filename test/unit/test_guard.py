#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/guard with builds and a launcher that are stand-ins: which cells it calls slower, and how it ends."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

GUARD = Path(__file__).resolve().parents[2] / "scripts/guard"
# A launcher that prints two cells. Their times depend on the library that it would preload, and on the launch.
LAUNCHER = """#!/bin/sh
case "$*" in --version) echo HYDRA; exit;; esac
number=$(cat {folder}/number 2>/dev/null || echo 0)
echo $((number + 1)) >{folder}/number
us=$((100 + number % 5))
case "$*" in *{this}/shim*) slow=$((us * {percent} / 100));; *) slow=$us;; esac
case "$*" in *' scan/1') ;; *) echo scan/8 $us;; esac
echo scan/1 $slow
echo calls: {verdict}
"""


class Guard(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
        for name in ("this", "base"):
            for file in ("shim/libmpigraft.so", "test/apps/calls"):
                path = self.folder / name / file
                path.parent.mkdir(parents=True)
                path.touch()

    def run_guard(self, *words, percent=100, verdict="right", against=None):
        launcher = self.folder / "mpiexec"
        launcher.write_text(LAUNCHER.format(folder=self.folder, this=self.folder / "this", percent=percent, verdict=verdict))
        launcher.chmod(0o755)
        return subprocess.run(
            [GUARD, "--build", self.folder / "this", "--against", against or self.folder / "base", "--quick", *words],
            env=os.environ | {"MPIGRAFT_LAUNCHER": str(launcher)}, capture_output=True, text=True, check=False)

    def test_alike(self):
        done = self.run_guard("--launches", "8")
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (0, "slower: none"), done)
        self.assertIn("| 4 | scan/8 |", done.stdout)

    def test_slower(self):
        for against in (None, "native"):
            done = self.run_guard(percent=120, against=against)
            self.assertEqual((done.returncode, done.stdout.splitlines()[-1]),
                             (1, "slower: scan/1 at 2 ranks, scan/1 at 4 ranks"), done)
            self.assertIn("Measured again", done.stdout)

    def test_faster_or_less_than_the_tolerance(self):
        for percent, words in ((50, ()), (120, ("--tolerance", "0.3"))):
            self.assertEqual(self.run_guard(*words, percent=percent).returncode, 0)

    def test_what_cannot_be_compared(self):
        self.assertEqual(self.run_guard(verdict="WRONG").returncode, 1)
        done = self.run_guard(against="no-such-commit")
        self.assertEqual(done.returncode, 2)
        self.assertIn("neither a commit nor a build folder", done.stderr)
        self.assertEqual(self.run_guard("--apps", "halo").returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=["test_guard"])
