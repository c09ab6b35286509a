#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""MPIGRAFT_REPORT as JSON: one file a job, with the calls and times of all ranks; parts where the ranks never met; and a
job that ends as it would natively when a rank does not finalize."""

import calendar
import fcntl
import json
import os
import re
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import launch

PART = re.compile(r"job\.json\.part-(\d+)-([0-9a-f]{16})-\d+$")
JOB = re.compile(r"job\.json\.job-[0-9a-f]{16}-\d+$")
CALLS, LATE_US = 20, 5000  # of measured.c
FIRST, FIRST_CALLS = "first calls of a communicator", 4  # which stay native


class Tests:
    def __init__(self, options, launcher, failures):
        self.command, self.program, self.other_hosts = options.command, options.program, options.other_hosts
        self.fortran, self.watch = options.fortran, options.watch
        self.launcher, self.expect = launcher, failures.expect

    def run(self, ranks, scene, folder, extra=(), **env):
        """Runs a job; returns the outcome and the files that it has left."""
        outcome = self.launcher.grafted(ranks, [self.program, scene, *map(str, extra)], {"MPIGRAFT_REPORT": f"{folder}/job.json", **env})
        return outcome, sorted(path.name for path in folder.iterdir())

    def shown(self, *arguments):
        done = subprocess.run([self.command, "report", *arguments], capture_output=True, text=True, check=False)
        self.expect(done.returncode == 0, f"mpigraft report {arguments}", done.stderr)
        return done.stdout

    def late(self, folder):
        """All ranks' calls, counted once; a rank that comes late makes the others wait, and is not waited for."""
        outcome, files = self.run(3, "late", folder)
        self.expect(outcome.code == 0 and files == ["job.json"], "late: files", files, outcome.stderr)
        report = json.loads((folder / "job.json").read_text())
        self.expect((report["kind"], report["ranks"], report["reporting"]) == ("report", 3, 3), "late: header", report)
        self.expect(len(report["rows"]) == 1, "late: rows", report)
        row = report["rows"][0]
        wanted = {"collective": "scan", "ranks": 3, "bytes_min": 8, "bytes_max": 8, "calls": CALLS,
                  "total_bytes": 8 * CALLS}
        self.expect(wanted.items() <= row.items() and row["ran"].startswith("scan/"), "late: row", row)
        schedules = report["schedules"]
        self.expect((schedules["made"], schedules["most_kept"]) == (3, 1) and schedules["most_bytes"] > 0,
                    "late: schedules", schedules)
        time = row["time"]
        self.expect((time["ranks"], time["calls"]) == (3, 3 * CALLS), "late: times", time)
        waited = CALLS * LATE_US * 1000
        self.expect(time["max_ns"] > 0.8 * waited and time["min_ns"] < 0.5 * time["max_ns"], "late: waiting", time)
        self.expect(time["min_ns"] + 2 * time["max_ns"] >= time["sum_ns"] >= 2 * time["min_ns"] + time["max_ns"],
                    "late: sum", time)
        self.expect(time["imbalance_percent"] == 100 * (time["max_ns"] - time["sum_ns"] // 3) // (time["sum_ns"] // 3),
                    "late: imbalance", time)
        rows = list(launch.REPORT_ROW.finditer(self.shown(str(folder / "job.json"))))
        self.expect(len(rows) == 1 and rows[0]["calls"] == str(CALLS), "late: as text", rows)

    def hosts(self, folder):
        """What identifies the job, and the time of its ranks, of which calls are a share."""
        on_hosts = f"{self.other_hosts}:{self.launcher.library}"
        began = time.time()
        self.run(4, "late", folder, LD_PRELOAD=on_hosts, PBS_JOBID="17.server", USER="ada")
        report = json.loads((folder / "job.json").read_text())
        job, row = report["jobs"][0], report["rows"][0]
        self.expect((len(report["jobs"]), job["id"], job["user"], job["program"], job["command"], job["ranks"], job["hosts"]) ==
                    (1, "17.server", "ada", "measured", f"{self.program} late", 4, [f"host-{i}" for i in range(4)]), "hosts", job)
        date = calendar.timegm(time.strptime(job["date"], "%Y-%m-%dT%H:%M:%SZ"))
        self.expect(began - 1 <= date <= time.time(), "hosts: date", job)
        waited = CALLS * LATE_US * 1000
        self.expect(job["time"]["ranks"] == 4 and 0.8 * waited < job["time"]["min_ns"] < 1e9 * (time.time() - began), "hosts: time", job)
        share = 1000 * row["time"]["sum_ns"] / job["time"]["sum_ns"]
        self.expect(0 < share < 1000 and abs(row["share_per_mille"] - share) <= 0.5, "hosts: share", row)

    def sites(self, folder):
        """Places in the program from which calls come are rows of their own; one may be none of rank 0."""
        self.run(3, "sites", folder, MPIGRAFT_REPORT=f"{folder}/job.json,sites")
        rows = json.loads((folder / "job.json").read_text())["rows"]
        calls = sorted((row["collective"], row["calls"], row["time"]["calls"]) for row in rows)
        self.expect(calls == [("barrier", CALLS, 3 * CALLS), ("bcast", 0, 2 * CALLS), ("bcast", CALLS, CALLS)], "sites: calls", rows)
        places = {row["site"] for row in rows}
        self.expect(len(places) == 3 and all(re.fullmatch(r"measured\+0x[0-9a-f]+", place) for place in places), "sites", rows)
        shown = self.shown(str(folder / "job.json"))
        self.expect(all(f", called at {place}\n" in shown for place in places), "sites: as text", shown)
        watched = {"LD_PRELOAD": f"{self.watch}:{self.launcher.library}", "MPIGRAFT_TIMEOUT": "100"}
        self.run(3, "sites", folder, MPIGRAFT_REPORT=f"{folder}/watched.json,sites", **watched)
        rows = json.loads((folder / "watched.json").read_text())["rows"]
        self.expect({row["site"] for row in rows} == places, "sites: watched", rows)
        for program in self.fortran:
            env = {"MPIGRAFT_REPORT": f"{folder}/fortran.json,sites"}
            outcome = self.launcher.grafted(2, [program], env)
            places = [row["site"] for row in json.loads((folder / "fortran.json").read_text())["rows"]]
            self.expect(outcome.code == 0 and places and all(place.startswith(Path(program).name + "+0x") for place in places),
                        "sites: through the bindings", places, outcome.stderr)

    def disabled(self, folder):
        """Native calls are counted and measured too, without a communicator of ours. A disabled process reports
        nothing."""
        outcome, files = self.run(2, "late", folder, MPIGRAFT_FORCE="native")
        self.expect(outcome.code == 0 and files == ["job.json"], "native: files", files, outcome.stderr)
        row = json.loads((folder / "job.json").read_text())["rows"][0]
        self.expect((row["ran"], row["reason"], row["time"]["ranks"]) == ("native", "MPIGRAFT_FORCE", 2), "native", row)
        (folder / "job.json").unlink()
        outcome, files = self.run(2, "late", folder, MPIGRAFT_DISABLE="1", MPIGRAFT_TIMEOUT="1", MPIGRAFT_CHECK="1")
        self.expect(outcome.code == 0 and not files, "disabled: files", files, outcome.stderr)

    def halves(self, folder):
        """Ranks that never met leave parts, which the command merges."""
        outcome, files = self.run(4, "halves", folder, MPIGRAFT_FORCE="scan=hillis_steele")  # set up at once
        self.expect(outcome.code == 0 and [PART.match(name)[1] for name in files] == ["0", "1", "2", "3"], "halves",
                    files, outcome.stderr)
        report = json.loads(self.shown("--json", str(folder / "job.json")))
        calls = {row["reason"] == FIRST: (row["calls"], row["time"]["calls"]) for row in report["rows"]}
        later = CALLS - FIRST_CALLS
        self.expect((report["reporting"], len(report["rows"])) == (4, 2) and calls ==
                    {True: (2 * FIRST_CALLS, 4 * FIRST_CALLS), False: (2 * later, 4 * later)}, "halves: merged", report)

    def sets_up(self, folder):
        """Each communicator counts once: as set up, or as one whose calls were too few. One of a single rank does not
        count. A rank that waits for another to begin a set-up spends that time in it."""
        for env in ({}, {"MPIGRAFT_FORCE": "native"}):
            outcome, _ = self.run(4, "sets_up", folder, **env)
            found = json.loads((folder / "job.json").read_text())["set_up"]
            time = found["time"]
            self.expect(outcome.code == 0 and (found["communicators"], found["too_few_calls"]) == (2, 5), "sets up", found)
            self.expect((time["ranks"], time["calls"]) == (4, 8), "sets up: ranks", time)
            self.expect(0 < time["min_ns"] < time["mean_ns"] and 0.8 * LATE_US * 1000 < time["max_ns"] < 1e10,
                        "sets up: time", time)
        shown = self.shown(str(folder / "job.json"), str(folder / "job.json"))
        self.expect(re.search(r"^@ set-up, all 8 ranks: 4 communicators, mean \S+ us a rank, max \S+ us; not set up, as calls "
                              r"were too few: 10 \(due after 30 us of native calls\)$", shown, re.MULTILINE),
                    "sets up: two reports as text", shown)

    def replaced(self, folder):
        """A job takes the place of all that earlier ones left, in one file or in parts."""
        for scene, ranks, parts, calls in (("halves", 4, 4, 2), ("halves", 2, 2, 2), ("late", 2, 0, 1), ("halves", 2, 2, 2),
                                         ("late", 2, 0, 1), ("late", 2, 0, 1)):
            outcome, files = self.run(ranks, scene, folder)
            self.expect(outcome.code == 0 and len(files) == max(parts, 1) and
                        sum(name != "job.json" for name in files) == parts, f"replaced by {scene}", files, outcome.stderr)
            report = json.loads(self.shown("--json", str(folder / "job.json")))
            self.expect((report["ranks"], report["reporting"], sum(row["calls"] for row in report["rows"])) ==
                        (ranks, ranks, calls * CALLS), f"replaced by {scene}: merged", report)

    def left_behind(self, folder):
        """The files of interrupted jobs go with the next one, but nothing that a running job may need."""
        self.run(2, "halves", folder)
        host = PART.match(next(folder.iterdir()).name)[2]
        ended = subprocess.Popen(["true"])
        ended.wait()
        goes = {f"{kind}-{host}-{ended.pid}" for kind in ("part-7", "new", "job")} | {f"part-5-{'a' * 16}-1"}
        stays = {f"part-7-{host}-{os.getpid()}", f"part-6-{'a' * 16}-1", "part-of-my-notes", "other"}
        for name in goes | stays:
            (folder / f"job.json.{name}").touch()
        old = time.time() - 2 * 24 * 3600
        for name in (f"part-5-{'a' * 16}-1", "part-of-my-notes", f"part-7-{host}-{os.getpid()}", "other"):
            os.utime(folder / f"job.json.{name}", (old, old))
        outcome, files = self.run(2, "late", folder)
        self.expect(outcome.code == 0 and set(files) == {"job.json"} | {f"job.json.{name}" for name in stays},
                    "left behind", files, outcome.stderr)

    def at_once(self, folder):
        """Jobs that run at the same time under one name: the first to end has it, the others are beside it."""
        self.run(2, "late", folder)  # whose place they take
        place = folder / "meeting"
        place.mkdir()
        run = lambda _: self.run(2, "meets", folder, extra=[place])[0]
        jobs = 4
        with ThreadPoolExecutor(jobs) as pool:
            outcomes = pool.map(run, range(jobs))
            deadline = time.monotonic() + 30
            while len(list(place.iterdir())) < jobs and time.monotonic() < deadline:
                time.sleep(0.01)
            (place / "go").touch()
        self.expect([outcome.code for outcome in outcomes] == [0] * jobs, "at once: exit codes")
        files = sorted(path.name for path in folder.iterdir() if path != place)
        self.expect(files[0] == "job.json" and [bool(JOB.match(name)) for name in files] == [False] + [True] * (jobs - 1),
                    "at once: files", files)
        report = json.loads(self.shown("--json", str(folder / "job.json")))
        self.expect((report["ranks"], report["reporting"], report["rows"][0]["calls"]) == (2 * jobs, 2 * jobs, 2 * jobs),
                    "at once: merged", report)

    def one_after_the_other(self, folder):
        """A job waits while another one looks whose place is free, but not for ever."""
        for released in (True, False):
            lock = os.open(folder, os.O_RDONLY)
            fcntl.flock(lock, fcntl.LOCK_EX)
            with ThreadPoolExecutor(1) as pool:
                job = pool.submit(self.run, 2, "finalizes", folder)
                deadline = time.monotonic() + 30
                while not list(folder.glob("*.new-*")) and time.monotonic() < deadline:
                    time.sleep(0.01)
                time.sleep(0.3)
                waits = list(folder.glob("*.new-*"))
                if released:
                    os.close(lock)
                outcome, files = job.result()
            self.expect(waits and outcome.code == 0 and files == ["job.json"], f"released {released}", waits, files)
            if not released:
                os.close(lock)

    def pairs(self, folder):
        """A reduction of a scan's result, by an operator over which the scan's distributes."""
        self.run(2, "pairs", folder)
        found = json.loads((folder / "job.json").read_text())["pairs"]
        wanted = {"first": "scan", "first_operator": "sum", "second": "reduce", "second_operator": "max",
                  "one_call": "MPIGRAFT_Scan_reduce", "distributes": 1, "ranks": 2, "bytes_min": 8, "bytes_max": 8,
                  "calls": CALLS}
        self.expect(found == [wanted], "pairs", found)
        self.expect("@ estimate: scan by sum, then reduce by max, 2 ranks" in self.shown(str(folder / "job.json")),
                    "pairs: saving", self.shown(str(folder / "job.json")))

    def brings(self, folder):
        """Calls that bring a reduction's result to all ranks."""
        self.run(2, "brings", folder)
        found = [[pair[key] for key in ("first", "first_operator", "second", "second_operator", "one_call", "bytes_max",
                                        "calls")] for pair in json.loads((folder / "job.json").read_text())["pairs"]]
        wanted = [["reduce", "sum", "bcast", "", "MPI_Allreduce", 8, CALLS],
                  ["reduce_scatter", "max", "allgather", "", "MPI_Allreduce", 16, CALLS],
                  ["scan", "sum", "allreduce", "max", "MPIGRAFT_Scan_allreduce", 8, CALLS]]
        self.expect(found == wanted, "brings", found)
        shown = self.shown(str(folder / "job.json"))
        self.expect("@ in a row: reduce by sum, then bcast of its result: 20 times, 2 ranks, 8-8 bytes; one MPI_Allreduce "
                    "does both" in shown, "brings: text", shown)

    def ends(self, folder):
        """Others wait in MPI_Finalize, where the reports are gathered, while a rank leaves without. Which rank's exit code
        mpiexec takes over is chance. In one of ten launches that of MPICH 4.2.1 has none, and that of MPICH 5 misses that a
        rank is gone, natively, too."""
        for scene in ("leaves", "aborts"):
            for _ in range(5):
                outcome, files = self.run(3, scene, folder)
                if outcome.code != 0 and not outcome.hung:
                    break
            self.expect(outcome.code != 0 and not outcome.hung, scene, outcome.code, outcome.hung, outcome.stderr)
            self.expect(not files, f"{scene}: files", files)

    def unwritable(self, folder):
        outcome, _ = self.run(2, "finalizes", folder,
                              MPIGRAFT_REPORT=f"{folder}/absent/job.json")
        self.expect(outcome.code == 0 and len(outcome.messages()) == 1 and
                    "MPIGRAFT_REPORT: cannot write" in outcome.messages()[0], "unwritable", outcome.stderr)

    def without(self, folder):
        """A job without a report on stderr says why, once."""
        for scene, why in (("counts_nothing", "the program made no call that it counts"),
                           ("exits", "the program ended without MPI_Finalize")):
            for name, told in (("stderr", 1), (f"{folder}/text", 0)):
                outcome, files = self.run(2, scene, folder, MPIGRAFT_REPORT=name)
                self.expect([f"no report: {why}" in message for message in outcome.messages()] == [True] * told and not files,
                            f"without: {scene}", outcome.stderr, files)


def main():
    parser = launch.arguments(__doc__, "--command", "program")
    parser.add_argument("--other-hosts", required=True, type=os.path.abspath, help="programs/other_hosts.c")
    parser.add_argument("--fortran", action="append", default=[], help="programs that call through MPICH's bindings")
    parser.add_argument("--watch", required=True, type=os.path.abspath, help="libmpigraft-watch of the same MPI")
    options, launcher, failures = launch.begin(parser, seconds=20, grafts_all=True)
    tests = Tests(options, launcher, failures)
    for test in (tests.late, tests.hosts, tests.sites, tests.disabled, tests.halves, tests.sets_up, tests.replaced, tests.left_behind, tests.at_once,
                 tests.one_after_the_other, tests.pairs, tests.brings, tests.ends, tests.unwritable,
                 tests.without):
        with tempfile.TemporaryDirectory(prefix="mpigraft-report-") as folder:
            test(Path(folder))
    failures.exit()


if __name__ == "__main__":
    main()
