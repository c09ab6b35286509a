#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the commit that a tree of the project was made from. `git archive` and `meson dist` write it into commit.txt;
in a repository git tells it."""

import os
import subprocess
import sys
from pathlib import Path

DIGITS = 12


def released():
    """The commit in commit.txt; empty in a repository, where that still has the placeholder."""
    text = Path(__file__).with_name("commit.txt").read_text()
    return "" if text.startswith("$") else text[:DIGITS]


def in_repository(root):
    """The commit that git tells; empty if the project is no repository. (A copy may lie in that of another project.)"""
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
