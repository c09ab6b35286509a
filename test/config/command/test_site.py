# SPDX-License-Identifier: MIT
"""Commands under a site's settings. The command under test has a folder of the tests' as the site's."""
import json
import os
import shutil

from command_call import COMMAND, HYDRA, Folder, call

OF_SITE = os.path.abspath(os.environ["COMMAND_OF_SITE"])
FILE = json.loads(call("env", "--json", command=OF_SITE)[1])["site"]["file"]
NOTE = f'mpigraft: MPIGRAFT_FORCE: {FILE} fixes it to "scan=binomial"; the job\'s value is not used\n'


class Site(Folder):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.remove, FILE)

    def settle(self, **settings):
        os.makedirs(os.path.dirname(FILE), exist_ok=True)
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
        self.assertEqual(self.run_verb()[::2], (0, ""))

    def test_what_the_site_has_set_wrong_stops_no_job(self):
        """The job tells it. What the user has set wrong stops the job, unless the site has overruled it."""
        for name in "TABLE", "REPORT", "LEARN":
            self.settle(defaults={f"MPIGRAFT_{name}": "/absent/x.json"})
            self.assertEqual(self.run_verb()[::2], (0, ""))
            self.assertEqual(self.run_verb(**{f"MPIGRAFT_{name}": "/absent/y.json"})[0], 2)
        self.settle(fixed=["MPIGRAFT_SHARED"])
        self.assertEqual(self.run_verb(MPIGRAFT_SHARED="foo")[::2],
                         (0, f"mpigraft: MPIGRAFT_SHARED: {FILE} fixes it; the job's value is not used\n"))
        self.settle(enabled=False)
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
