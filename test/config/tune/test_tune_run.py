# SPDX-License-Identifier: MIT
"""mpigraft tune as a whole, over a mpigraft-bench that is not there (stand_in.py)."""
import fcntl
import json
import os
import signal
import sys
from pathlib import Path

from command_call import DEFAULT_TABLE, HYDRA, Folder, call, text_of, unread
from test_report import report as job
from test_report import row

FAKE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stand_in.py")
POLICY = str(Path(DEFAULT_TABLE).with_name("policy.json"))
LAUNCHER = f"env FAKE_RANKS={{n}} {sys.executable} -IS"
PATH = os.path.dirname(sys.executable) + ":" + os.environ["PATH"]  # what finds a python3 first may be slow
SCANS = ("--ranks", "8", "--collectives", "scan")

DRY_RUN = f"""\
{LAUNCHER.replace('{n}', '2')}: 9 kinds of calls (scan, bcast; 8 to 4M bytes)
{LAUNCHER.replace('{n}', '8')}: 9 kinds of calls (scan, bcast; 8 to 4M bytes)
decided already: 0 of 18 kinds of calls
to start: 2 jobs that learn, and at least 9 launches for each number of ranks that compare with native; a job takes 200 \
to 400 calls of each kind
the budget ends tuning in at most 5:00, with a table of what is decided by then
"""


