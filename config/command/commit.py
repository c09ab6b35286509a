#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the commit that a tree of the project was made from: `git archive` and `meson dist` write it into commit.txt;
before, git knows it."""

import os
import subprocess
import sys
from pathlib import Path

DIGITS = 12


def released():
    """Empty in a repository, where commit.txt still has the placeholder."""
    text = Path(__file__).with_name("commit.txt").read_text()
    return "" if text.startswith("$") else text[:DIGITS]


def in_repository(root):
    """Empty where there is none of the project's own: a copy may lie in another project's repository."""
    if not Path(root, ".git").exists():
        return ""
    command = ["git", "-C", root, "-c", f"safe.directory={root}",  # `sudo meson install` asks as another user
               "describe", "--always", "--exclude=*", f"--abbrev={DIGITS}", "--dirty=, modified"]
    try:
        done = subprocess.run(command, env=os.environ | {"GIT_OPTIONAL_LOCKS": "0"}, text=True, capture_output=True)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


if __name__ == "__main__":
    print(released() or in_repository(sys.argv[1]) or "unknown")
