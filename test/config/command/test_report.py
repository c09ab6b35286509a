# SPDX-License-Identifier: MIT
"""mpigraft report: reports merged, as text, JSON, page and plot."""
import json
import os
from xml.etree import ElementTree

from command_call import Folder, call, text_of, without_room

MACHINE = {"latency": "1us", "bandwidth": "1GB/s", "combine": "1GB/s"}
TEXT = """\
@ mpigraft 1.2.3  a <b>  all 4 ranks  table embedded
@ job 17 of ada, begun 2026-01-31T12:00:00Z, on 2 hosts: n1, n2; wall time 0.075 s: ./a <b>
@ ranks  call             bytes                  calls      time s   share    mean us  imbalance  ran                           reason
@     4  bcast            1024-1500                 50       0.030   10.0%      75.00         6%  bcast/linear_pipeline         rule at line 3 of the table
@     4  scan             8                        100       0.015    5.0%      37.50         6%  native                        no rule matches
@ set-up, all 4 ranks: 1 communicator, mean 3750.00 us a rank, max 4000.00 us; not set up, as calls were too few: 2 (due after 200 us of native calls)
@ schedules, all 4 ranks: 12 made, at most 3 kept by a rank (1.5 KiB)
@ messages in shared memory: 5 of 50 grafted calls
@ waiting, all 4 ranks: 1 waits on an oversubscribed node, 2 yields, 3 sleeps
@ estimates of one rank's time, by the model for latency 1us, bandwidth 1GB/s, combine 1GB/s; `mpigraft compare` measures
"""


def row(**changes):
    time = {"ranks": 4, "calls": 400, "sum_ns": 15000000, "min_ns": 3000000, "mean_ns": 3750000, "max_ns": 4000000,
            "min_call_ns": 30000, "mean_call_ns": 37500, "max_call_ns": 40000, "imbalance_percent": 6}
    return {"collective": "scan", "ranks": 4, "bytes_min": 8, "bytes_max": 8, "calls": 100, "total_bytes": 800,
            "ran": "native", "reason": "no rule matches", "time": time} | changes


def job_of(**changes):
    return {"program": "a <b>", "date": "2026-01-31T12:00:00Z", "id": "17", "user": "ada", "command": "./a <b>", "ranks": 4,
            "hosts": ["n1", "n2"], "time": row()["time"] | {"sum_ns": 300000000, "max_ns": 75000000}} | changes


def report(**changes):
    rows = [row(), row(collective="bcast", bytes_min=1024, bytes_max=1500, calls=50, total_bytes=60000,
                       ran="bcast/linear_pipeline", reason="rule at line 3 of the table",
                       time=row()["time"] | {"sum_ns": 30000000, "max_ns": 8000000}), row(calls=0, ran="scan/x")]
    return {"mpigraft": "1.2.3", "kind": "report", "program": "a <b>", "table": "embedded", "machine": MACHINE, "jobs": [job_of()],
            "ranks": 4, "reporting": 4, "first_rank": 0, "rows": rows, "learned": [],
            "verified": dict.fromkeys(("identical", "within rounding", "not judged", "different", "not compared"), 0),
            "set_up": {"communicators": 1, "too_few_calls": 2, "due_after_native_ns": 200000, "time": row()["time"]},
            "schedules": {"made": 12, "most_kept": 3, "most_bytes": 1536}, "grafted_calls": 50, "calls_in_shared_memory": 5,
            "waits": 1, "yields": 2, "sleeps": 3, "calls_on_copies": 0} | changes


def cells_of(page):
    """The texts of its table cells. A page is well-formed XML: every tag that is opened is closed."""
    return [cell.text for cell in ElementTree.fromstring(page).iter("td")]


