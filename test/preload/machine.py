#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pipelines choose their segment sizes by the machine that the table describes."""

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
RULES = [{"collective": "reduce", "algorithm": "linear_pipeline", "operator": "user"}]


def main():
    launch.judge_tables(__doc__, 3, RULES, [
        ({"machine": machine}, longest, lambda stdout, line=f"longest {longest}\n": line in stdout)
        for machine, longest in MACHINES])


if __name__ == "__main__":
    main()
