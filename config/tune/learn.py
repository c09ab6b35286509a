# SPDX-License-Identifier: MIT
"""Learns from jobs of mixed calls, which end as soon as every kind of call is decided."""

import json
import re
import time

from console import Failed, counted, say
from rules import choice_of, range_of

CALLS_OF_A_JOB = 12  # kinds; with more, less is lost by a stop
MOST_SECONDS = 60  # of a job, for each of its kinds of calls
LEAST_SECONDS = 2
CALLS_OF_A_RACE = 300  # of one that lasts to its end, about


def gain_of(rule):
    found = re.search(r"([\d.e+]+) times the speed", rule["note"])
    return float(found[1]) if found else 1.0


def rule_for(cell, rules):
    for rule in rules:
        least, most = range_of(rule.get("bytes", {}))
        if (rule["collective"], rule.get("operator") == "user") == (cell.collective, cell.user) and least <= cell.bytes <= most:
            return rule
    return None


class Learner:
    """`cells`: what to learn of; `deadline`: in seconds of time.monotonic()."""

    def __init__(self, jobs, cells, table, deadline, progress):
        self.jobs, self.cells, self.table, self.deadline, self.progress = jobs, cells, table, deadline, progress
        self.failed = {}  # {cell: what went wrong}

    def known(self, cell):
        """(choice, gain) of a cell that is decided; None if it is not."""
        for run in self.jobs.runs_of(cell.ranks, "learn"):
            if cell.word not in run["asked"]:
                continue
            rule = rule_for(cell, run["learned"])
            if rule or (run["learns"] and run["decided"] == run["trials"]):
                self.jobs.used[run["place"], *run["asked"]] = run
                return (choice_of(rule), gain_of(rule)) if rule else ("native", 1.0)
        return None

    def decided(self):
        return {cell: known for cell in self.cells if (known := self.known(cell))}

    def undecided(self):
        return [cell for cell in self.cells if not self.known(cell)]

    def where(self):
        """{ranks: one of their runs}"""
        return {cell.ranks: self.jobs.runs_of(cell.ranks, "learn")[-1] for cell in self.decided()}

    def batches(self):
        """Jobs for what is undecided. Each takes calls from the whole list, so that they differ."""
        left, found = self.undecided(), []
        for ranks in dict.fromkeys(cell.ranks for cell in left):
            here = [cell for cell in left if cell.ranks == ranks]
            number = -(-len(here) // CALLS_OF_A_JOB)
            found += [here[first::number] for first in range(number)]
        return found

    def seconds_needed(self, machine):
        """The time that jobs need to decide the rest: by the jobs so far, before these by the model."""
        seconds = LEAST_SECONDS * len(self.batches())
        for cell in self.undecided():
            runs = self.jobs.runs_of(cell.ranks, "learn")
            made = sum(call["calls"] for run in runs for call in run["calls"])
            seconds += CALLS_OF_A_RACE * (sum(run["time"] for run in runs) / made if made
                                          else machine.least_seconds(cell.ranks, cell.bytes))
        return seconds

    def seconds_for(self, batches, reserved):
        """The longest that the first of these jobs may take, so that time is left for the others."""
        left = self.deadline - time.monotonic() - reserved - self.jobs.launch_seconds() * len(batches)
        return len(batches[0]) * min(MOST_SECONDS, left / sum(map(len, batches)))

    def learn_all(self, reserved=0.0):
        """`reserved`: seconds that are kept for what follows."""
        batches = self.batches()
        for number, batch in enumerate(batches):
            seconds = self.seconds_for(batches[number:], reserved)
            if seconds >= LEAST_SECONDS:
                self.learn(batch, seconds)
        self.progress.show(len(self.decided()), len(self.cells))

    def learn(self, batch, seconds):
        jobs, ranks, before = self.jobs, batch[0].ranks, len(self.decided())
        words = [cell.word for cell in batch]
        attempt = len(jobs.runs_of(ranks, "learn"))  # what ended too early is tried again

        def show(line):
            if not line.startswith('{"decided"'):  # what MPI or the launcher says
                return
            self.progress.show(before + json.loads(line)["decided"], len(self.cells), f"learning, {ranks} ranks")

        show('{"decided": 0}')
        jobs.learned.unlink(missing_ok=True)
        try:
            run = jobs.run(ranks, ["learn", f"job {attempt}", *words],
                           ["--mixed", ",".join(words), "--time", f"{seconds:.1f}"], self.table,
                           {"MPIGRAFT_LEARN": jobs.learned}, show)
            if not run["learns"]:
                raise Failed(f"the job on {counted(ranks, 'rank')} did not learn; `mpigraft env` shows what the site settles, and "
                             "with MPIGRAFT_VERBOSE=1 the library says why calls stay native")
        except Failed as error:
            self.failed |= {cell: str(error) for cell in batch}
            self.progress.end_line()
            say("tune", error)
