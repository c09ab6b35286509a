# SPDX-License-Identifier: MIT
"""The part that style and packaging tests share: the files of the project, copies of it, module systems, other programs,
and the end of a test."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

FOLDERS = ("algorithms", "config", "shim", "test", "scripts", ".ci")
SKIPPED = 77
# With these, Debian's packages start `module` in bash.
LMOD, ENVIRONMENT_MODULES = Path("/usr/share/lmod/lmod/init/bash"), Path("/usr/share/modules/init/bash")
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("MPIGRAFT_", "LD_PRELOAD"))}


def run(*command, env=CLEAN, **options):
    """A command that has ended, with all that it printed in its stdout."""
    return subprocess.run([*map(str, command)], env=env, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)


def copy(root, tree):
    """All that a checkout has, without its history and builds."""
    shutil.copytree(root, tree, ignore=shutil.ignore_patterns("build*", ".git", "__pycache__"))


def files(root, *suffixes):
    """The project's files, sorted; with suffixes, only those that end in one."""
    found = []
    for folder in FOLDERS:
        found += (path for path in Path(root, folder).rglob("*") if path.is_file())
    found += (path for path in Path(root).iterdir() if path.is_file())
    return sorted(path for path in found
                  if "__pycache__" not in path.parts and path.name != ".git"  # a file in a second working tree
                  and (not suffixes or path.name.endswith(suffixes)))


def skip(why):
    print("skipped:", why)
    sys.exit(SKIPPED)


def finish(findings):
    for finding in findings:
        print(finding)
    print(f"{len(findings)} findings")
    sys.exit(1 if findings else 0)
