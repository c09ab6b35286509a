#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test/style/messages.txt lists every message of library and command, so that they are read side by side.

messages.py ROOT [--update]: compares the list with the sources; with --update, rewrites it. A message is a text of at
least two words. {name} stands for a value, (one|other) for a choice. Exit code 1 where list and sources differ.
"""

import argparse
import ast
import difflib
import re
import sys
from pathlib import Path

TOKEN = re.compile(r'''
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/|^\#(?:[^\n]*\\\n)*[^\n]*)
  | (?P<raw>R"(?P<mark>[^()\s"]*)\((?P<body>.*?)\)(?P=mark)")
  | (?P<text>"(?:[^"\\\n]|\\.)*")
  | (?P<char>'(?:[^'\\\n]|\\.)+')
  | (?P<word>\w[\w.']*)
  | (?P<mark2><<|::|->|&&|\|\||[=!<>]=|.)''', re.VERBOSE | re.DOTALL | re.MULTILINE)
OPENS, CLOSES = "([{", ")]}"
WORDS = re.compile(r"[a-z]{2,}[,:;]? \(?\{?[a-z]{2}", re.IGNORECASE)
WRAPPERS = {"string", "string_view", "append", "line", "move"}
SUFFIXES = (".cpp", ".hpp", ".py")
FOLDERS = ("shim", "config", "algorithms/model")


class Text(str):
    """The text of a string literal, as opposed to the tokens of code."""


def unescaped(literal):
    return literal.replace("\\n", "\n").replace('\\"', '"').replace("\\t", "\t").replace("\\\\", "\\")


def tokens_of(source):
    for match in TOKEN.finditer(source):
        kind = match.lastgroup if match.lastgroup != "body" else "raw"
        if match["raw"]:
            yield Text(match["body"])
        elif match["text"]:
            yield Text(unescaped(match["text"][1:-1]))
        elif match["char"]:
            yield Text(unescaped(match["char"][1:-1])) if match["char"] != "'\\0'" else "0"
        elif kind != "skip" and not match["skip"]:
            yield match[0]


def grouped(tokens, end=None):
    """The tokens up to `end` as a tree: what brackets enclose is a list that begins with the bracket."""
    tree = []
    for token in tokens:
        if not isinstance(token, Text):
            if token == end:
                return tree
            if token in OPENS:
                tree.append([token, *grouped(tokens, CLOSES[OPENS.index(token)])])
                continue
        tree.append(token)
    return tree


def is_code(item, *words):
    return isinstance(item, str) and not isinstance(item, Text) and item in words


def split(items, *separators):
    parts = [[]]
    for item in items:
        if is_code(item, *separators):
            parts.append([])
        else:
            parts[-1].append(item)
    return parts


def last_name(items):
    """The most telling name of a value: the last one in it."""
    name = ""
    for item in items:
        if isinstance(item, list):
            name = last_name(item[1:]) or name
        elif not isinstance(item, Text) and re.match(r"[A-Za-z_]", item):
            name = item.split(".")[-1]
    return name


def operand(items, found):
    """One operand of + or <<: literals are joined, another value is its name in braces."""
    said, called = "", ""
    for at, item in enumerate(items):
        if isinstance(item, Text):
            said += item
        elif isinstance(item, list):
            if item[0] == "(" and (not called or called in WRAPPERS):
                parts = [expression(part, found) for part in split(item[1:], ",")]
                if any(isinstance(one, Text) for one in flat(item[1:])):
                    said += parts[0]
                    continue
            collect(item[1:], found)
        elif re.match(r"\w", item):
            called = item.split(".")[-1]
    return said or "{" + last_name(items) + "}"


def flat(items):
    for item in items:
        if isinstance(item, list):
            yield from flat(item[1:])
        else:
            yield item


def expression(items, found):
    """The text of an expression; texts of calls inside it are messages of their own and go to `found`."""
    question = next((at for at, item in enumerate(items) if is_code(item, "?")), None)
    if question is not None:
        collect(items[:question], found)
        depth, colon = 0, len(items)
        for at in range(question + 1, len(items)):
            depth += is_code(items[at], "?") - is_code(items[at], ":")
            if depth < 0:
                colon = at
                break
        either, other = (expression(part, found) for part in (items[question + 1:colon], items[colon + 1:]))
        return f"({either}|{other})"
    return "".join(operand(part, found) for part in split(items, "+", "<<") if part)


def collect(items, found):
    """Appends to `found` the messages of a piece of code."""
    for statement in split(items, ";"):
        if statement and is_code(statement[0], "static_assert", "extern", "asm"):
            statement = [item for item in statement if isinstance(item, list) and item[0] == "{"]
        for part in split(statement, ",", "=", "return", "throw", "+=", "==", "!=", "&&", "||", "case"):
            if any(isinstance(one, Text) for one in part):
                found.append(expression(part, found))
            else:
                for item in part:
                    if isinstance(item, list):
                        collect(item[1:], found)


def messages_of_cpp(source):
    found = []
    collect(grouped(tokens_of(source)), found)
    return found


def python_text(node):
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(python_text(part) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return "{" + ast.unparse(node.value) + "}"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return python_text(node.left) + python_text(node.right)
    return "{" + ast.unparse(node) + "}"


def messages_of_python(source):
    found, inside = [], set()
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inside.add(node.value)  # a docstring
    for node in ast.walk(tree):
        texts = isinstance(node, ast.Constant) and isinstance(node.value, str) or isinstance(node, ast.JoinedStr)
        sum_of_texts = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and "'" in ast.unparse(node)
        if node not in inside and (texts or sum_of_texts):
            inside.update(ast.walk(node))
            found.append((node.lineno, node.col_offset, python_text(node)))
    return [text for *_, text in sorted(found)]


def messages(path):
    source = path.read_text()
    found = messages_of_python(source) if path.suffix == ".py" else messages_of_cpp(source)
    said = dict.fromkeys(text.strip() for text in found)
    return [text for text in said if WORDS.search(re.sub(r"\{[^}]*\}", "{value", text))]


def listed(root):
    lines = ["Every message of library and command; test/style/messages.py ROOT --update rewrites this list."]
    for folder in FOLDERS:
        for path in sorted(Path(root, folder).rglob("*")):
            if path.suffix in SUFFIXES and path.parent.name != "man" and (found := messages(path)):
                lines += ["", str(path.relative_to(root))]
                lines += ["  " + text.replace("\n", "\n    ") for text in found]
    return "".join(line.rstrip() + "\n" for line in "\n".join(lines).split("\n"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=Path)
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    golden = arguments.root / "test/style/messages.txt"
    now = listed(arguments.root)
    if arguments.update:
        golden.write_text(now)
        return
    before = golden.read_text()
    sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), now.splitlines(True), str(golden), "sources"))
    if before != now:
        sys.exit("test/style/messages.txt differs from the sources: read the new messages, then run messages.py with --update")


if __name__ == "__main__":
    main()
