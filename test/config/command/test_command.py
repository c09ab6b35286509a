# SPDX-License-Identifier: MIT
"""The mpigraft command as a shell sees it: usage, list, check."""
import json
import os
import re
import shutil
import unittest

from command_call import COMMAND, DEFAULT_TABLE, SCHEMA, Folder, call, explain, text_of, unread


class Usage(Folder):
    def test_version(self):
        self.assertRegex(self.fine(call("--version")),
                         r"^mpigraft \d+\.\d+\.\d+ \(commit ([0-9a-f]{12}(, modified)?|unknown)\)\n$")

    def test_help_shows_verbs_examples_and_exit_codes(self):
        out = self.fine(call("--help"))
        for words in ("list", "check", "fmt", "diff", "explain", "tune", "run", "env", "Examples:", "Exit codes: 0 "):
            self.assertIn(words, out)

    def test_wrong_usage_is_2(self):
        for words in ("", "--wrong", "list --wrong", "check", "check a b", "diff a", "report", "run -n 2", "run -n 0 a", "run a",
                      "run -n 2 --forse x a", "model --collective scan --ranks 4",
                      "model --collective scan --ranks 4 --bytes x", "model --collective scan --ranks 4 --bytes 8 --latency 1",
                      "explain", "explain --html m.html", "explain --all --ranks 2", "explain --all --json",
                      "explain --all --bytes 8", "explain --collective scan", "explain --collective scan --ranks 2",
                      "explain --ranks 2 --bytes 8", "explain --all --collective scan_scan",
                      "explain --collective scan_scan --ranks 2 --bytes 8 --schedule",
                      "explain --collective gather --ranks 2 --bytes 8", "explain --collective scan --ranks 0 --bytes 8",
                      "explain --collective scan --ranks 2 --bytes 8KB",
                      "explain --collective scan --ranks 2 --bytes 8 --operator sum", "list --collective scan bcast/binomial"):
            with self.subTest(words):
                self.assertNotEqual(self.refused(call(*words.split())), "")

    def test_unknown_verb(self):
        self.assertEqual(call("lst"), (2, "", 'mpigraft: unknown subcommand "lst"; did you mean "list"?\n'))
        self.assertIn("write one of list, check", call("frobnicate")[2])
        for words in (), ("--wrong",), ("-n", "2", "./program"):
            self.assertIn("mpigraft: begin with a subcommand, one of list, check", self.refused(call(*words)))

    def test_unknown_option(self):
        for words, remedy in (("list --jsn", 'did you mean "--json"?'), ("check -x", "`mpigraft check --help` shows its options"),
                              ("diff a --colective=scan b", 'did you mean "--collective"?'),
                              ("tune -out x", 'did you mean "--out"?')):
            wrong = next(word for word in words.split() if word.startswith("-")).partition("=")[0]
            self.assertEqual(self.refused(call(*words.split())), f'mpigraft: unknown option "{wrong}"; {remedy}\n')

    def test_collectives_have_the_names_of_mpi_too(self):
        table = self.write("t.json", '{"version": 1, "rules": []}')
        for words in ("list --collective {}", "explain --collective {} --ranks 4 --bytes 8", "explain --all --collective {}",
                      "model --collective scan,{} --ranks 4 --bytes 8", f"diff {DEFAULT_TABLE} {table} --collective {{}}",
                      "tune --ranks 2 --collectives scan,{} --dry-run --launcher true --bench " + COMMAND):
            ours, of_mpi = (call(*words.format(name).split(), cwd=self.folder) for name in ("bcast", "MPI_Bcast"))
            self.assertEqual((ours, "bcast" in ours[1]), (of_mpi, True))
            option = re.search("--collectives?", words)[0]
            self.assertEqual(self.refused(call(*words.format("bcats").split(), cwd=self.folder)).partition("; see")[0],
                             f'mpigraft: {option}: "bcats" is unknown; did you mean "bcast"?')

    def test_a_command_without_its_scripts(self):
        command = shutil.copy(COMMAND, self.folder)
        for script, arguments in (("tune/main.py", ("tune", "--ranks", "2", "--bench", COMMAND)),
                                  ("page.py", ("explain", "--all", "--html", "f.html"))):
            self.assertIn(f"{script} is neither beside this command nor in ", self.refused(call(*arguments, command=command)))

    def test_closed_pipe_is_harmless(self):
        with unread() as pipe:
            self.assertEqual(call("list", stdout=pipe), (0, None, ""))

    def test_empty_words_are_refused(self):
        """A shell makes them of variables that are not set."""
        for option, words in (("--table", ("explain", "--all")), ("--report", ("run", "-n", "2", "p")), ("--hang", ("doctor",))):
            self.assertIn(f"mpigraft: {option}: the word is empty; is a variable of the shell unset?",
                          self.refused(call(words[0], option, "", *words[1:])))

    @unittest.skipIf("UBSAN_OPTIONS" in os.environ, "the address sanitizer itself takes more")
    def test_want_of_memory_is_told(self):
        words = f"ulimit -v 600000; '{COMMAND}' model --collective allgather --ranks 8192 --bytes 1M"
        self.assertEqual(self.refused(call("-c", words, command="bash")),
                         "mpigraft: there is not enough memory for this; name fewer ranks or bytes\n")

    def test_an_old_python_is_told(self):
        self.write("bin/python3", "#!/bin/sh\nexit 1\n", 0o755)
        done = call("explain", "--all", "--html", self.path("m"), PATH=self.path("bin") + ":" + os.environ["PATH"])
        self.assertEqual(self.refused(done),
                         "mpigraft: python3 is older than 3.11; put a newer one into a folder that comes first on PATH\n")

    def test_full_disk_is_told(self):
        for words in (["list"], ["list", "scan/binomial"], ["--help"]):  # at once, and only at the end
            with self.subTest(words), open("/dev/full", "w", encoding="utf-8") as full:
                self.assertIn("cannot write", self.ended(call(*words, stdout=full), 2)[1])