class Tune(Folder):
    def setUp(self):
        super().setUp()
        self.log = self.path("log")

    def tune(self, *more, out="site.json", ends=0, **variables):
        """(stdout, stderr)"""
        words = ("tune", "--ranks", "2,8", "--bytes", "8,4K,4M", "--collectives", "scan,bcast", "--launcher", LAUNCHER)
        done = call(*words, "--bench", FAKE, "-o", self.path(out), *more, PATH=PATH, FAKE_LOG=self.log, **variables)
        return self.ended(done, ends)

    def calls(self):
        return text_of(self.log).splitlines()

    def made(self, name="site.json"):
        return json.loads(text_of(self.path(name)))

    def rules(self, name="site.json"):
        self.ended(call("check", self.path(name)), 0)
        return self.made(name)["rules"]

    def test_calls_without_data_have_rules_without_bytes(self):
        self.tune("--collectives", "barrier,scan", "--bytes", "8,4K")
        rules = self.rules()
        self.assertEqual({"bytes" in rule for rule in rules if rule["collective"] == "barrier"}, {False})
        self.assertTrue(any(rule["collective"] == "scan" and "bytes" in rule for rule in rules))

    def test_what_jobs_have_learned_is_in_a_table_that_is_clean(self):
        out, _ = self.tune()
        rules = [(rule["collective"], rule["algorithm"], rule.get("operator"), rule["bytes"]) for rule in self.rules()]
        small, large = {"max": "128K"}, {"min": 131073, "max": "4M"}  # both numbers of ranks, and sizes, are merged
        self.assertEqual(rules, [("scan", "linear_pipeline", "user", small), ("scan", "native", "user", large),
                                 ("scan", "linear_pipeline", None, small), ("scan", "native", None, large),
                                 ("bcast", "binomial", None, small), ("bcast", "native", None, large)])
        table = self.made()
        self.assertEqual(set(table["machine"]), {"latency", "bandwidth", "combine"})
        for word in ("fake (2 cores, load 0.5, MPICH), 2026-01-02", "compared with native jobs"):
            self.assertIn(word, table["note"])
        self.assertRegex(out, r"(?m)^scan +2 to 8 +8 to 4K +linear_pipeline +2.10 +2.00$")
        self.assertRegex(out, r"(?m)^bcast +2 to 8 +4M +native +2.10 +not compared$")
        self.assertEqual(sorted(os.listdir(self.folder)), ["log", "site.json", "site.json.results.jsonl"])

    def test_native_and_tuned_jobs_take_turns(self):
        self.tune(*SCANS)
        results = text_of(self.path("site.json.results.jsonl")).splitlines()
        compared = [run["asked"][3:5] for run in map(json.loads, results) if run["asked"][1] == "compare"]
        self.assertEqual(sorted(compared), [[arm, str(number)] for arm in ("native", "null", "tuned") for number in range(3)])
        self.assertEqual([number for _, number in compared], sorted(number for _, number in compared))

    def test_stopped_anywhere_it_goes_on_and_runs_nothing_twice(self):
        few = (*SCANS, "--bytes", "8,4K")
        self.tune(*few)
        whole, calls = text_of(self.path("site.json")), len(self.calls())
        for number, at, code in ((signal.SIGINT, 3, 130), (signal.SIGTERM, calls, 130),
                                 (signal.SIGKILL, 5, -signal.SIGKILL)):
            with self.subTest(number=number, at=at):
                out = f"{number}.json"
                os.remove(self.log)
                self.tune(*few, out=out, ends=code, FAKE_STOP=f"{at} {int(number)}")
                self.assertFalse(os.path.exists(self.path(out)))
                if number == signal.SIGKILL:
                    with open(self.path(out + ".results.jsonl"), "a", encoding="utf-8") as results:
                        results.write('{"place": "env FAKE')  # as if in the middle of a line
                self.assertNotIn("measuring", self.tune(*few, out=out)[1])
                self.assertEqual(text_of(self.path(out)), whole)
                self.assertEqual(len(self.calls()), calls + 1)  # the one that was cut short

    def test_damaged_figures_are_told(self):
        for line in "[", "1", "{}":
            self.write("site.json.results.jsonl", line + "\n")
            _, error = self.tune(*SCANS, ends=2)
            self.assertRegex(error, r"^mpigraft tune: .*results.jsonl:1: not a result .*; remove the line\n$")

    def test_two_at_a_time_are_told(self):
        path = self.path("site.json.results.jsonl")
        with open(path, "a", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            _, error = self.tune(*SCANS, ends=2)
        self.assertEqual(error.splitlines()[-1], f"mpigraft tune: another mpigraft tune appends to {path}; wait for it, or "
                                                 "name another file by --out")
        self.assertEqual(os.path.getsize(path), 0)

    def test_dry_run(self):
        self.assertEqual(self.tune("--dry-run", "--budget", "5m")[0], DRY_RUN)
        self.assertEqual(os.listdir(self.folder), [])
        self.tune(*SCANS)
        self.assertIn("decided already: 6 of 18 kinds of calls\n", self.tune("--dry-run")[0])
        self.assertEqual(self.tune("--dry-run", "--budget", "5m", MPIGRAFT_SHARED="0")[0], DRY_RUN)

    def test_calls_of_mpigraft_h_are_measured_under_the_rules_of_the_rest(self):
        words = ("--collectives", "scan,reduce,allreduce")
        out, _ = self.tune(*words)
        asked = [line for line in self.calls() if "scan_reduce" in line]
        self.assertEqual(len(asked), 2 * 4 * 3)  # for each number of ranks four arms, three times
        for line in asked:
            self.assertIn("--mixed scan_reduce:8,scan_reduce:4096,scan_allreduce:8,", line)
        variants = {rule["collective"]: rule["algorithm"] for rule in self.rules() if rule["collective"].startswith("scan_")}
        self.assertEqual(variants, {"scan_reduce": "fused", "scan_allreduce": "apart", "scan_scan": "fused"})
        self.assertRegex(out, r"(?m)^scan_reduce +2 to 8 +8 to 4K +fused +1.25")
        self.tune(*words)
        self.assertEqual(len([line for line in self.calls() if "scan_reduce" in line]), 24)  # nothing twice

    def test_what_the_comparison_refutes_is_native(self):
        out, _ = self.tune(*SCANS, FAKE_SLOW="scan:4096")
        self.assertIn("slower than native when compared, so the table leaves it native: scan of 4096 bytes, 8 ranks", out)
        rules = [rule for rule in self.rules() if "operator" not in rule]
        self.assertEqual([(rule["algorithm"], rule["bytes"]["max"]) for rule in rules],
                         [("linear_pipeline", 160), ("native", "4M")])
        self.tune(*SCANS, "--margin", "2.5", out="much.json")
        self.assertEqual({rule["algorithm"] for rule in self.rules("much.json")}, {"native"})

    def test_what_makes_calls_behind_it_slower_is_native(self):
        out, _ = self.tune("--ranks", "2", "--bytes", "8", FAKE_COSTLY="bcast:8")
        self.assertIn("calls behind it take longer than natively, so the table leaves it native: bcast of 8 bytes, 2 ranks\n", out)
        self.assertEqual({(rule["collective"], rule["algorithm"]) for rule in self.rules()},
                         {("scan", "linear_pipeline"), ("bcast", "native")})
        self.assertIn("native, because calls behind it take longer than natively: bcast of 8", self.made()["note"])

    def test_the_budget_ends_it(self):
        out, error = self.tune("--budget", "0s", out="none.json", ends=2)
        self.assertEqual(out, "")
        self.assertRegex(error, r"the budget is too small; --budget \d+s is about enough")
        out, _ = self.tune(*SCANS, "--budget", "10m", FAKE_UNDECIDED="scan:8")
        self.assertRegex(out, "not decided, so native: scan of 8 bytes, 8 ranks\n(.*\n)*.*larger budget to decide more; --budget")
        self.assertIn("not decided", self.made()["note"])
        self.assertEqual([rule["bytes"]["min"] for rule in self.rules() if "operator" not in rule], ["4K", 131073])
        cut = len(self.calls())
        self.tune(*SCANS)
        self.assertEqual([line.split()[1:3] for line in self.calls()[cut:]][0], ["--mixed", "scan:8"])

    def test_calls_that_break_a_job_cost_that_job_only(self):
        out, error = self.tune("--ranks", "2", "--bytes", "8,1K,8K,64K,512K", ends=1, FAKE_BREAKS="bcast:8")
        self.assertIn("exit code 3 of env FAKE_RANKS=2", error)
        self.assertIn("not decided, so native: bcast of 8 bytes, 2 ranks (exit code 3", out)
        self.assertTrue({rule["algorithm"] for rule in self.rules()} - {"native"})

    def test_jobs_that_do_not_learn_decide_nothing(self):
        """As where the site has settled something that forbids it."""
        _, error = self.tune(*SCANS, ends=2, FAKE_FIXED="1")
        self.assertIn("nothing is decided: the job on 8 ranks did not learn; `mpigraft env` shows what the site settles", error)
        self.assertIn("decided already: 0 of 6", self.tune(*SCANS, "--dry-run")[0])
        self.tune(*SCANS)
        self.assertTrue({rule["algorithm"] for rule in self.rules()} - {"native"})

    def test_wrong_results_are_told(self):
        out, error = self.tune(*SCANS, ends=1, FAKE_WRONG="scan:8")
        self.assertIn("or its result was wrong, so the table leaves it native: scan of 8 bytes, 8 ranks", out)
        self.assertIn("wrong result: scan/linear_pipeline (scan, 8 bytes, 8 ranks)", error)
        self.assertFalse([rule for rule in self.rules() if "operator" not in rule and rule["algorithm"] != "native"
                          and rule["bytes"].get("min", 0) == 0])

    def test_a_policy_extends_what_was_measured_and_keeps_the_rest(self):
        before = json.loads(Path(DEFAULT_TABLE).read_text())["rules"]
        self.write("site.json", json.dumps({"version": 1, "rules": before}))
        self.tune("--collectives", "bcast", "--ranks", "2", "--policy", POLICY)
        after = self.rules()
        two = [rule for rule in before if rule["collective"] == "bcast" and rule["note"].startswith("two ranks on a node")]
        self.assertEqual([rule for rule in after if rule not in before], [
            {"collective": "bcast", "algorithm": "binomial", "ranks": {"max": 2}, "nodes": {"max": 1},
             "bytes": {"max": "128K"}, "note": "two ranks on a node: 2.0 times native's speed"},
            {"collective": "bcast", "algorithm": "native", "ranks": {"max": 2}, "nodes": {"max": 1},
             "bytes": {"min": 131073, "max": "4M"}, "note": "two ranks on a node: nothing that was tried is faster"}])
        self.assertEqual([rule for rule in before if rule not in after], two)

    def test_from_a_report(self):
        """The report is in parts, as ranks leave it that never met."""
        report = self.path("report.json")
        parts = ([row(ranks=5, bytes_max=100)], [row(collective="bcast", ranks=1), row(bytes_min=0, bytes_max=0)])
        for rank, rows in enumerate(parts):
            self.write(f"report.json.part-{rank}-{'a' * 16}-{rank + 1}", json.dumps(job(first_rank=rank, rows=rows)))
        arguments = ("--launcher", LAUNCHER, "--bench", FAKE, "-o", self.path("site.json"))
        self.ended(call("tune", "--from", report, *arguments, FAKE_LOG=self.log), 0)
        asked = {line.split(" --time")[0] for line in self.calls() if line.startswith("5 ")}
        self.assertEqual(asked, {"5 --mixed scan:8,scan:32,scan:104"})
        self.write("report.json", "{}")
        self.assertIn('"kind" is not "report"', self.refused(call("tune", "--from", report, *arguments)))
        self.assertIn("report.json is what --from reads", self.refused(call("tune", *arguments, "--from", report, "-o", report)))

    def test_the_launcher(self):
        """It is found as by `mpigraft run`, for the MPI of mpigraft-bench."""
        def place(*more, **variables):
            path = self.path("bin") + ":" + os.environ["PATH"]
            code, out, error = call("tune", "--ranks", "2", "--collectives", "scan", "--bench", FAKE, "--dry-run", "-o",
                                    self.path("site.json"), *more, PATH=path, **variables)
            return out.split(": ")[0] if code == 0 else error

        beside = self.write("mpich/bin/mpiexec", f"#!/bin/sh\necho '{HYDRA}'\n", 0o755)
        self.write("bin/ldd", f"#!/bin/sh\necho '\tlibmpich.so.12 => {self.path('mpich/lib/libmpich.so.12')} (0x1)'\n", 0o755)
        self.write("bin/srun", "#!/bin/sh\n", 0o755)
        self.assertEqual(place(), f"{beside} -n 2")
        self.assertEqual(place(MPIGRAFT_LAUNCHER="srun"), "srun -n 2")
        self.assertEqual(place("--launcher", "srun -N1 -n{n}", MPIGRAFT_LAUNCHER="absent"), "srun -N1 -n2")

    def test_the_reader_may_go_away(self):
        """As that of `| head` does: the table is written, and nothing is said."""
        for more in (), ("--help",):
            with unread() as pipe:
                self.assertNotIn("Broken", self.tune("--bytes", "8", *SCANS, *more, stdout=pipe)[1])
        self.assertTrue(self.rules())

    def test_refusals(self):
        for arguments, told in (((), "required"), (("--ranks", "1"), "not a number of ranks"),
                                (("--ranks", "2", "--from", "f"), "excludes"),
                                (("--ranks", "2", "--bytes", "x"), "not a list of sizes"),
                                (("--ranks", "2-4"), '"2-4" is not a list of numbers of ranks; write 2,8'),
                                (("--ranks", "2", "-o", b"\xff.json"), "is not UTF-8; rename the file"),
                                (("--ranks", "2", "--budget", "x"), "not a time"),
                                (("--ranks", "2", "--bench", "/no/such"), "--bench: there is no /no/such"),
                                (("--ranks", "2", "-o", "/no/such/x"), "--out: there is no folder /no/such; make it, or"),
                                (("--ranks", "2", "--margin", "0"), '"0" is not a factor; write 1.05'),
                                (("--ranks", "2", "--margin", "nan"), '"nan" is not a factor; write 1.05'),
                                (("--ranks", "2", "-o", "/dev/null"), "--out: /dev/null is no regular file; name another one"),
                                (("--ranks", "2", "-o", ""), "--out: the word is empty; is a variable of the shell unset?"),
                                (("--from", "f", "--bytes", "8"), "excludes"),
                                (("--ranks", "2", "--policy", self.write("p", "{}")), f'{self.path("p")}: "places" is missing, or no array'),
                                (("--ranks", "2", "--policy", self.write("p1", "1")), f'{self.path("p1")}: "places" is missing'),
                                (("--ranks", "2", "--policy", self.write("p0", "")), f'{self.path("p0")}: Expecting value'),
                                (("--ranks", "2", "--policy", "/no/such"), "'/no/such'"),
                                (("--ranks", "2", "--launcher", "/no/such"), "no /no/such on PATH"),
                                (("--ranks", "2", "--launcher", "env FAKE_RANKS=1{n}"), "started 12 ranks instead of 2")):
            with self.subTest(arguments):
                done = call("tune", "--bench", FAKE, "-o", self.path("site.json"), *arguments, FAKE_LOG=self.log)
                self.assertIn(told, self.refused(done))
