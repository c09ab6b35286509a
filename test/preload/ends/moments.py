#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Everything that mpigraft makes when it is first needed, at every moment at which MPI calls the program back."""

import itertools
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import launch

MOMENTS = ("finalize", "finalize-before", "copy", "delete", "handler", "operator", "request")
# The first calls there find MPI and negotiate, also on a duplicate. Some need kernels and plans, types that MPI is asked
# about, or a private communicator, and some are nonblocking.
FIRST = (("call", {}), ("duplicate", {}), ("reduction", {}), ("type", {}), ("long", {}), ("nonblocking", {}),
         ("duplicate", {"MPIGRAFT_SHARED": "0"}), ("call", {"MPIGRAFT_REPORT": ""}),
         ("reduction", {"MPIGRAFT_VERIFY": "1"}))


def main():
    parser = launch.arguments(__doc__)
    parser.add_argument("-n", type=int, default=2, help="ranks")
    parser.add_argument("program")
    options = parser.parse_args()
    launcher = launch.Launcher(options.mpiexec, options.library, seconds=60, grafts_all=True, patience=options.patience)
    failures = launch.Failures()
    for moment, (first, env) in itertools.product(MOMENTS, FIRST):
        program = [options.program, moment, first]
        grafted = launcher.grafted(options.n, program, env)
        failures.expect((grafted.code, grafted.stdout, grafted.messages()) == (0, "1\n", []),
                        f"{moment} {first} {env}: exit code {grafted.code}\n{grafted.stdout}{grafted.stderr}")
    for moment in MOMENTS:
        native = launcher.native(options.n, [options.program, moment, "call"])
        failures.expect((native.code, native.stdout) == (0, "1\n"), f"{moment}: natively {native.code} {native.stdout}")
    failures.exit()


if __name__ == "__main__":
    main()
