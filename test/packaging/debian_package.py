#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs scripts/debian-package in a repository with a copy of the project, and looks at its debian/ as dpkg reads it.
With MPIGRAFT_FULL, the packages are built, lintian finds no error in them, and their command works. Arguments: ROOT"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import repository

WHO = {"DEBFULLNAME": "A/C packager", "DEBEMAIL": "packager@debian.org"}
ENV = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "DESTDIR")} | WHO
FILES = ("usr/bin/mpigraft", "usr/bin/mpigraft-bench", "usr/share/man/man7/libmpigraft.7.gz",
         "usr/share/doc/mpigraft/README.md.gz", "usr/share/doc/mpigraft/DEPLOYING.md.gz")


def run(*command, **options):
    return subprocess.run(command, check=True, env=ENV, text=True, capture_output=True, stdin=subprocess.DEVNULL,
                          **options).stdout.strip()


def git(tree, *words):
    return run("git", "-C", tree, "-c", "user.name=tester", "-c", "user.email=tester@localhost", *words)


def findings_of_source(source, commit, version):
    def field(name, *options):
        return run("dpkg-parsechangelog", "-S", name, *options, cwd=source)

    maintainer = f"{WHO['DEBFULLNAME']} <{WHO['DEBEMAIL']}>"
    control = (source / "debian/control").read_text()
    if field("Version") != version:
        yield f"version {field('Version')}"
    if not maintainer == field("Maintainer") == re.search("Maintainer: (.*)", control)[1]:
        yield "another maintainer"
    if "WITHOUT WARRANTY" not in (source / "debian/copyright").read_text():
        yield "no licence"
    told = (source / "config/command/commit.txt").read_text()
    if not told.startswith(commit[:12]):
        yield f"--version would tell the commit {told}, not {commit}"
    run("make", "-n", "-f", "debian/rules", "clean", cwd=source)


def findings_of_packages(folder, version):
    [changes] = folder.glob("*.changes")
    print(run("lintian", "--allow-root", "--fail-on", "error", changes))
    [package] = folder.glob("mpigraft_*.deb")
    run("dpkg", "-x", package, folder / "root")
    yield from (f"no {name} in the package" for name in FILES if not (folder / "root" / name).exists())
    told = run(folder / "root/usr/bin/mpigraft", "--version")
    if not re.fullmatch(rf"mpigraft {re.escape(version)} \(commit [0-9a-f]{{12}}\)", told):
        yield f"--version says {told}"


def findings_of_ends(script, folder):
    """What it leaves if no package can be built, in an unpacked release, and if no folder is named."""
    (folder / "bin").mkdir()
    builder = folder / "bin/dpkg-buildpackage"
    builder.write_text("#!/bin/sh\nexit 3\n")
    builder.chmod(0o755)
    env = ENV | {"PATH": f"{builder.parent}:{ENV['PATH']}"}
    if repository.run(script, folder / "failed", env=env).returncode != 3 or os.listdir(folder / "failed"):
        yield f"a build that fails leaves {os.listdir(folder / 'failed')}"
    release = folder / "release"
    shutil.move(folder / "source-only/source", release)
    shutil.rmtree(release / "debian")
    run(release / "scripts/debian-package", release / "packages", "--source")
    if (release / "packages/source/packages").exists():
        yield "a release packs the folder of its packages"
    for words in ((), ("--source",)):
        done = repository.run(script, *words)
        if done.returncode != 2 or "usage:" not in done.stdout:
            yield f"{words}: exit code {done.returncode}, {done.stdout}"


def findings_of(root, folder):
    tree = folder / "tree"
    version = re.search(r"version: '(.+)'", (root / "meson.build").read_text())[1]
    repository.copy(root, tree)
    git(tree, "init", "-q")
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "-m", "all")
    run(tree / "scripts/debian-package", folder / "source-only", "--source")
    yield from findings_of_source(folder / "source-only/source", git(tree, "rev-parse", "HEAD"), version)
    yield from findings_of_ends(tree / "scripts/debian-package", folder)
    if "MPIGRAFT_FULL" not in os.environ:
        return
    if not all(map(shutil.which, ("dh", "lintian"))):
        print("not built: needs debhelper and lintian")
    else:
        run(tree / "scripts/debian-package", folder / "built")
        yield from findings_of_packages(folder / "built", version)


def main():
    if not all(map(shutil.which, ("git", "dpkg-parsechangelog", "make"))):
        repository.skip("needs git, dpkg-dev and make")
    with tempfile.TemporaryDirectory() as folder:
        try:
            repository.finish(list(findings_of(Path(sys.argv[1]), Path(folder))))
        except subprocess.CalledProcessError as failure:
            repository.finish([f"{failure}\n{failure.stdout[-3000:]}{failure.stderr[-3000:]}"])


if __name__ == "__main__":
    main()
