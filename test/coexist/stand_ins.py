#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Serial stand-ins for MPI, another MPI and other UCX libraries beside MPI in one process, loaded before and after it:
each call goes to the definition that its library is linked to. Some libraries are loaded where another one was."""

import re
from pathlib import Path

import coexist
import launch

ORDERS = ("real serial", "serial real", "linked another real", "real another linked", "ucx_1 real ucx_2 ucx_1",
          "ucx_2 serial ucx_1", "real padded -padded serial", "real padded -padded another linked")


def main():
    parser = launch.arguments(__doc__)
    parser.add_argument("--programs", required=True, type=Path, help="folder of the built programs")
    bench = coexist.Bench(parser.parse_args())
    in_place = 0
    for order in ORDERS:
        files = (re.sub(r"\w+$", lambda name: bench.program(f"{name[0]}.so"), word) for word in order.split())
        program = [bench.program("loads"), *files]
        native, grafted = bench.launcher.native(2, program), bench.launcher.grafted(2, program)
        bench.alike(order, native, grafted, "grafted" if "real" in order else "")
        in_place += "in a closed one's place" in grafted.stderr
        bench.alike(f"{order}, disabled", native, bench.launcher.grafted(2, program, {"MPIGRAFT_DISABLE": "1"}), "")
    bench.failures.expect(in_place, "no library was loaded where another was")
    bench.both("a serial program", 2, [bench.program("serial_program")], "")
    bench.failures.exit()


if __name__ == "__main__":
    main()
