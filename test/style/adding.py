#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds the algorithm that algorithms/ADDING.md shows to a copy of the project, by the file and the line that it says,
and sees it proven, listed, run under mpiexec, and caught where it states a wrong figure. To be quick the copy has a
short catalogue, compiles without optimisation, and builds of the proofs only those that every algorithm goes through."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import repository

NAME = "scan/chain"
KEPT = ("scan/simultaneous_binomial", "exscan/round_optimal", "exscan/adaptive", "bcast/binomial", "reduce/binomial")
TARGETS = ("test/proof/proof", "config/mpigraft", "shim/libmpigraft.so", "test/preload/prefix_sums")
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("MPIGRAFT_")}


def run(*command, **options):
    return subprocess.run([str(part) for part in command], env=CLEAN, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)


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


def copy(root, tree):
    for folder in ("algorithms", "config", "scripts", "shim", "test"):
        shutil.copytree(root / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("meson.build", "meson_options.txt"):
        shutil.copy(root / name, tree)
    kept = "".join(f"  '{name}',\n" for name in KEPT)
    edit(tree / "algorithms/meson.build", r"(algorithm_names = \[\n).*?\]", rf"\g<1>{kept}]")
    table = tree / "config/table/default.json"
    content = json.loads(table.read_text())
    content["rules"] = [rule for rule in content["rules"] if f"{rule['collective']}/{rule['algorithm']}" in KEPT]
    table.write_text(json.dumps(content))
    edit(tree / "test/proof/meson.build", r"(executable\('proof',\n).*?(\n  dependencies)", r"\g<1>  'theorem_test.cpp',\g<2>")


def add(root, tree):
    """Follows the document; returns the header's path."""
    text = (root / "algorithms/ADDING.md").read_text()
    shown = re.search(r"```cpp\n(.*?)\n *```", text, re.DOTALL)[1]
    header = tree / "algorithms" / f"{NAME}.hpp"
    header.write_text(textwrap.dedent("   " + shown.lstrip()) + "\n")
    edit(tree / "algorithms/meson.build", r"(algorithm_names = \[\n)", rf"\g<1>  '{NAME}',\n")
    return header


def main():
    root, mpiexec = Path(sys.argv[1]), sys.argv[2]
    findings = []

    def expect(held, what, output):
        if not held:
            findings.append(f"{what}:\n{output}")

    with tempfile.TemporaryDirectory() as folder:
        tree, build = Path(folder, "tree"), Path(folder, "build")
        tree.mkdir()
        copy(root, tree)
        header = add(root, tree)
        must("meson", "setup", "--buildtype=plain", "-Dfortran=disabled", build, tree)
        must("ninja", "-C", build, *TARGETS)
        proof = build / "test/proof/proof"

        done = run(proof, "[sizes]")
        expect(done.returncode == 0, "is not proven", done.stdout)
        listed = must(build / "config/mpigraft", "list")
        expect(NAME in listed, "is not listed", listed)
        done = run(mpiexec, "-n", "3", "-genv", "LD_PRELOAD", build / "shim/libmpigraft.so", "-genv", "MPIGRAFT_FORCE",
                   "scan=chain", "-genv", "MPIGRAFT_STRICT", "1", "-genv", "MPIGRAFT_REPORT", "stderr",
                   build / "test/preload/prefix_sums")
        expect(done.returncode == 0 and re.search(rf"{NAME} +MPIGRAFT_FORCE", done.stdout), "does not run", done.stdout)

        edit(header, r"\.rounds = p - 1,", ".rounds = p,")
        must("ninja", "-C", build, TARGETS[0])
        done = run(proof, "[sizes]")
        told = re.search(rf"{NAME} on p = 1 ranks.*?rounds.*?\n", done.stdout.replace("\n  ", " "))
        expect(done.returncode != 0 and told, "a wrong number of rounds is not told", done.stdout)
        print(told[0] if told else "")
    repository.finish(findings)


if __name__ == "__main__":
    main()
