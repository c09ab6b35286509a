# SPDX-License-Identifier: MIT
"""Sizes and times as people write them."""

import re

KILO = ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K"))
SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}


def size_text(size):
    """A size as the table and mpigraft-bench take it: K, M and G are powers of 1024."""
    for unit, letter in KILO:
        if size and size % unit == 0:
            return f"{size // unit}{letter}"
    return str(size)


def parse_size(text):
    match = re.fullmatch(r"(\d+)([KMG]?)", text, re.IGNORECASE)
    if not match:
        raise ValueError(f'"{text}" is not a size; write 65536, 64K or 1M')
    return int(match[1]) * {letter: unit for unit, letter in KILO}.get(match[2].upper(), 1)


def parse_seconds(text):
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    if not match:
        raise ValueError(f'"{text}" is not a time; write 90s, 5m or 1h')
    return float(match[1]) * SECONDS[match[2]]


def minutes(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def columns(rows):
    """A table of texts whose columns are aligned."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths)).rstrip() for row in rows)


def counted(count, one, several=""):
    """"1 rank", "2 ranks", and with `several` "2 launches"."""
    return f"{count} {one if count == 1 else several or one + 's'}"
