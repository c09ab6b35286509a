#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/other-systems with stand-ins for what makes and enters a root: arguments, a root that is made once and whole,
the committed tree, exit codes."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import repository

# debootstrap SUITE FOLDER MIRROR after its options; unshare runs it, and tells of anything else
STAND_INS = {
    "apt-get": "exit 0", "apt-config": "echo 'Acquire::http::Proxy \"http://proxy\";'",
    "debootstrap": 'while [[ $1 == --* ]]; do shift; done; echo "made $1 from $3"; mkdir -p "$2/etc/apt/apt.conf.d"; '
                   '[[ ! -e $STATE/fails ]]',
    "unshare": 'while [[ $1 == --* ]]; do shift; done; [[ $1 == debootstrap ]] && exec "$@"; echo "ran: ${*: -3}"; exit 7',
}


def write_program(path, text):
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)


class Project:
    """A repository with only the script, and a PATH with the stand-ins."""

    def __init__(self, folder, script):
        self.folder, self.state = folder / "project", folder / "state"
        (self.folder / "scripts").mkdir(parents=True)
        (folder / "bin").mkdir()
        self.state.mkdir()
        for name, text in STAND_INS.items():
            write_program(folder / "bin" / name, text)
        shutil.copy(script, self.folder / "scripts")
        (self.folder / ".gitignore").write_text("/build/\n")
        self.env = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "STATE": str(self.state),
                    "OTHER_SYSTEMS_FOLDER": str(self.state / "systems"), "OTHER_SYSTEMS_MIRROR": "http://mirror"}
        self.git("init", "-q")
        self.commit("first")

    def git(self, *words):
        who = ("-c", "user.name=tester", "-c", "user.email=tester@localhost")
        subprocess.run(["git", *who, *words], cwd=self.folder, check=True)

    def commit(self, text):
        (self.folder / "text").write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", text)

    def run(self, *words, **options):
        return subprocess.run([self.folder / "scripts/other-systems", *words], env=self.env, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL, **options)


def check_arguments(project, expect):
    done = project.run("--help")
    expect(done.returncode == 0 and done.stdout.startswith("usage: scripts/other-systems"), "--help", done)
    for words in (("14",), ("13", "test"), ("13", "demo", "quickly"), ("bookworm",)):
        done = project.run(*words)
        expect(done.returncode == 2 and done.stderr.startswith("scripts/other-systems: "), " ".join(words), done)
    if os.geteuid() != 0:
        done = project.run("13")
        expect(done.returncode == 2 and "needs root" in done.stderr, "without root", done)


def check_runs(project, expect):
    root = project.state / "systems/debian-13"
    (project.state / "fails").touch()
    done = project.run()
    expect(done.returncode not in (0, 7) and not root.exists(), "a root that was not finished is used", done)
    (project.state / "fails").unlink()
    done = project.run("--suite", "unit")
    expect("made trixie from http://mirror" in done.stdout and done.returncode == 7, "a root is made", done)
    expect("ran: scripts/test --suite unit" in done.stdout, "a suite", done)
    expect("Proxy" in (root / "etc/apt/apt.conf.d/90host").read_text(), "settings of apt", done)
    tree = root / "srv/mpigraft"
    expect((tree / "text").read_text() == "first", "the committed tree", done)

    (tree / "build").mkdir()
    project.commit("second")
    (project.folder / "text").write_text("not committed")
    done = project.run("13", "shell", "echo", "a b", "c")
    expect("made" not in done.stdout and "ran: echo a b c" in done.stdout and done.returncode == 7, "a command", done)
    expect((tree / "text").read_text() == "second" and (tree / "build").exists(), "a new commit", done)
    expect("left out" in done.stderr and " M text" in done.stderr, "what is not committed", done)


def main():
    if not shutil.which("git"):
        print("needs git")
        sys.exit(repository.SKIPPED)
    findings = []

    def expect(held, what, done):
        if not held:
            findings.append(f"{what}: exit code {done.returncode}\n{done.stdout}{done.stderr}")

    with tempfile.TemporaryDirectory() as folder:
        project = Project(Path(folder), Path(sys.argv[1], "scripts/other-systems"))
        check_arguments(project, expect)
        if os.geteuid() == 0:
            check_runs(project, expect)
    repository.finish(findings)


if __name__ == "__main__":
    main()
