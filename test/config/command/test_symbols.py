# SPDX-License-Identifier: MIT
"""mpigraft doctor PROGRAM: which objects define MPI's functions and UCX's, as their ELF files say, whole and broken ones."""
import re
import struct

from command_call import Folder, call


def elf(*functions, ident=b"\x7fELF\x02", sections_at=64, sections=3, names=2, at=256, defined=1, kind=18):
    """A shared library of 64 bits that defines these functions, or a broken one. Its header, its table of sections and
    their content follow one another."""
    text = b"\0".join([b"", *map(str.encode, functions), b""])
    first = [1 + sum(len(name) + 1 for name in functions[:i]) for i in range(len(functions))]
    symbols = b"".join(struct.pack("<IBBHQQ", name, kind, 0, defined, 0, 0) for name in first)
    header = ident.ljust(16, b"\0") + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 0, sections_at, 0, 64, 0, 0, 64, sections, 0)
    table = bytes(64) + b"".join(struct.pack("<IIQQQQIIQQ", 0, kind, 0, 0, place, size, link, 0, 1, 0) for kind, place, size, link in (
        (11, at, len(symbols), names), (3, 256 + len(symbols), len(text), 0)))
    return header + table + symbols + text


class Symbols(Folder):
    def told(self, *files):
        """What is said of a program that is linked to files of these contents: 0, 1, ..."""
        for i, content in enumerate(files):
            with open(self.path(str(i)), "wb") as file:
                file.write(content)
        linked = "".join(f"\\tlib{i} => {self.path(str(i))} (0x1)\\n" for i in range(len(files)))
        self.write("bin/ldd", f"#!/bin/sh\nprintf '{linked}'\n", 0o755)
        out = call("doctor", "--launcher", "/absent", self.write("program", "\x7fELF", 0o755), PATH=self.path("bin") + ":/bin")[1]
        return [line.replace(self.path(""), "") for line in re.findall("symbols +(.*)", out)]

    def test_all_objects_with_them_are_named(self):
        mpi, ucx = elf("other", "MPI_Send"), elf("ucp_init", "MPI_", "MPI_F", "MPI_FOO", "PMPI_Send")
        self.assertEqual(self.told(ucx, mpi), ["MPI_ functions are in 1", "ucp_ functions are in 0"])
        self.assertEqual(self.told(mpi, ucx, elf(), mpi, ucx), ["MPI_ functions are in 0, then 3", "ucp_ functions are in 1, then 4"])
        self.assertEqual(self.told(elf("MPI_Send", defined=0), elf("MPI_Send", kind=17)), [])

    def test_broken_objects_define_nothing(self):
        for broken in ({"ident": b"\x7fELG\x02"}, {"ident": b"\x7fELF\x01"}, {"sections_at": 1 << 63}, {"sections": 999},
                       {"names": 3}, {"at": 1 << 63}, {"at": 300}):
            with self.subTest(broken):
                self.assertEqual(self.told(elf("MPI_Send", **broken)), [])
        for end in 0, 63, 80, -9:  # the last is in the names
            with self.subTest(end):
                self.assertEqual(self.told(elf("MPI_Send")[:end]), [])
