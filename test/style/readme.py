#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the examples of README and its like (a ```sh block behind `<!-- run -->`) and compares what they show: the output
of a command (a block behind `<!-- output of: COMMAND -->`), and the catalogue as a table (behind `<!-- algorithms -->`).
README begins with the functions that are grafted.
With --write, writes that output. The examples must work where `mpiexec` is another MPI's."""

import argparse
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

import repository

EXAMPLE = re.compile(r"<!-- run -->\n```sh\n(.*?)```", re.DOTALL)
OUTPUT = re.compile(r"(<!-- output of: (.+?) -->\n```text\n)(.*?)```", re.DOTALL)
ALGORITHMS = re.compile(r"(<!-- algorithms -->\n\n)((?:\|.*\n)*)")
DOCUMENTS = ("README.md", "algorithms/README.md", "algorithms/FROM_PAPER.md", "config/USING.md", "shim/README.md",
             "shim/memory/README.md")
OTHER_MPIEXEC = """#!/bin/sh
[ "$1" = --version ] && echo 'mpiexec (OpenRTE) 4.1.4' || { echo 'unknown option "-genv"' >&2; exit 1; }
"""
PRODUCTS = ("config", "shim/bench", "test/preload")


def table(entries):
    rows = [("algorithm", "from", "rounds", "volume", "operators", "cuts", "bits vary with"),
            ("---", "---", "---", "---:", "---", "---", "---")]
    for entry in entries:
        operators = ("commutative only" if entry["commutative"] else "any") if entry["cuts"] else ""
        rows.append((f"`{entry['name']}`", entry["paper"], entry["rounds"].replace("<=", "≤"), f"{entry['volume']:.2f}",
                     operators, entry["cuts"], ", ".join(entry["bits_vary_with"])))
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in rows)


def environment(build, folder):
    """That of the examples; its mpiexec is in `folder`."""
    other = Path(folder) / "mpiexec"
    other.write_text(OTHER_MPIEXEC)
    other.chmod(0o755)
    path = [*(str(build.absolute() / product) for product in PRODUCTS), folder, os.environ["PATH"]]
    env = {name: value for name, value in os.environ.items()
           if not name.startswith("MPIGRAFT_") or name == "MPIGRAFT_LAUNCHER"}
    return env | {"PATH": ":".join(path)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("root", type=Path)
    parser.add_argument("build", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        repository.finish(findings_of(options, environment(options.build, folder)))


def findings_of(options, env):
    findings = []

    def run(script):
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=options.root, env=env, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode != 0:
            findings.append(f"exit code {done.returncode}:\n{script}{done.stdout}{done.stderr}")
        return done.stdout

    catalogue = json.loads(run("mpigraft list --json"))
    *functions, last = (f"`{name}`" for name in dict.fromkeys(entry["function"] for entry in catalogue))
    named = f"{', '.join(functions)} and {last}"
    if named not in " ".join((options.root / "README.md").read_text().split("\n\n")[1].split()):
        findings.append(f"README.md does not begin with {named}")
    for place in DOCUMENTS:
        text = (options.root / place).read_text()
        for example in EXAMPLE.findall(text):
            run(example)
        fresh = OUTPUT.sub(lambda match: f"{match[1]}{run(match[2])}```", text)
        fresh = ALGORITHMS.sub(lambda match: match[1] + table(catalogue), fresh)
        if options.write:
            (options.root / place).write_text(fresh)
        elif fresh != text:
            findings.append(f"{place} shows old output; renew it: test/style/readme.py --write . build")
    return findings


if __name__ == "__main__":
    main()
