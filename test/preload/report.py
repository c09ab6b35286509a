# SPDX-License-Identifier: MIT
"""MPIGRAFT_REPORT as JSON: one file a job, with the calls and times of all ranks; parts where the ranks never met; and a
job that ends as it would natively when a rank does not finalize."""

import calendar
import fcntl
import json
import os
import re
import shutil
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


class Jobs:
    """Jobs that leave their reports in a folder."""

    def __init__(self, bench, folder):
        self.bench, self.launcher, self.expect, self.folder = bench, bench.launcher, bench.expect, folder
        self.program = bench.program("measured")

    def run(self, ranks, scene, *extra, name="job.json", **env):
        """Runs a job; returns the outcome and the files that it has left."""
        settings = {"MPIGRAFT_REPORT": f"{self.folder}/{name}", **env}
        outcome = self.launcher.grafted(ranks, [self.program, scene, *map(str, extra)], settings)
        return outcome, sorted(path.name for path in self.folder.iterdir())

    def report(self, name="job.json"):
        return json.loads((self.folder / name).read_text())

    def shown(self, *options):
        """What the command says of the report."""
        done = self.bench.mpigraft("report", *options, self.folder / "job.json")
        self.expect(done.code == 0, f"mpigraft report {options}", done)
        return done.stdout


