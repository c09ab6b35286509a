# SPDX-License-Identifier: MIT
"""The command on tables, apart from errors: warnings, canonical form, differences, maps."""
import glob
import json
import os

from command_call import (BROKEN_TABLES, DEFAULT_TABLE, QUESTIONABLE_TABLES, Folder, call, explain, text_of,
                          without_room)

KINDS = ("unreachable: ", "never matches", "no rule for ", " always runs instead", " ports, but a rank has",
         "\"segment\" has no effect", "never cuts", "one rank", "without data")


class Findings(Folder):
    def test_broken_tables_and_questionable_tables(self):
        """Each table has its output beside it; --strict ends in 1 if there is a warning."""
        tables = [(folder, table) for folder in (BROKEN_TABLES, QUESTIONABLE_TABLES)
                  for table in sorted(glob.glob("*.json", root_dir=folder))]
        seen = ""
        for folder, table in tables:
            with self.subTest(table):
                expected = text_of(folder, table[:-len("json")] + "expected")
                usable, warned = ": ok, rules: " in expected, ": warning: " in expected
                self.assertFalse(usable and folder == BROKEN_TABLES)
                self.assertEqual(call("check", table, cwd=folder), (int(not usable), expected, ""))
                self.assertEqual(call("check", "--strict", table, cwd=folder), (int(warned or not usable), expected, ""))
                if folder == QUESTIONABLE_TABLES:
                    self.assertEqual(table.startswith("sound"), len(expected.splitlines()) == 1)
                    seen += expected
        self.assertGreaterEqual([folder for folder, _ in tables].count(BROKEN_TABLES), 10)
        for kind in KINDS:
            self.assertIn(kind, seen)

    def test_a_table_of_many_pieces_is_checked_in_time(self):
        def only(number):
            return {"min": number, "max": number}

        pieces = [{"collective": "scan", "algorithm": "native", "ranks": only(2 + 2 * i), "bytes": only(1 + 2 * j)}
                  for j in range(20) for i in range(20)]
        out = self.fine(call("check", self.table(*pieces, {"collective": "scan", "algorithm": "binomial"})))
        self.assertRegex(out, r"^[^\n]*: ok, rules: 401,[^\n]*\n$")

    def test_json_findings(self):
        out, _ = self.ended(call("check", "many_defects.json", "--json", cwd=BROKEN_TABLES), 1)
        document = json.loads(out)
        self.assertEqual(document["file"], "many_defects.json")
        self.assertEqual(document["findings"][0],
                         {"severity": "error", "pointer": "/version", "line": 2, "column": 14, "hint": "",
                          "message": "expected an integer, found a string"})
        out, _ = self.ended(call("check", "errors_and_warnings.json", "--json", cwd=QUESTIONABLE_TABLES), 1)
        self.assertEqual([(finding["severity"], finding["pointer"]) for finding in json.loads(out)["findings"]],
                         [("error", "/rules/1/algorithm"), ("warning", "/rules/2"), ("warning", "/rules/3/bytes"),
                          ("error", "/rules/4/algorithm")])
        status, out, _ = call("check", "gaps.json", "--json", "--strict", cwd=QUESTIONABLE_TABLES)
        self.assertEqual((status, json.loads(out)["findings"][0]["severity"]), (0, "note"))


