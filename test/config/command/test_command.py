#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The mpigraft command as a shell sees it: usage, list, check, env."""
import glob
import json
import os
import re
import subprocess
import sys
import unittest

from command_call import BROKEN_TABLES, CLEAN, COMMAND, DEFAULT_TABLE, SCHEMA, Folder, call


class Usage(unittest.TestCase):
    def test_version(self):
        status, out, _ = call("--version")
        self.assertEqual(status, 0)
        self.assertRegex(out, r"^mpigraft \d+\.\d+\.\d+ \(commit ([0-9a-f]{12}(, modified)?|unknown)\)\n$")

    def test_help_shows_verbs_examples_and_exit_codes(self):
        status, out, _ = call("--help")
        self.assertEqual(status, 0)
        for words in ("list", "check", "fmt", "diff", "explain", "tune", "run", "env", "Examples:", "Exit codes: 0 "):
            self.assertIn(words, out)
        for verb in ("list", "check", "fmt", "diff", "explain", "tune", "run", "env"):
            self.assertEqual(call(verb, "--help")[0], 0)

    def test_wrong_usage_is_2(self):
        for arguments in ([], ["--wrong"], ["list", "--wrong"], ["check"], ["check", "a", "b"], ["run", "-n", "2"],
                          ["run", "-n", "0", "a"], ["run", "a"], ["run", "-n", "2", "--forse", "x", "a"],
                          ["explain", "--collective", "scan"],
                          ["explain", "--collective", "gather", "--ranks", "2", "--bytes", "8"],
                          ["explain", "--collective", "scan", "--ranks", "0", "--bytes", "8"],
                          ["explain", "--collective", "scan", "--ranks", "2", "--bytes", "8KB"],
                          ["explain", "--collective", "scan", "--ranks", "2", "--bytes", "8", "--operator", "sum"]):
            with self.subTest(arguments):
                status, out, err = call(*arguments)
                self.assertEqual((status, out), (2, ""))
                self.assertNotEqual(err, "")

    def test_unknown_verb(self):
        self.assertEqual(call("lst"), (2, "", 'mpigraft: unknown subcommand "lst"; did you mean "list"?\n'))
        self.assertIn("write one of list, check", call("frobnicate")[2])

    def test_closed_pipe_is_harmless(self):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([COMMAND, "list"], env=CLEAN, stdout=write, stderr=subprocess.PIPE, check=False)
        os.close(write)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_full_disk_is_told(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([COMMAND, "list"], env=CLEAN, stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"cannot write", done.stderr)


class List(unittest.TestCase):
    def setUp(self):
        self.entries = json.loads(call("list", "--json")[1])

    def test_json(self):
        self.assertGreaterEqual(len(self.entries), 4)
        for entry in self.entries:
            self.assertEqual(list(entry), ["name", "collective", "function", "moves_data", "paper", "rounds", "volume",
                                           "commutative", "cuts", "bits_vary_with", "same_on_all_ranks", "flat", "nodes", "summary"])
            self.assertEqual(entry["name"].split("/")[0], entry["collective"])
            self.assertIs(type(entry["commutative"]), bool)

    def test_what_cuts(self):
        """The command lists what the proofs show of each algorithm."""
        known = {"scan/simultaneous_binomial": "never", "scan/linear_pipeline": "blocks", "scan/shared_flat": "pages",
                 "exscan/two_tree": "always", "reduce/linear_pipeline": "always", "bcast/two_tree": ""}
        self.assertLessEqual(known.items(), {entry["name"]: entry["cuts"] for entry in self.entries}.items())
        words = {line.split()[0]: line.split() for line in call("list")[1].splitlines()}
        for entry in self.entries:
            self.assertIn(entry["cuts"] or "-", words[entry["name"]])

    def test_what_bits_vary_with(self):
        """The command lists what the proofs show of each algorithm."""
        known = {"scan/linear_pipeline": "fixed", "exscan/doubling_123": "fixed", "reduce/circulant": "blocks",
                 "scan/hierarchical": "blocks,nodes", "reduce/shared_flat": "nodes", "bcast/circulant": "-"}
        words = {line.split()[0]: line.split() for line in call("list")[1].splitlines()}
        for entry in self.entries:
            bits = known.get(entry["name"]) or ",".join(entry["bits_vary_with"])
            alike = ",alike" if bits and entry["same_on_all_ranks"] else ""
            self.assertIn(bits + alike, words[entry["name"]] + [""])
            self.assertEqual(entry["bits_vary_with"], [] if bits in ("", "-", "fixed") else bits.split(","))

    def test_volume_is_in_vectors(self):
        known = {"scan/simultaneous_binomial": 6, "scan/pipelined_binary_tree": 3, "exscan/linear_pipeline": 1,
                 "bcast/binomial": 6, "bcast/two_tree": 1, "reduce/pipelined_binary_tree": 2}
        volumes = {entry["name"]: entry["volume"] for entry in self.entries}
        self.assertLessEqual(known.items(), volumes.items())

    def test_schema_names_the_same_algorithms(self):
        with open(SCHEMA, encoding="utf-8") as file:
            rule = json.load(file)["$defs"]["rule"]
        expected = {}
        for entry in self.entries:
            names = expected.setdefault(entry["collective"], ["native"])
            names += [entry["name"].split("/")[1], entry["name"]]
        compositions = call("list")[1].partition("mpigraft.h")[2]
        expected |= {name: variants.split(", ") for name, variants in re.findall(r"^  (\w+): (.+)$", compositions, re.MULTILINE)}
        self.assertEqual(expected["scan_allreduce"], ["fused", "decomposed", "apart"])
        found = {part["if"]["properties"]["collective"]["const"]: part["then"]["properties"]["algorithm"]["enum"]
                 for part in rule["allOf"] if "algorithm" in part["then"]["properties"]}
        self.assertEqual(found, expected)
        self.assertEqual(sorted(rule["properties"]["collective"]["enum"]), sorted(expected))


class Check(Folder):
    def test_sound_table(self):
        status, out, err = call("check", DEFAULT_TABLE)
        self.assertEqual((status, err), (0, ""))
        self.assertRegex(out, r": ok, rules: \d+, machine: latency 1.5us, bandwidth 12.5GB/s, combine 10GB/s\n$")
        self.assertEqual(json.loads(call("check", DEFAULT_TABLE, "--json")[1])["findings"], [])

    def test_broken_tables(self):
        tables = sorted(glob.glob("*.json", root_dir=BROKEN_TABLES))
        self.assertGreaterEqual(len(tables), 10)
        for table in tables:
            with self.subTest(table):
                with open(os.path.join(BROKEN_TABLES, table[:-len("json")] + "expected"), encoding="utf-8") as file:
                    self.assertEqual(call("check", table, cwd=BROKEN_TABLES), (1, file.read(), ""))

    def test_json_findings(self):
        status, out, _ = call("check", "many_defects.json", "--json", cwd=BROKEN_TABLES)
        self.assertEqual(status, 1)
        document = json.loads(out)
        self.assertEqual(document["file"], "many_defects.json")
        self.assertEqual(document["findings"][0],
                         {"severity": "error", "pointer": "/version", "line": 2, "column": 14, "hint": "",
                          "message": "expected an integer, found a string"})

    def test_json_of_invalid_utf8(self):
        with open(self.path("bad.json"), "wb") as file:
            file.write(b'{"version": 1, "\xff": 2}')
        status, out, _ = call("check", self.path("bad.json"), "--json")
        self.assertEqual(status, 1)
        self.assertEqual(json.loads(out)["findings"][0]["column"], 17)

    def test_what_is_no_file(self):
        os.mkfifo(self.path("fifo"))
        self.write("large", " " * (1 << 20 | 1))
        for path, problem in (("absent", "No such file or directory"), ("fifo", "is not a regular file"),
                              (".", "is a directory"), ("large", "is larger than 1 MiB"), ("", "No such file")):
            with self.subTest(path):
                status, out, err = call("check", path, cwd=self.folder)
                self.assertEqual((status, out), (2, ""))
                self.assertIn(f"mpigraft: {path}: {problem}", err)


class Environment(unittest.TestCase):
    def test_variables(self):
        status, out, err = call("env")
        self.assertEqual((status, err), (0, ""))
        for name in ("TABLE", "DISABLE", "VERBOSE", "FORCE", "REPORT", "NODES", "REPRODUCIBLE"):
            self.assertIn(f"\nMPIGRAFT_{name} ", out)

    def test_problems(self):
        status, _, err = call("env", MPIGRAFT_FORSE="x", MPIGRAFT_CHECK="yes")
        self.assertEqual(status, 1)
        self.assertEqual(err, 'mpigraft: MPIGRAFT_FORSE: unknown variable; did you mean "MPIGRAFT_FORCE"?\n'
                              'mpigraft: MPIGRAFT_CHECK: "yes" is not known; write 0 or 1\n')


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
