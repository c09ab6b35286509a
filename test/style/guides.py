#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names in the developers' pages (`in backticks`, and links) are there: files beside the page or below the root, and words
of the sources, the tests or the papers' algorithms."""

import re
import sys
from pathlib import Path

import repository

PAGES = ("shim/README.md", "shim/memory/README.md", "algorithms/FROM_PAPER.md", "algorithms/ADDING.md")
FILE = re.compile(r"[\w./-]+/|[\w./-]+\.(hpp|cpp|py|md|build|inc)")
NAME = re.compile(r"[A-Za-z_][\w:.]*")


def words_of(root):
    """All that sources, their file names and tests call something."""
    words = set()
    for folder in ("shim", "algorithms", "config", "test", "scripts"):
        for file in (root / folder).rglob("*"):
            if file.suffix in (".hpp", ".cpp", ".py", ".c", ".build", ".in", ".inc") or file.parent.name == "scripts":
                words |= set(re.findall(r"\w+", file.read_text(errors="replace"))) if file.is_file() else set()
    return words


def missing(root, page, words):
    # the drawings and examples of blocks are not names, and comments are for other tests
    text = re.sub(r"```.*?```|<!--.*?-->", "", page.read_text(), flags=re.DOTALL)
    for name in re.findall(r"`([^`\n]+)`", text) + re.findall(r"\]\(([^):]+)\)", text):
        if FILE.fullmatch(name):
            if not any((start / name).exists() for start in (page.parent, root, root / "shim")):
                yield f"no file {name}"
        elif NAME.fullmatch(name):
            lost = [word for word in re.findall(r"\w+", name) if word not in words]
            if lost and not name.startswith(("MPI_", "PMPI_")):
                yield f"nothing is called {name}"


def main():
    root = Path(sys.argv[1])
    words = words_of(root)
    repository.finish([f"{page}: {what}" for page in PAGES for what in missing(root, root / page, words)])


if __name__ == "__main__":
    main()
