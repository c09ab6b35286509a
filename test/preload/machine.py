#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pipelines choose their block sizes by the machine that the table describes."""

import json
import tempfile
from pathlib import Path

import launch

RATES = {"bandwidth": "1GB/s", "combine": "1GB/s"}
# 3 ranks in a chain, 32 KiB: 65.536 us to send and to combine. b = round(sqrt(65.536 us / latency)) blocks; the first
# ones have ceil(4096 / b) elements.
MACHINES = (
    ({"latency": "655.36ns", **RATES}, 410),
    ({"latency": "1ms", **RATES}, 4096),
    ({"latency": "1ns", **RATES}, 16),
    ({}, 2048),  # 1.5us, 12.5GB/s, 10GB/s
)
RULES = [{"collective": "reduce", "algorithm": "linear_pipeline"}]


def main():
    parser = launch.arguments(__doc__)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    launcher = launch.Launcher(options.mpiexec, options.library)
    failures = launch.Failures()
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.json"
        for machine, longest in MACHINES:
            table.write_text(json.dumps({"version": 1, "machine": machine, "rules": RULES}))
            grafted = launcher.grafted(3, options.program, {"MPIGRAFT_TABLE": table})
            failures.expect(grafted.code == 0 and f"longest {longest}\n" in grafted.stdout,
                            f"{machine}: expected {longest}\n{grafted.stdout}{grafted.stderr}{grafted.report}")
    failures.exit()


if __name__ == "__main__":
    main()
