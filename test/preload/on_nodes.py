#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Node-aware algorithms, forced, on simulated nodes and cache groups of one: where these are as they want them they
run, elsewhere their flat forms do, and the report says why. The program judges its results itself."""

import itertools
import json
import subprocess

import launch

APART = "the ranks of a node are not consecutive"
ONE = "one node"
SEVERAL = "several nodes"
UNEQUAL = "the nodes differ in size"

# ranks, nodes and cache groups of MPIGRAFT_NODES, and why algorithms that want consecutive and equal nodes do not run
# (ranks outside all ranges share a node or cache group)
CASES = (
    (4, "2", "", None, None),
    (4, "1", "", None, None),
    (6, "3", "2", None, None),
    (8, "3", "", None, UNEQUAL),
    (5, "0-2,3-3", "", None, UNEQUAL),
    (4, "4", "2", None, None),
    (5, "", "0-2,3-4", None, UNEQUAL),
    (4, "4", "0", ONE, ONE),
    (4, "4", "1-1", ONE, ONE),
    (4, "1-1", "", APART, APART),
    (6, "0-0,2-3,5-5", "", APART, APART),
)


def node_aware(command):
    """Sets of algorithms to force at once, with at most one for each collective."""
    listed = json.loads(subprocess.run([command, "list", "--json"], check=True, capture_output=True).stdout)
    collectives = {}
    for entry in listed:
        if entry["nodes"] != "any":
            collectives.setdefault(entry["collective"], []).append(entry)
    return [[entry for entry in entries if entry] for entries in itertools.zip_longest(*collectives.values())]


def expected(entry, one, apart, unequal):
    because = {"consecutive": apart, "equal": unequal, "one": None if one else SEVERAL}[entry["nodes"]]
    if because is None:
        return entry["name"], "MPIGRAFT_FORCE"
    flat = entry["collective"] + "/" + entry["flat"]
    return flat, f"MPIGRAFT_FORCE; flat form of {entry['name']}: {because}"


def without_memory(launcher, failures, program, entries, force):
    """Forces algorithms for one node on a node that shares no memory."""
    outcome = launcher.grafted(3, [program], {"MPIGRAFT_FORCE": force, "MPIGRAFT_SHARED": "0"})
    failures.expect(outcome.code == 0, f"{force} without memory", outcome)
    rows = {(row["ran"], row["reason"]) for row in outcome.rows()}
    for entry in entries:
        flat = entry["collective"] + "/" + entry["flat"]
        want = (flat, f"MPIGRAFT_FORCE; flat form of {entry['name']}: the ranks share no memory")
        failures.expect(entry["nodes"] != "one" or want in rows, f"without memory: no {want} in {rows}")


def strictly(launcher, failures, program):
    """MPIGRAFT_FORCE=strict is an error where a flat form would run, with the reason."""
    outcome = launcher.grafted(4, [program], {"MPIGRAFT_FORCE": "exscan=hierarchical,strict", "MPIGRAFT_NODES": "4/0"})
    failures.expect(outcome.code != 0 or outcome.aborted(), "strict: a flat form is no error")
    failures.expect("exscan cannot run as asked: MPIGRAFT_FORCE; flat form of exscan/hierarchical" in outcome.stderr,
                    f"strict: {outcome.stderr}")


def main():
    options, launcher, failures = launch.begin(launch.arguments(__doc__, "--command", "program"))
    for entries in node_aware(options.command):
        force = ",".join(f"{entry['collective']}={entry['name'].split('/')[1]}" for entry in entries)
        wants = {entry["nodes"] for entry in entries}
        if "one" in wants:
            without_memory(launcher, failures, options.program, entries, force)
        for ranks, nodes, cache_groups, apart, unequal in CASES[-5:] if wants == {"one"} else CASES:
            outcome = launcher.grafted(ranks, [options.program],
                                       {"MPIGRAFT_FORCE": force,
                                        "MPIGRAFT_NODES": nodes + "/" * bool(cache_groups) + cache_groups})
            case = f"{force} on {ranks} ranks, nodes {nodes}, cache groups {cache_groups}"
            failures.expect(outcome.code == 0, case, outcome)
            rows = {(row["ran"], row["reason"]) for row in outcome.rows() if row["ranks"] == str(ranks)}
            for entry in entries:
                found = {row for row in rows if row[0].startswith(entry["collective"] + "/")}
                want = {expected(entry, nodes in ("", str(ranks)), apart, unequal)}
                failures.expect(found == want, f"{case}: {found} instead of {want}")
    strictly(launcher, failures, options.program)
    failures.exit()


if __name__ == "__main__":
    main()
