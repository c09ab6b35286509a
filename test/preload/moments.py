#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Everything that mpigraft makes when it is first needed, at every moment at which MPI calls the program back."""

import itertools

import launch

RANKS = 2
MOMENTS = ("finalize", "finalize-before", "copy", "delete", "handler", "operator", "request")
# The first calls there find MPI and negotiate, also on a duplicate. Some need kernels and plans, types that MPI is asked
# about, or a private communicator, and some are nonblocking.
FIRST = (("call", {}), ("duplicate", {}), ("reduction", {}), ("type", {}), ("long", {}), ("nonblocking", {}),
         ("duplicate", {"MPIGRAFT_SHARED": "0"}), ("call", {"MPIGRAFT_REPORT": ""}),
         ("reduction", {"MPIGRAFT_VERIFY": "1"}))


def main():
    options, launcher, failures = launch.begin(launch.arguments(__doc__, "program"), seconds=60, grafts_all=True)
    for moment, (first, env) in itertools.product(MOMENTS, FIRST):
        program = [options.program, moment, first]
        grafted = launcher.grafted(RANKS, program, env)
        failures.expect((grafted.code, grafted.stdout, grafted.messages()) == (0, "1\n", []),
                        f"{moment} {first} {env}", grafted)
    for moment in MOMENTS:
        native = launcher.native(RANKS, [options.program, moment, "call"])
        failures.expect((native.code, native.stdout) == (0, "1\n"), f"{moment}: natively", native)
    failures.exit()


if __name__ == "__main__":
    main()
