# SPDX-License-Identifier: MIT
"""What chooses algorithms in Open MPI's component tuned: coll_tuned_*_algorithm and its segment size, and the rule file that
coll_tuned_dynamic_rules_filename names, in the classic form or as JSON."""

import re

FILE_VARIABLE = "coll_tuned_dynamic_rules_filename"
VARIABLE = re.compile(r"(?:OMPI_MCA_)?coll_tuned_([a-z_]+)_algorithm(_segmentsize)?$")
# The names of algorithm 1, 2, ... by the number of the collective in rule files.
ALGORITHMS = {
    0: ("allgather", "linear bruck recursive_doubling ring neighbor two_proc sparbit direct-messaging"),
    1: ("allgatherv", "default bruck ring neighbor two_proc sparbit"),
    2: ("allreduce", "basic_linear nonoverlapping recursive_doubling ring segmented_ring rabenseifner allgather_reduce"),
    6: ("barrier", "linear double_ring recursive_doubling bruck two_proc tree"),
    7: ("bcast", "basic_linear chain pipeline split_binary_tree binary_tree binomial knomial scatter_allgather "
                 "scatter_allgather_ring"),
    8: ("exscan", "linear recursive_doubling"),
    11: ("reduce", "linear chain pipeline binary binomial in-order_binary rabenseifner knomial"),
    12: ("reduce_scatter", "non-overlapping recursive_halving ring butterfly"),
    13: ("reduce_scatter_block", "basic_linear recursive_doubling recursive_halving butterfly"),
    14: ("scan", "linear recursive_doubling")}
NUMBERED = {name: names.split() for name, names in ALGORITHMS.values()}
IN_JSON = {"reducescatter": "reduce_scatter", "reducescatterblock": "reduce_scatter_block"}
SCANS = ("scan", "exscan")  # whose message size is not the vector's there


def algorithm_of(collective, value):
    """The name of a number or a name; "" where Open MPI decides."""
    names = NUMBERED.get(collective, [])
    if str(value).isdigit() and 0 < int(value) <= len(names):
        return names[int(value) - 1]
    return "" if str(value) in ("0", "ignore") else str(value)


def of_variables(variables):
    """The rules of {name: value}, of which all others are passed over."""
    rules = {}
    for name, value in variables.items():
        if found := VARIABLE.match(name):
            rules.setdefault(found[1], {})[found[2] or "algorithm"] = value
    return [(collective, algorithm_of(collective, found["algorithm"]),
             {"segment": int(found["_segmentsize"])} if found.get("_segmentsize", "0") != "0" else {})
            for collective, found in rules.items() if "algorithm" in found]


def size_rule(collective, algorithm, segment, conditions, left_out):
    """A rule as a list, or none if a table cannot say its sizes."""
    least, most = conditions.get("bytes", (0, None))
    if collective in SCANS and (least, most) != (0, None):
        left_out(f"{collective}: Open MPI counts its bytes otherwise; the rule for {least} bytes and more is left out")
        return []
    return [(collective, algorithm_of(collective, algorithm), conditions | ({"segment": segment} if segment else {}))]


def of_json(document, left_out):
    """The rules of a JSON file; the first that fits counts there, too."""
    everywhere = document.get("comm_rank_distribution", "any")
    rules = []
    for name, of_sizes in document["collectives"].items():
        collective = IN_JSON.get(name, name)
        for of_ranks in of_sizes:
            ranks = (of_ranks.get("comm_size_min", 0), limit(of_ranks.get("comm_size_max", "inf")))
            placing = {"single-node": {"nodes": (1, 1)}, "one-per-node": {"ranks_per_node": (1, 1)}}.get(
                of_ranks.get("comm_rank_distribution", everywhere), {})
            for rule in of_ranks["rules"]:
                sizes = (rule.get("msg_size_min", 0), limit(rule.get("msg_size_max", "inf")))
                rules += size_rule(collective, rule["alg"], rule.get("seg_size", 0),
                                   {"ranks": ranks, "bytes": sizes} | placing, left_out)
    return rules


def limit(value):
    return None if str(value).lower() == "inf" else value


class Numbers:
    """The numbers of a classic file, without its comments."""

    def __init__(self, text):
        lines = [(number, line.split("#")[0].split()) for number, line in enumerate(text.splitlines(), 1)]
        self.words = [(number, word) for number, words in lines for word in words]
        self.fields = 3  # of a rule after its size
        self.last = len(lines)
        if self.words and self.words[0][1].startswith("rule-file-version-"):
            self.fields = 3 if self.words.pop(0)[1].endswith("-1") else 4

    def next(self, meaning):
        line, word = self.words.pop(0) if self.words else (self.last, "the end of the file")
        if not word.isdigit():
            raise ValueError(f"{line}: expected {meaning}, found {word}")
        return int(word)


def ranges(limits):
    """[(least, most)] from the sorted least values."""
    return [(low, high - 1 if high is not None else None) for low, high in zip(limits, [*limits[1:], None])]


def of_classic(text, left_out):
    """The rules of a classic file: for a communicator those of the next smaller size, and of them the next smaller."""
    numbers, rules = Numbers(text), []
    for _ in range(numbers.next("how many collectives follow")):
        number = numbers.next("the number of a collective")
        sections = []
        for _ in range(numbers.next("how many communicator sizes follow")):
            ranks = numbers.next("a communicator size")
            count = numbers.next("how many message sizes follow")
            sections.append((ranks, [[numbers.next("a rule's numbers") for _ in range(1 + numbers.fields)]
                                     for _ in range(count)]))
        collective = ALGORITHMS.get(number, (None,))[0]
        if not collective:
            continue
        for (_, lines), in_ranks in zip(sections, ranges([ranks for ranks, _ in sections])):
            for line, in_bytes in zip(lines, ranges([line[0] for line in lines])):
                rules += size_rule(collective, line[1], line[3], {"ranks": in_ranks, "bytes": in_bytes}, left_out)
    return rules
