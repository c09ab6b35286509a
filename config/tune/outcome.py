# SPDX-License-Identifier: MIT
"""Makes a table from measured cells, and verifies that it holds what they promise."""

import json

import machine as machine_parameters
from bench import SURE_REPETITIONS, BenchFailed, arms_of, noise_told
from choose import choose, leaders
from plan import Cell, collectives_of, in_words
from rules import conditions_of, digest_of, groups_of
from table import render


class Outcome:
    """`measured`: {cell: its results, each time that it was measured}; `where`: {ranks: one of their runs};
    `catalogue`: the command's, which says what cuts the vectors of user operators."""

    def __init__(self, measured, where, margin, catalogue):
        self.margin = margin
        self.collectives = collectives_of(catalogue)
        self.combining = {entry["collective"] for entry in catalogue if entry["cuts"]}
        whole = self.whole = {entry["name"] for entry in catalogue if entry["cuts"] == "never"}
        self.leaders = {cell: leaders(runs, margin) for cell, runs in measured.items()}
        self.conditions = {ranks: conditions_of(run) for ranks, run in where.items()}
        self.slower = []  # cells that the second run took back
        self.chosen = self.choices(self.leaders)
        self.chosen_whole = self.choices({cell: {name: arm for name, arm in arms.items() if name in whole}
                                          for cell, arms in self.leaders.items()})

    def choices(self, leaders):
        chosen = {}
        for collective, conditions in self.classes():
            rows = {}
            for cell in self.cells_of(collective, conditions):
                rows.setdefault(cell.ranks, {})[cell.bytes] = leaders[cell]
            chosen |= {Cell(ranks, size, collective): name for (ranks, size), name in choose(rows).items()}
        return chosen

    def classes(self):
        """(collective, where its ranks were), each once."""
        seen = {(cell.collective, json.dumps(self.conditions[cell.ranks])) for cell in self.leaders}
        return [(collective, json.loads(text)) for collective in self.collectives
                for name, text in sorted(seen) if name == collective]

    def cells_of(self, collective, conditions):
        return [cell for cell in self.leaders
                if cell.collective == collective and self.conditions[cell.ranks] == conditions]

    def groups(self):
        """Rules for user operators come before those for all others, wherever those would cut a vector."""
        groups = []
        for collective, conditions in self.classes():
            cells = {(cell.ranks, cell.bytes): cell for cell in self.cells_of(collective, conditions)}
            ratios = {key: self.ratios(cell) for key, cell in cells.items()}
            for_users = groups_of(collective, {key: self.chosen_whole[cell] for key, cell in cells.items()}, ratios,
                                  conditions | {"operator": "user"})
            groups += [group for group in for_users if group.rule["algorithm"] != "native"
                       and any(self.cuts(cells[key]) for key in group.cells)]
            groups += groups_of(collective, {key: self.chosen[cell] for key, cell in cells.items()}, ratios, conditions)
        return groups

    def cuts(self, cell):
        """True if the algorithm chosen for the cell may cut vectors under an operator."""
        return cell.collective in self.combining and self.chosen[cell] not in self.whole | {"native"}

    def ratios(self, cell):
        return {name: arm["ratio"] for name, arm in self.leaders[cell].items()}

    def take_back(self, cells):
        for cell in cells:
            self.chosen[cell] = self.chosen_whole[cell] = "native"
            self.slower.append(cell)


def provenance(runs, launcher, margin, unmeasured, slower):
    """The table's note: where, when and how it was measured."""
    first, dates = runs[0], sorted(run["date"][:10] for run in runs)
    date = dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
    lines = [f"Made by mpigraft tune {first['mpigraft']} on {first['host']} ({first['cores']} cores, load "
             f"{first['load']:.1f}, {first['mpi']}), {date}, ranks started by {launcher}",
             "An algorithm is chosen where the 95 % interval of its median time lies below those of two native runs "
             f"by {margin:g} times (sum of int64, root 0); for user operators it must leave vectors whole; "
             "all other calls are native",
             noise_told(runs), machine_parameters.HOW]
    if unmeasured:
        lines.append("not measured, because time was short or a run failed: " + "; ".join(in_words(unmeasured)))
    if slower:
        lines.append("native, because the second run was slower than native: " + "; ".join(map(str, slower)))
    return ". ".join(lines) + "."


def table_text(groups, site, note, machine):
    return render({"version": 1, "site": site, "note": note, "machine": machine,
                   "rules": [group.rule for group in groups]})


def verify(campaign, outcome, groups, allows, tell):
    """Runs again, briefly, with the table in force. Returns {cell: figures of the call as a preloaded program makes
    it}, and what went wrong. `allows(seconds)`: whether there is time; `tell(done, of, label)`."""
    digest = digest_of([group.rule for group in groups])
    series = {}
    for cell in outcome.chosen:
        series.setdefault((cell.ranks, cell.collective), []).append(cell)
    achieved, problems = {}, []
    for done, ((ranks, collective), cells) in enumerate(series.items()):
        tell(done, len(series), f"verifying: {collective}, {ranks} ranks")
        question = ranks, [collective], sorted(cell.bytes for cell in cells), ["default"], ("verifies", digest)
        cost = campaign.launch(ranks)
        cost += sum(campaign.calls_cost(cell, [outcome.chosen[cell]], SURE_REPETITIONS) for cell in cells)
        if not (campaign.find(*question) or allows(cost)):
            continue
        try:
            run = campaign.run(*question)
            achieved |= {Cell(ranks, cell["bytes"], collective): arms_of(cell)["default"] for cell in run["cells"]}
        except BenchFailed as error:
            problems.append(str(error))
    tell(len(series), len(series), "")
    problems += [f"{cell}: the table's {outcome.chosen[cell]} ran as {arm['ran']}" for cell, arm in achieved.items()
                 if arm["ran"] != outcome.chosen[cell]]
    return achieved, problems
