# SPDX-License-Identifier: MIT
"""The programs that scripts/bench and scripts/guard start: those of Debian, which nobody here wrote, our mini programs, and
applications of scans and reductions (test/apps)."""

import os
import re
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

SCALAPACK = Path("/usr/lib/x86_64-linux-gnu/scalapack/mpich-tests")
SCALAPACK_DATA = Path("/usr/share/scalapack")
NWCHEM_INPUT = """start h2
geometry units angstrom noautosym
  H 0.0 0.0 0.0
  H 0.0 0.0 0.74
end
basis
  * library 6-31g
end
task scf energy
"""
OURS, STEPS = "test/apps", "STEPS"


@dataclass
class Program:
    name: str
    package: str
    command: list
    compared: str  # regular expression of the lines that must be alike; times differ from run to run
    erased: str = r"(?!)"  # in those lines
    data: Path | None = None  # files that the program reads in its folder
    text: str = ""  # its input file, input.nw
    ranks: int = 2
    clock: str = ""  # regular expression of the seconds that the program prints, which count instead of the launch's
    exact: bool = False  # its results are alike in every launch, to the last bit
    steps: tuple = ()  # with a core a rank, two ranks a core, four, and so on: natively some seconds

    def at(self, build, place, share=1):
        """The program with a command for that place, to make a share of the steps."""
        if self.package != OURS:
            return self
        path, *words = self.command
        steps = max(self.steps[min(place.crowd, len(self.steps) - 1)] // share, 1)
        return replace(self, command=[str(build / OURS / path), *(str(steps) if word == STEPS else word for word in words)])

    def installed(self):
        return shutil.which(self.command[0]) is not None

    def results(self, outcome):
        """The lines of a launch that must be alike in every launch."""
        lines = [line for line in outcome.stdout.splitlines() if re.search(self.compared, line)]
        return [re.sub(r"\s+", " ", re.sub(self.erased, "#", line)).strip() for line in lines]

    def seconds(self, outcome):
        printed = re.search(self.clock, outcome.stdout) if self.clock else None
        return float(printed[1]) if printed else outcome.seconds

    @contextmanager
    def folder(self):
        """Enters a new folder for a launch: programs read and write files where they start."""
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            for file in self.data.glob("*.dat") if self.data else ():
                shutil.copy(file, folder)
            if self.text:
                (Path(folder) / "input.nw").write_text(self.text)
            try:
                os.chdir(folder)
                yield
            finally:
                os.chdir(here)


def scalapack(name, data=SCALAPACK_DATA):
    """A program of ScaLAPACK's tests. In its output, the columns between problem and verdict are times and rates."""
    return Program(f"ScaLAPACK {name.split('/')[-1]}", "scalapack-mpi-test", [str(SCALAPACK / name)],
                   r"PASSED|FAILED|tests|passed|failed|UPLO|Relative", r"(?<=\s)\d*\.\d+(E[+-]\d+)?(?=\s)", data)


def mini(name, *steps):
    return Program(name, OURS, [name, STEPS], f"^{name}: ", exact=True, steps=steps)


def application(name, option, choice, size, *steps):
    """`choice`: of its method or kind of input. The program prints the seconds of its timed steps."""
    return Program(f"{name} {choice}", OURS, [name, "--size", str(size), "--steps", STEPS, option, choice],
                   rf"^{name} .*: size", r"seconds .*", clock=r"seconds ([\d.]+)", exact=True, steps=steps)


def prefix_sums(method):
    """`method`: of the middle step."""
    return application("prefix_sums", "--method", method, 1_000_000, 200, 12, 6, 2)


PROGRAMS = [
    *(scalapack(name) for name in ("xdlu", "xzlu", "xdllt", "xdinv", "xdqr", "xdls", "xdhrd", "xdbrd", "xdtrd", "xdnep",
                                   "xddblu", "xdptllt")),
    *(scalapack(f"PBLAS/dpb{level}tst", SCALAPACK_DATA / "PBLAS") for level in (1, 2, 3)),
    Program("NWChem, SCF of H2", "nwchem-mpich", ["nwchem.mpich", "input.nw"], r"Total SCF energy|converged",
            text=NWCHEM_INPUT),
    Program("NetPIPE", "netpipe-mpich2", ["NPmpich2", "-u", "65536"], r"^\s*\d+:", r"\d+ times.*"),
]

TIMED = ("xdlu", "xdinv", "dpb3tst", "NWChem")  # those of them that do so much work and no more, however long it takes

APPS = {program.name: program for program in (
    mini("halo", 400_000, 1000, 500), mini("cg", 200_000, 600, 300), mini("sample_sort", 8000, 100, 60),
    mini("workers", 20_000, 8000, 4000), mini("ring", 4_000_000, 600, 300))}

APPLICATIONS = [
    *map(prefix_sums, ("exscan", "scan", "rd", "rd_barrier", "bt", "bt_barrier")),
    application("radix_sort", "--input", "uniform", 10_000, 200, 4, 2, 1),
    application("partition", "--method", "partition", 10_000, 500, 20, 5, 3),
    application("partition", "--method", "filter", 10_000, 500, 20, 5, 3),
    application("segment_sum", "--method", "reduction", 10_000, 1500, 60, 15, 5),
    application("segment_sum", "--method", "scan_and_reduction", 10_000, 1500, 60, 15, 5),
    application("recurrences", "--method", "recurrence", 10_000, 1500, 100, 30, 10),
    application("recurrences", "--method", "horner", 2_000, 1500, 100, 30, 10),
    application("recurrences", "--method", "powers", 2_000, 1000, 60, 20, 8),
    application("load_balance", "--split", "last", 10_000, 300, 30, 5, 3),
    mini("sample_sort", 2000, 60, 30, 10),
]