class Format(Folder):
    def test_canonical_form(self):
        table = self.write("t.json", """{"rules":[{"note":"n \\u00fc\\n","operator":"any","algorithm":"scan/two_tree",
            "bytes":{"max":65536,"min":"0K"},"segment":9223372036854775807,"collective":"scan"},
            {"collective": "exscan", "algorithm": "k_ported", "ports": 3, "ranks": {"min": 1023, "max": "1024K"}, "nodes": {}},
            {"collective": "scan", "algorithm": "binomial", "barrier": true, "operator": "user", "ranks_per_node": {"min": 2}},
            {"collective": "scan", "algorithm": "butterfly", "barrier": false, "ranks": {"min": 0, "max": "inf"}}],
            "scratch": 67108864, "machine": {"combine": "10GB/s", "latency": "2500ns"}, "requires": {"host": "n*"}, "note": "", "version": 1,
            "site": "here", "$schema": "s.json"}""")
        expected = """{
  "$schema": "s.json",
  "version": 1,
  "site": "here",
  "requires": {"host": "n*"},
  "machine": {"latency": "2.5us"},
  "scratch": "64M",
  "rules": [
    {"collective": "scan", "algorithm": "two_tree", "bytes": {"max": "64K"}, "segment": "none", "note": "n \u00fc\\n"},
    {"collective": "exscan", "algorithm": "k_ported", "ranks": {"min": 1023, "max": "1M"}, "ports": 3},
    {"collective": "scan", "algorithm": "binomial", "ranks_per_node": {"min": 2}, "operator": "user", "barrier": true},
    {"collective": "scan", "algorithm": "butterfly"}
  ]
}
"""
        self.assertEqual(call("fmt", table), (0, expected, ""))
        self.assertEqual(call("diff", table, self.write("f.json", expected)), (0, "", ""))

    def test_every_table_keeps_its_choices(self):
        for path in [DEFAULT_TABLE, *sorted(glob.glob(os.path.join(QUESTIONABLE_TABLES, "*.json")))]:
            with self.subTest(path):
                if call("check", path)[0] != 0:
                    continue
                once = self.fine(call("fmt", path))
                formatted = self.write("t.json", once)
                self.assertEqual(call("fmt", formatted), (0, once, ""))
                self.assertEqual(call("diff", path, formatted), (0, "", ""))
                self.assertEqual(*([rule.get("note") for rule in json.loads(text)["rules"]] for text in (text_of(path), once)))

    def sized(self, *values, key="bytes"):
        """A table of a rule for each of these limits, or segments."""
        return self.table(*({"collective": "scan", "algorithm": "linear_pipeline"}
                            | {key: {"max": value} if key == "bytes" else value} for value in values))

    def test_sizes(self):
        """They are numbers with an optional suffix of 1024, and written as short as they read back."""
        def written(*sizes):
            rules = json.loads(self.fine(call("fmt", self.sized(*sizes))))["rules"]
            return [rule.get("bytes", {"max": "inf"})["max"] for rule in rules]

        known = {"0": 0, "8": 8, "64K": "64K", "64k": "64K", "1M": "1M", "2g": "2G", "9007199254740991K": "9007199254740991K",
                 "8589934591G": "8589934591G", 1000: 1000, 65536: "64K", 65537: 65537, 3 << 20: "3M", 1 << 40: "1024G",
                 "inf": "inf", "9223372036854775807": "inf", (1 << 63) - 1: "inf"}
        self.assertEqual(written(*known), [*known.values()])
        some = [*(3**n for n in range(40)), *(2**n for n in range(63))]
        for size, text in zip(some, written(*some), strict=True):
            shift = {"K": 10, "M": 20, "G": 30}.get(str(text)[-1], 0)
            self.assertEqual(int(str(text).rstrip("KMG")) << shift, size)

    def test_what_is_no_size_or_segment(self):
        wrong = {"bytes": ("", "K", "-1", "+1", "-", " 1", "1 ", "1.5K", "1KB", "1KiB", "0x10", "1e3", "INF", "infinite", "1T",
                           "K1", "-1K", "9223372036854775808", "99999999999999999999", "9007199254740992K", "8589934592G"),
                 "segment": ("0", "0K", "None")}
        for key, values in wrong.items():
            findings = json.loads(call("check", "--json", self.sized(*values, key=key))[1])["findings"]
            self.assertEqual([finding["pointer"].split("/")[2] for finding in findings], [*map(str, range(len(values)))])

    def test_every_algorithm_can_be_named_and_only_under_its_collective(self):
        entries = json.loads(call("list", "--json")[1])
        rules = [{"collective": entry["collective"], "algorithm": entry["name"]}
                 | ({"operator": "commutative"} if entry["commutative"] else {}) for entry in entries]
        short = [rule | {"algorithm": rule["algorithm"].split("/")[1]} for rule in rules]
        for table in rules, short:
            self.assertEqual(json.loads(self.fine(call("fmt", self.table(*table))))["rules"], short)
        elsewhere = [rule | {"collective": "bcast" if rule["collective"] == "scan" else "scan"} for rule in rules]
        findings = json.loads(call("check", "--json", self.table(*elsewhere))[1])["findings"]
        self.assertEqual([finding["message"] for finding in findings if finding["severity"] == "error"],
                         [f'"{rule["algorithm"]}" is not an algorithm of {rule["collective"]}' for rule in elsewhere])

    def test_write(self):
        path = self.write("t.json", '{"version": 1, "rules": []}', 0o640)
        link = self.path("link.json")
        os.symlink("t.json", link)
        self.assertEqual(call("fmt", "--write", link), (0, "", ""))
        self.assertEqual(text_of(path), '{\n  "version": 1,\n  "rules": []\n}\n')
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o640)
        self.assertTrue(os.path.islink(link))
        before = os.stat(path).st_ino
        self.assertEqual(call("fmt", "--write", path), (0, "", ""))
        self.assertEqual(os.stat(path).st_ino, before)  # as it was
        self.assertEqual(sorted(os.listdir(self.folder)), ["link.json", "t.json"])

    def test_refusals(self):
        for name, problem in ("t" * 250, "File name too long"), ("t.json", "File too large"):
            path = self.write(name, '{"version": 1, "rules": []}')
            write = without_room if problem.endswith("large") else call
            self.assertEqual(self.refused(write("fmt", "--write", path)), f"mpigraft: cannot write {path}: {problem}\n")
            self.assertEqual((text_of(path), os.listdir(self.folder)), ('{"version": 1, "rules": []}', [name]))
            os.remove(path)
        path = self.write("t.json", '{"version": 1, "rules": []}')
        self.assertEqual(call("fmt", "no_size.json", cwd=BROKEN_TABLES),
                         (2, "", "mpigraft: " + text_of(BROKEN_TABLES, "no_size.expected")))
        for absent in ("fmt",), ("check",), ("diff", path):
            self.assertEqual(call(*absent, self.path("absent"))[:2], (2, ""))
        for verb in "merge", "diff":
            self.assertIn("/rules/0/bytes/max", self.refused(call(verb, path, os.path.join(BROKEN_TABLES, "no_size.json"))))


