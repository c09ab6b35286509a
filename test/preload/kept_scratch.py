#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scratch memory is kept between calls, as far as the table allows."""

import json
import re
import tempfile
from pathlib import Path

import launch

# A block of 8 MiB in pages; huge ones are no help, as malloc gives back what it maps for so large a block.
FEW, MANY = 100, 1000
RULES = [{"collective": "reduce", "algorithm": "binomial"}]


def main():
    parser = launch.arguments(__doc__)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    launcher = launch.Launcher(options.mpiexec, options.library)
    failures = launch.Failures()
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.json"
        for scratch, right in (({}, lambda n: n < FEW), ({"scratch": 0}, lambda n: n > MANY)):
            table.write_text(json.dumps({"version": 1, **scratch, "rules": RULES}))
            grafted = launcher.grafted(2, options.program, {"MPIGRAFT_TABLE": table})
            found = re.fullmatch(r"faults (\d+)\n", grafted.stdout)
            failures.expect(grafted.code == 0 and found and right(int(found[1])),
                            f"{scratch}: page faults a call\n{grafted.stdout}{grafted.stderr}")
    failures.exit()


if __name__ == "__main__":
    main()
