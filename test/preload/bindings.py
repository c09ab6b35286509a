#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whatever language a program is written in, its calls of grafted collectives, and of functions that look for messages,
reach the library. A function of MPI's Fortran bindings that calls PMPI_ by itself therefore has an entry point of the
library before it. Reads the machine code of the libraries that the programs given load. Otherwise two ranks that reach
the library by different functions would hang, and a look after a collective would miss messages."""

import bisect
import platform
import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import collectives
import launch

JUMP = re.compile(r"^\s+([0-9a-f]+):\s+(?:bnd )?(call|jmp)q?\s+([0-9a-f]+) <([^>]+)>", re.MULTILINE)
# All ranks must come to these together, too, or the library must see them.
OTHERS = ("Comm_free", "Comm_disconnect", "Finalize", "Start", "Startall", "Cancel", "Request_free", "Op_free")
TABLE = (Path(__file__).resolve().parents[2] / "shim/abi/other_functions.hpp").read_text()
POLLS = re.findall(r"^  X\((\w+), ", TABLE[TABLE.index("MPIGRAFT_POLLS"):TABLE.index("// The rest")], re.MULTILINE)


def lines(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=launch.ENVIRONMENT).stdout


def exports(library):
    """The functions that a library defines, by address."""
    found = defaultdict(set)
    for line in lines("nm", "-D", "--defined-only", library).splitlines():
        address, kind, name = line.split()
        if kind in "TtWw":
            found[int(address, 16)].add(name.split("@")[0])
    return found


class Code:
    """The functions of a library, and those of others that each of them calls, itself or through functions inside."""

    def __init__(self, library):
        self.exported = exports(library)
        code = lines("objdump", "-d", "--no-show-raw-insn", "-j", ".text", library)
        jumps = [(int(at, 16), kind, int(to, 16), name) for at, kind, to, name in JUMP.findall(code)]
        self.starts = sorted(set(self.exported) | {to for _, kind, to, _ in jumps if kind == "call"})
        self.jumps = defaultdict(set)
        for at, _, to, name in jumps:
            place = bisect.bisect_right(self.starts, at) - 1
            if place >= 0:
                self.jumps[self.starts[place]].add((to, name))

    def called(self, start, seen):
        seen.add(start)
        for to, name in self.jumps.get(start, ()):
            if "@plt" in name:
                yield name.split("@")[0]
            elif to in self.jumps and to not in seen:
                yield from self.called(to, seen)


def grafted_forms(of_mpi):
    """The names of the grafted functions behind MPI_ and PMPI_. Not every MPI has persistent forms."""
    blocking = [*collectives.FUNCTIONS, *collectives.EQUAL_PARTS]
    names = blocking + ["I" + name[0].lower() + name[1:] for name in blocking]
    names += [name + "_init" for name in blocking if f"PMPI_{name}_init" in of_mpi]
    return set(names) | {name + "_c" for name in names}


def judge(failures, library, own, forms):
    """Returns the forms that the library's functions reach. Some call pmpi_test_ of another binding, say."""
    code = Code(library)
    reached = set()
    natively = {"PMPI_" + form: form for form in forms} | {f"pmpi_{form.lower()}_": form for form in forms}
    for start, names in code.exported.items():
        called = set(code.called(start, set()))
        around = called & set(natively)
        reached |= {name.removeprefix("MPI_") for name in called} & forms | {natively[name] for name in around}
        for name in names if around else ():
            if not name.lower().startswith("pmpi"):  # by which a program asks for MPI's own
                failures.expect(name in own, f"{library}: {name} calls {', '.join(around)}, and the library has no {name}")
    return reached


def main():
    parser = launch.arguments(__doc__)
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    if platform.machine() != "x86_64" or not shutil.which("objdump"):
        launch.skip("it reads the machine code of x86-64 by objdump")
    own = set().union(*exports(options.library).values())
    loaded = {library for program in options.programs for library in re.findall(r"=> (/\S+)", lines("ldd", program))}
    names_in = {library: set().union(*exports(library).values()) for library in loaded}
    of_mpi = set().union(*(names for names in names_in.values() if "PMPI_Barrier" in names))
    forms = grafted_forms(of_mpi) | {name for name in OTHERS if "MPI_" + name in own}
    forms |= {name for name in POLLS if "PMPI_" + name in of_mpi}
    failures = launch.Failures()
    reached = set()
    for library in sorted(loaded):
        if "PMPI_Barrier" not in names_in[library]:
            reached |= judge(failures, library, own, forms)
    missing = forms - {name for name in forms if name.endswith("_c")} - reached
    failures.expect(not missing, f"no binding calls {missing}: the code is not read rightly")
    failures.exit()


if __name__ == "__main__":
    main()