class Differences(Folder):
    def test_rectangles(self):
        before = self.table({"collective": "exscan", "algorithm": "doubling_123", "bytes": {"max": "64K"}},
                            {"collective": "scan", "algorithm": "two_tree", "nodes": {"min": 2}})
        after = self.table(
            {"collective": "exscan", "algorithm": "doubling_123", "ranks": {"max": 8}, "bytes": {"max": "64K"}},
            {"collective": "exscan", "algorithm": "linear_pipeline", "segment": "8K", "ranks": {"min": 9}}, name="after.json")
        self.assertEqual(call("diff", before, after, "--ranks-per-node", "4"), (1, """\
COLLECTIVE  RANKS   BYTES       BEFORE               AFTER
scan        5..inf  1..inf      scan/two_tree        native
exscan      9..inf  1..64K      exscan/doubling_123  exscan/linear_pipeline@8K
exscan      9..inf  65537..inf  native               exscan/linear_pipeline@8K
""", ""))
        self.assertNotIn("exscan", call("diff", before, after, "--collective", "scan")[1])
        self.assertEqual(call("diff", before, after, "--collective", "bcast", "--ranks-per-node", "4"),
                         (0, "", "mpigraft: the tables choose alike for 4 ranks a node, each with a core, and predefined "
                                 "operators\n"))

    def test_rectangles_are_as_large_as_the_rules_leave_them(self):
        def differing(before, after, *more):
            tables = self.table(*before), self.table(*after, name="after.json")
            out, _ = self.ended(call("diff", *tables, "--ranks-per-node", "4", *more), (0, 1))
            return [line.split()[:3] for line in out.splitlines()[1:]]

        scans = {"collective": "scan", "algorithm": "binomial"}
        small, of_nodes = scans | {"bytes": {"max": 64}}, scans | {"nodes": {"min": 3}}
        split = [small | {"ranks": {"max": 7}}, small]
        self.assertEqual(differing([small], split), [])
        self.assertEqual(differing(split, []), [["scan", "2..inf", "1..64"]])
        self.assertEqual(differing([of_nodes], []), [["scan", "9..inf", "1..inf"]])
        self.assertEqual(differing([scans | {"nodes": {"min": 9223372036854775806}}], []), [])

    def test_operator(self):
        before = self.table({"collective": "reduce", "algorithm": "circulant", "operator": "commutative"})
        after = self.table(name="after.json")
        self.assertEqual(call("diff", before, after)[0], 1)
        self.assertEqual(call("diff", before, after, "--operator", "noncommutative", "--ranks-per-node", "2"),
                         (0, "", "mpigraft: the tables choose alike for 2 ranks a node, each with a core, and user-defined "
                                 "operators that do not commute\n"))

    def test_functions_of_mpigraft_h(self):
        before = self.table()
        after = self.table({"collective": "scan_scan", "algorithm": "fused", "ranks": {"min": 9}}, name="after.json")
        self.assertEqual(call("diff", before, after),
                         (1, "scan_scan: nothing -> scan_scan ranks 9..inf: fused\n", ""))

    def test_what_stands_above_the_rules(self):
        before = self.table(requires={})
        after = self.table(machine={"latency": "2us"}, requires={"host": "n*", "mpi": "MPICH*"}, note="not compared", scratch="1M",
                           name="after.json")
        self.assertEqual(call("diff", before, after), (1, """\
machine: latency 1.5us, bandwidth 12.5GB/s, combine 10GB/s -> latency 2us, bandwidth 12.5GB/s, combine 10GB/s
scratch: 256M -> 1M
requires: nothing -> mpi "MPICH*", host "n*"
""", ""))
        self.assertIn('requires: mpi "MPICH*", host "n*" -> nothing\n', call("diff", after, before)[1])


