# SPDX-License-Identifier: MIT
"""A tuning's plan, and how long it takes."""

from collections import Counter

from compositions import cost, sizes_of
from halving import rounds_left
from machine import RANKS, RUNS
from tuner import RUN_SECONDS
from units import minutes, size_text


def lines_of_cells(cells, tuner):
    for ranks in sorted({cell.ranks for cell in cells}):
        here = [cell for cell in cells if cell.ranks == ranks]
        names = [len(tuner.candidates(cell)) for cell in here]
        sizes = [cell.bytes for cell in here]
        collectives = ", ".join(Counter(cell.collective for cell in here))
        yield (f"{tuner.campaign.place(ranks)}: {len(here)} cells ({collectives}; {size_text(min(sizes))} to "
               f"{size_text(max(sizes))} bytes), {min(names)} to {max(names)} algorithms in each")


def describe(tuner, budget):
    """The lines that --dry-run prints. As long as nothing is measured, nobody knows how long calls take; those of ranks
    that share cores are slow."""
    campaign, cells = tuner.campaign, tuner.cells
    lines = list(lines_of_cells(cells, tuner))
    steps = tuner.steps_left()
    runs = sum(rounds_left(names) for _, _, names in steps)
    seconds = tuner.rest(steps, RUN_SECONDS)
    machine = 0 if tuner.known_machine() else len(RUNS)
    seconds += machine * (campaign.launch(RANKS) + 2 * RUN_SECONDS)
    lines.append(f"decided already: {len(cells) - len(steps)} of {len(cells)} cells")
    guess = "" if campaign.results.runs else ", if a launch takes 1 s and calls are short"
    lines.append(f"to measure: at most {runs + machine} runs, about {minutes(seconds)}; to verify: "
                 f"about {minutes(tuner.verification())}{guess}")
    compositions = sizes_of(cells, tuner.asked)
    if compositions:
        seconds = sum(cost(campaign, ranks, sizes) for ranks, sizes in compositions.items())
        lines.append(f"to measure the calls of mpigraft.h: about {minutes(seconds)}")
    if budget is not None:
        left = minutes(max(0, budget - campaign.spent()))
        lines.append(f"the budget ends tuning in at most {left}, with a table of what is measured by then")
    return lines
