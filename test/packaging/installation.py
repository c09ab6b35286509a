#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`meson install` into an empty folder: which files are there, that the command finds its parts there, that pkg-config's
answers are true, and that the libraries need nothing but libc and GCC's libgcc_s.
Arguments: BUILD PREFIX LIBDIR VERSION MPICC"""

import os
import re
import sys
import tempfile
from pathlib import Path

from repository import CLEAN, finish, run
from sources import exports

BUILD, PREFIX, LIBDIR, VERSION, MPICC = sys.argv[1:]
LAYOUT = """bin/mpigraft bin/mpigraft-bench include/mpigraft.h
@LIB@/libmpigraft.so @LIB@/libmpigraft-abi.so @LIB@/libmpigraft-ompi.so @LIB@/libmpigraft-watch.so
@LIB@/libmpigraft-watch-abi.so @LIB@/libmpigraft-watch-ompi.so @LIB@/pkgconfig/mpigraft.pc
share/bash-completion/completions/mpigraft share/zsh/site-functions/_mpigraft
share/man/man1/mpigraft.1 share/man/man1/mpigraft-bench.1 share/man/man3/mpigraft.h.3 share/man/man5/mpigraft-table.5
share/man/man7/libmpigraft.7 share/doc/mpigraft/USING.md
share/mpigraft/default.json share/mpigraft/default_openmpi.json share/mpigraft/policy.json
share/mpigraft/table.schema.json share/mpigraft/github-workflow.yml
share/mpigraft/modulefiles/mpigraft/@VERSION@
share/mpigraft/SCRIPTS share/mpigraft/tune/SCRIPTS"""
PROGRAM = """#include <mpigraft.h>
int main(void) { return MPIGRAFT_Scan_reduce == 0; }
"""

class Installation:
    def __init__(self, folder):
        self.folder, self.top = folder, Path(folder + PREFIX)
        self.findings = []
        self.expect(run("meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", folder), "")

    def expect(self, done, pattern):
        """Expects success, and output that matches; the output."""
        if done.returncode != 0 or not re.search(pattern, done.stdout):
            self.findings.append(f"{done.args}: exit code {done.returncode}, wanted {pattern!r}: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def check_layout(self):
        there = set()
        for path in Path(self.folder).rglob("*"):
            if path.is_file():
                there.add(str(path.with_name("SCRIPTS") if path.suffix in (".py", ".js", ".css") else path))
                if path.stat().st_mode & 0o022 or (path.parent.name == "bin") > os.access(path, os.X_OK):
                    self.findings.append(f"{path}: mode {path.stat().st_mode:o}")
        wanted = LAYOUT.replace("@LIB@", LIBDIR).replace("@VERSION@", VERSION).split()
        wanted = {str(self.top / name) for name in wanted}
        self.findings += [f"not installed: {name}" for name in sorted(wanted - there)]
        self.findings += [f"installed, and not in the list of {__file__}: {name}" for name in sorted(there - wanted)]

    def check_command(self):
        command = self.top / "bin/mpigraft"
        self.expect(run(command, "--version"), rf"^mpigraft {re.escape(VERSION)} \(commit .+\)$")
        self.expect(run(command, "run", "-n", "2", "--print", "true"), re.escape(f"{self.top / LIBDIR}/libmpigraft.so"))
        self.expect(run(command, "tune", "--ranks", "2", "--budget", "5m", "--dry-run"), "")

    def check_pkg_config(self):
        where = {"PKG_CONFIG_LIBDIR": str(self.top / LIBDIR / "pkgconfig")}
        self.expect(run("pkg-config", "--modversion", "mpigraft", env=CLEAN | where), f"^{re.escape(VERSION)}$")
        for name in ("preload", "preload_abi", "preload_ompi", "schema"):
            value = self.expect(run("pkg-config", f"--variable={name}", "mpigraft", env=CLEAN | where), "^/")
            if not Path(self.folder + value).is_file():
                self.findings.append(f"pkg-config: {name} is {value}, where nothing is installed")
        where["PKG_CONFIG_SYSROOT_DIR"] = self.folder
        flags = self.expect(run("pkg-config", "--cflags", "--libs", "mpigraft", env=CLEAN | where), "-lmpigraft")
        source = Path(self.folder, "program.c")
        source.write_text(PROGRAM)
        self.expect(run(MPICC, source, "-o", source.with_suffix(""), *flags.split()), "")
        self.expect(run(source.with_suffix(""), env=CLEAN | {"LD_LIBRARY_PATH": str(self.top / LIBDIR)}), "")

    def check_libraries(self):
        self.findings += exports(*map(str, (self.top / LIBDIR).glob("*.so")))


def main():
    with tempfile.TemporaryDirectory() as folder:
        installation = Installation(os.path.realpath(folder))
        installation.check_layout()
        installation.check_command()
        installation.check_pkg_config()
        installation.check_libraries()
    finish(installation.findings)


if __name__ == "__main__":
    main()
