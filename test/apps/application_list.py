# SPDX-License-Identifier: MIT
"""The applications of scans and reductions, with sizes and steps, as `scripts/bench applications` starts them."""

import os
from dataclasses import dataclass

import program_list

METHODS = ("exscan", "scan", "rd", "rd_barrier", "bt", "bt_barrier")  # of the middle step of prefix sums
NUMBERS = 1_000_000  # of prefix sums


@dataclass(frozen=True)
class Application:
    program: str
    choice: str  # of its method or kind of input
    size: int
    steps: tuple  # with one, two, four, and eight or more ranks a core: natively up to two seconds or so
    option: str = "--method"

    @property
    def name(self):
        return f"{self.program} {self.choice}"


PREFIX_STEPS = (200, 12, 6, 2)
APPLICATIONS = [
    *(Application("prefix_sums", method, NUMBERS, PREFIX_STEPS) for method in METHODS),
    Application("radix_sort", "uniform", 10_000, (200, 4, 2, 1), "--input"),
    Application("partition", "partition", 10_000, (500, 20, 5, 3)),
    Application("partition", "filter", 10_000, (500, 20, 5, 3)),
    Application("segment_sum", "reduction", 10_000, (1500, 60, 15, 5)),
    Application("segment_sum", "scan_and_reduction", 10_000, (1500, 60, 15, 5)),
    Application("recurrences", "recurrence", 10_000, (1500, 100, 30, 10)),
    Application("recurrences", "horner", 2_000, (1500, 100, 30, 10)),
    Application("recurrences", "powers", 2_000, (1000, 60, 20, 8)),
    Application("load_balance", "last", 10_000, (300, 30, 5, 3), "--split"),
]
SEQUENTIAL = Application("prefix_sums", "sequential", NUMBERS, PREFIX_STEPS)
SORTS = (2000, 60, 30, 10)  # steps of sample_sort, an application in C that prints no time


def a_core(ranks):
    """Index of the steps for so many ranks on this machine."""
    return min((-(-ranks // len(os.sched_getaffinity(0))) - 1).bit_length(), len(SORTS) - 1)


def program(folder, application, steps):
    return program_list.Program(application.name, "test/apps",
                            [str(folder / application.program), "--size", str(application.size), "--steps", str(steps),
                             application.option, application.choice],
                            rf"^{application.program} .*: size", r"seconds .*", clock=r"seconds ([\d.]+)", exact=True)
