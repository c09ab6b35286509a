#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mpigraft tune as a whole, over a mpigraft-bench that is not there (fake_bench.py)."""
import json
import os
import shutil
import signal
import sys
import unittest

from command_call import HYDRA, OPEN_MPI, Folder, call
from test_report import report as job
from test_report import row

FAKE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fake_bench.py")
LAUNCHER = f"env FAKE_RANKS={{n}} {sys.executable} -IS"
NAMES = "scan/butterfly,scan/linear_pipeline,scan/binomial,scan/hierarchical,bcast/binomial,bcast/two_tree"
PATH = os.path.dirname(sys.executable) + ":" + os.environ["PATH"]  # what finds a python3 first may be slow
SCANS = ("--ranks", "8", "--collectives", "scan")

DRY_RUN = f"""\
{LAUNCHER.replace('{n}', '2')}: 6 cells (scan, bcast; 8 to 4M bytes), 2 to 4 algorithms in each
{LAUNCHER.replace('{n}', '8')}: 6 cells (scan, bcast; 8 to 4M bytes), 2 to 4 algorithms in each
decided already: 0 of 12 cells
to measure: at most 20 runs, about 0:31; to verify: about 0:04, if a launch takes 1 s and calls are short
the budget ends tuning in at most 5:00, with a table of what is measured by then
"""


