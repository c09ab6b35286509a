#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ranks with different settings: native, with one warning, and no hang."""

import launch

PAIRS = (
    ({"MPIGRAFT_FORCE": "exscan=doubling_1"}, {"MPIGRAFT_FORCE": "exscan=doubling_123"}),
    ({}, {"MPIGRAFT_FORCE": "exscan=native"}),
    ({"MPIGRAFT_TABLE": "/no/such/table.json"}, {}),
    ({"MPIGRAFT_REPRODUCIBLE": "native"}, {}),
    ({"MPIGRAFT_REPRODUCIBLE": "order"}, {}),
)
# Ranks without mpigraft. The votes that they never answer make UCX warn in MPI_Finalize.
QUIET = {"MPIGRAFT_ANSWER": "1", "UCX_LOG_LEVEL": "error"}
ABSENT = (
    (QUIET, {"MPIGRAFT_DISABLE": "1", **QUIET}),
    ({"MPIGRAFT_DISABLE": "1", **QUIET}, QUIET),
    ({"LD_PRELOAD": "", **QUIET}, QUIET),
)


def main():
    options, launcher, failures = launch.begin(launch.arguments(__doc__, "program"))
    program = [options.program]
    native = launcher.native(4, program)
    for first, others in PAIRS + ABSENT:
        grafted = launcher.grafted_mpmd([(1, first, program), (3, others, program)])
        case = f"{first} on rank 0, {others} elsewhere"
        failures.expect(len(grafted.messages()) == 1, f"{case}: messages {grafted.messages()}")
        ran = {row["ran"] for row in grafted.rows()}
        failures.expect(ran == {"native"} or (first, others) in ABSENT and not ran, f"{case}: {grafted.report}")
        failures.expect_alike(f"{case}: result", (native.code, native.stdout), (grafted.code, grafted.stdout))
    failures.exit()


if __name__ == "__main__":
    main()
