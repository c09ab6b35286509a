#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The developers' guides name what exists: files, links, tests that they run, and names of the code in backticks. Such a
name stands in one of the files that its passage names (a list item, a row or a paragraph), or, where it names none, in
any source outside test/."""

import json
import re
import shlex
import sys
from pathlib import Path

import repository

GUIDES = ("shim/README.md", "shim/memory/README.md", "algorithms/FROM_PAPER.md")
CODE_BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
COMMENT = re.compile(r"<!--.*?-->")
LINK = re.compile(r"\]\(([^)#]+)[^)]*\)")
QUOTED = re.compile(r"`([^`]+)`")
FILE = re.compile(r"[\w./-]+(?:\.\w+|/)")
NAME = re.compile(r"(?:\w+::)*[A-Za-z_]\w*")
EXTERNAL = re.compile(r"P?MPI_\w*|MPIGRAFT_\w+|ucp_\w+")  # not of the passage's file alone
RUNS_TESTS = re.compile(r"meson test -C build ([^`\n]+)")
SOURCES = (".hpp", ".cpp", ".h", ".in", ".py", ".build")


def passages(text):
    """(line number, text) of each row, list item and paragraph."""
    text = CODE_BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text)
    lines, begin = [], 0
    for number, line in enumerate([*COMMENT.sub("", text).splitlines(), ""], 1):
        if lines and (not line.strip() or re.match(r"\s*(?:[-*|#]|\d+\.)\s?", line)):
            yield begin, " ".join(lines)
            lines = []
        if line.strip():
            begin = begin if lines else number
            lines.append(line)


class Guide:
    def __init__(self, root, place, sources):
        self.root, self.place, self.sources = root, root / place, sources
        self.bases = [folder for folder in self.place.parents if folder.is_relative_to(root)]

    def find(self, name):
        """A file or folder, from the guide's own folder or one around it."""
        return next((base / name for base in self.bases if (base / name).exists()), None)

    def text_of(self, path):
        """A source with its header, or a header with the file behind it."""
        alike = (path.with_suffix(suffix) for suffix in {".hpp", ".cpp", path.suffix})
        return "\n".join(one.read_text() for one in alike if one.is_file())

    def problems(self, passage):
        quoted = QUOTED.findall(passage)
        paths = [name for name in quoted if FILE.fullmatch(name)]
        paths += [link for link in LINK.findall(passage) if "://" not in link]
        yield from (f"no such file: {name}" for name in paths if not self.find(name))
        texts = [self.text_of(found) for name in paths if (found := self.find(name)) and found.suffix in SOURCES]
        near = "\n".join(texts)
        for name in quoted:
            if not NAME.fullmatch(name) or FILE.fullmatch(name):
                continue
            scope = near if near and not EXTERNAL.fullmatch(name) else self.sources
            for word in EXTERNAL.sub(lambda found: found[0].split("MPI_")[-1], name).split("::"):
                if word and not re.search(rf"\b{word}\b", scope):
                    yield f"`{word}` stands in none of: {', '.join(paths) if scope is near else 'the sources'}"


def tests_of(build):
    """Names of tests, and suites with `--suite` before them."""
    tests = json.loads((build / "meson-info/intro-tests.json").read_text())
    suites = {f"--suite {suite.split(':')[-1]}" for test in tests for suite in test["suite"]}
    return suites | {test["name"] for test in tests}


def main():
    root, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    tests = tests_of(build)
    sources = "\n".join(path.read_text(errors="replace") for path in repository.files(root, *SOURCES)
                        if path.relative_to(root).parts[0] != "test")
    findings = []
    for place in GUIDES:
        guide = Guide(root, place, sources)
        text = guide.place.read_text()
        for arguments in RUNS_TESTS.findall(text):
            named = shlex.split(arguments.replace("--suite ", "--suite\\ "))
            findings += [f"{place}: no such test: {name}" for name in named if name not in tests]
        for number, passage in passages(text):
            findings += [f"{place}:{number}: {problem}" for problem in guide.problems(passage)]
    repository.finish(findings)


if __name__ == "__main__":
    main()
