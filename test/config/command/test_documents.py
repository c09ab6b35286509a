# SPDX-License-Identifier: MIT
"""Man pages and completions: they lack nothing that the command has, and their examples work."""
import json
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from command_call import CLEAN, COMMAND, SCHEMA, SOURCE, Folder, call

DOCUMENTS = Path(COMMAND).parent / "man"
COMPLETIONS = Path(SOURCE, "config/man")
PAGES = ("mpigraft.1", "mpigraft.h.3", "mpigraft-table.5", "libmpigraft.7")


def page(name):
    return (DOCUMENTS / name).read_text().replace("\\-", "-").replace("\\(aq", "'")


def verbs():
    return re.findall(r"^  (\w+) ", call("--help")[1].split("Subcommands:")[1].split("\n\n")[0], re.MULTILINE)


def long_options(verb):
    return re.findall(r"^  (?:-\w,)?(--?[\w-]+)", call(verb, "--help")[1], re.MULTILINE)


class ManPages(Folder):
    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_no_warnings(self):
        for name in PAGES:
            done = subprocess.run(["groff", "-ww", "-man", "-Tutf8", DOCUMENTS / name], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            self.assertNotRegex(done.stdout, r"@\w+@")

    def test_verbs_and_options(self):
        self.assertEqual(verbs(), ["list", "check", "fmt", "merge", "diff", "explain", "model", "tune", "run", "compare",
                                   "report", "doctor", "env"])
        for verb in verbs():
            section = re.search(rf"^\.SS \\fB{verb}\\fR.*?(?=^\.S[SH])", page("mpigraft.1"), re.MULTILINE | re.DOTALL)[0]
            for option in set(long_options(verb)) - {"-h", "--help"}:
                self.assertIn(f"\\fB{option}\\fR", section)

    def test_exit_status_and_examples(self):
        section = page("mpigraft.1").split(".SH EXIT STATUS\n")[1].split(".SH SEE ALSO")[0]
        self.assertIn(".TP\n\\fB0\\fR\nsuccess\n.TP\n\\fB1\\fR\n", section)
        self.assertIn("\n.SH EXAMPLES\n.nf\nmpigraft list\n", section)

    def test_every_help_ends_with_examples_of_its_own(self):
        for verb in verbs():
            out = call(verb, "--help")[1]
            lines = out.split("\nExamples:\n")[1].splitlines()
            self.assertIn(len(lines), (2, 3), verb)
            for line in lines:
                self.assertIn(f"mpigraft {verb}", line)
                words = shlex.split(line.split(" -- ")[0].split(" > ")[0])
                self.assertLessEqual({word for word in words if re.fullmatch("--?[a-z-]+", word)}, {*long_options(verb)})

    def test_variables(self):
        variables = re.findall(r"^(MPIGRAFT_\w+)", call("env")[1], re.MULTILINE)
        self.assertIn("MPIGRAFT_TABLE", variables)
        for variable in variables:
            self.assertIn(f"\\fB{variable}\\fR", page("libmpigraft.7"))

    def test_keys(self):
        schema = json.loads(Path(SCHEMA).read_text())
        for part in (schema, *schema["properties"].values(), schema["$defs"]["rule"]):
            for key in part.get("properties", ()):
                told = re.search(rf"\\fB{re.escape(key)}\\fR.*\n(.*)", page("mpigraft-table.5"))
                self.assertTrue(told and told[1], key)

    def test_table_of_the_example(self):
        example = re.search(r"^\.SH EXAMPLES\n\.nf\n(.*?)^\.fi", page("mpigraft-table.5"), re.MULTILINE | re.DOTALL)[1]
        self.fine(call("check", self.write("table.json", example)))


class Completion(unittest.TestCase):
    def complete(self, *words, cwd=None, command="mpigraft"):
        """Bash's offers for the last word, and the options that it sets."""
        script = 'compopt() { echo "$@"; }; source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mpigraft; echo "${COMPREPLY[@]}"'
        path = f"{Path(COMMAND).parent}:{CLEAN['PATH']}"
        done = subprocess.run(["bash", "-c", script, "bash", COMPLETIONS / "mpigraft.bash", command, *words],
                              env=CLEAN | {"PATH": path}, cwd=cwd, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_verbs(self):
        self.assertEqual(self.complete(""), verbs())
        self.assertEqual(self.complete("ex"), ["explain"])

    def test_asks_the_command_that_is_typed(self):
        self.assertEqual(self.complete("ex", command=COMMAND), ["explain"])
        self.assertEqual(self.complete("ex", command="/nowhere/mpigraft"), [])

    def test_options(self):
        for verb in verbs():
            self.assertEqual(set(self.complete(verb, "-")), set(long_options(verb)) - {"-h"})
        self.assertEqual(self.complete("explain", "--col"), ["--collective"])

    def test_values(self):
        self.assertEqual(self.complete("explain", "--collective", "e"), ["exscan"])
        self.assertIn("scan/two_tree", self.complete("list", "scan/"))
        self.assertIn("mpiexec", self.complete("run", "--launcher", "mpiex"))
        self.assertEqual(self.complete("check", "tab"), [])  # files: bash's own
        for verb, option in (("explain", "--table"), ("report", "--html"), ("tune", "--out"), ("explain", "--goal"),
                             ("run", "--verify")):
            self.assertEqual(self.complete(verb, option, ""), [], option)
        for verb, option in (("explain", "--ranks"), ("model", "--latency"), ("tune", "--margin"), ("run", "-n")):
            self.assertEqual(self.complete(verb, option, ""), ["+o", "default"], option)

    def test_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("traces", "trace"):
                (Path(folder) / name).mkdir()
            (Path(folder) / "trace.txt").touch()
            offered = self.complete("doctor", "--hang", "tra", cwd=folder)
            self.assertEqual((offered[:2], sorted(offered[2:])), (["-o", "filenames"], ["trace", "traces"]))

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh(self):
        done = subprocess.run(["zsh", "-n", COMPLETIONS / "_mpigraft"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
