#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sentences of comments and documents begin with their subject, are short, and hold one thought or two.

A sentence fails that begins with a word of FRONTED, has more than MOST_WORDS words outside brackets, or more than one
semicolon outside a list that a colon introduces. Worked examples (lines with wide gaps) and code are not sentences.
"""

import ast
import re
import sys

import repository

FRONTED = re.compile(r"(?:^|: )(?:Of|What|Who|Whom|Whose|Beside) [^?]*$")
MOST_WORDS = 40
MARKERS = ((re.compile(r"//[/!<]*"), (".cpp", ".hpp", ".h", ".c", ".in", ".js")),
           (re.compile(r"/\*+|\*+(?!/)"), (".cpp", ".hpp", ".h", ".c")),
           (re.compile(r"#+"), (".py", ".build", "")))
SENTENCE_END = re.compile(r"(?<=[.?])\s+(?=[A-Z`\"(])")
ABBREVIATIONS = re.compile(r"\b(?:e\.g|i\.e|cf|vs|al|eq|Fig|Sec|No|pp|vol)\.(?=\s)")


def in_comments(lines, marker):
    """(line number, text) of each block of comment lines."""
    block, begin = [], 0
    for number, line in enumerate([*lines, ""], 1):
        alone = re.match(rf"\s*(?:{marker.pattern})(?:\s(.*)|$)", line)
        after = re.search(rf"\s\s(?:{marker.pattern})\s(.*)", line)
        said = (alone[1] or "").removesuffix("*/").strip() if alone else ""
        example = alone and (re.search(r"^  |\S   +\S", alone[1] or "") or said.startswith(("SPDX", "clang-format")))
        if block and (not said or example or said.startswith(("- ", "* "))):
            yield begin, " ".join(block)
            block = []
        if said and not example:
            begin = begin if block else number
            block.append(said)
        elif after:
            yield number, after[1]


def in_docstrings(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (said := ast.get_docstring(node)):
            number = node.body[0].lineno
            for paragraph in re.split(r"\n\s*\n", said):
                if not re.search(r"^  |\S   +\S", paragraph, re.MULTILINE):
                    yield number, " ".join(paragraph.split())
                number += paragraph.count("\n") + 2


def in_markdown(lines):
    block, begin, fenced = [], 0, False
    for number, line in enumerate([*lines, ""], 1):
        text = line.strip()
        fenced ^= text.startswith("```")
        new = re.match(r"(?:[-*#|>]|\d+\.)|<!--|```", text)
        if block and (fenced or not text or new):
            yield begin, " ".join(block)
            block = []
        if text and not fenced and not text.startswith(("```", "<!--", "#", "|")):
            begin = begin if block else number
            block.append(re.sub(r"^(?:[-*>]|\d+\.)\s+", "", text))


def in_man(lines):
    block, begin, example = [], 0, False
    for number, line in enumerate([*lines, ".PP"], 1):
        text = line.strip()
        example = (example or text == ".nf") and text != ".fi"
        if text.startswith((".PP", ".IP", ".SH", ".SS", ".TH", ".TP", ".nf", ".fi", ".\\\"", "@", "'")):
            if block:
                yield begin, " ".join(block)
            block = []
        elif not example:
            begin = begin if block else number
            block.append(re.sub(r"^\.[A-Z]+ ", "", text).replace("\\-", "-"))


def passages(path):
    text = path.read_text(errors="replace")
    lines = text.splitlines()
    if path.suffix == ".md":
        yield from in_markdown(lines)
    elif re.search(r"\.\d\.in$", path.name):
        yield from in_man(lines)
    else:
        for marker, suffixes in MARKERS:
            if path.suffix in suffixes:
                yield from in_comments(lines, marker)
        if path.suffix in (".py", "") and "python" in text[:60]:
            yield from in_docstrings(text)


def sentences(passage):
    return SENTENCE_END.split(ABBREVIATIONS.sub(lambda found: found[0][:-1], passage))


def problem(sentence):
    prose = re.sub(r"`[^`]*`", "code", sentence)
    if FRONTED.search(prose):
        return "begins without its subject"
    prose = re.sub(r"\([^()]*\)", "", prose)
    if (words := len(re.findall(r"[\w'-]*[A-Za-z][\w'-]*", prose))) > MOST_WORDS:
        return f"has {words} words"
    return "has two semicolons" if prose.split(":")[0].count(";") > 1 else ""


def main():
    root = sys.argv[1]
    findings = []
    for path in repository.files(root):
        name = str(path.relative_to(root))
        if path.suffix in (".md", ".cpp", ".hpp", ".h", ".c", ".in", ".js", ".py", ".build", ""):
            for number, passage in passages(path):
                findings += (f"{name}:{number}: {why}: {sentence}" for sentence in sentences(passage)
                             if (why := problem(sentence)))
    repository.finish(findings)


if __name__ == "__main__":
    main()
