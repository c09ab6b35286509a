# SPDX-License-Identifier: MIT
"""The collectives and their algorithms, read from algorithms/collective.hpp and algorithms/meson.build."""

import json
import re
from pathlib import Path

ALGORITHMS_FOLDER = Path(__file__).resolve().parents[2] / "algorithms"
TABLES = (ALGORITHMS_FOLDER / "collective.hpp").read_text()
ROWS = re.findall(r"^  X\((\w+), false, (\w+), \w+, \w+, (\w+),", TABLES, re.MULTILINE)
NAMES = [name for name, _, _ in ROWS]
FUNCTIONS = [function for _, function, _ in ROWS]  # of MPI, without its prefix
EQUAL_PARTS = re.findall(r"^  X\(\w+, true, (\w+),", TABLES, re.MULTILINE)  # those with parts of one length
COMBINING = [name for name, _, signature in ROWS if "op" in signature.split("_")]

ALGORITHMS = re.findall(r"^  '(\w+)/(\w+)',$", (ALGORITHMS_FOLDER / "meson.build").read_text(), re.MULTILINE)
FIRST = dict(reversed(ALGORITHMS))  # of each collective, which runs everywhere, for every operator


def rules(**algorithms):
    """Rules by which no call stays native: these algorithms, or the first of their collectives."""
    return [json.dumps({"collective": name, "algorithm": algorithms.get(name, FIRST[name])}) for name in NAMES]


def table(*rule_texts):
    return '{"version": 1, "rules": [\n  ' + ",\n  ".join(rule_texts) + "]}\n"
