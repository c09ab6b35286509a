#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""libmpigraft.so beside what else lives in a process: tools, plugins, other languages' runtimes, children, another MPI.
`coexist.py NAME` runs a case; what this machine cannot do natively is skipped, with the reason."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "preload"))

import collectives  # noqa: E402
import launch  # noqa: E402
import other_mpis  # noqa: E402, F401  whose cases are run here, too
import stand_ins  # noqa: E402, F401
import under_slurm  # noqa: E402, F401
from launch import Skipped, case  # noqa: E402

SOURCES = Path(__file__).parent / "programs"
TOOL_LINE = re.compile(r"^tool, rank (\d+): (.*)$", re.MULTILINE)
# Calls of calls.c: those of the collectives, and the others.
CALLS = {function: number for number, function in enumerate(collectives.FUNCTIONS, 2)}
OTHERS = {"Alltoall": 6, "Comm_dup": 1}


class Bench(launch.Bench):
    """The comparison of native and grafted runs."""

    def __init__(self, *shared):
        super().__init__(*shared)
        self.library, self.launcher.grafts_all = self.options.library, True

    def probe(self, ranks, program, what, launcher=None):
        """The native run of something that not every machine can do. Raises Skipped."""
        native = (launcher or self.launcher).native(ranks, program)
        self.expect("WRONG" not in native.stdout, f"{what}: natively wrong", native)
        if native.code != 0:
            last = (native.stdout + native.stderr).strip().splitlines()[-1:]
            raise Skipped(f"{what}: natively exit code {native.code} {' '.join(last)}")
        return native

    def alike(self, what, native, grafted, ran="grafted"):
        """The same output and exit code, silence, and what the report says of all calls ("" for: there is none)."""
        self.expect(native.code == 0, f"{what}: natively", native)
        self.failures.expect_alike(what, (native.code, native.stdout), (grafted.code, grafted.stdout))
        self.expect(not grafted.messages(), f"{what}: messages", grafted)
        self.expect("leaked" not in grafted.stderr, f"{what}: a leak", grafted)
        self.expect(grafted.ran() == ({ran} if ran else set()), f"{what}: ran {grafted.ran()}", grafted)

    def both(self, what, ranks, program, ran="grafted", env=None):
        native = self.launcher.native(ranks, program)
        self.alike(what, native, self.launcher.grafted(ranks, program, env), ran)
        return native


def counts(outcome):
    """The calls that the tool counted, equal on all ranks; None where ranks differ or it printed nothing."""
    lines = {words for _, words in TOOL_LINE.findall(outcome.stderr)}
    pairs = (pair.split("=") for line in lines for pair in line.split())
    return {name: int(number) for name, number in pairs} if len(lines) == 1 else None


@case
def tools(bench):
    """A tool that calls PMPI keeps its calls from whoever is loaded after it; one that calls the next does not."""
    program = [bench.program("calls")]
    native = bench.launcher.native(3, program)
    for tool, order, ran, seen in (
        ("tool_pmpi.so", "{tool}:{library}", "", {**CALLS, **OTHERS}),
        ("tool_next.so", "{tool}:{library}", "grafted", {**CALLS, **OTHERS}),
        ("tool_pmpi.so", "{library}:{tool}", "grafted", OTHERS),
        ("tool_next.so", "{library}:{tool}", "grafted", OTHERS),
    ):
        preload = order.format(tool=bench.program(tool), library=bench.library)
        grafted = bench.launcher.grafted(3, program, {"LD_PRELOAD": preload})
        what = order.format(tool=tool, library="mpigraft")
        bench.alike(what, native, grafted, ran)
        bench.expect(counts(grafted) == seen, f"{what}: counts {counts(grafted)} instead of {seen}", grafted)
        bench.expect(not ran or calls_by_row(grafted) == CALLS, f"{what}: {calls_by_row(grafted)}", grafted)


def calls_by_row(outcome):
    total = dict.fromkeys(CALLS, 0)
    for row in outcome.rows():
        total[collectives.FUNCTIONS[collectives.NAMES.index(row["call"])]] += int(row["calls"])
    return total


@case
def plugin(bench):
    """MPI is visible only behind a plugin of Python, whose first call leaves no return address in it; then it goes."""
    native = bench.both("plugin", 2, [sys.executable, str(SOURCES / "uses_plugin.py"), bench.program("plugin.so")])
    order = native.stdout.find("unloaded") < native.stdout.find("closed")
    bench.expect(order, "the native program does not unload its plugin", native)


@case
def static_runtime(bench):
    """C++ runtimes of the program's own, and exceptions that leave an operator through MPI."""
    for runtime in ("operators_shared", "operators_static", "operators_static_gcc"):
        for collective in collectives.COMBINING:
            for deed in ("none", "throw"):
                program = [bench.program(runtime), deed, collective]
                what = f"{runtime} {deed} {collective}"
                bench.alike(what, bench.probe(2, program, what), bench.launcher.grafted(2, program))


