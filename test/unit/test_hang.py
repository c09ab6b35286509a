#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mpigraft doctor --hang, over traces that are written here: whole and broken ones, of jobs in every state."""
import re
import struct
import sys
import unittest

from command_call import Folder, call

FILE = struct.Struct("<16sqqqqq")
ENTRY = struct.Struct("<qq32siiiiq40sqq")
SCAN, BCAST, SET_UP = 0, 2, -1
WORLD = "MPI_COMM_WORLD"


def entry(number, made, collective=SCAN, comm=WORLD, comm_rank=0, comm_size=2, left=0, world=None):
    world_order = comm == WORLD if world is None else world
    return ENTRY.pack(number, made, comm.encode(), comm_rank, comm_size, world_order, collective, 8, b"scan/chain",
                      1000 + number, left)


def trace(rank, size, *entries, mark=b"mpigraft trace", version=1, finalized=0):
    text = FILE.pack(mark, version, rank, size, 4711, finalized) + b"".join(entries)
    return text + bytes(ENTRY.size) * (64 - len(entries))


class Hang(Folder):
    def hang(self, *traces):
        for number, text in enumerate(traces):
            with open(self.path(f"rank-{number}"), "wb") as file:
                file.write(text)
        status, out, err = call("doctor", "--hang", self.folder, TZ="UTC")
        return status, re.sub(r"\d\d:\d\d:\d\d", "*", out), err

    def test_files_that_are_no_traces(self):
        huge = entry(1, 1, comm_size=2**30)
        for broken in (trace(0, 2)[:-1], trace(0, 2, mark=b"another trace"), trace(0, 2, version=2), trace(-1, 2),
                       trace(2**40, 2**41), trace(0, 2, huge), b""):
            status, out, err = self.hang(broken)
            self.assertEqual((status, out), (2, ""))
            self.assertIn("no trace in", err)

    def test_traces_of_different_jobs(self):
        for other in (trace(1, 3), trace(2, 2)):
            status, out, err = self.hang(trace(0, 2), other)
            self.assertEqual((status, out), (2, ""))
            self.assertIn("of different jobs; empty it first", err)

    def test_other_files_do_not_matter(self):
        self.write("notes", "x")
        self.assertEqual(self.hang(trace(0, 1)),
                         (0, "ranks with a trace: 1 of 1\nno rank waits in a call that mpigraft sees\n", ""))

    def test_one_waits_in_another_communicator(self):
        inside = entry(4, 2, comm="row", comm_rank=0)
        elsewhere = entry(5, 7, BCAST, comm="column", comm_rank=1)
        left = entry(3, 1, comm="row", comm_rank=1, left=1)
        status, out, _ = self.hang(trace(0, 2, inside), trace(1, 2, left, elsewhere))
        self.assertEqual(status, 1)
        self.assertIn("communicator row of 2 ranks, call 2\n  waiting in scan of 8 bytes by scan/chain since *: 0\n"
                      "  missing: rank 1, which has made 1 call there; "
                      "it waits in bcast of 8 bytes by scan/chain of column\n", out)
        self.assertIn("communicator column of 2 ranks, call 7\n", out)
        self.assertIn("  missing: rank 0 of that communicator\n", out)

    def test_one_has_left(self):
        # rank 1 is through with the call that rank 0 waits in, and in MPI_Finalize
        through = trace(1, 2, entry(1, 1, comm_rank=1, left=9), finalized=1)
        self.assertEqual(self.hang(trace(0, 2, entry(1, 1)), through)[1],
                         "ranks with a trace: 2 of 2\nMPI_COMM_WORLD of 2 ranks, call 1\n"
                         "  waiting in scan of 8 bytes by scan/chain since *: 0\n")

    def test_one_is_in_finalize(self):
        out = self.hang(trace(0, 2, entry(3, 3)), trace(1, 2, entry(2, 2, comm_rank=1, left=9), finalized=1))[1]
        self.assertIn("missing: rank 1, which has made 2 calls there; its last call, scan of 8 bytes by scan/chain, "
                      "ended at *; it is in MPI_Finalize\n", out)

    def test_one_was_never_there(self):
        out = self.hang(trace(0, 3, entry(1, 1, comm_size=3)), trace(1, 3, entry(9, 9, 77, comm="row", left=1)))[1]
        self.assertIn("missing: rank 1, which has made no call there of late; "
                      "its last call, ? of 8 bytes by scan/chain, ended at *\n", out)
        self.assertIn("missing: rank 2, which has made no call that mpigraft sees\n", out)
        out = self.hang(trace(0, 2, entry(1, 1)), trace(1, 2))[1]
        self.assertIn("missing: rank 1, which has made no call there of late\n", out)

    def test_different_calls(self):
        out = self.hang(trace(0, 2, entry(1, 1)), trace(1, 2, entry(1, 1, BCAST, comm_rank=1)))[1]
        self.assertIn("since *: 0\n", out)
        self.assertIn("since *: 1\n", out)
        self.assertIn("  the program calls different things there: no call can end\n", out)

    def test_set_up(self):
        out = self.hang(trace(0, 2, entry(1, 0, SET_UP)))[1]
        self.assertIn("MPI_COMM_WORLD of 2 ranks\n  waiting in its set-up, at the first call since *: 0\n", out)

    def test_the_latest_counts(self):
        # a ring of entries: later ones come first
        behind = trace(1, 2, entry(65, 65, comm_rank=1, left=3), entry(64, 64, comm_rank=1, left=2))
        out = self.hang(trace(0, 2, entry(66, 66), entry(65, 65, left=1)), behind)[1]
        self.assertIn("missing: rank 1, which has made 65 calls there; ", out)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
