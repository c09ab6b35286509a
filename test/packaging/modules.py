#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The module file as the installed Lmod or Environment Modules load and unload it.
Arguments: FOLDER VERSION BINDIR LIBDIR MANDIR"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from repository import ENVIRONMENT_MODULES, LMOD, finish, skip

FOLDER, VERSION, BINDIR, LIBDIR, MANDIR = sys.argv[1:]
LOADED = {"PATH": f"{BINDIR}:/usr/bin:/bin", "LD_LIBRARY_PATH": LIBDIR, "PKG_CONFIG_PATH": f"{LIBDIR}/pkgconfig",
          "LIBMPIGRAFT": f"{LIBDIR}/libmpigraft.so", "LD_PRELOAD": ""}
SCRIPT = """source {init}
show() {{ for name in {names}; do echo "$name=${{!name-}}"; done; }}
module use {modules}
module load mpigraft && show && module help mpigraft 2>&1
echo == unloading
module unload mpigraft && show
"""


def findings_of(init, modules):
    script = SCRIPT.format(init=init, modules=modules, names=" ".join((*LOADED, "MANPATH")))
    done = subprocess.run(["bash", "-c", script], text=True, capture_output=True, stdin=subprocess.DEVNULL,
                          env={"PATH": "/usr/bin:/bin", "HOME": os.environ.get("HOME", "/"), "TERM": "dumb"})
    loaded, _, unloaded = done.stdout.partition("== unloading\n")
    for name, value in LOADED.items():
        if f"{name}={value}\n" not in loaded:
            yield f"loaded, {name} is not {value}"
    if not any(line.startswith(f"MANPATH={MANDIR}:") for line in loaded.splitlines()):
        yield f"loaded, MANPATH is not {MANDIR} and the system's"
    if "srun -n 8" not in loaded:
        yield "no help"
    if not unloaded or BINDIR + ":" in unloaded or LIBDIR in unloaded:
        yield "unloaded, something stays"
    if done.returncode != 0 or done.stderr:
        yield f"exit code {done.returncode}: {done.stderr}"


def main():
    systems = [system for system in (LMOD, ENVIRONMENT_MODULES) if system.exists()]
    if not systems:
        skip("needs Lmod or Environment Modules: apt-get install lmod")
    findings = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "mpigraft", VERSION)
        place.parent.mkdir()
        place.write_text(Path(FOLDER, VERSION).read_text())
        for system in systems:
            print(f"loading by {system}")
            findings += [f"by {system}: {finding}" for finding in findings_of(system, folder)]
    finish(findings)


if __name__ == "__main__":
    main()
