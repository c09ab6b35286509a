# SPDX-License-Identifier: MIT
"""mpigraft model: its formats, its files, its refusals."""
import json

from command_call import Folder, call


class Model(Folder):
    def model(self, *arguments, **variables):
        return call("model", "--collective", "scan", "--ranks", "4", *arguments, **variables)

    def test_json_has_every_algorithm_of_the_collective(self):
        cells = json.loads(self.fine(self.model("--bytes", "8,1K..4K", "--json")))
        self.assertEqual([cell["bytes"] for cell in cells], [8, 1024, 2048, 4096])
        names = {entry["name"] for entry in json.loads(call("list", "--json", "--collective", "scan")[1])
                 if entry["nodes"] == "any"}
        for cell in cells:
            self.assertEqual({algorithm["algorithm"] for algorithm in cell["algorithms"]}, names)
            self.assertEqual(list(cell), ["collective", "ranks", "bytes", "lower_bound_s", "algorithms"])
            times = [algorithm["predicted_s"] for algorithm in cell["algorithms"]]
            self.assertEqual(times, sorted(times))
            self.assertGreaterEqual(times[0], cell["lower_bound_s"] * (1 - 1e-9))

    def test_lists_of_sizes(self):
        for text, sizes in (("8", [8]), ("8,64K", [8, 65536]), ("1K..4K,9", [1024, 2048, 4096, 9]), ("3..9", [3, 4, 8, 9]),
                            ("5..5", [5])):
            cells = json.loads(self.fine(self.model("--bytes", text, "--json")))
            self.assertEqual([cell["bytes"] for cell in cells], sizes)
        for wrong in "", ",", "8,", "0", "9..8", "8..", "..8", "x", "inf", "-1", "1..2..3":
            self.refused(self.model(f"--bytes={wrong}"))

    def cell(self, collective, ranks, size):
        cell, = json.loads(self.fine(call("model", "--collective", collective, "--ranks", str(ranks), "--bytes", size, "--json")))
        return cell

    def test_prices_by_hand(self):
        """36 ranks: 6 start-ups of 1.5 us; 1 MiB takes 83.886 us on a link, 104.858 us to combine, 35/36 of it needed."""
        for collective, ranks, size, us in (
                ("bcast", 36, "1M", 92.886), ("reduce", 36, "8", 9.0014), ("exscan", 1, "8", 0),
                ("scan", 36, "1M", 187.331), ("exscan", 36, "1M", 184.418),  # a start-up, the transfer and the combining
                ("exscan", 2, "1M", 85.386),  # nothing to combine
                ("allreduce", 36, "8K", 9.655),  # one vector beside the start-ups
                ("allreduce", 36, "1M", 266.557)):  # 35/36 of two vectors, and the combining beside one
            bound = 1e6 * self.cell(collective, ranks, size)["lower_bound_s"]
            self.assertAlmostEqual(bound, us, delta=us * 1e-4, msg=f"{collective} of {size}")
        doubling, = (one for one in self.cell("scan", 36, "1M")["algorithms"] if one["algorithm"] == "scan/hillis_steele")
        self.assertAlmostEqual(1e6 * doubling["predicted_s"], 6 * (1.5 + 83.886 + 104.858), delta=0.1)
        self.assertIsNone(doubling["segment"])

    def test_the_machine_is_the_tables_but_for_what_options_say(self):
        table = self.table(machine={"latency": "3us", "combine": "1MB/s"})
        def bound(*arguments, **variables):
            _, out, _ = call("model", "--collective", "bcast", "--ranks", "4", "--bytes", "1M", "--json", *arguments,
                             **variables)
            return json.loads(out)[0]["lower_bound_s"]
        transfer = 2**20 / 12.5e9
        self.assertAlmostEqual(bound(), 2 * 1.5e-6 + transfer, places=9)
        self.assertAlmostEqual(bound("--latency", "1ms"), 2e-3 + transfer, places=9)
        self.assertAlmostEqual(bound("--table", table), 2 * 3e-6 + transfer, places=9)
        self.assertAlmostEqual(bound(MPIGRAFT_TABLE=table), 2 * 3e-6 + transfer, places=9)
        self.assertAlmostEqual(bound("--table", table, "--latency", "5us"), 2 * 5e-6 + transfer, places=9)
        self.assertAlmostEqual(bound("--table", table, "--bandwidth", "1GB/s"), 2 * 3e-6 + 2**20 / 1e9, places=9)
        self.assertEqual(self.model("--bytes", "8", "--table", "/no/such.json")[:2], (2, ""))

    def test_what_is_too_large_to_record_is_named_and_has_no_price(self):
        huge = ("model", "--collective", "bcast", "--ranks", "4", "--bytes", "2G")
        _, out, _ = call(*huge, "--json")
        self.assertIn({"algorithm": "bcast/circulant", "predicted_s": None, "segment": None},
                      json.loads(out)[0]["algorithms"])
        _, out, _ = call(*huge)
        self.assertRegex(out, r"bcast/circulant +not priced: too large to record *\n")

    def test_many_ranks_and_bytes_take_seconds_with_a_line_about_it(self):
        """Some five of them; a replay of every block takes two minutes."""
        code, out, error = call("model", "--collective", "scan,reduce", "--ranks", "1152", "--bytes", "64M",
                                seconds=45)
        self.assertEqual(code, 0, error)
        self.assertRegex(out, r"scan +1152 +64M +scan/linear_pipeline +22934\.")
        self.assertRegex(error, r"(?m)^\d+/\d+, \d+ s: (scan|reduce)/\w+, 1152 ranks, 64M$")
        self.assertEqual(self.model("--bytes", "1M")[2], "")

    def test_ranks_that_would_take_minutes_are_refused(self):
        for ranks in "65537", "2..131072", "8,4G":
            self.assertIn("--ranks: more than 65536 take minutes; name fewer; see `mpigraft model --help`\n",
                          self.refused(call("model", "--ranks", ranks, "--bytes", "8")))
        self.assertIn("\nbarrier     16384  0 ", call("model", "--collective", "barrier", "--ranks", "16384", "--bytes", "8")[1])

    def test_every_collective_where_none_is_named(self):
        _, out, _ = call("model", "--ranks", "4", "--bytes", "64", "--json")
        self.assertEqual([cell["collective"] for cell in json.loads(out)],
                         ["scan", "exscan", "bcast", "reduce", "barrier", "allreduce", "reduce_scatter", "allgather"])
        _, out, _ = call("model", "--ranks", "1", "--bytes", "64", "--collective", "scan")
        self.assertRegex(out, r"scan +1 +64 +lower bound +0.00 +1.00")
        _, out, _ = call("model", "--ranks", "4", "--bytes", "1M", "--collective", "bcast", "--latency", "1s")
        self.assertRegex(out, r"bcast/linear_pipeline +\S+ +\S+ +none\n")  # one block
        _, out, _ = call("model", "--ranks", "4", "--bytes", "13", "--collective", "scan")
        self.assertRegex(out, r"scan/linear_pipeline +\S+ +\S+ +none\n")  # elements of one byte

    def test_what_the_page_is_made_from(self):
        of_scan = ("model", "--collective", "scan", "--ranks", "4", "--bytes", "8..1K")
        done, kind, file, given = self.of_page(*of_scan, "--html", "a b.html")
        self.assertEqual((done, kind, file), ((0, "", ""), "model", "a b.html"))
        self.assertEqual(given["cells"], json.loads(self.model("--bytes", "8..1K", "--json")[1]))
        done, *_ = self.of_page(*of_scan, "--html", "f.html", ends=1)
        self.assertIn('cannot make "f.html"', self.refused(done))