class Map(Folder):
    def map(self, *arguments):
        return call("explain", "--all", "--collective", "exscan", "--table", self.table(
            {"collective": "exscan", "algorithm": "doubling_123", "ranks": {"max": 4}, "bytes": {"min": 2, "max": "1K"}},
            {"collective": "exscan", "algorithm": "hierarchical", "ranks": {"min": 4096}}), *arguments)

    def test_text(self):
        out = self.fine(self.map("--ranks-per-node", "2048"))
        lines = out.splitlines()
        self.assertEqual(lines[:6], ["exscan, up to 2048 ranks a node", "bytes  1         1K        1M", "    2  ." + 10 * "a" + 18 * ".",
                                     "    3  ." + 10 * "a" + 18 * ".", "    4  ." + 10 * "a" + 18 * ".",
                                     "    6  " + 29 * "."])
        self.assertEqual(lines[-4:], ["65536  " + 29 * "b", "  a exscan/doubling_123", "  b exscan/hierarchical",
                                      "  . native"])
        self.assertTrue(self.map("--ranks-per-node", "2", "--oversubscribed")[1].startswith(
            "exscan, up to 2 ranks a node, more ranks than cores\n"))
        self.assertIn("  b exscan/adaptive\n", self.map("--ranks-per-node", "4096")[1])  # the flat form
        collectives = {entry["collective"] for entry in json.loads(call("list", "--json")[1])}
        every = call("explain", "--all")[1]
        self.assertEqual((every.count("  . native\n"), every.count("\n65536  ")), (len(collectives), len(collectives)))

    def test_every_line_is_what_explain_says(self):
        _, out, _ = call("explain", "--all", "--collective", "scan", "--table", DEFAULT_TABLE, "--ranks-per-node", "8")
        legend = dict(line.split() for line in out.splitlines() if line.startswith("  ") and len(line.split()[0]) == 1)
        for line in out.splitlines()[2::5]:
            if not line.strip()[0].isdigit():
                continue
            ranks, letters = line.split()
            for power in range(0, 29, 9):
                self.assertEqual(legend[letters[power]], self.said("scan", ranks, 1 << power, "8"))

    def test_what_the_page_is_made_from(self):
        done, kind, file, given = self.of_page("explain", "--all", "--collective", "bcast", "--table", DEFAULT_TABLE,
                                                 "--ranks-per-node", "1", "--html", "m.html")
        self.assertEqual((done, kind, file), ((0, "", ""), "map", "m.html"))
        (panel,) = given["panels"]
        self.assertEqual((panel["title"], len(panel["ranks"]), len(panel["bytes"])), ("bcast, 1 rank a node", 31, 29))
        for line, place in ((0, 0), (4, 10), (30, 28)):
            self.assertEqual(panel["algorithms"][line][place],
                             self.said("bcast", panel["ranks"][line], panel["bytes"][place], "1"))

    def said(self, collective, ranks, size, per_node):
        """The algorithm of a call, in the words of explain without --all."""
        return json.loads(self.fine(explain(collective, ranks, size, "--table", DEFAULT_TABLE, "--ranks-per-node", per_node,
                                            "--json")))["algorithm"]

    def test_requirements_are_shown(self):
        one = ("scan", 2, 8, "--table", self.table(requires={"mpi": "MPICH*"}))
        self.assertIn('\nrequires: mpi "MPICH*" (taken as given)\n', explain(*one)[1])
        self.assertEqual(json.loads(explain(*one, "--json")[1])["requires"], 'mpi "MPICH*"')
        self.assertIn(', requires: host "n*",', self.fine(call("check", self.table(requires={"host": "n*"}))))
