# SPDX-License-Identifier: MIT
"""What chooses algorithms in MPICH: MPIR_CVAR_*_INTRA_ALGORITHM, and the selection JSON that
MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE names."""

import re

FILE_VARIABLE = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"
VARIABLE = re.compile(r"MPIR_CVAR_([A-Z_]+)_INTRA_ALGORITHM$")
ALGORITHM = re.compile(r"algorithm=MPIR_([A-Z]\w*?)_(?:intra|allcomm)_(\w+)$")
LIMIT = re.compile(r"(\w+)(<=|<|=)(\d+)$")
OF_ANY_COMMUNICATOR = ("comm_type=intra", "comm_hierarchy=parent")
# In which condition MPICH has the bytes that a table has.
BYTES = {"allgather": "total_msg_size", "allgatherv": "total_msg_size", "reduce_scatter": "total_msg_size",
         "reduce_scatter_block": "total_msg_size"}
OPERATORS = {"is_commutative=yes": "commutative", "is_commutative=no": "noncommutative", "is_op_built_in=no": "user"}


def of_variable(name, value):
    """The rule of a variable, as [(collective, algorithm, conditions)]; empty if it is of something else."""
    found = VARIABLE.match(name)
    return [(found[1].lower(), "" if value == "auto" else value, {})] if found else []


def narrowed(conditions, key, least, most):
    """The conditions with a range of `key` within theirs; None if that is empty."""
    low, high = conditions.get(key, (0, None))
    low, high = max(low, least), most if high is None else high if most is None else min(high, most)
    return None if high is not None and low > high else conditions | {key: (low, high)}


def with_condition(collective, conditions, text):
    """The conditions with one of MPICH's; None if no call fulfils them. Raises KeyError if a table cannot say it."""
    if text.endswith("=any") or text in OF_ANY_COMMUNICATOR or text == "is_op_built_in=yes":  # "no" came before
        return conditions
    if text == "comm_type=inter":
        return None
    if text in OPERATORS:
        operator = conditions.get("operator", OPERATORS[text])
        return conditions | {"operator": operator} if operator == OPERATORS[text] else None
    if text == "comm_size=node_comm_size":
        return narrowed(conditions, "nodes", 1, 1)
    limit = LIMIT.match(text)
    key = {"comm_size": "ranks", BYTES.get(collective, "avg_msg_size"): "bytes"}[limit[1] if limit else text]
    most = int(limit[3]) - (limit[2] == "<")
    return narrowed(conditions, key, most if limit[2] == "=" else 0, most)


def of_branch(collective, branch, conditions, left_out):
    """The rules of a branch of the JSON in its order; tells `left_out` what a table cannot say."""
    rules = []
    for text, below in sorted(branch.items(), key=lambda item: item[0] == "is_op_built_in=yes"):
        if text.startswith("algorithm="):
            algorithm = ALGORITHM.match(text)
            rules.append((collective, algorithm[2] if algorithm else text.removeprefix("algorithm="), conditions))
            continue
        try:
            inner = with_condition(collective, conditions, text)
        except KeyError:
            left_out(f"{collective}: {text}: a table has no such condition; its calls fall to the rules that follow")
            continue
        if inner is not None:
            rules += of_branch(collective, below, inner, left_out)
        if text in OF_ANY_COMMUNICATOR:
            break  # what follows is for MPICH's own communicators
    return rules


def of_json(document, left_out):
    """The rules of the selection JSON."""
    rules = []
    for head, branch in document.items():
        name = head.removeprefix("collective=")
        rules += of_branch(name, branch, {}, left_out if not name.startswith(("i", "neighbor")) else lambda _: None)
    return rules
