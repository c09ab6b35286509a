# SPDX-License-Identifier: MIT
"""Serial stand-ins for MPI, another MPI and other UCX libraries beside MPI in one process, loaded before and after it:
each call goes to the definition that its library is linked to. Some libraries are loaded where another one was."""

import re

import launch

ORDERS = ("real serial", "serial real", "linked another real", "real another linked", "ucx_1 real ucx_2 ucx_1",
          "ucx_2 serial ucx_1", "real padded -padded serial", "real padded -padded another linked")


class Alone:
    """Starts one process: mpiexec may end by SIGPIPE if its ranks end without MPI_Init."""

    def __init__(self, library):
        self.library = library

    def native(self, _, program):
        return launch.run(program, 60)

    def grafted(self, _, program, env=None):
        return launch.run(program, 60, {**launch.ENVIRONMENT, "LD_PRELOAD": self.library, **(env or {})})


@launch.case
def stand_ins(bench):
    alone = Alone(bench.library)
    in_place = 0

    def compare(what, program, launcher, ran):
        native, grafted = launcher.native(2, program), launcher.grafted(2, program)
        bench.alike(what, native, grafted, ran)
        bench.alike(f"{what}, disabled", native, launcher.grafted(2, program, {"MPIGRAFT_DISABLE": "1"}), "")
        return grafted

    for order in ORDERS:
        files = (re.sub(r"\w+$", lambda name: bench.program(f"{name[0]}.so"), word) for word in order.split())
        has_mpi = "real" in order
        grafted = compare(order, [bench.program("loads"), *files], bench.launcher if has_mpi else alone,
                          "grafted" if has_mpi else "")
        in_place += "in a closed one's place" in grafted.stderr
    bench.expect(in_place, "no library was loaded where another was")
    compare("a serial program", [bench.program("serial_program")], alone, "")
