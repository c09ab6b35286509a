# SPDX-License-Identifier: MIT
"""Sequences of single calls of several kinds: what a call costs those behind it, which its own time does not tell. A rule
whose calls are faster can leave the ranks so far apart that the next calls lose more."""

import itertools
from statistics import median

from console import say
from outcome import COSTLY
from paired import Times
from verify import LAUNCHES, Arm

TUNED = "tuned"


class Sequences:
    """`outcome`: has the choices, and takes them back; `table_of(outcome)`: its text; `without`: that of a table without
    rules."""

    def __init__(self, comparison, outcome, table_of, without):
        self.comparison, self.outcome, self.table_of = comparison, outcome, table_of
        self.native = Arm(without)

    def grafted(self, cells):
        return [cell for cell in cells if self.outcome.chosen[cell] != "native"]

    def slow(self, cells, samples):
        """{words: grafted cells} of the sequences that are slower than in both kinds of native jobs."""
        cell_of, times = {cell.word: cell for cell in cells}, samples.sequences
        sequences = {words: self.grafted(cell_of[word] for word in words) for words in times[TUNED]}
        return {words: grafted for words, grafted in sequences.items() if grafted and
                Times(*(times[arm][words] for arm in ("native", "null", TUNED))).is_slower_than_both()}

    def settle(self, ranks, cells, samples):
        """Makes native what makes sequences slow, a collective at a time, until none is slower than natively. `samples`:
        those of the jobs so far, which are not enough to tell."""
        sequences = self.slow(cells, samples)
        for turn in itertools.count(2):
            sequences = {words: left for words, grafted in sequences.items() if (left := self.grafted(grafted))}
            suspects = collectives_of(sum(sequences.values(), []))
            if not suspects:
                return
            samples = self.measure(ranks, cells, suspects, turn)
            if samples is None:
                say("tune", f"no time is left to tell which calls make those behind them slow at {ranks} ranks")
                return self.outcome.leave_native(sum(sequences.values(), []), COSTLY)
            sequences = {words: grafted for words, grafted in self.slow(cells, samples).items() if words in sequences}
            for words, grafted in sequences.items():
                self.outcome.leave_native(guilty(words, grafted, samples), COSTLY)

    def measure(self, ranks, cells, suspects, turn):
        """The samples of native jobs, of tuned ones, and of tuned ones with one suspect native."""
        def without(collective):
            return Arm(self.table_of(self.outcome.with_native([cell for cell in cells if cell.collective == collective])))

        arms = {"native": self.native, "null": self.native, TUNED: Arm(self.table_of(self.outcome))}
        arms |= {name: without(name) for name in suspects} if len(suspects) > 1 else {}
        return self.comparison.measure(ranks, [cell.word for cell in cells], arms, LAUNCHES * turn)


def collectives_of(cells):
    return list(dict.fromkeys(cell.collective for cell in cells))


def guilty(words, grafted, samples):
    """The cells of the collective without which the sequence is fastest."""
    suspects = collectives_of(grafted)
    worst = min(suspects, key=lambda name: median(samples.sequences[name][words])) if len(suspects) > 1 else suspects[0]
    return [cell for cell in grafted if cell.collective == worst]
