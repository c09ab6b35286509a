# SPDX-License-Identifier: MIT
"""Programs of Debian that nobody here wrote, and our own mini programs, as `scripts/bench programs` starts them."""

import os
import re
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
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


PROGRAMS = [
    *(scalapack(name) for name in ("xdlu", "xzlu", "xdllt", "xdinv", "xdqr", "xdls", "xdhrd", "xdbrd", "xdtrd", "xdnep",
                                   "xddblu", "xdptllt")),
    *(scalapack(f"PBLAS/dpb{level}tst", SCALAPACK_DATA / "PBLAS") for level in (1, 2, 3)),
    Program("NWChem, SCF of H2", "nwchem-mpich", ["nwchem.mpich", "input.nw"], r"Total SCF energy|converged",
            text=NWCHEM_INPUT),
    Program("NetPIPE", "netpipe-mpich2", ["NPmpich2", "-u", "65536"], r"^\s*\d+:", r"\d+ times.*"),
]

TIMED = ("xdlu", "xdinv", "dpb3tst", "NWChem")  # those of them that do so much work and no more, however long it takes

# The mini programs, and their steps with a core a rank, two and four ranks a core: some seconds natively.
APPS = {"halo": (400_000, 1000, 500), "cg": (200_000, 600, 300), "sample_sort": (8000, 100, 60),
        "workers": (20_000, 8000, 4000), "ring": (4_000_000, 600, 300)}


def app(folder, name, steps):
    return Program(name, "test/apps", [str(folder / name), str(steps)], f"^{name}: ", exact=True)
