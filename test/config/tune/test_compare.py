# SPDX-License-Identifier: MIT
"""mpigraft compare, with launches that are not there (stand_in.py), and paired launches."""
import json
import os
import shutil
import signal
import sys
import unittest

from command_call import COMMAND, HYDRA, Folder, call, text_of

sys.path.insert(0, os.path.join(os.path.dirname(COMMAND), "tune"))
from paired import Times, turns

FAKE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stand_in.py")
BESIDE = ("tune", "compare_page.py", "page.py", "page.css", "page.js")
ARMS = ("native", "null", "grafted")
SLOW, FAST = 0.15, 0.03
EITHER = (0, 1)  # where nothing differs, one arm may be slower by chance
PATH = os.path.dirname(sys.executable) + ":" + os.environ["PATH"]  # what finds a python3 first may be slow


class Turns(unittest.TestCase):
    def test_each_round_has_every_arm_in_an_order_of_its_own(self):
        made = list(turns(ARMS, 40, warm_up=1))
        rounds = [made[at:at + 3] for at in range(0, len(made), 3)]
        self.assertEqual([{number for _, number in one} for one in rounds], [{number} for number in range(-1, 40)])
        for one in rounds:
            self.assertEqual({arm for arm, _ in one}, {*ARMS})
        self.assertGreater(len({tuple(arm for arm, _ in one) for one in rounds}), 1)

    def test_no_round_begins_for_which_there_is_no_time(self):
        now = 0

        def made(seconds):
            nonlocal now
            count = 0
            for _ in turns(ARMS, 10, seconds=seconds, clock=lambda: now):
                now, count = now + 1, count + 1
            return count

        self.assertEqual([made(seconds) for seconds in (None, 100, 9, 8.5, 0)], [30, 30, 9, 6, 3])


class Verdicts(unittest.TestCase):
    NATIVE, NULL = [1.0, 1.02, 1.01, 1.03], [1.01, 1.0, 1.04, 1.02]

    def verdict(self, this):
        return Times(self.NATIVE, self.NULL, this).verdict()

    def test_only_what_is_beyond_the_noise_counts(self):
        self.assertEqual(self.verdict([0.5, 0.51, 0.52, 0.5]), 1)
        self.assertEqual(self.verdict([1.5, 1.51, 1.52, 1.5]), -1)
        self.assertEqual(self.verdict([1.03, 1.04, 1.02, 1.03]), 0)  # within the tolerance
        self.assertEqual(self.verdict([0.5, 1.5, 0.5, 1.5]), 0)  # not apart
        self.assertEqual(self.verdict([0.9, 1.2, 1.21, 1.22]), 0)  # the shortest disagrees

    def test_a_difference_as_between_native_launches_is_none(self):
        for seconds, verdict in ((1.05, 0), (1.2, -1)):
            self.assertEqual(Times([1.0] * 4, [0.9] * 4, [seconds] * 4).verdict(), verdict)

    def test_few_times_are_no_verdict(self):
        self.assertEqual(self.verdict([0.1]), 0)
        self.assertEqual(Times([1, 1], [], [0.1, 0.1]).verdict(), 0)
        self.assertEqual(Times([1, 1.01], [1, 1.02], [0.1, 0.1]).verdict(), 1)

    def test_ratios(self):
        times = Times(self.NATIVE, self.NULL, [0.5, 0.4, 0.6])
        self.assertAlmostEqual(times.ratio(), 1.015 / 0.5)
        self.assertAlmostEqual(times.ratio(min), 1 / 0.4)
        self.assertAlmostEqual(times.null_ratio(), 1)
        self.assertFalse(times.is_slower_than_both())
        self.assertTrue(times.is_slower_than_both(2.5))
        differing = Times([1.0], [1.2], [1.25])
        self.assertAlmostEqual(differing.ratio(), 1.1 / 1.25)
        self.assertTrue(differing.is_slower_than_both())


