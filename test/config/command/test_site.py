# SPDX-License-Identifier: MIT
"""mpigraft env, and commands under a site's settings. The command of class Site has a folder of the tests' as the site's."""
import json
import os
import shutil

from command_call import COMMAND, HYDRA, Folder, call, explain

OF_SITE = os.path.abspath(os.environ["COMMAND_OF_SITE"])
FILE = json.loads(call("env", "--json", command=OF_SITE)[1])["site"]["file"]
FOLDER = os.path.dirname(FILE)
TABLE = os.path.join(FOLDER, "table.json")
NOTE = f'mpigraft: MPIGRAFT_FORCE: {FILE} fixes it to "scan=binomial"; the job\'s value is not used\n'


class Environment(Folder):
    def test_variables(self):
        out = self.fine(call("env"))
        for name in ("TABLE", "DISABLE", "VERBOSE", "FORCE", "REPORT", "NODES", "REPRODUCIBLE"):
            self.assertRegex(out, rf"\nMPIGRAFT_{name} .* default\n")
        self.assertNotIn("MPIGRAFT_WAIT=auto|native|patient", out)
        self.assertIn("\nMPIGRAFT_WAIT=auto|native|patient\n  how MPI's own calls wait", call("env", "--verbose")[1])

    def test_who_has_set_it(self):
        site = self.write("mpigraft.json", """{"defaults": {"MPIGRAFT_WAIT": "native", "MPIGRAFT_VERBOSE": 1,
                                                             "MPIGRAFT_ANSWER": 90},
                                                "fixed": ["MPIGRAFT_SHARED"], "note": "ours"}""")
        status, out, err = call("env", "--site", site, "--json", MPIGRAFT_SHARED="0", MPIGRAFT_VERBOSE="2")
        self.assertEqual((status, err), (0, f"mpigraft: MPIGRAFT_SHARED: {site} fixes it; the job's value is not used\n"))
        now = {row["name"]: (row["value"], row["from"]) for row in json.loads(out)["variables"]}
        self.assertEqual(now["MPIGRAFT_WAIT"], ("native", "site"))
        self.assertEqual(now["MPIGRAFT_VERBOSE"], ("2", "environment"))
        self.assertEqual(now["MPIGRAFT_SHARED"], ("1", "site, fixed; not the environment"))
        self.assertEqual(now["MPIGRAFT_ANSWER"], ("90", "site"))
        self.assertEqual(now["MPIGRAFT_CHECK"], ("0", "default"))

    def test_kill_switch(self):
        out = call("env", "--site", self.write("mpigraft.json", '{"enabled": false}'))[1]
        self.assertIn(f"Site: {self.path('mpigraft.json')} switches mpigraft off: every call of every job is native\n", out)
        self.assertEqual(call("env", "--site", self.path("absent"))[0], 2)
        self.assertIn("mpigraft: /: is a directory; name the file in it\n", call("env", "--site", "/")[2])

    def test_defects_of_a_sites_file_are_told_with_place_and_remedy(self):
        """A job that switches mpigraft off itself does not hear of them."""
        for text, told in (('{"enabled": fals}', ":1:"), ("", ":1:1: empty; write at least {}\n"),
                           ("[]", ":1:1: expected an object, found an array\n"),
                           ('{"enable": false}', ':1:2: /enable: unknown key "enable"; did you mean "enabled"?\n'),
                           ('{"enabled": "no"}', ":1:13: /enabled: expected a boolean, found a string\n"),
                           ('{"defaults": {"MPIGRAFT_WAITS": "native"}}', ':1:33: /defaults/MPIGRAFT_WAITS: unknown variable '
                            '"MPIGRAFT_WAITS"; did you mean "MPIGRAFT_WAIT"?\n'),
                           ('{"defaults": {"MPIGRAFT_DISABLE": "1"}}', ':1:35: /defaults/MPIGRAFT_DISABLE: "MPIGRAFT_DISABLE" '
                            'belongs to the job; write "enabled": false for all jobs\n'),
                           ('{"defaults": {"MPIGRAFT_CHECK": true}}',
                            ":1:33: /defaults/MPIGRAFT_CHECK: expected a string, found a boolean\n"),
                           ('{"defaults": {"MPIGRAFT_WAIT": "never"}}',
                            ': MPIGRAFT_WAIT: "never" is not known; write auto, native or patient, or unset it\n'),
                           ('{"fixed": ["MPIGRAFT_WAIT", 3]}', ":1:29: /fixed/1: expected a string, found an integer\n"),
                           ('{"fixed": ["MPIGRAFT_WAITS"]}', ":1:12: /fixed/0: unknown variable"),
                           ('{"defaults": []}', ":1:14: /defaults: expected an object, found an array; write one such"),
                           ('{"fixed": {}}', ":1:11: /fixed: expected an array, found an object; write one such"),
                           ("{\n// off\n}", ":2:1: ")):
            with self.subTest(text):
                site = self.write("mpigraft.json", text)
                _, err = self.ended(call("env", "--site", site), 1)
                self.assertTrue(err.startswith(f"mpigraft: {site}{told}") and err.count("\n") == 1, err)
                self.assertEqual(call("env", "--site", site, MPIGRAFT_DISABLE="1")[::2], (0, ""))

    def test_unreadable_table(self):
        out, err = self.ended(call("env", MPIGRAFT_TABLE=self.path("absent")), 1)
        self.assertIn(f"{self.path('absent')}: No such file or directory", err)
        self.assertRegex(out, rf"MPIGRAFT_TABLE +{self.path('absent')} +environment\n")

    def test_what_was_learned_is_the_table(self):
        learned = self.table()
        self.assertRegex(call("env", MPIGRAFT_LEARN=learned)[1], rf"MPIGRAFT_TABLE +{learned} +MPIGRAFT_LEARN\n")

    def test_unknown_variables(self):
        _, err = self.ended(call("env", MPIGRAFT_FORSE="x", MPIGRAFT_QUUXQUUX="", MPIGRAFTS="1", XMPIGRAFT_FORCE=""), 1)
        self.assertEqual(sorted(err.splitlines()), [
            'mpigraft: MPIGRAFT_FORSE: unknown variable; did you mean "MPIGRAFT_FORCE"?',
            "mpigraft: MPIGRAFT_QUUXQUUX: unknown variable; `mpigraft env` shows the variables"])
        self.fine(call("env", MPIGRAFT_LAUNCHER="'"))

    def problem(self, variable, value):
        """The one problem of this value."""
        _, err = self.ended(call("env", **{f"MPIGRAFT_{variable}": value}), 1)
        self.assertRegex(err, rf"^mpigraft: MPIGRAFT_{variable}: [^\n]+\n$")
        return err.split(": ", 2)[2]

    def test_wrong_values(self):
        for variable, values in (
                ("DISABLE", ("yes", "2", "-1")), ("CHECK", ("2", "01", " 1")), ("VERBOSE", "3"), ("REPRODUCIBLE", "1"),
                ("ABI", ("openmpi",)), ("WAIT", "1"), ("SIGNAL", ("USR3", "SIG", "KILL")), ("SHARED", ("on",)),
                ("LEARN", (",float", "a.json,flaot")), ("REPORT", (",sites", "stderr,site", "a.json,", "stderr,sites,")),
                ("VERIFY", ("0", "-1", "-0", "inf", "all", "1.5", "99999999999999999999")),
                ("TIMEOUT", ("0", "-1", "1.5", "60s", "99999999999999999999")),
                ("NODES", ("0", "four", "4K", "+4", "4.5", " 4", "3-0", "0-3-4", "-", "3-0,4", "0-3,3-5", "6,0-9", "/L3",
                           "/")),
                ("FORCE", ("scan=doubling_123", "exsacn=native", "gather=native", "scan", "scan=native,",
                           "bcast=native,bcast=binomial", "bcast=native@8K", "bcast=binomial@0", "bcast=binomial@",
                           "exscan=k_ported@8K@", "exscan=k_ported@ports=0", "exscan=k_ported@ports=x",
                           "exscan=k_ported@ports=65536", "exscan=doubling_1@ports=2", "scan=butterfly@barrier",
                           "bcast=binomial\n", "scan_scan=decomposed", "scan_scan=apart,scan_scan=fused"))):
            for value in values:
                with self.subTest(variable=variable, value=value):
                    self.problem(variable, value)
        self.assertEqual(call("env", MPIGRAFT_FORCE="a,b=c,scan=x")[2].count("mpigraft: MPIGRAFT_FORCE: "), 3)

    def test_what_is_said_of_wrong_values(self):
        self.assertEqual(self.problem("CHECK", "yes"), '"yes" is not known; write 0 or 1, or unset it\n')
        for value, problem in (
                ("exscan=doubling_132", '"doubling_132" is not an algorithm of exscan; did you mean "doubling_123"?\n'),
                ("scan=binomial:", '"" is not a range of bytes; write 64K-, -8K or 8K-64K\n'),
                ("scan=binomial:9-8", '"9-8" is not a range of bytes; write 64K-, -8K or 8K-64K\n'),
                ("scan=binomial:x-", '"x-" is not a range of bytes; write 64K-, -8K or 8K-64K\n'),
                ("scan=binomial,scan=two_tree:8K-", '"scan=two_tree:8K-" is the second entry for scan; keep one of them\n'),
                ("scan_scan=fused:8K-",
                 '"scan_scan=fused:8K-" has a range of bytes; only collectives that carry data take one\n'),
                ("barrier=dissemination:1K-",
                 '"barrier=dissemination:1K-" has a range of bytes; only collectives that carry data take one\n')):
            self.assertEqual(self.problem("FORCE", value), problem)


