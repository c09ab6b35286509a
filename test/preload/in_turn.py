#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Communicators that are made, used a little and freed: their first calls stay native and make nothing, and then all
ranks begin at the same call."""

from collections import Counter

import launch

FIRST = "first calls of a communicator"
FIRST_CALLS, TURNS = 4, 3
# No short call is native for its length alone, and messages need a private communicator.
AT_ONCE = {"MPIGRAFT_VERIFY": "1", "MPIGRAFT_SHARED": "0"}
KINDS = 2  # of communicators of more than one rank in in_turn.c


def calls_by_reason(outcome):
    calls = Counter()
    for row in outcome.rows():
        calls["grafted" if row["ran"] != "native" else row["reason"]] += int(row["calls"])
    return calls


def more(outcome):
    """The number of communicators that a rank could make besides those that were there."""
    return int(outcome.stdout.split()[0])


def check(launcher, program, ranks, failures):
    for calls in (1, FIRST_CALLS, FIRST_CALLS + 1):
        command, case = [program, str(TURNS), str(calls)], f"{calls} calls on {ranks} ranks"
        native, watched = launcher.native(ranks, command), launcher.grafted(ranks, command, AT_ONCE)
        unwatched = launcher.grafted(ranks, command, {"MPIGRAFT_REPORT": "", **AT_ONCE})
        for outcome in (native, watched, unwatched):
            failures.expect(outcome.code == 0 and not outcome.messages(), case, outcome)
        later = max(0, calls - FIRST_CALLS)
        wanted = {FIRST: KINDS * TURNS * (calls - later), "grafted": KINDS * TURNS * later}
        ran = calls_by_reason(watched)
        failures.expect(wanted.items() <= {"grafted": 0, **ran}.items(), f"{case}: {ran}, not {wanted}")
        alone = {tellers * TURNS * calls + TURNS for tellers in (2, ranks)}  # a third one has more to tell only if it slept
        failures.expect(ran["one rank"] in alone, f"{case}: {ran}, not {alone} on one rank")
        same = more(unwatched) == more(native)
        failures.expect(same == (later == 0), f"{case}: {more(unwatched)} more communicators, natively {more(native)}")


def main():
    options, launcher, failures = launch.begin(launch.arguments(__doc__, "program"), grafts_all=True)
    for ranks in (2, 3):
        check(launcher, options.program, ranks, failures)
    failures.exit()


if __name__ == "__main__":
    main()
