# SPDX-License-Identifier: MIT
"""Launches programs under mpiexec, natively or preloaded, and reads what mpigraft reports."""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import collectives

sys.path.append(str(Path(__file__).resolve().parents[2] / "config/tune"))
from console import INTERRUPTED  # noqa: E402
from launches import PATIENCE, started, stop  # noqa: E402

# The report (MPIGRAFT_REPORT), as the tests read it; its format is known only here.
REPORT_ROW = re.compile(
    r"^@\s+(?P<ranks>\d+)\s+(?P<call>[a-z_]+)\s+(?P<bytes>[\d-]+)\s+(?P<calls>\d+)\s+(?P<seconds>[\d.]+)"
    r"\s+(?P<share>[\d.]+%|-)\s+(?P<us>[\d.]+)\s+(?P<imbalance>\d+)%\s+(?P<ran>\S+)\s+(?P<reason>.*?)\s*$", re.MULTILINE)
REPORT_SHARED = re.compile(r"^@ messages in shared memory: (\d+) of (\d+) grafted calls$", re.MULTILINE)
REPORT_NAPS = re.compile(r"^@ waiting, .*: .* (\d+) sleeps$", re.MULTILINE)
MESSAGE = re.compile(r"^mpigraft: .*$", re.MULTILINE)
# When MPI ends a program, mpiexec 4.2.1 has exit code 0 by chance, natively too.
MPI_ERROR = re.compile(r"^(Fatal error in|Abort\(\d+\) on node)", re.MULTILINE)

# Reasons for which a call stays native under every table.
ALWAYS_NATIVE = {"first calls of a communicator", "zero bytes",
                 "nonblocking, before a blocking call has set the communicator up"}

SKIPPED = 77  # the exit code of a test that cannot run here
NO_COMMAND = "the command mpigraft is not built"

# The environment that a launch inherits; the caller's own settings (and MPIGRAFT_FULL, which the library does not know)
# stay outside, but for how MPI waits, which `scripts/test --patient` asks for.
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if not name.startswith("MPIGRAFT_") or name == "MPIGRAFT_WAIT"}


@dataclass
class Outcome:
    code: int
    stdout: str
    stderr: str
    report: str = ""
    seconds: float = 0
    hung: bool = False

    def rows(self):
        return [match.groupdict() for match in REPORT_ROW.finditer(self.report)]

    def ran(self):
        """Which of "native" and "grafted" occur among the calls that could be either."""
        return {"native" if row["ran"] == "native" else "grafted" for row in self.rows() if row["reason"] not in ALWAYS_NATIVE}

    def sleeps(self):
        return [int(count) for count in REPORT_NAPS.findall(self.report)]

    def shared(self):
        """For each report, the calls whose ranks shared memory, and all grafted calls."""
        return [(int(shared), int(grafted)) for shared, grafted in REPORT_SHARED.findall(self.report)]

    def aborted(self):
        return MPI_ERROR.search(self.stdout + self.stderr) is not None

    def messages(self):
        return MESSAGE.findall(self.stderr)

    def __str__(self):
        return f"exit code {self.code}\n{self.stdout}{self.stderr}{self.report}"


def last_words(process):
    """What a stopped command still prints. Ranks that survive it hold its pipes open; these are then left alone."""
    try:
        return process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired as error:
        for pipe in (process.stdout, process.stderr):
            pipe.close()
        stdout, stderr = ((printed or b"").decode(errors="replace") for printed in (error.stdout, error.stderr))
        return stdout, stderr + "\nsome of its processes survive, and hold its output open"


def run(command, seconds, env=ENVIRONMENT, cwd=None):
    """Runs a command with closed stdin; one that takes longer than `seconds` is stopped with all its processes."""
    begin, hung = time.monotonic(), False
    with started(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd=cwd,
                 text=True, errors="replace") as process:
        try:
            stdout, stderr = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            hung = True
            stop(process)
            stdout, stderr = last_words(process)
            stderr += f"\nstopped after {seconds} seconds: {' '.join(map(str, command))}\n"
    return Outcome(process.poll(), stdout, stderr, seconds=time.monotonic() - begin, hung=hung)


def wait_until(holds, seconds):
    """Returns whether it holds in the end."""
    end = time.monotonic() + seconds
    while not (held := holds()) and time.monotonic() < end:
        time.sleep(0.02)
    return held


def processes_with(*words):
    """Those that have these words in their environment."""
    found = []
    for environ in Path("/proc").glob("[0-9]*/environ"):
        try:
            content = environ.read_bytes()
            found += [environ.parent.name] * all(os.fsencode(word) in content for word in words)
        except OSError:
            continue  # another user's, or gone
    return found


def words_of(env, option="-genv"):
    """An environment as mpiexec takes it."""
    return [word for name, value in env.items() for word in (option, name, str(value))]


def preloadable(libraries):
    """Refuses paths of libraries, joined by colons, that LD_PRELOAD does not find: the ranks would run natively."""
    for path in re.split(r"[\s:]", str(libraries)):
        if not os.path.exists(path):
            print(f"{libraries}: there is no {path}; LD_PRELOAD splits paths at blanks and colons", file=sys.stderr)
            sys.exit(2)
    return libraries