class Site(Folder):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.remove, FILE)

    def settle(self, **settings):
        os.makedirs(FOLDER, exist_ok=True)
        with open(FILE, "w", encoding="utf-8") as file:
            json.dump(settings, file)

    def run_verb(self, *words, **variables):
        """`mpigraft run --print`, of a command with a library beside it."""
        os.makedirs(self.path("config"), exist_ok=True)
        command = shutil.copy(OF_SITE, self.path("config"))
        self.write("shim/libmpigraft.so", "")
        hydra = self.write("mpiexec", f"#!/bin/sh\necho '{HYDRA}'\n", 0o755)
        launcher = () if "MPIGRAFT_LAUNCHER" in variables else ("--launcher", hydra)
        return call("run", "-n", "2", "--print", *launcher, *words, "./p", command=command, **variables)

    def explain(self, *words):
        return call("explain", "--ranks", "36", "--bytes", "8", "--ranks-per-node", "1", *words, command=OF_SITE)

    def test_what_the_site_overrules_is_told(self):
        self.settle(defaults={"MPIGRAFT_FORCE": "scan=binomial"}, fixed=["MPIGRAFT_FORCE"])
        status, out, err = self.explain("--collective", "scan", "--force", "scan=two_tree")
        self.assertEqual((status, err), (0, NOTE))
        self.assertTrue(out.startswith("runs: scan/binomial, "), out)
        self.assertEqual(self.run_verb("--force", "scan=two_tree")[::2], (0, NOTE))
        for same in {}, {"MPIGRAFT_FORCE": "scan=binomial"}:
            self.assertEqual(self.run_verb(**same)[::2], (0, ""))

    def test_what_the_site_has_set_wrong_stops_no_job(self):
        """The job tells it. What the user has set wrong stops the job, unless the site has overruled it."""
        for name in "TABLE", "REPORT", "LEARN":
            self.settle(defaults={f"MPIGRAFT_{name}": "/absent/x.json"})
            self.assertEqual(self.run_verb()[::2], (0, ""))
            self.assertEqual(self.run_verb(**{f"MPIGRAFT_{name}": "/absent/y.json"})[0], 2)
        self.settle(fixed=["MPIGRAFT_SHARED"])
        self.assertEqual(self.run_verb(MPIGRAFT_SHARED="foo")[::2],
                         (0, f"mpigraft: MPIGRAFT_SHARED: {FILE} fixes it; the job's value is not used\n"))
        self.settle(enabled=False, defaults={"MPIGRAFT_TIMEOUT": "60"})  # for which there is no library here
        self.assertEqual(self.run_verb("--force", "scan=absent")[::2], (0, ""))

    def test_the_launcher_of_the_site(self):
        self.settle(defaults={"MPIGRAFT_LAUNCHER": "/absent/launch"}, fixed=["MPIGRAFT_LAUNCHER"])
        status, _, err = self.run_verb(MPIGRAFT_LAUNCHER="mpiexec")
        self.assertEqual(status, 2)
        self.assertIn(f"mpigraft: MPIGRAFT_LAUNCHER: {FILE} fixes it; the job's value is not used\n", err)
        self.assertIn(f"mpigraft: {FILE}: no /absent/launch on PATH", err)

    def test_the_table_of_a_site_that_has_fixed_it(self):
        self.settle(fixed=["MPIGRAFT_TABLE"])
        self.assertRegex(call("env", command=OF_SITE)[1], r"MPIGRAFT_TABLE +embedded +site\n")

    def test_a_site_under_which_nothing_can_be_tuned(self):
        """Jobs of tune would not run what they are to."""
        os.makedirs(self.path("config"))
        command = shutil.copy(OF_SITE, self.path("config"))
        os.symlink(os.path.join(os.path.dirname(COMMAND), "tune"), self.path("config", "tune"))
        tune = ("tune", "--ranks", "2", "--dry-run", "--bench", "/bin/true", "--launcher", "/bin/true")
        for settings, told in (({"enabled": False}, "switches mpigraft off, so nothing can be tuned"),
                               ({"fixed": ["MPIGRAFT_TABLE", "MPIGRAFT_SHARED"]}, "fixes MPIGRAFT_TABLE, which jobs of tune must set")):
            self.settle(**settings)
            self.assertEqual(self.refused(call(*tune, command=command)), f"mpigraft tune: {FILE} {told}\n")

    def test_a_site_that_has_switched_mpigraft_off(self):
        self.settle(enabled=False)
        for call_ in ("--collective", "scan"), ("--collective", "scan_scan"):
            out = self.fine(self.explain(*call_))
            self.assertRegex(out, r"^runs: (native|apart) \(the site has switched mpigraft off\)\n")


