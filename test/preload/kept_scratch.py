#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scratch memory is kept between calls, as far as the table allows."""

import re

import launch

# Pages of a block of 8 MiB. Huge pages are no help, because malloc gives back what it maps for so large a block.
FEW, MANY = 100, 1000
RULES = [{"collective": "reduce", "algorithm": "binomial"}]


def faults(stdout):
    """The page faults of a call; None if the program printed nothing."""
    found = re.fullmatch(r"faults (\d+)\n", stdout)
    return int(found[1]) if found else None


def main():
    launch.judge_tables(__doc__, 2, RULES, (
        ({}, f"less than {FEW}", lambda stdout: faults(stdout) is not None and faults(stdout) < FEW),
        ({"scratch": 0}, f"more than {MANY}", lambda stdout: faults(stdout) is not None and faults(stdout) > MANY)))


if __name__ == "__main__":
    main()
