#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`mpigraft explain` and the library say the same of a call: what runs, by which rule or setting, and why a flat form."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import launch

RULES = [{"collective": "scan", "algorithm": "two_tree", "ranks_per_node": {"min": 2}},
         {"collective": "scan", "algorithm": "shared_flat", "nodes": {"max": 1}},
         {"collective": "scan", "algorithm": "lane", "nodes": {"min": 3}},
         {"collective": "reduce", "algorithm": "two_tree", "oversubscribed": False},
         {"collective": "reduce", "algorithm": "circulant", "operator": "commutative", "ranks": {"min": 4}}]
ON_NODES = {"MPIGRAFT_FORCE": "scan=lane,reduce=hierarchical"}
PUBLISHED = {"MPIGRAFT_FORCE": "scan=shared_slices,reduce=shared_flat"}

# ranks, ranks of a node, settings
CASES = ((3, 3, {}), (5, 2, {}), (4, 2, {}), (5, 1, {}), (1, 1, {}),
         (3, 3, {"MPIGRAFT_TABLE": ""}),
         (3, 3, ON_NODES), (4, 2, ON_NODES), (5, 2, ON_NODES),
         (3, 3, PUBLISHED), (4, 2, PUBLISHED), (3, 3, PUBLISHED | {"MPIGRAFT_SHARED": "0"}),
         (2, 2, {"MPIGRAFT_FORCE": "scan=native,reduce=circulant"}),
         (2, 2, {"MPIGRAFT_FORCE": "scan=butterfly", "MPIGRAFT_REPRODUCIBLE": "native"}),
         (4, 2, {"MPIGRAFT_FORCE": "scan=butterfly", "MPIGRAFT_REPRODUCIBLE": "order"}),
         (2, 2, {"MPIGRAFT_FORCE": "native"}))
BYTES = "8"  # of every call of `measured pairs`, integers with predefined operators

FLAT = "; flat form of "


def explained(options, collective, ranks, each, env):
    words = [options.command, "explain", "--mpi", options.mpi, "--json", "--collective", collective,
             "--ranks", str(ranks), "--bytes", BYTES, "--ranks-per-node", str(each),
             *["--oversubscribed"] * (ranks > len(os.sched_getaffinity(0)))]
    done = subprocess.run(words, env=launch.ENVIRONMENT | {name: str(value) for name, value in env.items()}, check=True,
                          capture_output=True)
    return json.loads(done.stdout)


def agree(row, told):
    reason, _, flat = row["reason"].partition(FLAT)
    because, _, also_flat = told["reason"].partition("; floating")[0].partition(FLAT)
    if told["rule"]:
        same = reason == f"rule at line {told['rule']['line']} of the table"
    else:
        same = reason == because
    return same and row["ran"] == told["algorithm"] and flat == also_flat


def main():
    parser = launch.arguments(__doc__, "--command", "program")
    parser.add_argument("--mpi", required=True, help="whose built-in table applies, for `explain`")
    options, launcher, failures = launch.begin(parser)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.json"
        table.write_text(json.dumps({"version": 1, "rules": RULES}, indent=1))
        for ranks, each, settings in CASES:
            env = {"MPIGRAFT_TABLE": table, "MPIGRAFT_NODES": each} | settings
            outcome = launcher.grafted(ranks, [options.program, "pairs"], env)
            failures.expect(outcome.code == 0, f"{env}:", outcome)
            rows = outcome.rows()
            failures.expect({row["call"] for row in rows} == {"scan", "reduce"}, f"{env}:", outcome)
            for row in rows:
                told = explained(options, row["call"], ranks, each, env)
                failures.expect(agree(row, told), f"{ranks} ranks, {env}:\n{row}\n{told}")
    failures.exit()


if __name__ == "__main__":
    main()
