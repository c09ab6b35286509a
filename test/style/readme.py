#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs README's examples (a ```sh block behind `<!-- run -->`) and compares the output that it shows (a block behind
`<!-- output of: COMMAND -->`); with --write, writes that output."""

import argparse
import os
import re
import subprocess
from pathlib import Path

import repository

EXAMPLE = re.compile(r"<!-- run -->\n```sh\n(.*?)```", re.DOTALL)
OUTPUT = re.compile(r"(<!-- output of: (.+?) -->\n```text\n)(.*?)```", re.DOTALL)
PRODUCTS = ("config", "test/bench", "test/preload")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("root", type=Path)
    parser.add_argument("build", type=Path)
    options = parser.parse_args()
    readme = options.root / "README.md"
    text = readme.read_text()
    path = ":".join(str(options.build.absolute() / folder) for folder in PRODUCTS)
    env = {name: value for name, value in os.environ.items() if not name.startswith("MPIGRAFT_")}
    env["PATH"] = f"{path}:{env['PATH']}"
    findings = []

    def run(script):
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=options.root, env=env, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode != 0:
            findings.append(f"exit code {done.returncode}:\n{script}{done.stdout}{done.stderr}")
        return done.stdout

    for example in EXAMPLE.findall(text):
        run(example)
    fresh = OUTPUT.sub(lambda match: f"{match[1]}{run(match[2])}```", text)
    if options.write:
        readme.write_text(fresh)
    elif fresh != text:
        findings.append("README.md shows old output; renew it: test/style/readme.py --write . build")
    repository.finish(findings)


if __name__ == "__main__":
    main()
