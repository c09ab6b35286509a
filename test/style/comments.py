#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Comments begin with their subject: no sentence of one begins with Of, What, Who or Beside."""

import re
import sys

import repository

COMMENT = re.compile(r'(?:^|\s)(?://+|#|"""|/\*)\s?(.*)')
BEGINNING = re.compile(r"(?:^|[.:] )(?:Of|What|Who|Beside) ")


def main():
    root = sys.argv[1]
    findings = []
    for path in repository.files(root):
        if path.suffix == ".png":
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            comment = COMMENT.search(line)
            if comment and BEGINNING.search(comment.group(1)):
                findings.append(f"{path.relative_to(root)}:{number}: begins without its subject: {line.strip()}")
    repository.finish(findings)


if __name__ == "__main__":
    main()