class Compare(Folder):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("config"))
        self.command = shutil.copy(COMMAND, self.path("config"))
        for name in BESIDE:
            os.symlink(os.path.join(os.path.dirname(COMMAND), name), self.path("config", name))
        self.library = self.write("shim/libmpigraft.so", "")
        self.program = self.write("program", "", 0o755)
        self.launcher = self.write("mpiexec", f"""#!/bin/sh
if [ "$1" = --version ]; then echo "{HYDRA}"; else exec {sys.executable} -IS {FAKE} "$@"; fi
""", 0o755)
        self.log = self.path("log")
        os.makedirs(self.path("here"))

    def compare(self, native, grafted, *options, launches=3, ends=0, **variables):
        """(stdout, stderr)"""
        words = ("compare", "-n", "4", "--launches", str(launches), "--launcher", self.launcher, *options)
        fake = json.dumps({"native": native, "grafted": grafted})
        return self.ended(call(*words, "--", self.program, "a b", command=self.command, cwd=self.path("here"), PATH=PATH,
                               FAKE_LOG=self.log, FAKE=fake, **variables), ends)

    def compared(self, how):
        """What a shell makes of it."""
        words = f'"$0" compare -n 4 --launches 2 --launcher {self.launcher} {self.program} {how}'
        return call("-c", words, self.command, command="bash", cwd=self.path("here"), PATH=PATH, FAKE_LOG=self.log,
                    FAKE=json.dumps({"native": {"seconds": SLOW}, "grafted": {"seconds": FAST}}))

    def test_faster(self):
        out, _ = self.compare({"seconds": SLOW, "us": 40}, {"seconds": FAST, "us": 4})
        self.assertRegex(out, r"(?m)^Faster: \d\.\d\d times as fast as natively \(native against native: [01]\.\d\d\)\.$")
        self.assertRegex(out, r"(?m)^native again +3 +0\.1")
        self.assertRegex(out, r"(?m)^exscan +4 +8 +100 +40 +4 +1\.00 +10\.00 +faster +exscan/doubling_123$")
        self.assertRegex(out, r"a rank's mean .*: 0\.005 s natively, 0\.001 s grafted; ratio 3.57")
        self.assertIn("Output and exit code: the same in all 18 launches.\n", out)
        self.assertEqual(os.listdir(self.path("here")), [])

    def test_what_is_started(self):
        """Native launches have no mpigraft; each arm runs as often, after a warm-up that begins natively."""
        self.compare({}, {}, ends=EITHER, MPIGRAFT_VERIFY="1", MPIGRAFT_REPORT="mine")
        lines = text_of(self.log).splitlines()
        natively = [line for line in lines if "LD_PRELOAD" not in line]
        self.assertEqual({*natively}, {f"native  -n 4 {self.program} a b"})
        self.assertEqual(lines[0], natively[0])
        plain = [line for line in lines if line == f"grafted  -n 4 -genv LD_PRELOAD {self.library} {self.program} a b"]
        told = [line for line in lines if " told " in line]
        self.assertEqual((len(natively), len(plain), len(told), len(lines)), (7, 4, 7, 18))
        forced = [line for line in told if line.startswith("native")]
        self.assertEqual(len(forced), 3)
        for line in forced:
            self.assertTrue(line.endswith(f"env MPIGRAFT_FORCE=native MPIGRAFT_WAIT=native {self.program} a b"), line)

    def test_no_difference(self):
        out, _ = self.compare({"seconds": SLOW}, {"seconds": SLOW}, launches=6)  # of 3 one may seem slower
        self.assertRegex(out, r"(?m)^No difference beyond the noise: [01]\.\d\d times")
        self.assertNotIn("rule", out)

    def test_slower_names_the_calls_to_blame_and_a_rule_that_a_table_takes(self):
        out, _ = self.compare({"seconds": FAST, "bcast_us": 10}, {"seconds": SLOW, "bcast_us": 900}, ends=1)
        self.assertRegex(out, r"(?m)^Slower: 0\.\d\d times")
        self.assertIn("To blame is bcast of 5000 bytes on 4 ranks: 10 us natively, 900 us by bcast/binomial.\n", out)
        rule = out.split("leaves such calls native:\n")[1].splitlines()[0]
        self.assertEqual(json.loads(rule), {"collective": "bcast", "ranks": 4, "bytes": {"min": "4K", "max": 8191},
                                            "algorithm": "native"})
        self.ended(call("check", "--strict", self.table(json.loads(rule))), 0)

    def test_a_call_whose_loss_nobody_notices_is_not_blamed(self):
        out, _ = self.compare({"seconds": FAST, "bcast_us": 10}, {"seconds": FAST, "bcast_us": 12}, ends=EITHER)
        self.assertRegex(out, r"(?m)^bcast .* 10 +12 .* slower +bcast/binomial$")
        self.assertNotIn("is bcast of 5000 bytes", out)

    def test_slower_without_a_call_to_blame(self):
        out, _ = self.compare({"seconds": FAST}, {"seconds": SLOW}, ends=1)
        self.assertIn("the time is lost elsewhere: the set-up of 1 communicator took 0.002 s a rank.\nTry MPIGRAFT_WAIT", out)

    def test_nothing_grafted(self):
        note = "note: nothing was grafted: the table is unusable; ask `mpigraft doctor`\n"
        self.assertIn(note, self.compare({}, {"off": "the table is unusable"}, ends=EITHER)[0])
        self.assertNotIn("nothing was grafted", self.compare({}, {}, ends=EITHER)[0])

    def test_a_page_that_cannot_be_written(self):
        """It is told before the first launch."""
        _, error = self.compare({}, {}, "--html", "/absent/x.html", ends=3)
        self.assertEqual(error, "mpigraft: --html: there is no folder /absent; make it, or name another file\n")

    def test_output(self):
        for native, grafted, options, ends, told in (
                (["a", "b"], ["b", "a"], [], EITHER, "the same in all 18 launches"),
                (["a"], ["b"], [], 2, 'Output differs: natively "a", grafted "b" (1 line in all).'),
                (["a"], ["a", "b", "c"], [], 2, 'Output differs: grafted "b" (2 lines in all).'),
                (["a"], ["b"], ["--ignore-output"], EITHER, "Output was not compared."),
                (["at {number}"], ["x"], [], EITHER, "Output cannot be compared, because it differs between native launches: one")):
            with self.subTest(told):
                self.assertIn(told, self.compare({"lines": native}, {"lines": grafted}, *options, ends=ends)[0])

    def test_exit_codes(self):
        out, error = self.compare({"code": 7, "lines": ["cannot open x"]}, {}, ends=3)
        self.assertEqual(out, "")
        self.assertIn("natively the program fails, with exit code 7; its last words:\n  cannot open x\n", error)
        os.remove(self.log)
        out, _ = self.compare({}, {"code": 7}, ends=2)
        self.assertRegex(out, r"ended with exit code 7, and native ones with 0; its last words:\n  result\n  preload")

    def test_the_budget_ends_it(self):
        out, _ = self.compare({"seconds": SLOW}, {"seconds": SLOW}, "--budget", "1s", launches=50, ends=3)
        self.assertIn("the budget, 0:01, was over after ", out)
        self.assertIn("Too few launches for a verdict: it takes two of each arm after the warm-up, about 0:0", out)
        out, _ = self.compare({"seconds": 30}, {}, "--budget", "0.5s", ends=3)
        self.assertIn("the budget was over in a launch (native), which was stopped", out)
        self.assertNotIn("all 18 take about", out)

    def test_stopped_it_tells_what_it_has(self):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # if the tests run under nohup
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            out, _ = self.compare({"seconds": SLOW}, {"seconds": FAST}, ends=130, FAKE_STOP=f"15 {int(number)}")
            self.assertIn("note: stopped; this is what was measured until then\nFaster: ", out)
            os.remove(self.log)

    def test_json_and_page(self):
        page = self.path("page.html")
        out, _ = self.compare({"seconds": FAST, "us": 40}, {"seconds": FAST, "us": 4}, "--json", "--html", page)
        document = json.loads(out)
        self.assertEqual((document["kind"], document["exit_code"], document["program"]),
                         ("comparison", 0, [self.program, "a b"]))
        self.assertEqual([len(times) for times in document["wall_s"].values()], [3] * 5)
        self.assertEqual([(call["collective"], call["verdict"]) for call in document["calls"]],
                         [("exscan", "faster"), ("bcast", "no difference")])
        self.assertEqual(text_of(page).count("<circle "), 5 * 3 + 2 * 2 * 3)
        self.assertIn("<td>exscan/doubling_123</td>", text_of(page))

    def test_standard_input_is_given_to_every_launch(self):
        with open(self.write("input", "given"), encoding="utf-8") as file:
            out, error = self.compare({"lines": ["{given}"]}, {"lines": ["given"]}, "--json", launches=2, stdin=file)
        self.assertEqual(json.loads(out)["output"]["verdict"], "same", error)

    def test_the_reader_may_go_away(self):
        out = self.fine(self.compared('2>&1 | head -1; exit "${PIPESTATUS[0]}"'))
        self.assertEqual(len(out.splitlines()), 1)

    def test_closed_streams(self):
        """Whoever reads the exit code must not take a failure for a slower program."""
        self.assertEqual(self.compared(">&-"), (3, "", "mpigraft: cannot write to standard output: Bad file descriptor\n"))
        for how in "<&-", "2>&-":
            self.assertIn("Faster: ", self.ended(self.compared(how), 0)[0])

    def test_refusals(self):
        self.assertIn("no rank has written a report, so nothing was grafted", self.compare({}, {"us": None}, ends=3)[1])
        self.assertIn("was to be native was grafted, so nothing can be compared: the site fixes MPIGRAFT_FORCE",
                      self.compare({"is_grafted": True}, {}, ends=3)[1])
        _, error = self.compare({}, {}, ends=3, MPIGRAFT_DISABLE="1")
        self.assertIn("MPIGRAFT_DISABLE=1: nothing would be grafted", error)
        old = self.write("old", f'#!/bin/sh\necho "{HYDRA.replace("4.0.2", "3.4")}"\n', 0o755)
        for options, told in ((["-n", "0", "p"], "is not a number of ranks; write 1 or more"),
                              (["-n", "2", "--budget", "x", self.program], "is not a time"),
                              (["-n", "2", "--table", "absent", self.program], "No such file"),
                              (["-n", "2", "/absent/program"], "there is no program /absent/program"),
                              (["-n", "2", "--launcher", "/absent/mpiexec", self.program], "no /absent/mpiexec on PATH"),
                              (["-n", "2", "--launcher", old, self.program], "is of MPICH 3.4; mpigraft needs 4.0 or later"),
                              (["-n", "2"], "PROGRAM is required")):
            with self.subTest(told):
                launcher = [] if "--launcher" in options else ["--launcher", self.launcher]
                done = call("compare", *launcher, *options, command=self.command, cwd=self.path("here"))
                out, error = self.ended(done, 3)
                self.assertEqual(out, "")
                self.assertIn(told, error)
