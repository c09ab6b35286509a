# SPDX-License-Identifier: MIT
"""Which algorithm runs, and what the report says of why: on simulated nodes, by tables and by settings."""

import itertools
import json
import os
import platform
import re

import collectives
import launch
from launch import case

APART = "the ranks of a node are not consecutive"
ONE = "one node"
SEVERAL = "several nodes"
UNEQUAL = "the nodes differ in size"

# ranks, nodes and cache groups of MPIGRAFT_NODES, and why algorithms that want consecutive and equal nodes do not run
# (ranks outside all ranges share a node or cache group)
NODES = (
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


def sets(bench, wanted):
    """Sets of algorithms to force at once, with at most one for each collective."""
    entries = [entry for entry in json.loads(bench.mpigraft("list", "--json").stdout) if wanted(entry)]
    by_collective = [[entry for entry in entries if entry["collective"] == name] for name in collectives.NAMES]
    return [[entry for entry in some if entry] for some in itertools.zip_longest(*by_collective)]


def forced_by(entries):
    return ",".join(entry["name"].replace("/", "=") for entry in entries)


@case
def forced(bench):
    """Every algorithm runs, on nodes and with operators that it takes; strict: it is an error if it cannot."""
    for on_one, commutative in itertools.product((False, True), repeat=2):
        program = [bench.program("prefix_sums"), *["commutative"] * commutative]
        for entries in sets(bench, lambda entry: (entry["nodes"] == "one", entry["commutative"]) == (on_one, commutative)):
            force = forced_by(entries) + ",strict"
            outcome = bench.launcher.grafted(6, program, {"MPIGRAFT_FORCE": force, "MPIGRAFT_NODES": 6 if on_one else 2})
            bench.expect(outcome.code == 0 and not outcome.messages(), force, outcome)
            for entry in entries:
                reasons = {row["reason"] for row in outcome.rows() if row["ran"] == entry["name"]} - launch.ALWAYS_NATIVE
                bench.expect(reasons == {"MPIGRAFT_FORCE"}, f"{entry['name']} for reasons {reasons}")


def expected(entry, why):
    """What a row says ran, and its reason: a flat form, if there is something against the algorithm."""
    if why is None:
        return entry["name"], "MPIGRAFT_FORCE"
    return f"{entry['collective']}/{entry['flat']}", f"MPIGRAFT_FORCE; flat form of {entry['name']}: {why}"


@case
def on_nodes(bench):
    """Node-aware algorithms, forced, run where nodes and cache groups are as they want them; elsewhere their flat forms
    do, and the report says why. The program judges its results itself."""
    program = [bench.program("prefix_sums")]
    for entries in sets(bench, lambda entry: entry["nodes"] != "any"):
        force = forced_by(entries)
        wants = {entry["nodes"] for entry in entries}

        def run(ranks, **env):
            outcome = bench.launcher.grafted(ranks, program, {"MPIGRAFT_FORCE": force, **env})
            bench.expect(outcome.code == 0, f"{force} on {ranks} ranks, {env}", outcome)
            return {(row["ran"], row["reason"]) for row in outcome.rows() if row["ranks"] == str(ranks)}

        if "one" in wants:
            rows = run(3, MPIGRAFT_SHARED=0)
            for want in (expected(entry, "the ranks share no memory") for entry in entries if entry["nodes"] == "one"):
                bench.expect(want in rows, f"without memory: no {want} in {rows}")
        for ranks, nodes, cache_groups, apart, unequal in NODES[-5:] if wants == {"one"} else NODES:
            place = nodes + "/" * bool(cache_groups) + cache_groups
            rows = run(ranks, MPIGRAFT_NODES=place)
            against = {"consecutive": apart, "equal": unequal, "one": None if nodes in ("", str(ranks)) else SEVERAL}
            for entry in entries:
                found = {row for row in rows if row[0].startswith(entry["collective"] + "/")}
                want = {expected(entry, against[entry["nodes"]])}
                bench.expect(found == want, f"{force} on {ranks} ranks, {place}: {found} instead of {want}")
    strict = bench.launcher.grafted(4, program, {"MPIGRAFT_FORCE": "exscan=hierarchical,strict", "MPIGRAFT_NODES": "4/0"})
    bench.expect(strict.code != 0 or strict.aborted(), "strict: a flat form is no error")
    bench.expect("exscan cannot run as asked: MPIGRAFT_FORCE; flat form of exscan/hierarchical" in strict.stderr,
                 "strict: the reason", strict)


RULES = [{"collective": "scan", "algorithm": "two_tree", "ranks_per_node": {"min": 2}},
         {"collective": "scan", "algorithm": "shared_flat", "nodes": {"max": 1}},
         {"collective": "scan", "algorithm": "lane", "nodes": {"min": 3}},
         {"collective": "reduce", "algorithm": "two_tree", "oversubscribed": False},
         {"collective": "reduce", "algorithm": "circulant", "operator": "commutative", "ranks": {"min": 4}}]
ON_NODES = {"MPIGRAFT_FORCE": "scan=lane,reduce=hierarchical"}
PUBLISHED = {"MPIGRAFT_FORCE": "scan=shared_slices,reduce=shared_flat"}

# ranks, ranks of a node, settings
EXPLAINED = ((3, 3, {}), (5, 2, {}), (4, 2, {}), (5, 1, {}), (1, 1, {}),
             (3, 3, {"MPIGRAFT_TABLE": ""}),
             (3, 3, ON_NODES), (4, 2, ON_NODES), (5, 2, ON_NODES),
             (3, 3, PUBLISHED), (4, 2, PUBLISHED), (3, 3, PUBLISHED | {"MPIGRAFT_SHARED": "0"}),
             (2, 2, {"MPIGRAFT_FORCE": "scan=native,reduce=circulant"}),
             (2, 2, {"MPIGRAFT_FORCE": "scan=butterfly", "MPIGRAFT_REPRODUCIBLE": "native"}),
             (4, 2, {"MPIGRAFT_FORCE": "scan=butterfly", "MPIGRAFT_REPRODUCIBLE": "order"}),
             (2, 2, {"MPIGRAFT_FORCE": "native"}))
BYTES = 8  # of every call of `measured maxima`, integers with predefined operators
FLAT = "; flat form of "


def agree(row, told):
    reason, _, flat = row["reason"].partition(FLAT)
    because, _, also_flat = told["reason"].partition("; floating")[0].partition(FLAT)
    if told["rule"]:
        because = f"rule at line {told['rule']['line']} of the table"
    return (row["ran"], reason, flat) == (told["algorithm"], because, also_flat)


@case
def explained(bench):
    """`mpigraft explain` and the library say the same of a call: what runs, by which rule or setting, and why a flat
    form. The word tells whose built-in table applies."""
    table = bench.folder / "table.json"
    table.write_text(json.dumps({"version": 1, "rules": RULES}, indent=1))
    for ranks, each, settings in EXPLAINED:
        env = {"MPIGRAFT_TABLE": table, "MPIGRAFT_NODES": each} | settings
        outcome = bench.launcher.grafted(ranks, [bench.program("measured"), "maxima"], env)
        rows = outcome.rows()
        bench.expect(outcome.code == 0 and {row["call"] for row in rows} == {"scan", "reduce"}, f"{env}:", outcome)
        for row in rows:
            told = bench.mpigraft("explain", "--mpi", *bench.options.words, "--json", "--collective", row["call"], "--ranks",
                                  ranks, "--bytes", BYTES, "--ranks-per-node", each,
                                  *["--oversubscribed"] * (ranks > len(os.sched_getaffinity(0))), **env)
            bench.expect(told.code == 0 and agree(row, json.loads(told.stdout)), f"{ranks} ranks, {env}:\n{row}", told)


def places(folder):
    """Settings that change which algorithms run, and how."""
    others, empty = folder / "table.json", folder / "empty.json"
    others.write_text(collectives.table(*collectives.rules(scan="hierarchical", exscan="lane", reduce="butterfly")))
    empty.write_text(collectives.table())
    return ({}, {"MPIGRAFT_NODES": 1}, {"MPIGRAFT_NODES": 2}, {"MPIGRAFT_NODES": "0-0,1-4"}, {"MPIGRAFT_SHARED": 0},
            {"MPIGRAFT_TABLE": others}, {"MPIGRAFT_TABLE": others, "MPIGRAFT_NODES": 2}, {"MPIGRAFT_TABLE": empty},
            {"MPIGRAFT_FORCE": "scan=two_tree,exscan=transpose"})


@case
def reproducible(bench):
    """MPIGRAFT_REPRODUCIBLE=order: floating point sums have the same bits on any nodes, with and without shared memory, by
    any table; without it they do not."""
    first, free, program = None, set(), [bench.program("floats"), "same_bits"]
    for place in places(bench.folder):
        ordered = bench.launcher.grafted(5, program, place | {"MPIGRAFT_REPRODUCIBLE": "order"})
        first = first or ordered
        bench.expect(ordered.code == 0, place, ordered)
        bench.failures.expect_alike(f"{place}", first.stdout, ordered.stdout)
        reasons = {row["reason"] for row in ordered.rows()}
        bench.expect(reasons == {"MPIGRAFT_REPRODUCIBLE=order"}, f"{place}: {reasons}")
        if len(free) < 2:
            free.add(bench.launcher.grafted(5, program, place).stdout)
    bench.expect(len(free) == 2, "all places have the same bits anyway")


OURS = "exscan/k_ported"  # the embedded table names it for no call
HOST = platform.node()
FITS = ({"mpi": "MPICH Version: [45].*"}, {"mpi": "*", "host": HOST}, {"host": HOST[:1] + "*"}, {})
STALE = {"the MPI library": {"mpi": "MPICH Version: 3.*"}, "the host": {"mpi": "MPICH*", "host": HOST + "-no-such"}}


def table_for(folder, required):
    rule = {"collective": "exscan", "algorithm": OURS.split("/")[1]}
    folder.mkdir(exist_ok=True)
    (folder / "table.json").write_text(json.dumps({"version": 1, "requires": required, "rules": [rule]}))
    return {"MPIGRAFT_TABLE": folder / "table.json"}


@case
def stale_table(bench):
    """A table for another MPI library or host costs one message, and the embedded table decides, on all ranks alike."""
    program = [os.path.abspath(bench.program("plain_exscan"))]  # ranks start in other folders
    native = bench.launcher.native(2, program)

    def expect(what, outcome, ours, message=""):
        bench.failures.expect_alike(f"{what}: result", (native.code, native.stdout), (outcome.code, outcome.stdout))
        ran, messages = {row["ran"] for row in outcome.rows()}, outcome.messages()
        bench.expect(ran == {OURS} if ours else ran and OURS not in ran, f"{what}: ran {ran}")
        right = len(messages) == 1 and re.search(message, messages[0]) if message else not messages
        bench.expect(right, f"{what}: messages {messages}")

    first, other = bench.folder / "first", bench.folder / "other"
    for required in FITS:
        expect(required, bench.launcher.grafted(2, program, table_for(first, required)), True)
    for what, required in STALE.items():
        table = table_for(first, required)
        told = rf"{re.escape(str(first))}/table.json: {what} is \".*\", the table requires \".*\"; " \
               "the embedded table takes its place$"
        expect(required, bench.launcher.grafted(2, program, table), False, told)
        # The library tells on all ranks what it could not tell on communicators of one rank.
        alone_first = bench.launcher.grafted(2, [*program, "alone-first"], table)
        expect(f"{required}, alone first", alone_first, False, told)
    # One name, another table on each rank: the first rank's counts.
    table_for(other, FITS[0])
    for folders, ours, told in ((first, other), False, "takes its place"), ((other, first), True, ""):
        parts = [(1, {}, ["env", "-C", str(folder), *program]) for folder in folders]
        outcome = bench.launcher.grafted_mpmd(parts, {"MPIGRAFT_TABLE": "/proc/self/cwd/table.json"})
        expect(f"stale in {first}, ranks in {folders}", outcome, ours, told)
