# SPDX-License-Identifier: MIT
"""What mpigraft compare prints: times, ratios, the verdict in words, and the exit code."""

import json
import sys
from pathlib import Path
from statistics import median

sys.path.append(str(Path(__file__).resolve().parent.parent))  # where the scripts of pages are
import compare_page
from calls import all_together, kinds_of, slower_kinds
from outputs import DIFFERENT, NOT_COMPARABLE, SAME
from units import columns, counted, minutes

NOT_SLOWER, SLOWER, OTHER_OUTPUT, NOT_COMPARED, INTERRUPTED = 0, 1, 2, 3, 130
NOTICED = 0.01  # the share of the program's time from which on a kind of call is blamed
WORDS = {1: "faster", 0: "no difference", -1: "slower"}


def time_text(seconds):
    return f"{seconds:.3f}" if seconds < 100 else f"{seconds:.1f}"


def ratio_text(ratio):
    return f"{ratio:.2f}" if ratio < 100 else f"{ratio:.0f}"


def ratio_words(times):
    """For instance "2.41 times as fast as natively (native against native: 0.99)"."""
    return f"{ratio_text(times.ratio())} times as fast as natively (native against native: {ratio_text(times.null_ratio())})"


def loss(kind):
    return f"{kind}: {median(kind.times.base):.4g} us natively, {median(kind.times.this):.4g} us by {kind.ran_most}"


def set_up_words(reports):
    """What the set-up of communicators took, which is in no kind of call."""
    found = [report["set_up"] for report in reports if report.get("set_up", {}).get("communicators")]
    if not found:
        return ""
    count = found[0]["communicators"]
    return (f"the set-up of {counted(count, 'communicator')} took "
            f"{median(one['time']['mean_ns'] for one in found) / 1e9:.3f} s a rank")


