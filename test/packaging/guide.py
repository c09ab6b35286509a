#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Follows the administrator's guide: runs all its sh blocks in one shell, in a copy of the project. Unless MPIGRAFT_FULL is
set, the block that builds gives way to an installation of what is built already.
Arguments: ROOT BUILD PREFIX VERSION MPIEXEC PROGRAM"""

import os
import re
import socket
import sys
import tempfile
from pathlib import Path

from repository import CLEAN, ENVIRONMENT_MODULES, LMOD, copy, finish, run

ROOT, BUILD, PREFIX, VERSION, MPIEXEC, PROGRAM = sys.argv[1:]
FULL = "MPIGRAFT_FULL" in os.environ
GUIDE = Path(ROOT, "config/site/DEPLOYING.md")
# Its prefix is another one than the guide's, so the module files name that one.
INSTALL = f"""meson install -C {BUILD} --no-rebuild --destdir "$SITE/staged" >/dev/null
mkdir -p "$SITE/mpigraft"
mv "$SITE/staged{PREFIX}" "$SITE/mpigraft/{VERSION}"
sed -i "s|{PREFIX}/|$SITE/mpigraft/{VERSION}/|" "$SITE"/mpigraft/{VERSION}/share/mpigraft/modulefiles/mpigraft/*
"""
NO_MODULES = f"""module() {{
  [ "$1" = use ] || export PATH="$SITE/mpigraft/{VERSION}/bin:$PATH" \\
    LIBMPIGRAFT="$(find "$SITE/mpigraft/{VERSION}" -name libmpigraft.so)"
}}
"""


def script():
    text = GUIDE.read_text().replace('"[tf]*"', f'"[tf{socket.gethostname()[0]}]*"')  # the guide's table is for this host, too
    install, *others = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    system = next((system for system in (LMOD, ENVIRONMENT_MODULES) if system.exists()), None)
    if not system:
        print("neither Lmod nor Environment Modules: `module load` is a stand-in")
    start = f"source {system}\n" if system else NO_MODULES
    return "\n".join((start, "set -eo pipefail", install if FULL else INSTALL, *others))


def expectations(folder):
    """(words that the steps print, how often they must do so at least)"""
    yield rf"mpigraft {re.escape(VERSION)} \(commit ", 1
    yield "runs: exscan/doubling_123", 1
    yield "runs: exscan/round_optimal", 1
    yield "nothing wrong", 3
    yield "note: learned: .*; program on ", 1
    yield "exscan .*exscan/", 1
    yield "exscan .*native +MPIGRAFT_FORCE", 1
    if FULL:  # it looks for the table in the guide's folder
        yield rf"ok +table +{folder}/etc/mpigraft/table\.json", 2


def main():
    findings = []
    with tempfile.TemporaryDirectory() as folder:
        site, tree, tools = (os.path.join(os.path.realpath(folder), name) for name in ("site", "tree", "tools"))
        os.mkdir(site)
        os.mkdir(tools)
        launcher = Path(tools, "mpiexec")
        launcher.write_text(f'#!/bin/sh\nexec {MPIEXEC} "$@"\n')
        launcher.chmod(0o755)
        copy(ROOT, tree)
        os.symlink(PROGRAM, os.path.join(tree, "program"))
        done = run("bash", "-c", script(), cwd=tree, env=CLEAN | {"SITE": site, "PATH": f"{tools}:{CLEAN['PATH']}"})
        findings += [f"fewer than {least} times: {words}" for words, least in expectations(site)
                     if len(re.findall(words, done.stdout)) < least]
        if done.returncode != 0 or findings:
            print(done.stdout)
            findings.append(f"exit code {done.returncode}")
    finish(findings)


if __name__ == "__main__":
    main()