class Report(Folder):
    def page(self, *jobs):
        self.assertEqual(call("report", *jobs, "--html", self.path("page.html")), (0, "", ""))
        return text_of(self.path("page.html"))

    def job(self, name="job.json", **changes):
        return self.write(name, json.dumps(report(**changes)))

    def test_text(self):
        out = self.fine(call("report", self.job()))
        self.assertEqual(out[:len(TEXT)], TEXT)
        savings = out[len(TEXT):].splitlines()
        self.assertEqual(len(savings), 2)
        # q = 2 rounds of 1.008 us, and what is combined in them; natively 30 us at least
        self.assertRegex(savings[1], r"^@ estimate: scan, 4 ranks, 8 bytes: scan/\w+ instead of native could save 0.0028 of 0.003 s$")
        self.assertRegex(savings[0], r"^@ estimate: bcast, 4 ranks, 1200 bytes: bcast/\w+ instead of bcast/linear_pipeline "
                                     r"could save \S+ of 0.0015 s$")

    def test_nothing_is_told_where_there_is_nothing_to_tell(self):
        rows = [row(reason="first calls of a communicator"), row(reason="a user operator gets whole vectors"),
                row(ranks=1, reason="one rank")]
        nothing = {"communicators": 0, "too_few_calls": 0, "due_after_native_ns": 200000, "time": row()["time"]}
        status, out, err = call("report", self.job(rows=rows, set_up=nothing, schedules={"made": 0, "most_kept": 0, "most_bytes": 0},
                               grafted_calls=0, waits=0, yields=0, sleeps=0))
        self.assertEqual((status, err, len(out.splitlines())), (0, "", 3 + len(rows)), out)
        few = call("report", self.job(rows=rows, set_up=nothing | {"too_few_calls": 7}))[1]
        self.assertIn("\n@ set-up, all 4 ranks: 0 communicators; not set up, as calls were too few: 7 (due after 200 us of native "
                      "calls)\n", few)

    def test_places(self):
        place = "solver+0x1a3f (step)"
        job = self.job(rows=[row(site=place), row(calls=0, site="solver+0x2"), row()])
        out = self.fine(call("report", job))
        rows = [line for line in out.splitlines() if line.startswith("@     4  scan")]
        self.assertEqual([line[line.index("no rule"):] for line in rows],
                         [f"no rule matches, called at {place}", "no rule matches, called at solver+0x2", "no rule matches"])
        read = json.loads(call("report", "--json", job)[1])["rows"]
        self.assertEqual(read[0]["site"], place)
        self.assertEqual(cells_of(self.page(job)).count(place), 1)

    def test_every_line_begins_alike_whatever_texts_contain(self):
        odd = "a\n\tb"
        texts = {"mpigraft": odd, "table": odd, "learned": [odd]}
        lists = {"rows": [row(ran=odd, reason=odd, site=odd)]}
        one = self.job(program=odd, **texts, **lists, jobs=[job_of(program=odd, date=odd, id=odd, user=odd, command=odd, hosts=[odd])])
        for jobs, times in ((one,), 12), ((one, self.job("other.json")), 9):
            out = self.fine(call("report", *jobs))
            self.assertEqual([line for line in out.splitlines() if not line.startswith("@ ")], [])
            self.assertEqual(out.count("a\\x0a\\x09b"), times, out)

    def test_jobs_are_added(self):
        other = self.job("other.json", ranks=2, reporting=2, rows=[row(), row(ranks=2)], jobs=[job_of(id="18", ranks=2)])
        document = json.loads(call("report", "--json", self.job(), other)[1])
        self.assertEqual((document["program"], document["ranks"], document["reporting"]), ("a <b>", 6, 6))
        self.assertEqual([job["id"] for job in document["jobs"]], ["17", "18"])
        self.assertEqual([(r["ranks"], r["calls"], r["share_per_mille"]) for r in document["rows"] if r["calls"]],
                         [(4, 200, 50), (4, 50, 50), (2, 100, 25)])
        self.assertEqual(document["rows"][0]["time"]["ranks"], 8)
        self.assertIn("\n@ 2 jobs, 6 ranks, wall time 0.150 s, begun 2026-01-31T12:00:00Z\n",
                      call("report", self.job(), other)[1])
        set_up = document["set_up"]
        self.assertEqual((set_up["communicators"], set_up["too_few_calls"], set_up["due_after_native_ns"],
                          set_up["time"]["sum_ns"], set_up["time"]["max_ns"]), (2, 4, 200000, 30000000, 4000000))
        self.assertEqual(document["schedules"], {"made": 24, "most_kept": 3, "most_bytes": 1536})
        dateless = job_of(date="", hosts=["n1", "n2", "n3", "n4", "n5"])
        self.assertIn("\n@ job 17 of ada, on 5 hosts: n1, n2, n3, n4, ...; wall time 0.075 s: ./a <b>\n",
                      call("report", self.job(jobs=[dateless]))[1])
        self.assertIn("\n@ 2 jobs, 8 ranks, wall time 0.150 s\n", call("report", self.job(jobs=[dateless, dateless]))[1])

    def test_very_long_times_and_other_tables(self):
        years = [self.job(f"{n}.json", table=f"t{n}", rows=[row(time={**row()["time"], "sum_ns": 4 * 10**18})]) for n in range(3)]
        out = self.fine(call("report", *years))
        self.assertIn("table t0, t1, t2\n", out)
        self.assertRegex(out, r"\n@ +4  scan +8 +300  9223372036\.855 ")

    def test_a_file_that_is_named_twice_counts_once(self):
        one, other = self.job(), self.job("job.json.job-1-2")
        for names in (one,), (one, other), (one, self.path(".", "job.json"), other):
            self.assertEqual([job["id"] for job in json.loads(call("report", "--json", *names)[1])["jobs"]], ["17", "17"])

    def test_files_that_are_no_reports(self):
        for name, problem in ((self.folder, "is a directory; name the file in it"),
                              (self.path("absent"), "No such file or directory; check the path and its permissions"),
                              (self.path("a" * 300), "File name too long; check the path and its permissions")):
            self.assertEqual(self.refused(call("report", name)),
                             f"mpigraft: cannot read {name}: {problem}; MPIGRAFT_REPORT=FILE.json makes a report\n")
        text = self.write("t", TEXT)
        self.assertIn(f"mpigraft: {text}: a report as text; MPIGRAFT_REPORT=FILE.json makes one",
                      self.refused(call("report", text)))

    def test_what_others_put_into_a_folder_of_reports(self):
        """No pipe or device is read, and what cannot be read does not hide the rest."""
        pipe, device, broken = self.path("pipe.json"), self.path("zero.json"), self.write("broken.json", '{"mpigraft": ')
        os.mkfifo(pipe)
        os.symlink("/dev/zero", device)
        for name in pipe, device:
            self.assertEqual(self.refused(call("report", name)), f"mpigraft: cannot read {name}: is not a regular file; copy it "
                             "into one; MPIGRAFT_REPORT=FILE.json makes a report\n")
        out, err = self.ended(call("report", "--json", pipe, self.job(), device, broken), 1)
        self.assertEqual([job["id"] for job in json.loads(out)["jobs"]], ["17"])
        self.assertEqual(len(err.splitlines()), 3)
        with open(self.job(), encoding="utf-8") as file:
            self.assertIn("@ job 17 of ada", self.fine(call("report", "/dev/stdin", stdin=file)))

    def test_programs_are_kept_apart(self):
        others = [self.job(f"{number}.json", program="c", jobs=[job_of(program="c", date=f"2026-02-0{number}T00:00:00Z")])
                  for number in (1, 2)]
        out = self.fine(call("report", self.job(), *others))
        self.assertTrue(out.startswith("@ mpigraft 1.2.3  a <b>, c  all 12 ranks  table embedded\n@ program a <b>: 1 job, 4 "), out)
        of_a, of_c = out.split("@ program c: 2 jobs, 8 ranks, wall time 0.150 s, begun 2026-02-01T00:00:00Z to "
                               "2026-02-02T00:00:00Z\n")
        for text, calls in ((of_a, 100), (of_c, 200)):
            self.assertRegex(text, rf"(?m)^@     4  scan             8 +{calls} .* 5\.0% .*$")
            self.assertEqual(text.count("@     4  scan"), 1)
        self.assertIn(" s in c\n", of_c)
        cells = cells_of(self.page(self.job(), *others))
        self.assertEqual((cells.count("ada"), cells.count("n1, n2")), (3, 3))

    def merged(self, *ranks):
        """What ranks of a job tell together, each by such members of its report."""
        for rank, changes in enumerate(ranks):
            self.job(f"job.json.part-{rank}-{'a' * 16}-{rank}", reporting=1, first_rank=rank, **changes)
        return json.loads(call("report", "--json", self.path("job.json"))[1])

    def test_times_over_ranks(self):
        def time(calls, ns):
            mean = ns // max(calls, 1)
            return {"ranks": min(calls, 1), "calls": calls, "sum_ns": ns, "min_ns": ns, "max_ns": ns, "min_call_ns": mean,
                    "max_call_ns": mean}
        row_, = self.merged(*({"rows": [row(time=one)]} for one in (time(10, 1000), time(0, 0), time(5, 3000))))["rows"]
        self.assertEqual(row_["time"], {"ranks": 2, "calls": 15, "sum_ns": 4000, "min_ns": 1000, "mean_ns": 2000,
                                        "max_ns": 3000, "min_call_ns": 100, "mean_call_ns": 266, "max_call_ns": 600,
                                        "imbalance_percent": 50})

    def test_rows_alike_in_all_but_their_exact_size_are_one(self):
        of_rank_1 = [row(bytes_min=15, bytes_max=15, calls=0, total_bytes=0), row(bytes_min=16, bytes_max=16),
                     row(ran="scan/binomial"), row(nonblocking=True)]
        rows = self.merged({"rows": [row()]}, {"rows": of_rank_1})["rows"]
        self.assertEqual([(one["bytes_min"], one["bytes_max"], one["calls"], one["time"]["ranks"]) for one in rows],
                         [(8, 15, 100, 8), (16, 16, 100, 4), (8, 8, 100, 4), (8, 8, 100, 4)])
        self.assertEqual((rows[0]["total_bytes"], rows[2]["ran"], rows[3]["nonblocking"]), (800, "scan/binomial", True))
        self.assertIn("  iscan            8 ", call("report", self.path("job.json"))[1])

    def test_what_ranks_of_a_job_have_counted_is_added(self):
        counted = {"verified": dict(zip(report()["verified"], range(1, 6))), "calls_on_copies": 11}
        both = self.merged(*({"learned": [f"by {host}"], "jobs": [job_of(hosts=[host])]} | counted for host in ("n2", "n1")))
        self.assertEqual((both["first_rank"], both["sleeps"], both["calls_on_copies"]), (0, 6, 22))
        self.assertEqual([*both["verified"].values()], [2, 4, 6, 8, 10])
        self.assertEqual(both["learned"], ["by n2", "by n1"])
        self.assertEqual([(one["hosts"], one["time"]["ranks"]) for one in both["jobs"]], [(["n1", "n2"], 8)])
        again = self.write("again.json", json.dumps(both))
        self.assertEqual(json.loads(call("report", "--json", again)[1]), both)

    def test_parts_are_one_job_and_jobs_of_one_name_are_added(self):
        """Reports of one name: of ranks that never met, of whole jobs at the same time, and of the one that was first; not
        one that is being written."""
        self.write(f"job.json.new-{'a' * 16}-5", "interrupted")
        for rank, pid, told in ((0, 1, (4, 1)), (11, 2, (4, 2)), (0, 3, (8, 3))):
            self.job(f"job.json.part-{rank}-{'a' * 16}-{pid}", reporting=1, first_rank=rank)
            self.assertEqual(self.ranks(), told)
        self.assertEqual(call("report", "--json", "job.json", cwd=self.folder)[0], 0)
        for pid in (7, 8):
            self.job(f"job.json.job-{'a' * 16}-{pid}")
        self.assertEqual(self.ranks(), (16, 11))
        self.job("job.json")
        self.job("job.json5")
        self.assertEqual(self.ranks(), (20, 15))

    def ranks(self):
        document = json.loads(call("report", "--json", self.path("job.json"))[1])
        return document["ranks"], document["reporting"]

    def test_json_is_a_report_again(self):
        _, out, _ = call("report", "--json", self.job())
        first = json.loads(out)
        self.assertGreater(first["rows"][1]["model"]["saving_s"], 0)
        self.assertIsNone(first["rows"][1]["model"]["ran_s"])
        self.assertEqual(json.loads(call("report", "--json", self.write("again.json", out))[1]), first)

    def test_what_is_no_report(self):
        broken = self.write("broken.json", '{\n"kind": "table"}')
        self.assertEqual(call("report", broken), (2, "", f'mpigraft: {broken}:1:1: this is not a report: "kind" is not "report"\n'))
        good = json.dumps(report())
        for old, new, problem in (('"calls": 100,', '"calls": -1,', ": /rows/0/calls: -1 is negative"),
                                  ('"calls": 100,', '"calls": "",', ": /rows/0/calls: expected an integer, found a string"),
                                  ('"calls": 100,', "", ': /rows/0: missing key "calls"'),
                                  ('"calls": 100,', '"calls": 100, "nonblocking": 1,',
                                   ": /rows/0/nonblocking: expected a boolean, found an integer"),
                                  ('"jobs"', '"job"', ': missing key "jobs"'),
                                  ('"scan"', '"gather"', ': /rows/0/collective: "gather" is not a collective'),
                                  ('"1us"', '"fast"', ': /machine/latency: "fast" is not a latency; write '), ("{", "[", ":1:"), (good, "", ":1:"),
                                  (good, "[]", ":1:1: ")):
            self.assertIn(problem, self.refused(call("report", self.write("broken.json", good.replace(old, new, 1)))))

    def priced(self, **changes):
        """What the model says of the rows of a report."""
        document = json.loads(self.fine(call("report", "--json", self.job(**changes))))
        return [row.get("model") for row in document["rows"]]

    def test_what_is_not_priced(self):
        """Absurd figures, calls of more ranks than the model replays soon, and calls that do not block."""
        rows = [row(ranks=1 << 60), row(ranks=1 << 20), row(total_bytes=1 << 62), row(nonblocking=True)]
        self.assertEqual(self.priced(rows=rows), 4 * [None])

    def test_what_saves_nothing(self):
        """Native calls that a table could not have chosen otherwise, and algorithms of other releases."""
        rows = [row(reason=reason) for reason in ("MPIGRAFT_FORCE", "rule at line 3", "MPIGRAFT_DISABLE")] + [row(ran="scan/later")]
        self.assertEqual([model["saving_s"] > 0 for model in self.priced(rows=rows)], [True, True, False, False])

    def test_page_and_page_of_an_empty_report(self):
        text = self.page(self.job())
        tags = ElementTree.fromstring(text).iter()
        self.assertEqual([tag.get(name) for tag in tags for name in ("href", "src") if name in tag.keys()], ["data:,"])
        for cell in ("scan", "bcast", "1 KiB – 1500 B", "100", "no rule matches", "linear_pipeline", "58.6 KiB", "15.0 ms"):
            self.assertIn(cell, cells_of(text))
        for line in TEXT.splitlines()[5:9]:
            self.assertIn(f"<p>{line.removeprefix('@ ')}</p>\n", text)
        self.assertNotIn("scan/x", text)
        self.assertNotIn("a <b>", text)
        self.assertIn("a &lt;b&gt;", text)
        ElementTree.fromstring(self.page(self.job(rows=[])))
        self.assertNotIn("<h2>Jobs", self.page(self.job(jobs=[])))

    def test_a_page_that_there_is_no_room_for(self):
        job, page, before = self.job(), self.path("page.html"), self.page(self.job())
        self.assertIn(f'cannot make "{page}"\n', self.refused(without_room("report", job, "--html", page)))
        self.assertEqual((text_of(page), sorted(os.listdir(self.folder))), (before, ["job.json", "page.html"]))

    def test_what_the_page_is_made_from(self):
        done, kind, file, drawn = self.of_page("report", self.job(), "--html", "a b.html")
        self.assertEqual((done, kind, file), ((0, "", ""), "report", "a b.html"))
        listed = {entry["collective"]: entry["function"] for entry in json.loads(call("list", "--json")[1])}
        self.assertEqual([f"@ {note}" for note in drawn.pop("notes")], TEXT.splitlines()[5:9])
        self.assertEqual({entry["name"]: entry["function"] for entry in drawn.pop("collectives")}, listed)
        self.assertEqual(drawn, json.loads(call("report", "--json", self.job())[1]))
