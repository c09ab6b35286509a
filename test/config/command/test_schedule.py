# SPDX-License-Identifier: MIT
"""mpigraft explain --schedule: as text, JSON and GOAL."""
import json
import os

from command_call import Folder, explain, text_of, without_room


class Schedule(Folder):
    def scheduled(self, *arguments):
        return explain("scan", 5, 8, "--ranks-per-node", "1", "--force", "scan=hillis_steele", *arguments)

    def test_schedule(self):
        out = self.fine(self.scheduled("--schedule"))
        answer, head, legend, rest = out.split("\n", 3)
        self.assertTrue(answer.startswith("runs: scan/hillis_steele, rounds 3 (MPIGRAFT_FORCE"), answer)
        self.assertEqual(head, "schedule: 5 ranks, 1 element of 8 bytes")
        self.assertEqual(rest, """\
  round  rank 0  rank 1  rank 2  rank 3  rank 4
      1  0>1     1>2     2>3     3>4
      2  0>2     0-1>3   1-2>4
      3  0>4
price by the model: 4.5 us, 1.00 times the lower bound
""")

    def test_schedule_of_a_rank(self):
        out = self.fine(self.scheduled("--schedule=4"))
        rank, *steps = out.splitlines()[2:-1]
        self.assertRegex(rank, r"^rank 4: \d+ steps, [12] elements? of scratch$")
        self.assertEqual([step.split()[0] for step in steps if "from rank" in step], 3 * ["irecv"])
        self.assertEqual(sum(":=" in step and "(+)" in step for step in steps), 3)
        document = json.loads(self.scheduled("--schedule=4", "--json")[1])
        own, = document["schedule"]["ranks"]
        self.assertEqual((own["rank"], own["steps"]), (4, [step.strip() for step in steps]))
        self.assertEqual(document["schedule"]["transfers"][0],
                         {"round": 1, "from": 3, "to": 4, "is_read": False,
                          "elements": [{"first": 0, "last": 0, "of_ranks": {"first": 3, "last": 3}}]})
        whole = json.loads(self.scheduled("--schedule", "--json")[1])["schedule"]
        self.assertEqual((len(whole["transfers"]), len(whole["ranks"]), whole["ranks"][4]), (4 + 3 + 1, 5, own))
        self.assertGreaterEqual(whole["price_s"], whole["lower_bound_s"])

    def test_schedules_on_a_node_and_over_nodes(self):
        _, out, _ = explain("bcast", 3, 4, "--ranks-per-node", "3", "--force", "bcast=shared_flat", "--schedule")
        self.assertIn("\n      1          0<0     0<0\n", out)
        self.assertNotIn("price", out)
        wide = explain("allgather", 40, 320, "--ranks-per-node", "8", "--force", "allgather=hierarchical", "--schedule")[1]
        self.assertRegex(wide, r"(?m)^  round +rank 0 (.|\n)*^  round .* rank 39$")  # in several tables
        self.assertLessEqual(max(map(len, wide.splitlines()[3:])), 100)

    def test_schedule_as_goal(self):
        file = self.path("run.goal")
        self.assertEqual(self.scheduled("--schedule", "--goal", file), (0, "", ""))
        text = text_of(file)
        os.symlink("there", self.path("link"))
        self.assertEqual(self.scheduled("--schedule", "--goal", self.path("link")), (0, "", ""))
        self.assertEqual((os.readlink(self.path("link")), text_of(self.path("there"))), ("there", text))
        os.remove(self.path("link")), os.remove(self.path("there"))
        words = "explain --collective scan --ranks 64 --bytes 8 --ranks-per-node 1 --force scan=hillis_steele --schedule --goal"
        for room in 0, 1:  # the second time there is room for the first lines
            self.assertEqual(self.refused(without_room(*words.split(), file, room=room)),
                             f"mpigraft: --goal: cannot write {file}: File too large\n")
        self.assertEqual((text_of(file), os.listdir(self.folder)), (text, ["run.goal"]))

    def test_text_of_goal(self):
        def goal(*call_, algorithm, **machine):
            table = self.table({"collective": call_[0], "algorithm": algorithm}, machine=machine)
            words = ("--ranks-per-node", "1", "--table", table, "--schedule", "--goal", self.path("goal"))
            self.assertEqual(self.fine(explain(*call_, *words)), "")
            return text_of(self.path("goal"))

        self.assertEqual(goal("scan", 2, 16, algorithm="hillis_steele", combine="1GB/s"),
                         "num_ranks 2\nrank 0 {\nl0: send 16b to 1 tag 0\n}\n"
                         "rank 1 {\nl0: recv 16b from 0 tag 0\nl2: calc 16\nl2 requires l0\n}\n")
        empty = goal("barrier", 8, 0, algorithm="dissemination")  # all its messages have no bytes, which GOAL has not
        self.assertEqual([empty.count(words) for words in (": send 1b ", ": recv 1b ", " 0b ")], [24, 24, 0])

    def test_no_schedule(self):
        for arguments, words in ((("--schedule=5",), "no rank 5"), (("--schedule=x",), "not a rank"),
                                 (("--schedule=4294967297",), "no rank 4294967297"),
                                 (("--schedule", "--goal", "/nonexistent/f"), "--goal: there is no folder /nonexistent; make it"),
                                 (("--schedule", "--goal", "/dev/full"), 'cannot write /dev/full: No space left on device'),
                                 (("--schedule", "--force=scan=native"), "the call is native"),
                                 (("--schedule", "--force=scan=no_such"), "is not an algorithm of scan")):
            self.assertIn(words, self.refused(explain("scan", 5, 8, *arguments)))
        for ranks, size, words in ((2000000000, "8", "not in range"), (100000, "8", "more than 65536 ranks; name fewer"),
                                   (5, "1G", "too many elements to follow; name fewer")):
            self.assertIn(words, self.refused(explain("scan", ranks, size, "--schedule", "--ranks-per-node", "1", "--force",
                                                      "scan=hillis_steele")))
        on_a_node = explain("scan", 3, 8, "--ranks-per-node", "3", "--force", "scan=shared_flat", "--schedule", "--goal", "f")
        self.assertIn("shared memory", self.refused(on_a_node))

    def test_schedules_without_a_bound(self):
        """The bounds are of ranks with one port, and the prices of links."""
        for per_node, algorithm, priced in ("1", "k_ported", True), ("5", "shared_flat", False):
            words = ("exscan", 5, 8, "--ranks-per-node", per_node, "--force", f"exscan={algorithm}", "--schedule")
            schedule = json.loads(self.fine(explain(*words, "--json")))["schedule"]
            self.assertEqual((schedule["price_s"] is not None, schedule["lower_bound_s"]), (priced, None))
            out = self.fine(explain(*words))
            self.assertEqual(("price by the model" in out, "lower bound" in out), (priced, False))
