# SPDX-License-Identifier: MIT
"""Measures the cells of a plan by successive halving, within a budget of time."""

import time

from bench import FEWEST_REPETITIONS, SURE_REPETITIONS, BenchFailed, wrong_arms
from halving import FINALISTS, next_names, rounds_left
from machine import RANKS, RUNS, fit
from plan import candidates

RUN_SECONDS = 0.5  # of repetitions in a run, where the budget allows it
MOST_RESERVED = 0.3  # of the budget, for verification


def repetitions(names):
    """Fewest repetitions of a run. Few names are finalists, of which one may be chosen: these get more."""
    return FEWEST_REPETITIONS if len(names) > FINALISTS else SURE_REPETITIONS


class Tuner:
    def __init__(self, campaign, command, cells, asked, budget, progress):
        """`asked`: names of algorithms, or None for all; `budget`: seconds, or None."""
        self.campaign, self.command, self.cells, self.asked = campaign, command, cells, asked
        self.progress = progress
        self.end = None if budget is None else time.monotonic() + budget - campaign.spent()
        self.budget = budget
        self.failed, self.prices, self.done = {}, {}, 0

    def left(self):
        """Seconds until the end of the budget; None if there is none."""
        return None if self.end is None else self.end - time.monotonic()

    def verification(self):
        """Seconds that the verification takes."""
        series = {(cell.ranks, cell.collective) for cell in self.cells}
        cells = sum(self.campaign.calls_cost(cell, ["default"], SURE_REPETITIONS) for cell in self.cells)
        return cells + sum(self.campaign.launch(ranks) for ranks, _ in series)

    def reserved(self):
        """Seconds of the budget that are kept for the verification."""
        return self.verification() if self.end is None else min(MOST_RESERVED * self.budget, self.verification())

    def allows(self, cost, reserved=0.0):
        return self.end is None or self.left() - reserved >= cost

    # -- the machine ----------------------------------------------------------------------------------------------
    def known_machine(self):
        """The table's "machine", or None if it is not measured yet."""
        runs = [self.campaign.find(RANKS, *run) for run in map(self.words_of, RUNS)]
        return fit(*runs) if all(runs) else None

    def measure_machine(self):
        for done, run in enumerate(RUNS):
            self.progress.show(done, len(RUNS), "latency, bandwidth, combine")
            self.campaign.run(RANKS, *self.words_of(run), seconds=RUN_SECONDS)
        return self.known_machine()

    @staticmethod
    def words_of(run):
        collectives, size, names = run
        return collectives, [size], names

    def price(self, machine):
        self.prices = self.command.predict(self.cells, machine)

    # -- the cells ------------------------------------------------------------------------------------------------
    def find(self, cell, names):
        run = self.campaign.find(cell.ranks, [cell.collective], [cell.bytes], names)
        return run and run["cells"][0]

    def scout(self, cell):
        """The first cell of the same ranks and collective: it shows which algorithms run in a flat form here."""
        return next(one for one in self.cells if (one.ranks, one.collective) == (cell.ranks, cell.collective))

    def flat(self, cell):
        """Algorithms that the scout found to run in a flat form."""
        scout = self.scout(cell)
        if scout == cell:
            return set()
        measured = self.find(scout, self.candidates(scout))
        return {arm["arm"] for arm in measured["arms"] if "/" in arm["arm"] and arm["ran"] != arm["arm"]} \
            if measured else set()

    def candidates(self, cell):
        return candidates(cell, self.command.catalogue, self.prices.get(cell, {}), self.asked)

    def state(self, cell):
        """(measured cells so far, names that the next run takes)."""
        names = self.candidates(cell)
        if not self.find(cell, names):
            flat = self.flat(cell)
            names = [name for name in names if name not in flat]
        return next_names(names, lambda some: self.find(cell, some))

    def measured(self, cell):
        return self.state(cell)[0]

    def unmeasured(self):
        return [cell for cell in self.cells if not self.measured(cell)]

    def steps_left(self):
        """[(cell, most runs until it is decided, names in the next one)]"""
        states = [(cell, self.state(cell)[1]) for cell in self.cells if cell not in self.failed]
        return [(cell, rounds_left(names), names) for cell, names in states if names]

    def measure_cells(self):
        """All cells once, then again those that are not decided: wherever the budget ends, most cells have figures."""
        while True:
            before = self.done
            for cell in sorted(self.cells, key=lambda cell: len(self.measured(cell))):
                names = self.state(cell)[1]
                if names and cell not in self.failed:
                    self.step(cell, names)
            if self.done == before:
                break

    def step(self, cell, names):
        """Measures a cell with these names once, if the budget allows it."""
        left = self.steps_left()
        runs = sum(rounds for _, rounds, _ in left)
        cost = self.campaign.cost(cell, names, repetitions(names))
        reserved = self.reserved()
        if not self.allows(cost, reserved):
            return
        seconds = self.share(left, runs, reserved)
        rest = self.rest(left, seconds) + reserved
        self.progress.show(self.done, self.done + runs, str(cell),
                           rest if self.end is None else min(rest, self.left()))
        self.done += 1
        try:
            run = self.campaign.run(cell.ranks, [cell.collective], [cell.bytes], names,
                                    least=repetitions(names), seconds=seconds)
            for wrong in wrong_arms(run):
                self.progress.say(f"mpigraft tune: wrong result: {wrong}, {cell.ranks} ranks; it is not used")
        except BenchFailed as error:
            self.failed[cell] = str(error)
            self.progress.say(f"mpigraft tune: {cell}: {error}")

    def share(self, left, runs, reserved):
        """Seconds of repetitions for a run, so that the budget lasts for all that are left."""
        if self.end is None:
            return RUN_SECONDS
        return min(RUN_SECONDS, max(0.0, (self.left() - reserved - self.rest(left, 0)) / runs))

    def rest(self, left, seconds):
        """Seconds that the runs in `left` take, with `seconds` of repetitions each."""
        return sum(rounds * self.campaign.cost(cell, names, repetitions(names), seconds)
                   for cell, rounds, names in left)
