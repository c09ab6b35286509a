#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ranks with different settings: native, with one warning, and no hang."""

import launch

PAIRS = (
    ({"MPIGRAFT_FORCE": "exscan=doubling_1"}, {"MPIGRAFT_FORCE": "exscan=doubling_123"}),
    ({}, {"MPIGRAFT_FORCE": "exscan=native"}),
    ({"MPIGRAFT_TABLE": "/no/such/table.json"}, {}),
    ({"MPIGRAFT_FLOAT": "native"}, {}),
    ({"MPIGRAFT_REPRODUCIBLE": "order"}, {}),
    ({"MPIGRAFT_ANSWER": "1"}, {"MPIGRAFT_DISABLE": "1"}),
    ({"MPIGRAFT_DISABLE": "1"}, {"MPIGRAFT_ANSWER": "1"}),
    ({"MPIGRAFT_ANSWER": "1", "LD_PRELOAD": ""}, {"MPIGRAFT_ANSWER": "1"}),
)


def main():
    parser = launch.arguments(__doc__)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    launcher = launch.Launcher(options.mpiexec, options.library)
    failures = launch.Failures()
    native = launcher.native(4, options.program)
    for first, others in PAIRS:
        grafted = launcher.grafted_mpmd([(1, first, options.program), (3, others, options.program)])
        case = f"{first} on rank 0, {others} elsewhere"
        failures.expect(len(grafted.messages()) == 1, f"{case}: messages {grafted.messages()}")
        failures.expect({row["ran"] for row in grafted.rows()} == {"native"}, f"{case}: {grafted.report}")
        failures.expect_alike(f"{case}: result", (native.code, native.stdout), (grafted.code, grafted.stdout))
    failures.exit()


if __name__ == "__main__":
    main()