@dataclass
class Launcher:
    mpiexec: str
    library: str
    seconds: int = 100
    options: list = field(default_factory=list)  # of mpiexec
    prefix: tuple = ()  # a command that runs mpiexec
    grafts_all: bool = False  # no call stays native, whatever the default table prefers
    patience: str = None  # test/patience.c, preloaded into native runs

    def __post_init__(self):
        preloadable(self.library)

    def native(self, ranks, program):
        patience = ["-genv", "LD_PRELOAD", self.patience] if self.patience else []
        return run([*self.prefix, self.mpiexec, *patience, "-n", str(ranks), *self.options, *program], self.seconds)

    def grafted(self, ranks, program, env=None):
        return self.grafted_mpmd([(ranks, {}, program)], env)

    def grafted_mpmd(self, parts, env=None):
        """parts: (ranks, environment of these ranks only, program and its arguments)."""
        with tempfile.TemporaryDirectory() as folder:
            report, table = Path(folder) / "report", Path(folder) / "table.json"
            table.write_text(collectives.table(*collectives.rules(scan="hillis_steele")))
            own = {"MPIGRAFT_TABLE": table} if self.grafts_all else {}
            command = [*self.prefix, self.mpiexec, *self.options]
            command += words_of({"LD_PRELOAD": self.library, "MPIGRAFT_REPORT": report, **own, **(env or {})})
            for ranks, own_env, program in parts:
                command += ["-n", str(ranks), *words_of(own_env, "-env"), *program, ":"]
            outcome = run(command[:-1], self.seconds)
            outcome.report = report.read_text(errors="replace") if report.exists() else ""
            return outcome


class Failures(list):
    """Collects what went wrong; `exit` prints it all and ends the test."""

    def expect(self, condition, message, *shown):
        """`shown`: what explains the failure, such as outcomes."""
        if not condition:
            self.append("\n".join(map(str, (message, *shown))))

    def expect_alike(self, what, native, grafted):
        self.expect(native == grafted, f"{what} differs:\n--- native\n{native}\n--- grafted\n{grafted}")

    def exit(self, *outcomes):
        for failure in self:
            print("FAILED:", failure)
        for outcome in outcomes if self else ():
            print("---", outcome)
        sys.exit(1 if self else 0)


class Skipped(Exception):
    """Says why something cannot be tried here."""


CASES = {}  # of a script that runs one by its name


def case(function):
    CASES[function.__name__.replace("_", "-")] = function
    return function


def skip(why):
    print("skipped:", why)
    sys.exit(SKIPPED)


def skip_unless_full():
    if not os.environ.get("MPIGRAFT_FULL"):
        skip("only with MPIGRAFT_FULL=1")


def arguments(description, *names):
    """The options that every script here takes, and others by name, which have to be given."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--library", required=True, type=os.path.abspath, help="libmpigraft.so")
    parser.add_argument("--patience", type=os.path.abspath, help="test/patience.c, of native runs")
    parser.add_argument("--seconds", type=int, default=100, help="a launch that takes longer is stopped")
    parser.add_argument("--long", action="store_true", help="skipped unless MPIGRAFT_FULL is set")
    for name in names:
        parser.add_argument(name, **({"required": True} if name.startswith("-") else {}))
    return parser


def begin(parser):
    """What most scripts begin with: their options, a launcher, and no failures yet."""
    options = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGINT):  # end the launches, too
        signal.signal(number, lambda *_: sys.exit(INTERRUPTED))
    if options.long:
        skip_unless_full()
    return options, Launcher(options.mpiexec, options.library, options.seconds, patience=options.patience), Failures()


class Bench:
    """What the cases of a script share: its options, a launcher, what went wrong so far, and a folder that goes at the
    end."""

    def __init__(self, options, launcher, failures, folder):
        self.options, self.launcher, self.failures, self.expect = options, launcher, failures, failures.expect
        self.folder = folder

    def program(self, name):
        return os.path.join(self.options.programs, name)

    @property
    def command(self):
        if not self.options.command:
            raise Skipped(NO_COMMAND)
        return self.options.command

    def mpigraft(self, *words, cwd=None, **env):
        """The outcome of the command."""
        env = ENVIRONMENT | {name: str(value) for name, value in env.items()}
        return run([self.command, *map(str, words)], 200, env, cwd)


def run_case(description, *names, bench=Bench):
    """Runs the case that the first word names, or with --list prints all names. `names`: further options, for files."""
    if sys.argv[1:] == ["--list"]:
        print("\n".join(CASES))
        return
    parser = arguments(description)
    parser.add_argument("--command", type=os.path.abspath, help="mpigraft, if it is built")
    for name in ("--programs", *names):
        parser.add_argument(name, required=True, type=os.path.abspath)
    parser.add_argument("case", choices=CASES)
    parser.add_argument("words", nargs="*", help="for the case")
    options, launcher, failures = begin(parser)
    with tempfile.TemporaryDirectory(prefix="mpigraft-test-") as folder:
        try:
            CASES[options.case](bench(options, launcher, failures, Path(folder)))
        except Skipped as why:
            if not failures:
                skip(why)
    failures.exit()
