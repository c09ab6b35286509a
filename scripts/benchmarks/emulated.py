# SPDX-License-Identifier: MIT
"""The options of scripts that also measure on emulated hosts."""

import argparse
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    hosts: int
    each: int  # ranks on a host

    def __str__(self):
        return f"{self.hosts}x{self.each}"


def shapes(text):
    """The shapes that HOSTSxRANKS,... names."""
    found = [re.fullmatch(r"([1-9]\d*)x([1-9]\d*)", word) for word in text.split(",") if word]
    if not all(found):
        raise argparse.ArgumentTypeError(f"{text}: write HOSTSxRANKS,..., such as 4x2,36x1")
    return [Shape(*map(int, shape.groups())) for shape in found]


def add_options(parser, example):
    """Adds --cluster, a list of Shape, and --rate."""
    parser.add_argument("--cluster", type=shapes, default="", metavar="HOSTSxRANKS,...",
                        help=f"emulated hosts to measure on, too (scripts/cluster; needs root), e.g. {example}")
    parser.add_argument("--rate", default="20mbit", help="rate of the emulated links (default: 20mbit)")
