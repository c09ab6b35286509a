#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No two headers define types of one name in one namespace: a program that links both has undefined behaviour."""

import re
import sys
from collections import defaultdict
from pathlib import Path

import repository

NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
TYPE = re.compile(r"^(?:struct|class|enum class) (?:alignas\(\w+\) )?(\w+)[^;{]*\{", re.MULTILINE)
FOLDERS = ("algorithms", "config", "shim")


def main():
    root = Path(sys.argv[1])
    places = defaultdict(list)
    for path in repository.files(root, ".hpp"):
        place = path.relative_to(root)
        text = path.read_text()
        if place.parts[0] not in FOLDERS:
            continue
        namespaces = [(match.start(), match[1]) for match in NAMESPACE.finditer(text)]
        for match in TYPE.finditer(text):
            enclosing = [name for start, name in namespaces if start < match.start()]
            places[(enclosing[-1] if enclosing else "", match[1])].append(str(place))
    repository.finish([f"{namespace}::{name} is defined in {' and in '.join(found)}"
                       for (namespace, name), found in sorted(places.items()) if len(found) > 1])


if __name__ == "__main__":
    main()
