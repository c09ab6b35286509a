# SPDX-License-Identifier: MIT
"""mpigraft doctor --hang, over traces that are written here: whole and broken ones, of jobs in states in which no program
of test/preload/hangs.py is."""
import os
import re
import struct

from command_call import Folder, call

FILE = struct.Struct("<16sqqqqqqqqqqq")
MESSAGE = struct.Struct("<32siiii")
ENTRY = struct.Struct(f"<qq32siiii32sqq32s32sii{4 * MESSAGE.size}sqq")
NOBODY, RANKS, ALIKE = range(3)
SCAN, BCAST = "MPI_Scan", "MPI_Bcast"
WORLD = "MPI_COMM_WORLD"
ANY, NO_RANK = -1, -2


def message(peer, tag=7, sent=0, function="", of_world=1):
    return MESSAGE.pack(function.encode(), sent, peer, of_world, tag)


def entry(number, made, function=SCAN, comm=WORLD, comm_rank=0, comm_size=2, left=0, world=None, together=ALIKE,
          root=ANY, op="MPI_SUM", count=2, size=4, messages=(), operations=None):
    world_order = comm == WORLD if world is None else world
    operations = len(messages) if operations is None else operations
    return ENTRY.pack(number, made, comm.encode(), comm_rank, comm_size, world_order, together, function.encode(), count,
                      size * count if count >= 0 else -1, b"MPI_INT", op.encode(), root, operations, b"".join(messages),
                      1000 + number, left)


def alone(number, function, *messages, left=0, comm=WORLD, comm_size=4, **fields):
    """A call that a rank makes for itself."""
    return entry(number, 0, function, comm=comm, comm_size=comm_size, left=left, together=NOBODY, op="", messages=messages, **fields)