class Answer:
    def __init__(self, comparison):
        self.comparison, self.wall = comparison, comparison.wall()
        native, grafted = comparison.reports.values()
        pairs = min(len(native), len(grafted))
        self.kinds = kinds_of(native, grafted) if pairs > 1 else []
        self.all = all_together(native, grafted) if pairs > 1 else None
        self.slower = slower_kinds(self.kinds, NOTICED * median(self.wall.base) if self.wall.base else 0)
        self.output, self.difference = comparison.outputs.verdict()
        self.output = self.output if comparison.launches and not comparison.asked["ignore_output"] else "not compared"

    @property
    def judged(self):
        return self.wall.judged() and len(self.wall.null) > 0 and len(self.wall.base) > 0

    def code(self):
        if self.comparison.interrupted:
            return INTERRUPTED
        if self.comparison.failure or self.output == DIFFERENT:
            return OTHER_OUTPUT
        if not self.judged:
            return NOT_COMPARED
        return SLOWER if self.wall.verdict() < 0 else NOT_SLOWER

    def verdict(self):
        """A word or two."""
        if self.comparison.failure:
            return "different exit code"
        if self.output == DIFFERENT:
            return "different output"
        return WORDS[self.wall.verdict()] if self.judged else "too few launches"

    def speed_words(self):
        """Lines that tell who is faster, and who is to blame."""
        if not self.judged:
            return ["Too few launches for a verdict: it takes two of each arm after the warm-up"
                    + (f", about {minutes(self.comparison.seconds_for(13))}." if self.comparison.launches else ".")]
        verdict = self.wall.verdict()
        found = {1: "Faster", 0: "No difference beyond the noise", -1: "Slower"}[verdict]
        return [f"{found}: {ratio_words(self.wall)}.", *self.blame(verdict)]

    def blame(self, verdict):
        grafted = [kind for kind in self.slower if any(name != "native" for name in kind.ran)]
        if grafted:
            lines = ["To blame is " if verdict < 0 else "But slower is ", "Slower, too, is "]
            told = [f"{lines[min(number, 1)]}{loss(kind)}." for number, kind in enumerate(grafted[:3])]
            first = "This rule, before all others of the table, leaves such calls native"
            return [*told, f"{first}:" if len(grafted) == 1 else f"{first.replace('This rule', 'These rules')}:",
                    *(f"  {json.dumps(kind.rule())}" for kind in grafted[:3])]
        if verdict >= 0:
            return []
        set_up = set_up_words(self.comparison.reports["grafted with a report"])
        return ["No kind of grafted call is slower beyond the noise, so the time is lost elsewhere" + (f": {set_up}." if set_up else "."),
                "Try MPIGRAFT_WAIT=native, or leave collectives native one by one (--force exscan=native)."]

    def output_words(self):
        count = self.comparison.launches
        told = {SAME: f"Output and exit code: the same in {'all ' * (count > 1)}{counted(count, 'launch', 'launches')}.",
                NOT_COMPARABLE: f"Output cannot be compared, because it differs between native launches: {self.difference}.",
                DIFFERENT: f"Output differs: {self.difference}."}
        return told.get(self.output, "Output was not compared.")

    def wall_table(self):
        rows = [("WALL TIME", "LAUNCHES", "MIN S", "MEDIAN S", "MAX S", "NATIVE / THIS")]
        for name, times in (("native", self.wall.base), ("native again", self.wall.null), ("grafted", self.wall.this)):
            if times:
                ratio = ratio_text(median(self.wall.base) / median(times)) if self.wall.base else ""
                rows.append((name, str(len(times)), *(time_text(of(times)) for of in (min, median, max)), ratio))
        return columns(rows)

    def calls_table(self):
        rows = [("CALL", "RANKS", "BYTES", "CALLS", "NATIVE US", "GRAFTED US", "NATIVE / NATIVE", "NATIVE / GRAFTED", "", "RAN")]
        for kind in self.kinds:
            times = kind.times
            rows.append((kind.name, str(kind.ranks), kind.sizes, str(kind.calls), f"{median(times.base):.4g}",
                         f"{median(times.this):.4g}", ratio_text(times.null_ratio()), ratio_text(times.ratio()),
                         {0: ""}.get(times.verdict(), WORDS[times.verdict()]), kind.ran_most))
        return columns(rows)

    def collectives_line(self):
        base, this = median(self.all.base), median(self.all.this)
        told = f"Time in collectives, a rank's mean in launches with a report: {time_text(base)} s natively, {time_text(this)} s grafted"
        return f"{told}; ratio {ratio_text(self.all.ratio())}, native against native {ratio_text(self.all.null_ratio())}" if min(base, this) > 0 else told

    def text(self):
        ranks, program = self.comparison.asked["ranks"], self.comparison.program[0]
        parts = [f"{program} on {counted(ranks, 'rank')}"]
        if self.wall.base or self.wall.this:
            parts.append(self.wall_table())
        if self.kinds:
            parts += [self.collectives_line(), self.calls_table()]
        elif self.all:
            parts.append("No collective that mpigraft knows was made on several ranks.")
        last = [f"note: {note}" for note in self.comparison.notes] + self.speed_words()
        last += [self.comparison.failure[0].upper() + self.comparison.failure[1:]] if self.comparison.failure else [self.output_words()]
        return "\n\n".join([*parts, "\n".join(last)])

    def document(self):
        comparison, judged = self.comparison, self.judged
        of_wall = {"ratio": self.wall.ratio(), "null_ratio": self.wall.null_ratio(), "ratio_of_minima": self.wall.ratio(min)} if judged else {}
        calls = [{"collective": kind.collective, "nonblocking": kind.nonblocking, "ranks": kind.ranks, "bytes_min": kind.least,
                  "bytes_max": kind.most, "calls": kind.calls, "ran": kind.ran, "native_us": kind.times.base + kind.times.null,
                  "grafted_us": kind.times.this, "ratio": kind.times.ratio(), "null_ratio": kind.times.null_ratio(),
                  "verdict": WORDS[kind.times.verdict()], "growth_s": kind.growth} for kind in self.kinds]
        collectives = {"native_s": self.all.base + self.all.null, "grafted_s": self.all.this} if self.all else {}
        return {"mpigraft": comparison.asked["version"], "kind": "comparison", "program": comparison.program,
                "ranks": comparison.asked["ranks"], "launches": comparison.launches, "verdict": self.verdict(),
                "told": self.speed_words(), "exit_code": self.code(), "wall_s": comparison.seconds, "wall": of_wall,
                "collectives": collectives, "calls": calls,
                "rules": [kind.rule() for kind in self.slower if kind.ran_most != "native"],
                "output": {"verdict": self.output, "difference": comparison.failure or self.difference},
                "notes": comparison.notes}


def tell(comparison):
    """Prints the answer, and returns the exit code."""
    answer = Answer(comparison)
    document = answer.document()
    print(json.dumps(document, indent=2) if comparison.asked["json"] else answer.text())
    if comparison.asked["html"]:
        Path(comparison.asked["html"]).write_text(compare_page.page(document), encoding="utf-8")
    return answer.code()