class TableOfSite(Folder):
    def explain(self, **variables):
        return explain("scan", 36, 8, command=OF_SITE, **variables)

    def setUp(self):
        super().setUp()
        os.makedirs(FOLDER, exist_ok=True)
        self.addCleanup(shutil.rmtree, FOLDER, ignore_errors=True)
        self.addCleanup(lambda: os.path.islink(FOLDER) and os.remove(FOLDER))
        os.symlink(self.table({"collective": "scan", "algorithm": "two_tree"}, name="of_site.json"), TABLE)

    def test_it_comes_behind_that_of_the_environment_and_before_the_embedded_one(self):
        named = self.table({"collective": "scan", "algorithm": "binomial"})
        self.assertIn("runs: scan/binomial, ", self.fine(self.explain(MPIGRAFT_TABLE=named)))
        self.assertIn("runs: scan/two_tree, ", self.fine(self.explain()))
        self.assertIn("absent: No such file or directory; check the path and its permissions",
                      self.refused(self.explain(MPIGRAFT_TABLE=self.path("absent"))))
        os.remove(TABLE)
        self.assertIn("\ntable: embedded\n", self.fine(self.explain()))
        os.rmdir(FOLDER)
        self.assertIn("\ntable: embedded\n", self.fine(self.explain()))
        os.symlink(named, FOLDER)  # no folder
        self.assertIn("\ntable: embedded\n", self.fine(self.explain()))
        os.remove(FOLDER)

    def test_one_that_cannot_be_read_is_an_error(self):
        os.mkfifo(self.path("pipe"))
        for file, problem in ((self.path("pipe"), "is not a regular file; copy it into one"),
                              ("/dev/zero", "is not a regular file; copy it into one"),
                              (self.folder, "is a directory; name the file in it"),
                              (TABLE, "Too many levels of symbolic links; check the path and its permissions")):
            os.remove(TABLE)
            os.symlink(file, TABLE)
            self.assertEqual(self.refused(self.explain()), f"mpigraft: {TABLE}: {problem}\n")
