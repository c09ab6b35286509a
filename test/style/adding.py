#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds what algorithms/ADDING.md shows to a copy of the project: an algorithm by the file and the line that it names, and a
collective that the copy lacks, by its row and an algorithm. Both must be proven, listed and run under mpiexec, and a wrong
cost that is stated of the first one must be caught. To be quick, the copy has a short catalogue and few subcommands,
compiles without optimisation, and builds only the proofs that every algorithm goes through."""

import json
import re
import shutil
import sys
import tempfile
import textwrap
from pathlib import Path

from repository import copy, finish, run

# The copy lacks this collective until it follows the document. It can, because no other function of MPI has its
# parameters.
ALGORITHM = "scan/han_carlson"
COLLECTIVE, OF_COLLECTIVE = "allreduce", "allreduce/there_and_back"
KEPT = ("scan/hillis_steele", "exscan/round_optimal", "exscan/adaptive", "bcast/binomial", "reduce/binomial")
KEPT_VERBS = ("list", "check", "explain")
OF_OTHER_VERBS = ("doctor", "doctor_program", "launcher", "model", "programs", "report", "run", "scripts")
TARGETS = ("test/algorithms/proof", "config/mpigraft", "shim/libmpigraft.so", "test/preload/prefix_sums",
           "test/mpi/conformance")
QUICK = "override_options: ['optimization=1']"  # for what runs longer than it compiles


def must(*command):
    done = run(*command)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def edit(path, pattern, replacement):
    text, changes = re.subn(pattern, replacement, path.read_text(), flags=re.DOTALL)
    if changes != 1:
        sys.exit(f"{path.name}: {changes} places match {pattern}")
    path.write_text(text)


def shorten(tree):
    shutil.rmtree(tree / "algorithms" / COLLECTIVE)
    edit(tree / "algorithms/collective.hpp", rf" +\\\n  X\({COLLECTIVE},[^)]*\)(?= *\\?\n)", "")
    kept = "".join(f"  '{name}',\n" for name in KEPT)
    edit(tree / "algorithms/meson.build", r"(algorithm_names = \[\n).*?\]", rf"\g<1>{kept}]")
    verbs = ",\n".join(rf'{{"{verb}", "", add_{verb}}}' for verb in KEPT_VERBS)
    edit(tree / "config/command/command.cpp", r"(constexpr Verb verbs\[\] = \{).*?\};", rf"\g<1>{verbs}}};")
    for name in OF_OTHER_VERBS:
        edit(tree / "config/meson.build", rf"'command/{name}.cpp',", "")
    for table in (tree / "config/table").glob("default*.json"):
        content = json.loads(table.read_text())
        content["rules"] = [rule for rule in content["rules"] if f"{rule['collective']}/{rule['algorithm']}" in KEPT]
        table.write_text(json.dumps(content))
    edit(tree / "test/algorithms/meson.build", r"(executable\('proof',\n).*?(\n  dependencies)",
         rf"\g<1>  'costs/costs.cpp', 'proof_test.cpp', 'schedule/scaling_test.cpp', {QUICK},\g<2>")
    for library, folder in ("catalogue", "algorithms"), ("model", "algorithms/model"):
        edit(tree / folder / "meson.build", rf"(static_library\('{library}',.*?)(\n  include_directories)",
             rf"\g<1>\n  {QUICK},\g<2>")


def add(root, tree):
    """Follows the document; returns the header that states the cost of the first algorithm."""
    text = (root / "algorithms/ADDING.md").read_text()
    shown = [textwrap.dedent(block) for block in re.findall(r"^ *```cpp\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)]
    algorithm, cost, row, of_collective = shown
    edit(tree / "algorithms/collective.hpp", r"(#define MPIGRAFT_COLLECTIVES\(X\) +\\\n)",
         lambda match: match[1] + textwrap.indent(row, "  "))
    costs = tree / "test/algorithms/costs"
    collective, name = ALGORITHM.split("/")
    edit(costs / f"{collective}.hpp", r"(namespace mpigraft::\w+::costs \{\n)", lambda match: match[1] + "\n" + cost)
    edit(costs / "costs.cpp", r"(all_stated\[\]\{).*?\};", rf'\g<1>{{"{ALGORITHM}", {collective}::costs::{name}}}}};')
    edit(costs / "costs.cpp", r'(#include "test/algorithms/costs/\w+.hpp"\n)+', f'#include "test/algorithms/costs/{collective}.hpp"\n')
    for name, content in ((ALGORITHM, algorithm), (OF_COLLECTIVE, of_collective)):
        header = tree / "algorithms" / f"{name}.hpp"
        header.parent.mkdir(exist_ok=True)
        header.write_text(content)
        edit(tree / "algorithms/meson.build", r"(algorithm_names = \[\n)", rf"\g<1>  '{name}',\n")
    return costs / f"{collective}.hpp"


class Test:
    def __init__(self, tree, mpiexec):
        self.build, self.mpiexec, self.findings = tree / "build", mpiexec, []
        self.command = self.build / "config/mpigraft"

    def expect(self, held, what, output):
        if not held:
            self.findings.append(f"{what}:\n{output}")

    def all_are_known(self, folder):
        done = run(self.build / "test/algorithms/proof", "[sizes]")
        self.expect(done.returncode == 0, "not proven", done.stdout)
        listed = must(self.command, "list")
        self.expect(ALGORITHM in listed and OF_COLLECTIVE in listed, "not listed", listed)
        shown = must(self.command, "explain", "--collective", "scan", "--ranks", "3", "--bytes", "8",
                     "--force", f"scan={ALGORITHM.split('/')[1]}", "--schedule")
        self.expect("      1  0>1\n      2          0-1>2\n" in shown, "not the schedule of Han and Carlson", shown)
        table = Path(folder, "table.json")
        rule = {"collective": COLLECTIVE, "algorithm": OF_COLLECTIVE.split("/")[1], "bytes": {"max": "64K"}}
        table.write_text(json.dumps({"version": 1, "rules": [rule]}))
        done = run(self.command, "check", table)
        self.expect(done.returncode == 0, "refused in a table", done.stdout)
        done = run(self.command, "explain", "--table", table, "--collective", COLLECTIVE, "--ranks", "4",
                   "--bytes", "8")
        self.expect(done.returncode == 0 and OF_COLLECTIVE in done.stdout, "not explained", done.stdout)

    def all_run(self):
        """Three ranks, so that one is between others."""
        done = run(self.mpiexec, "-n", "3", self.build / "test/mpi/conformance")
        for name in (ALGORITHM, OF_COLLECTIVE):
            conforms = done.returncode == 0 and re.search(rf"{name} .* ok\n", done.stdout)
            self.expect(conforms, f"{name} does not conform", done.stdout)
        force = ",".join(name.replace("/", "=") for name in (ALGORITHM, OF_COLLECTIVE)) + ",strict"
        done = run(self.mpiexec, "-n", "3", "-genv", "LD_PRELOAD", self.build / "shim/libmpigraft.so", "-genv",
                   "MPIGRAFT_FORCE", force, "-genv", "MPIGRAFT_REPORT", "stderr", self.build / "test/preload/prefix_sums")
        for name in (ALGORITHM, OF_COLLECTIVE):
            self.expect(done.returncode == 0 and re.search(rf"{name} +MPIGRAFT_FORCE", done.stdout),
                        f"{name} does not run in a program", done.stdout)

    def a_wrong_cost_is_told(self, costs):
        edit(costs, r"\.rounds = joins \+ serves,", ".rounds = joins + 2,")
        must("ninja", "-C", self.build, TARGETS[0])
        done = run(self.build / "test/algorithms/proof", "[sizes]")
        told = re.search(rf"{ALGORITHM} on p = 1 ranks.*?rounds.*?\n", done.stdout.replace("\n  ", " "))
        self.expect(done.returncode != 0 and told, "a wrong number of rounds is not told", done.stdout)
        print(told[0] if told else "")


def main():
    root, mpiexec = Path(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        test = Test(tree, mpiexec)
        copy(root, tree)
        shorten(tree)
        costs = add(root, tree)
        # as CI builds: a compiler cache has what the new lines do not reach
        must("meson", "setup", "--buildtype=plain", "-Dwerror=true", "-Dfortran=disabled", test.build, tree)
        must("ninja", "-C", test.build, *TARGETS)
        test.all_are_known(folder)
        test.all_run()
        test.a_wrong_cost_is_told(costs)
    finish(test.findings)


if __name__ == "__main__":
    main()
