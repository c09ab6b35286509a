#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The preload is inherited by programs without MPI: it does nothing there, even with all symbols bound at once."""

import launch

COMMANDS = (
    (["/bin/true"], ""),
    (["bash", "-c", "echo one; (echo two | cat)"], "one\ntwo\n"),
    (["python3", "-c", "import subprocess; print(1, flush=True); subprocess.run(['/bin/echo', '2'])"], "1\n2\n"),
)


def main():
    options = launch.arguments(__doc__).parse_args()
    failures = launch.Failures()
    settings = ({}, {"LD_BIND_NOW": "1"}, {"MPIGRAFT_VERBOSE": "2", "MPIGRAFT_REPORT": "stderr"})
    launcher = ([options.mpiexec, "-n", "2", "/bin/echo", "3"], "3\n3\n")
    for command, output in (*COMMANDS, launcher):
        for env in settings:
            outcome = launch.run(command, 20, {**launch.ENVIRONMENT, "LD_PRELOAD": options.library, **env})
            seen = (outcome.code, outcome.stdout, outcome.stderr)
            failures.expect(seen == (0, output, ""), f"{command} with {env}: {seen}")
    failures.exit()


if __name__ == "__main__":
    main()
