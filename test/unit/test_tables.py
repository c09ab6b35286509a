#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command on tables, apart from errors: warnings, canonical form, differences, maps."""
import copy
import glob
import json
import os
import re
import shutil
import sys
import unittest

from command_call import BROKEN_TABLES, COMMAND, DEFAULT_TABLE, QUESTIONABLE_TABLES, Folder, call, text_of

# Hints that say what to think about, not what to write.
UNTAKEN = ("keep one of them", "it is an algorithm of exscan", "this mpigraft reads 1")  # not here: those on what is no JSON
KINDS = ("unreachable: ", "never matches", "no rule for ", " always runs instead", " ports, but a rank has",
         "a segment has no effect", "never cuts", "does not fit the bounds", "one rank", "without data")


def tables(folder):
    return sorted(glob.glob("*.json", root_dir=folder))


def changed(document, pointer, change):
    """A copy in which change(parent, key) was made at a place."""
    document = copy.deepcopy(document)
    *path, key = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    parent = document
    for step in path:
        parent = parent[int(step) if isinstance(parent, list) else step]
    change(parent, int(key) if isinstance(parent, list) else key)
    return document


def literal(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def put(value):
    return lambda parent, key: parent.__setitem__(key, value)


def rename(name):
    return lambda parent, key: parent.__setitem__(name, parent.pop(key))


def rule_of(finding):
    return re.match(r"/rules/\d+", finding["pointer"])[0]


def of_rule(key, value):
    return lambda parent, rule: parent[rule].__setitem__(key, value)


def written(finding, text):
    """The changes that write one of several values, or keys, that a hint names."""
    if re.fullmatch("1 to [0-9]+", text):
        return [(finding["pointer"], put(int(number))) for number in text.split(" to ")]
    if found := re.fullmatch("one of (.*)", text):
        names = found[1].split(", ")
    else:
        names = re.findall(r'\{.*\}|"[^"]*"|[^ ,]+', re.sub(r" or |one such as |, with .*|a smaller one,|leave it out|remove it",
                                                           " ", text))
    key = finding["message"].startswith("unknown key")
    return [(finding["pointer"], rename(name) if key else put(literal(name))) for name in names]


def repairs(finding):
    """All that a hint offers, each as (place, change); none for a hint that cannot be taken word by word."""
    hint, place = finding["hint"], finding["pointer"]
    if hint.startswith("remove") or hint == "write \"*\", or remove it":
        return [(place, lambda parent, key: parent.pop(key))]
    if found := re.fullmatch(r"did you mean (.*)\?", hint):
        if finding["message"].startswith("unknown key"):
            return [(place, rename(literal(found[1])))]
        bound = re.match("(max|min) [0-9]+ does not fit", finding["message"])
        return [(place + (f"/{bound[1]}" if bound else ""), put(literal(found[1])))]
    if found := re.fullmatch(r'(?:add|write) "(operator)": (".*")', hint):
        return [(rule_of(finding), of_rule(found[1], literal(found[2])))]
    if hint.startswith("if you mean that, add a rule that names native"):
        ranks, sizes = re.search(r"ranks (\S+), bytes (\S+), between", finding["message"]).groups()
        limits = [{"min": literal(least), "max": literal(most)} for least, most in (ranks.split(".."), sizes.split(".."))]

        def add(parent, rule):
            native = {"collective": parent[rule]["collective"], "algorithm": "native"}
            parent.insert(rule, native | {"ranks": limits[0], "bytes": limits[1]})
        return [(rule_of(finding), add)]
    if hint == '"inf" stands for no limit':
        return [(place, put("inf"))]
    asked = re.search(r'ask for "(nodes)": (.*)$', hint)
    named = re.match("name ([a-z_/0-9]+)", hint)
    offers = [(rule_of(finding), of_rule("algorithm", named[1]))] if named else []
    offers += [(rule_of(finding), of_rule(asked[1], literal(asked[2])))] if asked else []
    if hint.startswith("write ") and not offers:
        offers = written(finding, hint.removeprefix("write "))
    return offers


class Hints(Folder):
    def findings(self, document):
        return json.loads(call("check", "--json", self.write("t.json", json.dumps(document)))[1])["findings"]

    def test_every_hint_is_accepted(self):
        """Each hint of each table here is taken as it stands: what it was for is gone, and no error takes its place."""
        taken = 0
        for folder in (BROKEN_TABLES, QUESTIONABLE_TABLES):
            for name in tables(folder):
                try:
                    document = json.loads(text_of(folder, name))
                except ValueError:
                    continue
                before = [] if name == "duplicate_key.json" else self.findings(document)
                known = {(finding["pointer"], finding["message"]) for finding in before}
                for finding in before:
                    offers = repairs(finding)
                    said = f"{name}: {finding['message']}; {finding['hint']}"
                    self.assertTrue(offers or not finding["hint"] or finding["hint"] in UNTAKEN, said)
                    for place, change in offers:
                        after = self.findings(changed(document, place, change))
                        left = {(other["pointer"], other["message"]) for other in after}
                        self.assertNotIn((finding["pointer"], finding["message"]), left, said)
                        fresh = [other for other in after if other["severity"] == "error" and
                                 (other["pointer"], other["message"]) not in known]
                        if re.match("unknown key.*; write", f"{finding['message']}; {finding['hint']}"):
                            fresh = [other for other in fresh if " key" in other["message"]]  # its value is another's
                        self.assertEqual(fresh, [], said)
                        taken += 1
        self.assertGreater(taken, 60)


class Warnings(unittest.TestCase):
    def test_questionable_tables(self):
        """Each table has its output beside it; --strict ends in 1 if there is a warning."""
        seen = ""
        for table in tables(QUESTIONABLE_TABLES):
            with self.subTest(table):
                expected = text_of(QUESTIONABLE_TABLES, table[:-len("json")] + "expected")
                usable, warned = ": ok, rules: " in expected, ": warning: " in expected
                self.assertEqual(call("check", table, cwd=QUESTIONABLE_TABLES), (int(not usable), expected, ""))
                self.assertEqual(call("check", "--strict", table, cwd=QUESTIONABLE_TABLES),
                                 (int(warned or not usable), expected, ""))
                self.assertEqual(table.startswith("sound"), len(expected.splitlines()) == 1)
                seen += expected
        for kind in KINDS:
            self.assertIn(kind, seen)

    def test_json(self):
        status, out, _ = call("check", "errors_and_warnings.json", "--json", cwd=QUESTIONABLE_TABLES)
        self.assertEqual(status, 1)
        self.assertEqual([(finding["severity"], finding["pointer"]) for finding in json.loads(out)["findings"]],
                         [("error", "/rules/1/algorithm"), ("warning", "/rules/2"), ("warning", "/rules/3/bytes")])
        status, out, _ = call("check", "gap_in_bytes.json", "--json", "--strict", cwd=QUESTIONABLE_TABLES)
        self.assertEqual((status, json.loads(out)["findings"][0]["severity"]), (0, "note"))

    def test_the_default_table_is_clean(self):
        self.assertEqual(call("check", DEFAULT_TABLE, "--strict")[0], 0)
        self.assertEqual(json.loads(call("check", DEFAULT_TABLE, "--json")[1])["findings"], [])


class Format(Folder):
    def test_canonical_form(self):
        table = self.write("t.json", """{"rules":[{"note":"n \\u00fc\\n","operator":"any","algorithm":"scan/two_tree",
            "bytes":{"max":65536,"min":"0K"},"segment":9223372036854775807,"collective":"scan"},
            {"collective": "exscan", "algorithm": "k_ported", "ports": 3, "ranks": {"min": 1023, "max": "1024K"}, "nodes": {}},
            {"collective": "scan", "algorithm": "binomial", "barrier": true, "operator": "user", "ranks_per_node": {"min": 2}},
            {"collective": "scan", "algorithm": "butterfly", "barrier": false, "ranks": {"min": 0, "max": "inf"}}],
            "scratch": 67108864, "machine": {"combine": "10GB/s", "latency": "1500ns"}, "requires": {"host": "n*"}, "note": "", "version": 1,
            "site": "here", "$schema": "s.json"}""")
        expected = """{
  "$schema": "s.json",
  "version": 1,
  "site": "here",
  "note": "",
  "requires": {"host": "n*"},
  "machine": {"latency": "1500ns", "combine": "10GB/s"},
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
        for path in [DEFAULT_TABLE, *(os.path.join(QUESTIONABLE_TABLES, table) for table in tables(QUESTIONABLE_TABLES))]:
            with self.subTest(path):
                if call("check", path)[0] != 0:
                    continue
                status, once, _ = call("fmt", path)
                self.assertEqual(status, 0)
                formatted = self.write("t.json", once)
                self.assertEqual(call("fmt", formatted), (0, once, ""))
                self.assertEqual(call("diff", path, formatted), (0, "", ""))
                notes = [[rule.get("note") for rule in json.loads(text)["rules"]] for text in (text_of(path), once)]
                self.assertEqual(*notes)

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
        os.mkdir(self.path("t.json.new"))
        path = self.write("t.json", '{"version": 1, "rules": []}')
        status, out, err = call("fmt", path, "--write")
        self.assertEqual((status, out), (2, ""))
        self.assertIn(f"cannot write {path}.new", err)
        self.assertEqual(text_of(path), '{"version": 1, "rules": []}')
        self.assertEqual(call("fmt", "no_size.json", cwd=BROKEN_TABLES),
                         (1, "", "mpigraft: " + text_of(BROKEN_TABLES, "no_size.expected")))
        self.assertEqual(call("fmt", self.path("absent"))[:2], (2, ""))


class Differences(Folder):
    def diff(self, before, after, *arguments):
        return call("diff", self.write("a.json", json.dumps(before)), self.write("b.json", json.dumps(after)), *arguments)

    def test_rectangles(self):
        before = {"version": 1, "rules": [{"collective": "exscan", "algorithm": "doubling_123", "bytes": {"max": "64K"}},
                                          {"collective": "scan", "algorithm": "two_tree", "nodes": {"min": 2}}]}
        after = {"version": 1, "rules": [
            {"collective": "exscan", "algorithm": "doubling_123", "ranks": {"max": 8}, "bytes": {"max": "64K"}},
            {"collective": "exscan", "algorithm": "linear_pipeline", "segment": "8K", "ranks": {"min": 9}}]}
        self.assertEqual(self.diff(before, after, "--ranks-per-node", "4"), (1, """\
COLLECTIVE  RANKS   BYTES       BEFORE               AFTER
scan        5..inf  1..inf      scan/two_tree        native
exscan      9..inf  1..64K      exscan/doubling_123  exscan/linear_pipeline, segment 8K
exscan      9..inf  65537..inf  native               exscan/linear_pipeline, segment 8K
""", ""))
        self.assertNotIn("exscan", self.diff(before, after, "--collective", "scan")[1])
        self.assertEqual(self.diff(before, after, "--collective", "bcast"), (0, "", ""))
        self.assertEqual(self.diff(before, before), (0, "", ""))

    def test_operator(self):
        rule = {"collective": "reduce", "algorithm": "circulant", "operator": "commutative"}
        before, after = {"version": 1, "rules": [rule]}, {"version": 1, "rules": []}
        self.assertEqual(self.diff(before, after)[0], 1)
        self.assertEqual(self.diff(before, after, "--operator", "noncommutative"), (0, "", ""))

    def test_what_stands_above_the_rules(self):
        before = {"version": 1, "rules": []}
        after = before | {"machine": {"latency": "2us"}, "requires": {"mpi": "MPICH*"}, "note": "not compared",
                          "scratch": "1M"}
        self.assertEqual(self.diff(before, after), (1, """\
machine: latency 1.5us, bandwidth 12.5GB/s, combine 10GB/s -> latency 2us, bandwidth 12.5GB/s, combine 10GB/s
scratch: 256M -> 1M
requires: nothing -> mpi "MPICH*"
""", ""))
        self.assertIn('requires: mpi "MPICH*" -> nothing\n', self.diff(after, before)[1])

    def test_trouble(self):
        path = self.table()
        self.assertEqual(call("diff", path, self.path("absent"))[:2], (2, ""))
        status, out, err = call("diff", path, os.path.join(BROKEN_TABLES, "no_size.json"))
        self.assertEqual((status, out), (2, ""))
        self.assertIn("/rules/0/bytes/max", err)
        self.assertEqual(call("diff", path)[0], 2)


class Map(Folder):
    def map(self, *arguments):
        return call("explain", "--all", "--collective", "exscan", "--table", self.table(
            {"collective": "exscan", "algorithm": "doubling_123", "ranks": {"max": 4}, "bytes": {"min": 2, "max": "1K"}},
            {"collective": "exscan", "algorithm": "hierarchical", "ranks": {"min": 4096}}), *arguments)

    def test_text(self):
        status, out, err = self.map("--ranks-per-node", "2048")
        self.assertEqual((status, err), (0, ""))
        lines = out.splitlines()
        self.assertEqual(lines[:6], ["exscan, up to 2048 ranks a node", "bytes  1         1K        1M", "    2  ." + 10 * "a" + 18 * ".",
                                     "    3  ." + 10 * "a" + 18 * ".", "    4  ." + 10 * "a" + 18 * ".",
                                     "    6  " + 29 * "."])
        self.assertEqual(lines[-4:], [" 4096  " + 29 * "b", "  a exscan/doubling_123", "  b exscan/hierarchical",
                                      "  . native"])
        self.assertIn("  b exscan/adaptive\n", self.map("--ranks-per-node", "4096")[1])  # the flat form
        collectives = {entry["collective"] for entry in json.loads(call("list", "--json")[1])}
        self.assertEqual(call("explain", "--all")[1].count("  . native\n"), len(collectives))

    def test_every_line_is_what_explain_says(self):
        _, out, _ = call("explain", "--all", "--collective", "scan", "--table", DEFAULT_TABLE, "--ranks-per-node", "8")
        legend = dict(line.split() for line in out.splitlines() if line.startswith("  ") and len(line.split()[0]) == 1)
        for line in out.splitlines()[2::5]:
            if not line.strip()[0].isdigit():
                continue
            ranks, letters = line.split()
            for power in range(0, 29, 9):
                _, said, _ = call("explain", "--collective", "scan", "--ranks", ranks, "--bytes", str(1 << power),
                                  "--table", DEFAULT_TABLE, "--ranks-per-node", "8", "--json")
                self.assertEqual(legend[letters[power]], json.loads(said)["algorithm"])

    def test_plot(self):
        """Uses a python3 that keeps what it is given."""
        self.write("bin/python3", f'#!/bin/sh\nprintf "%s\\n" "$@" >{self.path("words")}\ncat >{self.path("csv")}\n', 0o755)
        path = self.path("bin") + ":" + os.environ["PATH"]
        self.assertEqual(call("explain", "--all", "--collective", "bcast", "--table", DEFAULT_TABLE, "--plot", "m.png",
                              PATH=path), (0, "", ""))
        script, file = text_of(self.path("words")).splitlines()
        self.assertTrue(script.endswith("plot_map.py") and os.path.exists(script), script)
        self.assertEqual(file, "m.png")
        rows = text_of(self.path("csv")).splitlines()
        self.assertEqual(rows[:2], ["title,ranks,bytes,algorithm", '"bcast, 1 rank a node",2,1,' + self.said(2, 1)])
        self.assertEqual(len(rows), 1 + 23 * 29)
        command = shutil.copy(COMMAND, self.folder)
        self.assertIn("plot_map.py is neither beside", call("explain", "--all", "--plot", "m.png", command=command)[2])

    def said(self, ranks, size):
        return json.loads(call("explain", "--collective", "bcast", "--ranks", str(ranks), "--bytes", str(size), "--table",
                               DEFAULT_TABLE, "--json")[1])["algorithm"]

    def test_usage(self):
        for arguments in (("--all", "--ranks", "2"), ("--all", "--json"), ("--all", "--bytes", "8"), ("--plot", "m.png"),
                          ("--collective", "scan", "--ranks", "2"), ("--ranks", "2", "--bytes", "8"), ()):
            status, out, err = call("explain", *arguments)
            self.assertEqual((status, out), (2, ""), arguments)
            self.assertTrue(err)

    def test_requirements_are_shown(self):
        table = self.write("t.json", json.dumps({"version": 1, "requires": {"mpi": "MPICH*"}, "rules": []}))
        one = ("explain", "--collective", "scan", "--ranks", "2", "--bytes", "8", "--table", table)
        self.assertIn('\nrequires: mpi "MPICH*" (taken as given)\n', call(*one)[1])
        self.assertEqual(json.loads(call(*one, "--json")[1])["requires"], 'mpi "MPICH*"')


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