class Tune(Folder):
    def setUp(self):
        super().setUp()
        self.log = self.path("log")

    def tune(self, *more, out="site.json", **variables):
        return call("tune", "--ranks", "2,8", "--bytes", "8,4K,4M", "--collectives", "scan,bcast", "--algorithms",
                    NAMES, "--launcher", LAUNCHER, "--bench", FAKE, "-o", self.path(out), *more, PATH=PATH,
                    FAKE_LOG=self.log, **variables)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def calls(self):
        return self.read("log").splitlines()

    def chosen(self, name="site.json"):
        return {(rule["collective"], rule["algorithm"]) for rule in json.loads(self.read(name))["rules"]}

    def test_calls_without_data_have_rules_without_bytes(self):
        code, _, error = call("tune", "--ranks", "2,8", "--bytes", "8,4K", "--collectives", "barrier,scan", "--algorithms",
                              "barrier/dissemination,scan/binomial", "--launcher", LAUNCHER, "--bench", FAKE, "-o",
                              self.path("site.json"), PATH=PATH, FAKE_LOG=self.log)
        self.assertEqual(code, 0, error)
        self.assertEqual(call("check", self.path("site.json"))[0], 0)
        rules = json.loads(self.read("site.json"))["rules"]
        self.assertEqual({"bytes" in rule for rule in rules if rule["collective"] == "barrier"}, {False})
        self.assertTrue(any(rule["collective"] == "scan" and "bytes" in rule for rule in rules))

    def test_the_best_of_each_cell_is_in_a_table_that_is_clean(self):
        code, out, error = self.tune()
        self.assertEqual(code, 0, error)
        self.assertEqual(call("check", self.path("site.json"))[0], 0)
        self.assertEqual(self.chosen(), {("scan", "binomial"), ("scan", "native"), ("bcast", "binomial"),
                                         ("bcast", "native")})
        table = json.loads(self.read("site.json"))
        self.assertEqual(len(table["rules"]), 4)  # both numbers of ranks, and sizes, are merged
        self.assertEqual(set(table["machine"]), {"latency", "bandwidth", "combine"})
        for word in ("fake (2 cores, load 0.5, none), 2026-01-02", "Native over native: 1.00 to 1.00", "1.05 times"):
            self.assertIn(word, table["note"])
        self.assertRegex(out, r"(?m)^scan +2 to 8 +8 to 4K +binomial +(\S+ to \S+) +\1$")
        self.assertEqual(sorted(os.listdir(self.folder)), ["log", "site.json", "site.json.results.jsonl"])

    def test_stopped_anywhere_it_goes_on_and_measures_nothing_twice(self):
        few = (*SCANS, "--bytes", "8,4K")
        self.assertEqual(self.tune(*few)[0], 0)
        whole, calls = self.read("site.json"), len(self.calls())
        for number, at, code in ((signal.SIGINT, 4, 130), (signal.SIGTERM, calls, 130),
                                 (signal.SIGKILL, 5, -signal.SIGKILL)):
            with self.subTest(number=number, at=at):
                out = f"{number}.json"
                os.remove(self.log)
                ended, _, error = self.tune(*few, out=out, FAKE_STOP=f"{at} {int(number)}")
                self.assertEqual(ended, code, error)
                self.assertFalse(os.path.exists(self.path(out)))
                if number == signal.SIGKILL:
                    with open(self.path(out + ".results.jsonl"), "a", encoding="utf-8") as results:
                        results.write('{"place": "env FAKE')  # as if in the middle of a line
                self.assertEqual(self.tune(*few, out=out)[0], 0)
                self.assertEqual(self.read(out), whole)
                self.assertEqual(len(self.calls()), calls + 1)  # the one that was cut short

    def test_dry_run(self):
        code, out, _ = self.tune("--dry-run", "--budget", "5m")
        self.assertEqual((code, out), (0, DRY_RUN))
        self.assertEqual(os.listdir(self.folder), [])
        self.tune(*SCANS)
        self.assertIn("decided already: 3 of 12 cells\nto measure: at most 12 runs", self.tune("--dry-run")[1])

    def test_calls_of_mpigraft_h_are_measured_under_the_rules_of_the_rest(self):
        def tune(*more, **variables):
            return call("tune", "--ranks", "2,8", "--bytes", "8,4K,4M", "--collectives", "scan,reduce,allreduce",
                        "--launcher", LAUNCHER, "--bench", FAKE, "-o", self.path("site.json"), *more, PATH=PATH,
                        FAKE_LOG=self.log, **variables)

        code, out, error = tune()
        self.assertEqual(code, 0, error)
        self.assertEqual(call("check", self.path("site.json"))[0], 0)
        asked = [line for line in self.calls() if "scan_reduce" in line]
        self.assertEqual(len(asked), 2)  # a launch for each number of ranks
        for line in asked:
            self.assertIn("--collectives scan_reduce,scan_allreduce,scan_scan --bytes 8,4096 ", line)
        ways = {rule["collective"]: rule["algorithm"] for rule in json.loads(self.read("site.json"))["rules"]
                if "_" in rule["collective"]}
        self.assertEqual(ways, {"scan_reduce": "fused", "scan_allreduce": "apart", "scan_scan": "fused"})
        self.assertRegex(out, r"(?m)^scan_reduce +2 to 8 +8 to 4K +fused +1.48")
        self.assertEqual(tune()[0], 0)
        self.assertEqual(len([line for line in self.calls() if "scan_reduce" in line]), 2)  # nothing twice
        self.assertIn("to measure the calls of mpigraft.h: about 0:0", tune("--dry-run")[1])
        code, _, error = tune("--fresh", FAKE_BREAKS="scan_scan/fused")
        self.assertEqual(code, 1)
        self.assertIn("exit code 3", error)

    def test_what_the_second_run_refutes_is_native(self):
        code, out, _ = self.tune(*SCANS, FAKE_SLOW="4096")
        self.assertEqual(code, 0)
        self.assertIn("so the table leaves it native: scan of 4096 bytes, 8 ranks", out)
        rules = [rule for rule in json.loads(self.read("site.json"))["rules"] if rule["collective"] == "scan"]
        self.assertEqual([(rule["algorithm"], rule["bytes"]["max"]) for rule in rules],
                         [("binomial", 160), ("native", "4M")])

    def test_the_budget_ends_it(self):
        code, out, error = self.tune("--budget", "0s", out="none.json")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("the budget is too small", error)
        # a native call seems to take 1.4 s with 4 KiB, 7 min with 4 MiB
        code, out, _ = self.tune(*SCANS, "--budget", "3m", FAKE_SCALE="1e5")
        self.assertEqual(code, 0)
        cut = len(self.calls())
        self.assertRegex(out, "not measured, so native: scan of 4M bytes, 8 ranks\n(.*\n)*.*larger --budget")
        self.assertIn("not measured", json.loads(self.read("site.json"))["note"])
        self.assertFalse([line for line in self.calls() if "4194304" in line])
        self.assertNotRegex(out, "scan of .*4K")
        self.assertEqual(self.tune(*SCANS)[0], 0)
        self.assertGreater(len(self.calls()), cut)

    def test_an_algorithm_that_breaks_the_run_costs_its_cells_only(self):
        code, out, error = self.tune("--ranks", "2", FAKE_BREAKS="bcast/two_tree")
        self.assertEqual(code, 1)
        self.assertIn("exit code 3 of env FAKE_RANKS=2", error)
        self.assertIn("not measured, so native: bcast of 8 bytes, 2 ranks (exit code 3", out)
        self.assertEqual(self.chosen(), {("scan", "binomial"), ("scan", "native")})

    def test_from_a_report(self):
        """The report is in parts, as ranks leave it that never met."""
        report = self.path("report.json")
        parts = ([row(ranks=5, bytes_max=100)], [row(collective="bcast", ranks=1), row(bytes_min=0, bytes_max=0)])
        for rank, rows in enumerate(parts):
            self.write(f"report.json.part-{rank}-{'a' * 16}-{rank + 1}", json.dumps(job(first_rank=rank, rows=rows)))
        arguments = ("--launcher", LAUNCHER, "--bench", FAKE, "-o", self.path("site.json"))
        code, _, error = call("tune", "--from", report, *arguments, FAKE_LOG=self.log)
        self.assertEqual(code, 0, error)
        asked = {line.split(" --algorithms")[0] for line in self.calls() if line.startswith("5 ")}
        self.assertEqual(asked, {f"5 --collectives scan --bytes {size}" for size in ("8", "32", "104", "8,32,104")})
        self.write("report.json", "{}")
        code, out, error = call("tune", "--from", report, *arguments)
        self.assertEqual((code, out), (2, ""))
        self.assertIn('no "kind" here', error)

    def test_the_launcher(self):
        def place(*more, **variables):
            code, out, error = call("tune", "--ranks", "2", "--collectives", "scan", "--bench", FAKE, "--dry-run", "-o",
                                    self.path("site.json"), *more, **variables)
            return out.split(": ")[0] if code == 0 else error

        tools = {name: shutil.which(name) for name in ("python3", "sh", "cat", "ldd")}
        for name, tool in tools.items():
            os.makedirs(self.path("bin"), exist_ok=True)
            os.symlink(tool, self.path("bin", name))
        path = {"PATH": self.path("bin")}
        self.assertIn("no mpiexec of MPICH on PATH; install it, or name a launcher with MPIGRAFT_LAUNCHER or --launcher",
                      place(**path))
        other = self.write("bin/mpiexec", f"#!/bin/sh\necho '{OPEN_MPI}'\n", 0o755)
        self.assertIn(f"no mpiexec of MPICH on PATH ({other}: of another MPI)", place(**path))
        hydra = self.write("bin/mpiexec.hydra", f"#!/bin/sh\necho '{HYDRA}'\n", 0o755)
        self.assertEqual(place(**path), f"{hydra} -n 2")
        beside = self.write("mpich/bin/mpiexec", f"#!/bin/sh\necho '{HYDRA}'\n", 0o755)
        os.remove(self.path("bin/ldd"))
        self.write("bin/ldd", f"#!/bin/sh\necho '\tlibmpich.so.12 => {self.path('mpich/lib/libmpich.so.12')} (0x1)'\n", 0o755)
        self.assertEqual(place(**path), f"{beside} -n 2")
        for text, words in (("srun", "srun -n 2"), ("srun -N1 -n{n}", "srun -N1 -n2")):
            self.assertEqual(place(MPIGRAFT_LAUNCHER=text), words)
            self.assertEqual(place("--launcher", text, MPIGRAFT_LAUNCHER="absent"), words)

    def test_refusals(self):
        for arguments, told in (((), "required"), (("--ranks", "1"), "not a number of ranks"),
                                (("--ranks", "2", "--from", "f"), "not allowed"),
                                (("--ranks", "2", "--bytes", "x"), "not a size"),
                                (("--ranks", "2", "--budget", "x"), "not a time"),
                                (("--ranks", "2", "--algorithms", "scan/no"), "unknown algorithm: scan/no"),
                                (("--ranks", "2", "--bench", "/no/such"), "mpigraft-bench is not"),
                                (("--ranks", "2", "--launcher", "/no/such"), "cannot run /no/such"),
                                (("--ranks", "2", "--launcher", "env FAKE_RANKS=1{n}"), "started 12 ranks instead of 2")):
            with self.subTest(arguments):
                code, out, error = call("tune", "--bench", FAKE, "-o", self.path("site.json"), *arguments,
                                        FAKE_LOG=self.log)
                self.assertEqual((code, out), (2, ""))
                self.assertIn(told, error)


if __name__ == "__main__":
    unittest.main(argv=["test_tune_run"])
