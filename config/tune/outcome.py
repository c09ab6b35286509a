# SPDX-License-Identifier: MIT
"""Makes the rules of a table from what was learned and verified."""

import copy
import json

import machine as machine_parameters
from plan import in_words
from rules import conditions_of, groups_of
from console import counted

COSTLY = "calls behind it take longer than natively"  # why a cell was taken back


class Outcome:
    """`decided`: {cell: (choice, gain)}; `where`: {ranks: one of their runs}; `undecided`: cells that end their
    neighbours' rules."""

    def __init__(self, decided, where, collectives, undecided=()):
        self.collectives, self.undecided = collectives, undecided
        self.chosen = {cell: choice for cell, (choice, _) in decided.items()}
        self.gains = {cell: gain for cell, (_, gain) in decided.items()}
        self.conditions = {ranks: conditions_of(run) for ranks, run in where.items()}
        self.achieved = {}  # {cell: Compared}
        self.taken_back = {}  # {why: cells}

    def groups(self):
        """Rules for user operators come before those for all others, which match them too."""
        places = sorted({json.dumps(conditions) for conditions in self.conditions.values()})
        return [group for collective in self.collectives for place in places for user in (True, False)
                for group in self.groups_for(collective, json.loads(place), user)]

    def groups_for(self, collective, conditions, user):
        cells = {(cell.ranks, cell.bytes): cell for cell in (*self.chosen, *self.undecided) if cell.collective == collective
                 and cell.user == user and self.conditions.get(cell.ranks, conditions) == conditions}
        if not cells:
            return []
        ratios = {key: {self.chosen[cell]: self.achieved[cell].ratio()} if cell in self.achieved else {}
                  for key, cell in cells.items()}
        return groups_of(collective, {key: self.chosen.get(cell) for key, cell in cells.items()}, ratios,
                         conditions | ({"operator": "user"} if user else {}))

    def take_back(self, achieved, margin):
        """Makes native again what is not as good when compared."""
        self.achieved = achieved
        for cell, compared in achieved.items():
            ran = compared.ran == self.chosen[cell] or self.chosen[cell].startswith(compared.ran + "@")
            if not (ran and compared.right):
                self.leave_native([cell], "another algorithm ran when compared, or its result was wrong")
            elif compared.is_slower_than_both(margin):
                self.leave_native([cell], "slower than native when compared")

    def leave_native(self, cells, why):
        self.chosen |= dict.fromkeys(cells, "native")
        self.taken_back.setdefault(why, []).extend(cells)

    def with_native(self, cells):
        """Another one, in which the cells are native."""
        other = copy.copy(self)
        other.chosen = self.chosen | dict.fromkeys(cells, "native")
        return other


def provenance(runs, launcher, outcome):
    """The table's note: where, when and how it was made."""
    first, dates = runs[0], sorted(run["date"][:10] for run in runs)
    date = dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
    lines = [f"Made by mpigraft tune {first['mpigraft']} on {first['host']} ({counted(first['cores'], 'core')}, load "
             f"{first['load']:.1f}, {first['mpi']}), {date}, ranks started by {launcher}",
             "Learned by jobs that make these calls in mixed order, with ranks that come late (sum of int64, root 0; user "
             "operators: products of matrices), and compared with native jobs; all other calls are native",
             machine_parameters.HOW]
    if outcome.undecided:
        lines.append("not decided, because time was short or a run failed: " + "; ".join(in_words(outcome.undecided)))
    lines += [f"native, because {why}: " + "; ".join(map(str, cells)) for why, cells in outcome.taken_back.items()]
    return ". ".join(lines) + "."