class List(unittest.TestCase):
    def setUp(self):
        self.entries = json.loads(call("list", "--json")[1])

    @staticmethod
    def shown(entry):
        """What `list NAME` says, by its first words; of the values only what comes before a colon."""
        lines = call("list", entry["name"])[1].splitlines()
        return {line[:12].strip(): line[12:].partition(":")[0] for line in lines}

    def test_json(self):
        self.assertGreaterEqual(len(self.entries), 4)
        for entry in self.entries:
            self.assertEqual(list(entry), ["name", "collective", "function", "moves_data", "paper", "rounds", "volume",
                                           "commutative", "cuts", "bits_vary_with", "same_on_all_ranks", "flat", "nodes", "summary"])
            self.assertEqual(entry["name"].split("/")[0], entry["collective"])
            self.assertIs(type(entry["commutative"]), bool)

    def test_what_cuts(self):
        """The command lists what the proofs show of each algorithm."""
        known = {"scan/hillis_steele": "never", "scan/linear_pipeline": "blocks", "scan/shared_flat": "pages",
                 "exscan/two_tree": "always", "reduce/linear_pipeline": "always", "bcast/two_tree": ""}
        self.assertLessEqual(known.items(), {entry["name"]: entry["cuts"] for entry in self.entries}.items())
        for entry in self.entries:
            self.assertEqual(self.shown(entry).get("cuts", ""), entry["cuts"])

    def test_what_bits_vary_with(self):
        """The command lists what the proofs show of each algorithm."""
        known = {"scan/linear_pipeline": "fixed", "exscan/doubling_123": "fixed", "reduce/circulant": "blocks",
                 "scan/hierarchical": "blocks,nodes", "reduce/shared_flat": "nodes", "bcast/circulant": ""}
        bits_of = {entry["name"]: self.shown(entry).get("bits", "").removesuffix(",alike") for entry in self.entries}
        self.assertLessEqual(known.items(), bits_of.items())
        for entry in self.entries:
            bits = bits_of[entry["name"]]
            self.assertEqual(entry["bits_vary_with"], [] if bits in ("", "fixed") else bits.split(","))
            self.assertEqual(",alike" in self.shown(entry).get("bits", ""), bool(entry["same_on_all_ranks"]))

    def test_text_fits_and_can_be_narrowed(self):
        _, text, _ = call("list")
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        names = [line.split()[0] for line in text.splitlines() if re.match(r"[a-z_]+/", line)]
        self.assertEqual(names, [entry["name"] for entry in self.entries])
        some = call("list", "--collective", "bcast")[1]
        self.assertIn("bcast/two_tree ", some)
        self.assertNotIn("reduce/", some)
        self.assertEqual(len(json.loads(call("list", "bcast/two_tree", "--json")[1])), 1)
        self.assertEqual(call("list", "bcast/twotree"),
                         (2, "", 'mpigraft: unknown algorithm "bcast/twotree"; did you mean "bcast/two_tree"?\n'))
        self.assertIn("`mpigraft list` shows their full names", call("list", "fastest")[2])

    def test_volume_is_in_vectors(self):
        known = {"scan/hillis_steele": 6, "scan/pipelined_binary_tree": 3, "exscan/linear_pipeline": 1,
                 "bcast/binomial": 6, "bcast/two_tree": 1, "reduce/pipelined_binary_tree": 2}
        volumes = {entry["name"]: entry["volume"] for entry in self.entries}
        self.assertLessEqual(known.items(), volumes.items())

    def test_schema_names_the_same_algorithms(self):
        rule = json.loads(text_of(SCHEMA))["$defs"]["rule"]
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
    def test_embedded_tables_are_sound(self):
        for table in DEFAULT_TABLE, DEFAULT_TABLE.replace(".json", "_openmpi.json"):
            out = self.fine(call("check", "--strict", table))
            self.assertRegex(out, r": ok, rules: \d+, machine: latency 1.5us, bandwidth 12.5GB/s, combine 10GB/s\n$")
            self.assertEqual(json.loads(call("check", table, "--json")[1])["findings"], [])

    def test_names_of_others_are_understood(self):
        """The literature's, MPICH's and Open MPI's; a note says what they are called here."""
        table = self.table({"collective": "allreduce", "algorithm": "reduce_scatter_allgather"},
                           {"collective": "scan", "algorithm": "scan/simultaneous_binomial"},
                           {"collective": "bcast", "algorithm": "scatter_ring_allgather"})
        out = self.fine(call("check", "--strict", table))
        self.assertIn('note: /rules/0/algorithm: "reduce_scatter_allgather" is called "rabenseifner" here\n', out)
        self.assertEqual(call("fmt", table)[1].count("hillis_steele"), 1)
        forced = explain("bcast", 8, "1M", MPIGRAFT_FORCE="bcast=chain")[1]
        self.assertTrue(forced.startswith("runs: bcast/linear_pipeline"), forced)

    def test_keys_and_collectives_of_others_are_understood(self):
        table = self.table({"collective": "MPI_Scan", "algorithm": "binomial", "ppn": {"max": 4}, "msg_size": {"max": "8K"},
                            "comm_size": 8})
        out = self.fine(call("check", "--strict", table))
        for place, other, ours in (("ppn", "ppn", "ranks_per_node"), ("msg_size", "msg_size", "bytes"),
                                   ("comm_size", "comm_size", "ranks"), ("collective", "MPI_Scan", "scan")):
            self.assertIn(f'note: /rules/0/{place}: "{other}" is called "{ours}" here\n', out)
        ours = self.table({"collective": "scan", "algorithm": "binomial", "ranks_per_node": {"max": 4},
                           "bytes": {"max": "8K"}, "ranks": 8})
        self.assertEqual(call("fmt", table)[1], call("fmt", ours)[1])
        twice = self.table({"collective": "scan", "algorithm": "binomial", "ppn": 4, "ranks_per_node": 8})
        self.assertIn('/rules/0/ppn: "ppn" is called "ranks_per_node" here, and is there already; keep one', call("check", twice)[1])
        self.assertIn("runs: scan/binomial", explain("scan", 8, 8, MPIGRAFT_FORCE="MPI_Scan=binomial")[1])

    def test_numbers_of_others_are_explained(self):
        text = call("check", self.table({"collective": "scan", "algorithm": "binomial", "ranks": {"min": 2.5}}))[1]
        self.assertIn('/ranks/min: expected a number, found a fractional number; write 16 or "inf"', text)

    def test_findings_are_one_line_whatever_they_quote(self):
        table = self.write("t.json", '{"version": 1, "rules": [], "a\\n\\u001bb": 1}')
        self.assertIn(r':1:29: /a\x0a\x1bb: unknown key "a\x0a\x1bb"; write one of', call("check", table)[1])

    def test_json_of_invalid_utf8(self):
        with open(self.path("bad.json"), "wb") as file:
            file.write(b'{"version": 1, "\xff": 2}')
        out, _ = self.ended(call("check", self.path("bad.json"), "--json"), 1)
        self.assertEqual(json.loads(out)["findings"][0]["column"], 17)

    def test_what_is_no_file(self):
        os.mkfifo(self.path("fifo"))
        self.fine(call("check", self.write("longest", '{"version": 1, "rules": []}'.rjust(1 << 20))))
        self.write("longer", " " * (1 << 20 | 1))
        for path, problem in (("absent", "No such file or directory"), ("fifo", "is not a regular file; copy it into one\n"),
                              (".", "is a directory; name the file in it\n"), ("", "No such file"),
                              ("longer", "is larger than 1 MiB; use ranges to merge rules\n")):
            with self.subTest(path):
                self.assertIn(f"mpigraft: {path}: {problem}", self.refused(call("check", path, cwd=self.folder)))