@case
def bound_at_once(bench):
    for env in ({}, {"LD_BIND_NOW": "1"}):
        bench.both(f"-z now, {env}", 2, [bench.program("calls_bound_now")], env=env)
    bench.both("LD_BIND_NOW", 2, [bench.program("calls")], env={"LD_BIND_NOW": "1"})


@case
def children(bench):
    bench.both("children", 2, [bench.program("children")], env={"LD_BIND_NOW": "1"})


@case
def files(bench):
    """ROMIO's own collectives are not the program's: none of them is intercepted."""
    program = [bench.program("files"), str(bench.folder)]
    native, grafted = bench.launcher.native(3, program), bench.launcher.grafted(3, program)
    bench.alike("files", native, grafted)
    bench.expect(calls_by_row(grafted) == {**dict.fromkeys(CALLS, 0), "Scan": 2, "Bcast": 2}, "calls", grafted)


@case
def early_ends(bench):
    """mpiexec's text about such an end has process ids in it. mpiexec kills the rank that ends later, unless that is
    over before, and then has another exit code or speaks of a hangup: natively, too, once in fifty launches. That of
    MPICH 4.2.1 loses the exit code in half of the launches, natively, too."""
    def undisturbed(start, program):
        for _ in range(12):
            outcome = start(2, program)
            if outcome.code == 3 and not any(text in outcome.stdout for text in ("Killed (signal 9)", "Hangup (signal 1)")):
                break
        return outcome

    for end in ("exit", "_exit", "return"):
        program = [bench.program("calls"), end]
        native, grafted = (undisturbed(start, program) for start in (bench.launcher.native, bench.launcher.grafted))
        if native.code != 3:
            raise Skipped(f"mpiexec makes exit code {native.code} of 3")
        bench.failures.expect_alike(f"{end}: exit code", native.code, grafted.code)
        bench.expect("collectives: ok" in grafted.stdout and not grafted.messages(), end, grafted)
        bench.expect("signal" not in grafted.stdout + grafted.stderr, f"{end}: a crash", grafted)


@case
def setuid(bench):
    """A program of another user, started by root: its environment loads nothing and sets nothing."""
    folder = bench.folder
    folder.chmod(0o755)
    shutil.copy(bench.library, folder / "libmpigraft.so")
    plain, linked = folder / "plain", folder / "linked"
    build = [bench.options.mpicc, "-O2", str(SOURCES / "calls.c"), "-o"]
    subprocess.run([*build, plain], check=True)
    # The environment cannot load the library here: a program that is linked to it shows what it then reads.
    subprocess.run([*build, linked, "-Wl,--no-as-needed", folder / "libmpigraft.so", f"-Wl,-rpath,{folder}"],
                   check=True)
    control = bench.launcher.grafted(2, [str(linked)], {"LD_PRELOAD": ""})
    bench.expect(control.rows(), "the linked program reads nothing of its environment", control)
    for program in (plain, linked):
        belong_to_another(program)
    launcher = launch.Launcher(bench.options.mpiexec, bench.library, 60,
                               ["-genv", "UCX_POSIX_USE_PROC_LINK", "n"])  # /proc/PID/fd of a setuid process
    native = bench.probe(2, [str(plain)], "no setuid program under mpiexec", launcher)
    if "secure\n" not in native.stdout:
        raise Skipped("setuid is ignored here")
    commands = {"MPIGRAFT_REPORT": "stderr", "MPIGRAFT_VERBOSE": "2", "MPIGRAFT_FORCE": "scan=no_such,strict"}
    bench.alike("preloaded", native, launcher.grafted(2, [str(plain)], commands), "")
    outcome = launcher.grafted(2, [str(linked)], commands)
    bench.alike("linked", native, outcome, "")
    bench.expect("@" not in outcome.stderr, "it reads MPIGRAFT_REPORT", outcome)


def belong_to_another(program):
    try:
        shutil.chown(program, "nobody")
        program.chmod(0o4755)
    except (PermissionError, LookupError) as error:
        raise Skipped(f"no setuid program of another user: {error}") from None


