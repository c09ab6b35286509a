# SPDX-License-Identifier: MIT
"""Commands under a site's settings. The command under test has a folder of the tests' as the site's."""
import json
import os
import shutil

from command_call import HYDRA, Folder, call

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

    def explain(self, *words):
        return call("explain", "--ranks", "36", "--bytes", "8", "--ranks-per-node", "1", *words, command=OF_SITE)

    def test_what_the_site_overrules_is_told(self):
        self.settle(defaults={"MPIGRAFT_FORCE": "scan=binomial"}, fixed=["MPIGRAFT_FORCE"])
        status, out, err = self.explain("--collective", "scan", "--force", "scan=two_tree")
        self.assertEqual((status, err), (0, NOTE))
        self.assertTrue(out.startswith("runs: scan/binomial, "), out)
        os.makedirs(self.path("config"))
        command = shutil.copy(OF_SITE, self.path("config"))
        self.write("shim/libmpigraft.so", "")
        hydra = self.write("mpiexec", f"#!/bin/sh\necho '{HYDRA}'\n", 0o755)
        run = ("run", "-n", "2", "--print", "--launcher", hydra)
        self.assertEqual(call(*run, "--force", "scan=two_tree", "./p", command=command)[::2], (0, NOTE))
        self.assertEqual(call(*run, "./p", command=command)[::2], (0, ""))

    def test_a_site_that_has_switched_mpigraft_off(self):
        self.settle(enabled=False)
        for call_ in ("--collective", "scan"), ("--collective", "scan_scan"):
            out = self.fine(self.explain(*call_))
            self.assertRegex(out, r"^runs: (native|apart) \(the site has switched mpigraft off\)\n")