def trace(rank, size, *entries, mark=b"mpigraft trace", version=4, loaded=0, finalized=0, polled=0, made=0):
    text = FILE.pack(mark, version, rank, size, 4711, loaded, finalized, polled, 0, 0, made, 0) + b"".join(entries)
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
        for broken in (trace(0, 2)[:-1], trace(0, 2, mark=b"another trace"), trace(0, 2, version=1), trace(-1, 2),
                       trace(2, 2), trace(2**40, 2**41), trace(0, 2, huge), trace(0, 2, entry(1, 1, operations=-1)), b""):
            self.assertEqual(self.refused(self.hang(broken)), f"mpigraft: the traces in {self.folder} cannot be read, or "
                             "another version of mpigraft has made them\n")

    def test_no_traces(self):
        self.assertIn(f"no trace in {self.folder}; run the program with MPIGRAFT_TRACE={self.folder}", self.refused(self.hang()))
        file = self.write("rank-0", "x" * 100000)
        self.assertIn("another version of mpigraft has made them", self.refused(self.hang()))
        self.assertIn(f"{file} is no folder; name that of MPIGRAFT_TRACE", self.refused(call("doctor", "--hang", file)))

    def test_traces_of_different_jobs(self):
        one = "ranks with a trace: 1 of 2\nrank 0 waits in MPI_Probe from any rank, tag 7, since *\n"
        waits = trace(0, 2, alone(1, "MPI_Probe", message(ANY), count=-1), loaded=2000)
        for other in trace(1, 3, loaded=1999, polled=3000), trace(1, 2, entry(1, 1), loaded=1000, polled=1997):
            self.assertEqual(self.hang(waits, other)[1], one)
        for late in trace(1, 2, loaded=1998), trace(1, 2, loaded=1000, polled=1999), trace(1, 2, loaded=2002):
            self.assertIn("2 of 2", self.hang(waits, late)[1])

    def test_other_files_do_not_matter(self):
        self.write("notes", "x")
        os.symlink("/absent", self.path("rank-7"))
        self.assertEqual(self.hang(trace(0, 1)),
                         (0, "ranks with a trace: 1 of 1\nno rank waits in a call that mpigraft sees\n", ""))

    def test_one_waits_in_another_communicator(self):
        inside = entry(4, 2, comm="row", comm_rank=0)
        elsewhere = entry(5, 7, BCAST, comm="column", comm_rank=1, root=0, op="", count=1, size=1)
        left = entry(3, 1, comm="row", comm_rank=1, left=1)
        out, _ = self.ended(self.hang(trace(0, 2, inside), trace(1, 2, left, elsewhere)), 1)
        self.assertIn("communicator row of 2 ranks, call 2\n"
                      "  waiting in MPI_Scan of 2 MPI_INT (8 bytes), MPI_SUM, since *: 0\n"
                      "  missing: rank 1, which has made 1 call there; "
                      "it waits in MPI_Bcast of 1 MPI_INT (1 byte), root 0, communicator column\n", out)
        self.assertIn("communicator column of 2 ranks, call 7\n", out)
        self.assertIn("  missing: rank 0 of that communicator\n", out)

    def test_one_has_left(self):
        # rank 1 is through with the call that rank 0 waits in
        through = trace(1, 2, entry(1, 1, comm_rank=1, left=9))
        self.assertEqual(self.hang(trace(0, 2, entry(1, 1)), through)[1],
                         "ranks with a trace: 2 of 2\nMPI_COMM_WORLD of 2 ranks, call 1\n"
                         "  waiting in MPI_Scan of 2 MPI_INT (8 bytes), MPI_SUM, since *: 0\n"
                         "rank 1 has ended its last call, MPI_Scan of 2 MPI_INT (8 bytes), MPI_SUM, at *\n")

    def test_one_has_left_another_call(self):
        for through, told in ((entry(1, 1, BCAST, comm_rank=1, left=9, root=1, op="", count=1),
                               "MPI_Bcast of 1 MPI_INT (4 bytes), root 1: 1\n"
                               "  the ranks call different functions there, so no call can end\n"),
                              (entry(1, 1, comm_rank=1, left=9, count=3),
                               "MPI_Scan of 3 MPI_INT (12 bytes), MPI_SUM: 1\n"
                               "  ranks differ in bytes, which must be the same at all ranks\n")):
            out = self.hang(trace(0, 2, entry(1, 1)), trace(1, 2, through))[1]
            self.assertIn("  completed " + told, out)

    def test_one_was_never_there(self):
        out = self.hang(trace(0, 3, entry(1, 1, comm_size=3)), trace(1, 3, entry(9, 9, comm="row", left=1)))[1]
        self.assertIn("missing: rank 1, which has made no recent call there; it has ended its last call, "
                      "MPI_Scan of 2 MPI_INT (8 bytes), MPI_SUM, at *\n", out)
        self.assertIn("missing: rank 2, which has made no call that mpigraft sees (a tool may make its calls by PMPI_)\n", out)
        out = self.hang(trace(0, 2, entry(1, 1)), trace(1, 2))[1]
        self.assertIn("missing: rank 1, which has made no recent call there; it has made no call yet\n", out)

    def test_one_may_have_left_long_ago(self):
        elsewhere = alone(99, "MPI_Send", message(0, sent=1), left=9)
        for made, missing in ((64, "missing"), (99, "perhaps missing")):
            out = self.hang(trace(0, 2, entry(1, 1)), trace(1, 2, elsewhere, made=made))[1]
            self.assertIn(f"\n  {missing}: rank 1, which has made no recent call there; it has ended its last call, ", out)
            out = self.hang(trace(0, 2, entry(1, 1, comm="row")), trace(1, 2, elsewhere, made=made))[1]
            self.assertIn(f"\n  {missing}: rank 1 of that communicator\n", out)
        out = self.hang(trace(0, 2, entry(2, 2)), trace(1, 2, entry(1, 1, comm_rank=1, left=9), made=99))[1]
        self.assertIn("\n  missing: rank 1, which has made 1 call there; ", out)

    def test_one_is_elsewhere(self):
        outside = "has been outside MPI since then"
        for polled, where in ((0, outside), (100, outside), (199, "looks for messages, by MPI_Test or in a call that "
                                                                  "mpigraft does not see")):
            out = self.hang(trace(0, 2, entry(3, 3), polled=200), trace(1, 2, entry(2, 2, comm_rank=1, left=9), polled=polled))[1]
            self.assertIn(f", at *, and {where}\n", out)

    def test_different_arguments(self):
        first = trace(0, 2, entry(1, 1, root=0))
        for other, what in ((entry(1, 1, comm_rank=1, root=1), "root"), (entry(1, 1, comm_rank=1, op="MPI_MAX", root=0), "operator"),
                            (entry(1, 1, comm_rank=1, count=3, root=0), "bytes"),
                            (entry(1, 1, comm_rank=1, count=3, op="", root=NO_RANK), "root, operator, bytes")):
            self.assertIn(f"  ranks differ in {what}, which must be the same at all ranks\n",
                          self.hang(first, trace(1, 2, other))[1])
        for other in (entry(1, 1, "MPI_Scan_c", comm_rank=1, root=0), entry(1, 1, comm_rank=1, root=0, count=-1),
                      entry(1, 1, comm_rank=1, root=0, count=3, together=RANKS)):
            out = self.hang(first, trace(1, 2, other))[1]
            self.assertNotIn("differ", out)

    def test_the_latest_counts(self):
        # a ring of entries: later ones come first
        behind = entry(65, 65, comm_rank=1, left=3), entry(64, 64, BCAST, comm_rank=1, left=2)
        for order in (behind, behind[::-1]):
            out = self.hang(trace(0, 2, entry(66, 66), entry(65, 65, left=1)), trace(1, 2, *order))[1]
            self.assertIn("missing: rank 1, which has made 65 calls there; it has ended its last call, MPI_Scan ", out)
        threads = [alone(number, "MPI_Recv", message(number)) for number in (1, 2)]
        for order in (threads, threads[::-1]):
            self.assertRegex(self.hang(trace(0, 2, *order))[1], r"^.*\nrank 0 waits in MPI_Recv .* from rank 2, .*\n  rank 2 ")

    def test_many_ranks(self):
        inside = [trace(r, 40, entry(1, 1, comm_rank=r, comm_size=40)) for r in (*range(8), 10, 12, 13)]
        out = self.hang(*inside)[1]
        self.assertIn("since *: 0-7 10 12 13\n  missing: rank 8, ", out)
        self.assertIn("  missing: 13 more\n", out)
        lonely = [trace(r, 40, alone(1, "MPI_Recv", message(ANY))) for r in range(20)]
        self.assertTrue(self.hang(*lonely[:17])[1].endswith("\nranks in calls of their own: 1 more\n"))
        out = self.hang(*lonely)[1]
        self.assertIn("rank 15 waits in MPI_Recv of 2 MPI_INT (8 bytes) from any rank, tag 7, since *\n"
                      "ranks in calls of their own: 4 more\n", out)
        idle = [trace(r, 40, entry(1, 1, comm_rank=r, comm_size=40, left=9)) for r in range(1, 19)]
        out = self.hang(trace(0, 40, alone(1, "MPI_Probe", message(ANY))), *idle)[1]
        self.assertNotIn("rank 17 ", out)
        self.assertRegex(out, r"\nrank 16 has ended its last call, MPI_Scan .*, at \*\nranks that wait in no call: 2 more\n$")

    def test_requests(self):
        irecv = message(2, function="MPI_Irecv")
        for messages, words in (((irecv,), "for MPI_Irecv from rank 2, tag 7"),
                                ((irecv, message(NO_RANK, ANY, 1, "MPI_Isend")),
                                 "for 2 requests: MPI_Irecv from rank 2, tag 7; MPI_Isend to MPI_PROC_NULL, any tag"),
                                ((message(0, sent=-1, function="MPI_Ibarrier"),), "for MPI_Ibarrier")):
            out = self.hang(trace(0, 4, alone(1, "MPI_Waitall", *messages, count=-1, comm="")))[1]
            self.assertIn(f"rank 0 waits in MPI_Waitall {words}, since *\n", out)
        out = self.hang(trace(0, 4, alone(1, "MPI_Waitall", *[irecv] * 4, operations=9, count=-1)))[1]
        self.assertIn("for 9 requests: MPI_Irecv from rank 2, tag 7; MPI_Irecv", out)
        self.assertIn("; and others, since *\n", out)

    def test_peers_of_a_communicator(self):
        waits = alone(1, "MPI_Recv", message(1, of_world=0), comm="row")
        out = self.hang(trace(0, 4, waits))[1]
        self.assertIn("from rank 1 of the communicator, tag 7, communicator row, since *\n", out)
        out = self.hang(trace(0, 4, waits), trace(3, 4, alone(1, "MPI_Recv", message(0), comm="row", comm_rank=1)))[1]
        self.assertIn("a cycle in which each rank waits for the next: 0 -> 3 -> 0\n", out)

    def cycle(self, *awaited):
        """Rank r receives from `awaited[r]`."""
        traces = [trace(r, 4, alone(1, "MPI_Recv", *[message(peer) for peer in peers])) for r, peers in enumerate(awaited)]
        return re.findall("each rank waits for the next: (.*)\n", self.hang(*traces)[1])

    def test_cycles(self):
        self.assertEqual(self.cycle([1], [2], [3], [0]), ["0 -> 1 -> 2 -> 3 -> 0"])
        self.assertEqual(self.cycle([1], [0], [3], [2]), ["0 -> 1 -> 0", "2 -> 3 -> 2"])
        self.assertEqual(self.cycle([1], [2], [1], [0]), ["1 -> 2 -> 1"])
        self.assertEqual(self.cycle([0], [0], [1], [2]), ["0 -> 0"])
        self.assertEqual(self.cycle([1], [2], [3], [ANY]), [])
        self.assertEqual(self.cycle([1], [2], [3, 1], [0]), [])
        self.assertEqual(self.cycle([1], [2, 2], [0], []), ["0 -> 1 -> 2 -> 0"])
        self.assertEqual(self.cycle([1, NO_RANK], [NO_RANK, 2], [0], [NO_RANK]), ["0 -> 1 -> 2 -> 0"])
        for pair in ([1, 1], [0]), ([1], [0, 0]):
            self.assertEqual(self.cycle(*pair, [], []), ["0 -> 1 -> 0"])

    def test_one_sends_and_one_receives(self):
        def told(*sender, comm=WORLD, tag=7):
            return self.hang(trace(0, 4, alone(1, "MPI_Recv", message(1, tag))),
                             trace(1, 4, alone(1, "MPI_Ssend", *sender, comm=comm, world=1)))[1].split("since *\n")[-1]

        self.assertEqual(told(message(0, 7, 1)), "")
        self.assertEqual(told(message(0, 7, 1), message(NO_RANK)), "")
        self.assertEqual(told(message(0, 8, 1), tag=ANY), "")
        self.assertEqual(told(message(0, 8, 1)), "ranks 0 1: one sends, the other receives, and their tags differ\n")
        self.assertEqual(told(message(0, 7, 1), comm="row"),
                         "ranks 0 1: one sends, the other receives, and their communicators differ\n")
        self.assertIn("a cycle", told(message(0, 7, 0)))