class Tests(Jobs):
    def late(self):
        """All ranks' calls, counted once; a rank that comes late makes the others wait, and is not waited for."""
        outcome, files = self.run(3, "late")
        self.expect(outcome.code == 0 and files == ["job.json"], "late: files", files, outcome.stderr)
        report = self.report()
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
        rows = list(launch.REPORT_ROW.finditer(self.shown()))
        self.expect(len(rows) == 1 and rows[0]["calls"] == str(CALLS), "late: as text", rows)

    def hosts(self):
        """What identifies the job, and the time of its ranks, of which calls are a share."""
        on_hosts = f"{self.bench.program('other_hosts.so')}:{self.launcher.library}"
        began = time.time()
        self.run(4, "late", LD_PRELOAD=on_hosts, PBS_JOBID="17.server", USER="ada")
        report = self.report()
        job, row = report["jobs"][0], report["rows"][0]
        self.expect((len(report["jobs"]), job["id"], job["user"], job["program"], job["command"], job["ranks"], job["hosts"]) ==
                    (1, "17.server", "ada", "measured", f"{self.program} late", 4, [f"host-{i}" for i in range(4)]), "hosts", job)
        date = calendar.timegm(time.strptime(job["date"], "%Y-%m-%dT%H:%M:%SZ"))
        self.expect(began - 1 <= date <= time.time(), "hosts: date", job)
        waited = CALLS * LATE_US * 1000
        self.expect(job["time"]["ranks"] == 4 and 0.8 * waited < job["time"]["min_ns"] < 1e9 * (time.time() - began),
                    "hosts: time", job)
        share = 1000 * row["time"]["sum_ns"] / job["time"]["sum_ns"]
        self.expect(0 < share < 1000 and abs(row["share_per_mille"] - share) <= 0.5, "hosts: share", row)

    def sites(self):
        """Places in the program from which calls come are rows of their own; one may be none of rank 0."""
        self.run(3, "sites", name="job.json,sites")
        rows = self.report()["rows"]
        calls = sorted((row["collective"], row["calls"], row["time"]["calls"]) for row in rows)
        self.expect(calls == [("barrier", CALLS, 3 * CALLS), ("bcast", 0, 2 * CALLS), ("bcast", CALLS, CALLS)],
                    "sites: calls", rows)
        places = {row["site"] for row in rows}
        self.expect(len(places) == 3 and all(re.fullmatch(r"measured\+0x[0-9a-f]+", place) for place in places), "sites", rows)
        shown = self.shown()
        self.expect(all(f", called at {place}\n" in shown for place in places), "sites: as text", shown)
        watched = {"LD_PRELOAD": f"{self.bench.options.watch}:{self.launcher.library}", "MPIGRAFT_TIMEOUT": "100"}
        self.run(3, "sites", name="watched.json,sites", **watched)
        rows = self.report("watched.json")["rows"]
        self.expect({row["site"] for row in rows} == places, "sites: watched", rows)
        for name in filter(os.path.exists, map(self.bench.program, ("sums_mpifh", "sums_f08"))):
            self.program = name
            outcome, _ = self.run(2, "", name="fortran.json,sites")
            places = [row["site"] for row in self.report("fortran.json")["rows"]]
            self.expect(outcome.code == 0 and places and all(place.startswith(Path(name).name + "+0x") for place in places),
                        "sites: through the bindings", places, outcome.stderr)

    def disabled(self):
        """Native calls are counted and measured too, without a communicator of ours. A disabled process reports
        nothing."""
        outcome, files = self.run(2, "late", MPIGRAFT_FORCE="native")
        self.expect(outcome.code == 0 and files == ["job.json"], "native: files", files, outcome.stderr)
        row = self.report()["rows"][0]
        self.expect((row["ran"], row["reason"], row["time"]["ranks"]) == ("native", "MPIGRAFT_FORCE", 2), "native", row)
        (self.folder / "job.json").unlink()
        outcome, files = self.run(2, "late", MPIGRAFT_DISABLE="1", MPIGRAFT_TIMEOUT="1", MPIGRAFT_CHECK="1")
        self.expect(outcome.code == 0 and not files, "disabled: files", files, outcome.stderr)

    def halves(self):
        """Ranks that never met leave parts, which the command merges."""
        outcome, files = self.run(4, "halves", MPIGRAFT_FORCE="scan=hillis_steele")  # set up at once
        self.expect(outcome.code == 0 and [PART.match(name)[1] for name in files] == ["0", "1", "2", "3"], "halves",
                    files, outcome.stderr)
        report = json.loads(self.shown("--json"))
        calls = {row["reason"] == FIRST: (row["calls"], row["time"]["calls"]) for row in report["rows"]}
        later = CALLS - FIRST_CALLS
        self.expect((report["reporting"], len(report["rows"])) == (4, 2) and calls ==
                    {True: (2 * FIRST_CALLS, 4 * FIRST_CALLS), False: (2 * later, 4 * later)}, "halves: merged", report)

    def between(self):
        """Calls on an intercommunicator of 2 and 1 ranks are no first calls, nor those of one rank. Those of no data are
        alike on all communicators."""
        outcome, _ = self.run(3, "between")
        rows = sorted((row["reason"], row["ranks"], row["calls"], row["total_bytes"])
                      for row in json.loads(self.shown("--json"))["rows"])
        self.expect(outcome.code == 0 and rows == [
            (FIRST, 2, 2, 0), ("intercommunicator", 1, CALLS, 0), ("intercommunicator", 2, CALLS, 0), ("one rank", 1, 2, 0),
            ("one rank", 1, 3, 24), ("zero bytes", 3, 2, 0)], "between", rows)

    def sets_up(self):
        """Each communicator counts once: as set up, or as one whose calls were too few. One of a single rank does not
        count. A rank that waits for another to begin a set-up spends that time in it."""
        for env in ({}, {"MPIGRAFT_FORCE": "native"}):
            outcome, _ = self.run(4, "sets_up", **env)
            found = self.report()["set_up"]
            time = found["time"]
            self.expect(outcome.code == 0 and (found["communicators"], found["too_few_calls"]) == (2, 5), "sets up", found)
            self.expect((time["ranks"], time["calls"]) == (4, 8), "sets up: ranks", time)
            self.expect(0 < time["min_ns"] < time["mean_ns"] and 0.8 * LATE_US * 1000 < time["max_ns"] < 1e10,
                        "sets up: time", time)
        shown = self.shown(shutil.copy(self.folder / "job.json", self.folder / "other.json"))
        self.expect(re.search(r"^@ set-up, all 8 ranks: 4 communicators, mean \S+ us a rank, max \S+ us; not set up, as calls "
                              r"were too few: 10 \(due after 200 us of native calls\)$", shown, re.MULTILINE),
                    "sets up: two reports as text", shown)

    def crowded(self):
        """Where MPI spins although ranks outnumber cores, no more first calls of the halves stay native than must."""
        outcome, _ = self.run(4, "crowded")
        first = [row["calls"] for row in self.report()["rows"] if row["reason"] == FIRST]
        if "spins" in outcome.stdout and len(os.sched_getaffinity(0)) < 4:
            self.expect(outcome.code == 0 and first == [2 * FIRST_CALLS], "crowded", first)

    def saves(self):
        """Calls that are estimated at 1 ms, of whatever communicators, pay for shared memory, so one of five communicators
        of 0.25 ms gets some. Those that live after these take it over."""
        outcome, _ = self.run(2, "saves")
        found = self.report()["set_up"]
        self.expect(outcome.code == 0 and (found["communicators"], found["too_few_calls"]) == (1 + 2 + 10, 8), "saves", found)

    def replaced(self):
        """A job takes the place of all that earlier ones left, in one file or in parts."""
        for scene, ranks, parts, calls in (("halves", 4, 4, 2), ("halves", 2, 2, 2), ("late", 2, 0, 1), ("halves", 2, 2, 2),
                                         ("late", 2, 0, 1), ("late", 2, 0, 1)):
            outcome, files = self.run(ranks, scene)
            self.expect(outcome.code == 0 and len(files) == max(parts, 1) and
                        sum(name != "job.json" for name in files) == parts, f"replaced by {scene}", files, outcome.stderr)
            report = json.loads(self.shown("--json"))
            self.expect((report["ranks"], report["reporting"], sum(row["calls"] for row in report["rows"])) ==
                        (ranks, ranks, calls * CALLS), f"replaced by {scene}: merged", report)

    def left_behind(self):
        """The files of interrupted jobs go with the next one, but nothing that a running job may need."""
        self.run(2, "halves")
        host = PART.match(next(self.folder.iterdir()).name)[2]
        ended = subprocess.Popen(["true"])
        ended.wait()
        goes = {f"{kind}-{host}-{ended.pid}" for kind in ("part-7", "new", "job")} | {f"part-5-{'a' * 16}-1"}
        stays = {f"part-7-{host}-{os.getpid()}", f"part-6-{'a' * 16}-1", "part-of-my-notes", "other"}
        for name in goes | stays:
            (self.folder / f"job.json.{name}").touch()
        old = time.time() - 2 * 24 * 3600
        for name in (f"part-5-{'a' * 16}-1", "part-of-my-notes", f"part-7-{host}-{os.getpid()}", "other"):
            os.utime(self.folder / f"job.json.{name}", (old, old))
        outcome, files = self.run(2, "late")
        self.expect(outcome.code == 0 and set(files) == {"job.json"} | {f"job.json.{name}" for name in stays},
                    "left behind", files, outcome.stderr)

    def at_once(self):
        """Jobs that run at the same time under one name: the first to end has it, the others are beside it."""
        self.run(2, "late")  # whose place they take
        place = self.folder / "meeting"
        place.mkdir()
        jobs = 4
        with ThreadPoolExecutor(jobs) as pool:
            outcomes = [pool.submit(self.run, 2, "meets", place) for _ in range(jobs)]
            launch.wait_until(lambda: len(list(place.iterdir())) >= jobs, 30)
            (place / "go").touch()
        self.expect([outcome.result()[0].code for outcome in outcomes] == [0] * jobs, "at once: exit codes")
        files = sorted(path.name for path in self.folder.iterdir() if path != place)
        self.expect(files[0] == "job.json" and [bool(JOB.match(name)) for name in files] == [False] + [True] * (jobs - 1),
                    "at once: files", files)
        report = json.loads(self.shown("--json"))
        self.expect((report["ranks"], report["reporting"], report["rows"][0]["calls"]) == (2 * jobs, 2 * jobs, 2 * jobs),
                    "at once: merged", report)

    def one_after_the_other(self):
        """A job waits while another one looks whose place is free, but not for ever."""
        for released in (True, False):
            lock = os.open(self.folder, os.O_RDONLY)
            fcntl.flock(lock, fcntl.LOCK_EX)
            with ThreadPoolExecutor(1) as pool:
                job = pool.submit(self.run, 2, "finalizes")
                launch.wait_until(lambda: list(self.folder.glob("*.new-*")), 30)
                time.sleep(0.3)
                waits = list(self.folder.glob("*.new-*"))
                if released:
                    os.close(lock)
                outcome, files = job.result()
            self.expect(waits and outcome.code == 0 and files == ["job.json"], f"released {released}", waits, files)
            if not released:
                os.close(lock)

    def ends(self):
        """Others wait in MPI_Finalize, where the reports are gathered, while a rank leaves without. Which rank's exit code
        mpiexec takes over is chance. In one of ten launches that of MPICH 4.2.1 has none, and that of MPICH 5 misses that a
        rank is gone, natively, too."""
        for scene in ("leaves", "aborts"):
            for _ in range(5):
                outcome, files = self.run(3, scene)
                if outcome.code != 0 and not outcome.hung:
                    break
            self.expect(outcome.code != 0 and not outcome.hung, scene, outcome.code, outcome.hung, outcome.stderr)
            self.expect(not files, f"{scene}: files", files)

    def unwritable(self):
        outcome, _ = self.run(2, "finalizes", name="absent/job.json")
        self.expect(outcome.code == 0 and len(outcome.messages()) == 1 and
                    "MPIGRAFT_REPORT: cannot write" in outcome.messages()[0], "unwritable", outcome.stderr)

    def without(self):
        """A job without a report on stderr says why, once."""
        few = "the program made no call that it counts (`mpigraft report --help`), or only on single ranks"
        for scene, why in (("counts_nothing", few), ("alone", few), ("exits", "the program ended without MPI_Finalize")):
            for name, told in (("stderr", 1), (f"{self.folder}/text", 0)):
                outcome, files = self.run(2, scene, MPIGRAFT_REPORT=name)
                self.expect([f"no report: {why}" in message for message in outcome.messages()] == [True] * told and not files,
                            f"without: {scene}", outcome.stderr, files)


@launch.case
def report(bench):
    bench.launcher.seconds, bench.launcher.grafts_all = 20, True
    for test in filter(callable, vars(Tests).values()):
        with tempfile.TemporaryDirectory(prefix="mpigraft-report-") as folder:
            test(Tests(bench, Path(folder)))
