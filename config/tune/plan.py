# SPDX-License-Identifier: MIT
"""The plan: kinds of calls to learn of."""

import itertools
import json
import math
import subprocess
from collections import Counter
from dataclasses import dataclass

from console import Failed, environment, size_text

WIDEST_STEP = 8  # between the sizes that are measured for a row of a report
ELEMENT, MATRIX = 8, 32  # bytes
WHOLE = "user operator"  # in the reasons that a report gives for calls with an operator of the program's


@dataclass(frozen=True)
class Cell:
    """A kind of call. `user`: by a user operator, which does not commute."""
    ranks: int
    bytes: int
    collective: str
    user: bool = False

    @property
    def word(self):
        """As mpigraft-bench --mixed takes it."""
        return f"{self.collective}:{self.bytes}" + ":matrix" * self.user

    def __str__(self):
        return f"{self.collective} of {self.bytes} bytes, {self.ranks} ranks" + ", user operators" * self.user


def in_words(cells):
    """Texts that list the cells, one for each collective and number of ranks."""
    sizes = {}
    for cell in cells:
        sizes.setdefault((cell.collective, cell.ranks, cell.user), []).append(cell.bytes)
    return [f"{collective} of {', '.join(map(size_text, sorted(of_these)))} bytes, {ranks} ranks"
            + ", user operators" * user for (collective, ranks, user), of_these in sizes.items()]


def whole(size, element=ELEMENT):
    """The size, rounded up to whole elements of mpigraft-bench."""
    return -(-size // element) * element


def cells_of(ranks, collective, size, command, user):
    """The cell, and if the collective combines the one with a user operator, where it is wanted."""
    if collective in command.without_data:
        return [Cell(ranks, 0, collective)]
    with_user = user and collective in command.combining
    return [Cell(ranks, whole(size), collective)] + [Cell(ranks, whole(size, MATRIX), collective, True)] * with_user


def grid(ranks, collectives, sizes, command):
    cells = [cell for of_ranks, size, name in itertools.product(sorted(set(ranks)), sorted(set(sizes)), collectives)
             for cell in cells_of(of_ranks, name, size, command, True)]
    return list(dict.fromkeys(cells))


def sizes_between(least, most):
    """Both sizes, and sizes between them in equal steps of the logarithm, each by a factor of WIDEST_STEP at most."""
    if least == most:
        return [least]
    steps = max(1, math.ceil(math.log(most / least, WIDEST_STEP)))
    return sorted({least, most, *(round(least * (most / least) ** (i / steps)) for i in range(1, steps))})


def cells_of_report(document, collectives, command):
    """The cells of the job that wrote the report (JSON), the most frequent calls first."""
    calls = Counter()
    for row in document["rows"]:
        if row["collective"] not in collectives or row["ranks"] == 1:
            continue
        if row["bytes_max"] > 0 or row["collective"] in command.without_data:
            for size in sizes_between(max(row["bytes_min"], 1), max(row["bytes_max"], 1)):
                for cell in cells_of(row["ranks"], row["collective"], size, command, WHOLE in row["reason"]):
                    calls[cell] += row["calls"]
    return [cell for cell, _ in calls.most_common()]


class Command:
    """The catalogue of the mpigraft command, without the influence of MPIGRAFT_* variables; `path` is the command's."""

    def __init__(self, path):
        self.path = path
        self.version = self.ask("--version").strip()
        catalogue = json.loads(self.ask("list", "--json"))
        self.collectives = tuple(dict.fromkeys(entry["collective"] for entry in catalogue))  # in the order of their table
        self.without_data = {entry["collective"] for entry in catalogue if not entry["moves_data"]}
        self.combining = {entry["collective"] for entry in catalogue if entry["cuts"]}

    def check_site(self, *variables):
        """Raises Failed if the site does not let a job set these variables."""
        env = environment() | {name: "tune" for name in variables}
        done = subprocess.run([str(self.path), "env", "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              env=env, check=False)  # 1: of problems
        document = json.loads(done.stdout)
        site = document["site"]
        if not site["enabled"]:
            raise Failed(f"{site['file']} switches mpigraft off, so nothing can be tuned")
        fixed = [row["name"] for row in document["variables"]
                 if row["name"] in variables and row["from"] == "site, fixed; not the environment"]
        if fixed:
            raise Failed(f"{site['file']} fixes {', '.join(fixed)}, which jobs of tune must set")

    def ask(self, *arguments):
        words = [str(self.path), *map(str, arguments)]
        done = subprocess.run(words, stdout=subprocess.PIPE, text=True, env=environment(), check=False)
        if done.returncode != 0:
            raise Failed(f"exit code {done.returncode} of {' '.join(words)}")
        return done.stdout
