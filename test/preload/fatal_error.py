#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""If ranks pass different lengths, and the error ends the program, a line says in which call."""

import re

import launch

LINE = r"MPI_Allreduce fails on rank [01] of 2: ranks of the communicator passed different lengths, or .*; MPIGRAFT_CHECK=1 .*"


def main():
    parser = launch.arguments(__doc__)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    outcome = launch.Launcher(options.mpiexec, options.library, grafts_all=True).grafted(2, options.program)
    failures = launch.Failures()
    failures.expect((outcome.code != 0 or outcome.aborted()) and not outcome.hung,
                    f"the program did not end by an error: {outcome}")
    failures.expect(outcome.messages(), f"no message: {outcome.stderr}")
    failures.expect(all(re.search(LINE, message) for message in outcome.messages()), f"messages {outcome.messages()}")
    failures.exit()


if __name__ == "__main__":
    main()
