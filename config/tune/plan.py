# SPDX-License-Identifier: MIT
"""The plan of measurements: cells, and the algorithms that may win there."""

import itertools
import json
import math
import os
import subprocess
from collections import Counter
from dataclasses import dataclass

from units import size_text

WIDEST_STEP = 8  # between the sizes that are measured for a row of a report
ELEMENT = 8
MODEL_FACTOR = 8  # an algorithm so many times as slow as the best one by the model is not measured


@dataclass(frozen=True)
class Cell:
    ranks: int
    bytes: int
    collective: str

    def __str__(self):
        return f"{self.collective} of {self.bytes} bytes, {self.ranks} ranks"


def in_words(cells):
    """Texts that list the cells, one for each collective and number of ranks."""
    sizes = {}
    for cell in cells:
        sizes.setdefault((cell.collective, cell.ranks), []).append(cell.bytes)
    return [f"{collective} of {', '.join(map(size_text, sorted(of_these)))} bytes, {ranks} ranks"
            for (collective, ranks), of_these in sizes.items()]


def whole(size):
    """The size, rounded up to whole elements of mpigraft-bench, which are 64-bit integers."""
    return -(-size // ELEMENT) * ELEMENT


def grid(ranks, collectives, sizes, without_data=()):
    sizes = sorted(set(map(whole, sizes)))
    with_data = [name for name in collectives if name not in without_data]
    cells = [*itertools.product([0], set(collectives) & set(without_data)), *itertools.product(sizes, with_data)]
    return [Cell(of_ranks, *cell) for of_ranks in sorted(set(ranks)) for cell in cells]


def sizes_between(least, most):
    """Both sizes, and sizes between them in equal steps of the logarithm, each by a factor of WIDEST_STEP at most."""
    if least == most:
        return [least]
    steps = max(1, math.ceil(math.log(most / least, WIDEST_STEP)))
    return sorted({least, most, *(round(least * (most / least) ** (i / steps)) for i in range(1, steps))})


def cells_of_report(document, collectives, without_data=()):
    """The cells of the job that wrote the report (JSON), the most frequent calls first."""
    calls = Counter()
    for row in document["rows"]:
        if row["collective"] not in collectives or row["ranks"] == 1:
            continue
        if row["collective"] in without_data:
            calls[Cell(row["ranks"], 0, row["collective"])] += row["calls"]
        elif row["bytes_max"] > 0:
            for size in sizes_between(max(row["bytes_min"], 1), row["bytes_max"]):
                calls[Cell(row["ranks"], whole(size), row["collective"])] += row["calls"]
    return [cell for cell, _ in calls.most_common()]


class CommandFailed(Exception):
    pass


class Command:
    """The catalogue of the mpigraft command, without the influence of MPIGRAFT_* variables; `path` is the command's."""

    def __init__(self, path):
        self.path = path
        self.version = self.ask("--version").strip()
        self.catalogue = json.loads(self.ask("list", "--json"))
        self.collectives = collectives_of(self.catalogue)
        self.without_data = {entry["collective"] for entry in self.catalogue if not entry["moves_data"]}

    def ask(self, *arguments):
        words = [str(self.path), *map(str, arguments)]
        env = {name: value for name, value in os.environ.items() if not name.startswith("MPIGRAFT_")}
        done = subprocess.run(words, stdout=subprocess.PIPE, text=True, env=env, check=False)
        if done.returncode != 0:
            raise CommandFailed(f"exit code {done.returncode} of {' '.join(words)}")
        return done.stdout

    def predict(self, cells, machine):
        """{cell: {algorithm: seconds}} by the model, without the algorithms that it does not price. Raises
        CommandFailed."""
        priced = {}
        options = [word for name, value in machine.items() for word in (f"--{name}", value)]
        for collective, ranks in dict.fromkeys((cell.collective, cell.ranks) for cell in cells):
            sizes = sorted(cell.bytes or ELEMENT for cell in cells  # without data any size will do
                           if (cell.collective, cell.ranks) == (collective, ranks))
            text = self.ask("model", "--json", "--collective", collective, "--ranks", ranks, "--bytes",
                            ",".join(map(str, sizes)), *options)
            for one in json.loads(text):
                priced[Cell(ranks, one["bytes"], collective)] = {
                    entry["algorithm"]: entry["predicted_s"] for entry in one["algorithms"] if entry["predicted_s"]}
        return priced


def collectives_of(catalogue):
    """Names, in the order of the table of collectives."""
    return tuple(dict.fromkeys(entry["collective"] for entry in catalogue))


def candidates(cell, catalogue, prices, asked):
    """Names of the algorithms to measure, in the catalogue's order. They were `asked` for (None: all), are not hopeless
    by the model, and keep the order of operands, so that a rule holds for every operator whose vectors it does not
    cut."""
    worst = MODEL_FACTOR * min(prices.values(), default=math.inf)
    return [entry["name"] for entry in catalogue
            if entry["collective"] == cell.collective and not entry["commutative"]
            and (asked is None or entry["name"] in asked) and prices.get(entry["name"], 0) <= worst]
