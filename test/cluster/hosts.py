#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Unmodified programs with libmpigraft.so preloaded on several emulated hosts (scripts/cluster), where nodes are real:
`hosts.py NAME` runs a case. Skipped, with the reason, where hosts cannot be made."""

import functools
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "test/preload"))

import collectives  # noqa: E402
import launch  # noqa: E402

CLUSTER = ROOT / "scripts/cluster"
HOSTS, RANKS = 3, 4  # even, so that halves have as many ranks on each host, too, as lanes need
LONG_CALLS, BEFORE_SECONDS = 4000, 3
TABLE = collectives.table(*collectives.rules(scan="hierarchical", exscan="lane", bcast="hierarchical", reduce="lane"))


class Hosts(launch.Bench):
    """Runs a shell's command line on every rank; $first is 1 on the ranks of the first host."""

    def __init__(self, *args):
        super().__init__(*args)
        self.sums, self.long_program = self.program("prefix_sums"), f"{self.program('long_run')} {LONG_CALLS} 0"
        probe = launch.run([CLUSTER, "run", "--hosts", "2", "--build", self.options.build, "true"], 200)
        if probe.code:
            raise launch.Skipped(probe.stderr.strip())

    def command(self, line, *more):
        return [CLUSTER, "run", "--hosts", str(HOSTS), "--ranks", str(RANKS), "--rate", "100mbit", "--seconds",
                "150", "--build", self.options.build, *more, "--", "sh", "-c",
                'first=0; [ "$(hostname)" = mpigraft-h0 ] && first=1; ' + line]

    def native(self):
        return launch.run(self.command(f"exec {self.sums}"), 200)

    def grafted(self, line, env=(), program=None):
        """A grafted run, with LD_PRELOAD only for the program; `line` comes before it."""
        report = self.folder / "report"
        report.unlink(missing_ok=True)
        more = [word for pair in (*env, f"MPIGRAFT_REPORT={report}") for word in ("--env", pair)]
        preload = f"export LD_PRELOAD=$LD_PRELOAD:{self.options.library}; exec {program or self.sums}"
        outcome = launch.run(self.command(f"{line} {preload}", *more), 200)
        outcome.report = report.read_text(errors="replace") if report.exists() else ""
        return outcome

    def expect_right(self, outcome, native):
        self.expect(outcome.code == 0, "not right", outcome)
        self.failures.expect_alike("output", sorted(native.stdout.splitlines()), sorted(outcome.stdout.splitlines()))

    def expect_ran(self, outcome, wanted):
        """At least what is wanted; if that is nothing, then nothing of ours."""
        ran = {row["ran"].split("@")[0] for row in outcome.rows()} - {"native"}
        right = set(wanted) <= ran if wanted else not ran and outcome.rows()
        self.expect(right, f"ran {sorted(ran)}, wanted {sorted(wanted)}\n{outcome.report}")


def case(function):
    @launch.case
    @functools.wraps(function)
    def leaves_nothing(hosts):
        function(hosts)
        left = launch.run(["ip", "netns", "list"], 60).stdout
        hosts.expect("mpigraft-" not in left, f"namespaces stay: {left}")


@case
def node_aware(hosts):
    """Every node-aware algorithm on real nodes; strict: none may fall back."""
    native = hosts.native()
    for algorithm in ("hierarchical", "lane", "smp_tree_a", "smp_tree_b"):
        calls = [call for call, name in collectives.ALGORITHMS if name == algorithm]
        force = ",".join(f"{call}={algorithm}" for call in calls)
        outcome = hosts.grafted("", [f"MPIGRAFT_FORCE={force},strict"])
        hosts.expect_right(outcome, native)
        hosts.expect_ran(outcome, [f"{call}/{algorithm}" for call in calls])


@case
def table_on_one_host(hosts):
    """Each host has its own /dev/shm. Rank 0's table is for all ranks; if rank 0 lacks it, all calls are native."""
    native = hosts.native()
    table = hosts.folder / "table.json"
    table.write_text(TABLE)
    env = ["MPIGRAFT_TABLE=/dev/shm/table.json"]
    for has, wanted in (("1", ["scan/hierarchical", "exscan/lane"]), ("0", [])):
        once = f"cp {table} /dev/shm/$$ && mv /dev/shm/$$ /dev/shm/table.json"  # by each rank of the host
        outcome = hosts.grafted(f"[ $first = {has} ] && {once};", env)
        hosts.expect_right(outcome, native)
        hosts.expect_ran(outcome, wanted)
        named = "/dev/shm/table.json" in outcome.stderr
        hosts.expect(named == (has == "0"), f"table on host 0: {has}, message {outcome.stderr}")


@case
def environment_differs(hosts):
    native = hosts.native()
    outcome = hosts.grafted("[ $first = 1 ] && export MPIGRAFT_FORCE=scan=hierarchical;")
    hosts.expect_right(outcome, native)
    rows = outcome.rows()
    hosts.expect(rows and all(row["ran"] == "native" for row in rows), "not native", outcome)
    hosts.expect("differ" in outcome.stderr, f"no message: {outcome.stderr}")


def processes_of(host):
    return [int(pid) for pid in launch.run(["ip", "netns", "pids", host], 60).stdout.split()]


def disturb(host, seconds, *signals):
    """Sends the signals to all processes of a host, a second between them."""
    def act():
        time.sleep(seconds)
        for number in signals:
            for pid in processes_of(host):
                try:
                    os.kill(pid, number)
                except ProcessLookupError:
                    pass
            time.sleep(1)
    thread = threading.Thread(target=act)
    thread.start()
    return thread


def grafted_for_long(hosts):
    force = "scan=hierarchical,exscan=lane,bcast=hierarchical,reduce=hierarchical"
    return hosts.grafted("", [f"MPIGRAFT_FORCE={force}"], hosts.long_program)


@case
def host_stopped_for_a_while(hosts):
    thread = disturb("mpigraft-h1", BEFORE_SECONDS, signal.SIGSTOP, signal.SIGCONT)
    outcome = grafted_for_long(hosts)
    thread.join()
    hosts.expect(outcome.seconds > BEFORE_SECONDS + 1, f"over after {outcome.seconds:.1f} s, before the stop")
    hosts.expect(outcome.code == 0, "it did not go on", outcome)
    hosts.expect_ran(outcome, ["scan/hierarchical", "bcast/hierarchical"])


@case
def host_lost(hosts):
    """The job ends with an error and does not hang."""
    thread = disturb("mpigraft-h1", BEFORE_SECONDS, signal.SIGKILL)
    outcome = grafted_for_long(hosts)
    thread.join()
    hosts.expect(outcome.seconds > BEFORE_SECONDS, f"over after {outcome.seconds:.1f} s, before the loss")
    hosts.expect(outcome.code not in (0, 124) and not outcome.hung, f"exit code {outcome.code}")


@case
def one_run_at_a_time(hosts):
    """A second run refuses, and leaves the hosts of the first alone."""
    with launch.started(hosts.command("sleep 6"), stdin=subprocess.DEVNULL) as process:
        time.sleep(BEFORE_SECONDS)
        second = launch.run(hosts.command("true"), 60)
        hosts.expect(second.code == 2 and "the hosts of another run are up" in second.stderr, "it began", second)
        hosts.expect(process.wait(60) == 0, "the first run did not end well")


if __name__ == "__main__":
    launch.run_case(__doc__, "--build", bench=Hosts)
