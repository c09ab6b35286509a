#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""MPIGRAFT_REPRODUCIBLE=order: floating point sums have the same bits on any nodes, with and without shared memory, by
any table; without it they do not."""

import json
import tempfile
from pathlib import Path

import collectives
import launch

ORDER = {"MPIGRAFT_REPRODUCIBLE": "order"}
RANKS = 5


def places(folder):
    """Settings that change which algorithms run, and how."""
    others = Path(folder) / "table.json"
    others.write_text(json.dumps({"version": 1, "rules": [json.loads(rule) for rule in collectives.rules(
        scan="hierarchical", exscan="lane", reduce="butterfly")]}))
    empty = Path(folder) / "empty.json"
    empty.write_text('{"version": 1, "rules": []}')
    return ({}, {"MPIGRAFT_NODES": 1}, {"MPIGRAFT_NODES": 2}, {"MPIGRAFT_NODES": "0-0,1-4"}, {"MPIGRAFT_SHARED": 0},
            {"MPIGRAFT_TABLE": others}, {"MPIGRAFT_TABLE": others, "MPIGRAFT_NODES": 2}, {"MPIGRAFT_TABLE": empty},
            {"MPIGRAFT_FORCE": "scan=two_tree,exscan=transpose"})


def main():
    options, launcher, failures = launch.begin(launch.arguments(__doc__, "program"))
    first, free = None, set()
    with tempfile.TemporaryDirectory() as folder:
        for place in places(folder):
            env = {name: str(value) for name, value in place.items()}
            ordered = launcher.grafted(RANKS, [options.program], env | ORDER)
            first = first or ordered
            failures.expect(ordered.code == 0, place, ordered)
            failures.expect_alike(f"{place}", first.stdout, ordered.stdout)
            reasons = {row["reason"] for row in ordered.rows()}
            failures.expect(reasons == {"MPIGRAFT_REPRODUCIBLE=order"}, f"{place}: {reasons}")
            if len(free) < 2:
                free.add(launcher.grafted(RANKS, [options.program], env).stdout)
    failures.expect(len(free) == 2, "all places have the same bits anyway")
    failures.exit()


if __name__ == "__main__":
    main()
