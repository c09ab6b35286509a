#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A broken table costs one message that names file and place, and nothing else."""

import re
from pathlib import Path

import launch

FEWEST = 10


def main():
    parser = launch.arguments(__doc__)
    parser.add_argument("tables", type=Path, help="folder of broken tables")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    launcher = launch.Launcher(options.mpiexec, options.library)
    failures = launch.Failures()
    native = launcher.native(2, options.program)
    tables = sorted(options.tables.glob("*.json"))
    failures.expect(len(tables) >= FEWEST, f"only {len(tables)} tables in {options.tables}")
    for table in tables:
        grafted = launcher.grafted(2, options.program, {"MPIGRAFT_TABLE": table})
        messages = grafted.messages()
        place = re.escape(str(table)) + r":\d+:\d+: "
        failures.expect(len(messages) == 1 and re.search(place, messages[0]), f"{table.name}: messages {messages}")
        failures.expect_alike(f"{table.name}: result", (native.code, native.stdout), (grafted.code, grafted.stdout))
    failures.exit()


if __name__ == "__main__":
    main()
