#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`meson setup` with options that few use. Arguments: ROOT"""

import re
import sys
import tempfile
from pathlib import Path

from repository import finish, run

# options: the folder of the libraries, as the command is told it
CONFIGURATIONS = {
    ("-Dcommand=disabled",): None,
    ("-Dtests=disabled", "--bindir=.", "--libdir=lib"): "lib",
    ("-Dtests=disabled", "--bindir=../bin", "--libdir=lib", "--prefix=/opt/x"): "/opt/x/lib",
}


def findings():
    for options, wanted in CONFIGURATIONS.items():
        with tempfile.TemporaryDirectory() as folder:
            done = run("meson", "setup", *options, folder, sys.argv[1])
            ninja = Path(folder, "build.ninja")
            told = re.search(r'DMPIGRAFT_LIBRARIES="(.*?)"', ninja.read_text()) if ninja.exists() else None
            if done.returncode or (told and told[1]) != wanted:
                yield f"{options}: exit code {done.returncode}, {told}, wanted {wanted}\n{done.stdout[-3000:]}"


if __name__ == "__main__":
    finish(list(findings()))