@case
def spawn(bench):
    """The spawned side has another table, or no library: calls that span both worlds stay native."""
    program = [bench.program("spawns")]
    native = bench.probe(2, program, "MPI_Comm_spawn")
    for environment in ([], ["MPIGRAFT_FORCE=scan=butterfly"], ["MPIGRAFT_TABLE=/no/such"], ["LD_PRELOAD="]):
        grafted = bench.launcher.grafted(2, program + environment)
        # The worlds print in any order, but each line in one piece.
        ends = [(outcome.code, sorted(outcome.stdout.splitlines())) for outcome in (native, grafted)]
        bench.failures.expect_alike(f"{environment}", *ends)
        spanning = {(row["ran"], row["reason"]) for row in grafted.rows() if row["ranks"] == "4"}
        bench.expect(spanning == {("native", "a process of another MPI_COMM_WORLD")}, f"{environment}", grafted)
    for _ in range(2):  # the second time over what the first left
        outcome = bench.launcher.grafted(2, program, {"MPIGRAFT_REPORT": bench.folder / "job.json"})
        reports = [(path.name[:13], json.loads(path.read_text())) for path in sorted(bench.folder.iterdir())]
        ranks = [(name, report["ranks"], report["reporting"]) for name, report in reports]
        bench.expect(ranks == [("job.json", 2, 2), ("job.json.job-", 2, 2)], f"reports of both worlds: {ranks}", outcome)


@case
def sessions(bench):
    """Without MPI_COMM_WORLD everything stays native, and is not counted. MPICH 4.2.1 crashes natively in the last one's
    MPI_Finalize, except in one of many launches."""
    for use, ran in (("only", ""), ("both", "grafted"), ("outlives", "grafted"), ("first", "grafted")):
        program = [bench.program("sessions"), use]
        native = [bench.probe(2, program, f"session {use}") for _ in range(3)][0]
        bench.alike(f"session {use}", native, bench.launcher.grafted(2, program), ran)


@case
def fabric(bench):
    """Where MPI moves messages by libfabric, its polls carry nonblocking calls on, and yield on an oversubscribed node;
    so they do with libmpigraft-watch.so before. Reads of one entry are no polls, and a fabric that is not MPI's, or a
    table of functions that is unknown, is left alone."""
    both = f"{Path(bench.library).with_name('libmpigraft-watch.so')}:{bench.library}"
    for words, carries_on, env in (
        ("1000 8", True, {}), ("1000 1", False, {}), ("1000 8 long", False, {}), ("1000 8 own", False, {}),
        ("50000 8", True, {}), ("50000 8", True, {"LD_PRELOAD": both, "MPIGRAFT_TRACE": bench.folder}),
    ):
        program = [bench.program("polls_fabric"), *words.split()]
        native = bench.launcher.native(2, program)
        grafted = bench.launcher.grafted(2, program, {"MPIGRAFT_WAIT": "patient"} | env)
        bench.alike(words, native, grafted)
        bench.expect("result did not come" in native.stderr, f"{words}: natively", native)
        bench.expect(("result came" in grafted.stderr) == carries_on, f"{words}: result", grafted)
        yields = [int(count) for count in re.findall(r"^@ waiting, .* (\d+) yields", grafted.report, re.MULTILINE)]
        bench.expect((max(yields, default=0) >= 10000) == words.startswith("50000"), f"{words}: yields", grafted)
    disabled = bench.launcher.grafted(2, program, {"MPIGRAFT_DISABLE": "1"})
    bench.expect((disabled.code, disabled.stdout) == (0, native.stdout), "disabled", disabled)


@case
def open_mpi(bench):
    """A program of Open MPI, preloaded by mistake: nothing, and with MPIGRAFT_VERBOSE one line in the job."""
    if not os.environ.get("MPIGRAFT_FULL"):
        raise Skipped("in the full tier")
    compiler, launcher = shutil.which("mpicc.openmpi"), shutil.which("mpirun.openmpi")
    if not (compiler and launcher):
        raise Skipped("Open MPI is not installed")
    env = {**launch.ENVIRONMENT, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    program = bench.folder / "calls"
    built = subprocess.run([compiler, "-O2", str(SOURCES / "calls.c"), "-o", program], capture_output=True, text=True)
    if built.returncode:
        raise Skipped(f"mpicc.openmpi compiles nothing: {re.search('.*error.*', built.stderr).group()}")
    for code in ("0", "5"):
        run = [launcher, "--oversubscribe", "-n", "3"]
        native = launch.run([*run, program, code], 60, env)
        if native.code != int(code):
            raise Skipped(f"mpirun.openmpi: exit code {native.code}\n{native.stderr}")
        launches = {"on the ranks": ([*run, "-x", f"LD_PRELOAD={bench.library}", program, code], env),
                "around mpirun": ([*run, program, code], {**env, "LD_PRELOAD": bench.library})}
        for where, (command, environment) in launches.items():
            for verbose in ("", "1"):
                extra = {"MPIGRAFT_VERBOSE": verbose} if verbose else {}
                outcome = launch.run(command, 60, {**environment, **extra})
                bench.failures.expect_alike(where, (native.code, native.stdout), (outcome.code, outcome.stdout))
                told = [line for line in outcome.messages() if "needs libmpigraft-ompi.so" in line]
                bench.expect(len(told) == len(outcome.messages()) == len(verbose), f"{where}: {told}", outcome)


if __name__ == "__main__":
    launch.run_case(__doc__, "--mpicc", "--conformance", bench=Bench)
