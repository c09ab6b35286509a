#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program behind `mpigraft compare`: starts a program natively and grafted in turns, and compares. Arguments: what
the command asks (config/command/scripts.cpp), in JSON, then the program and its arguments."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import answer
import console
from console import Failed, Progress, counted, minutes, parse_seconds, say
from launches import OutOfTime, launch
from paired import Times, turns

NATIVE, NULL, GRAFTED = "native", "null", "grafted"
NATIVE_TOLD, GRAFTED_TOLD = "native with a report", "grafted with a report"
ARMS = (NATIVE, NULL, GRAFTED, NATIVE_TOLD, GRAFTED_TOLD)
WITHOUT_WARM_UP = (NULL, NATIVE_TOLD)  # they start what others have warmed up
WIDTH = 100  # of a line of output that is shown
AS_NATIVE = ("MPIGRAFT_FORCE=native", "MPIGRAFT_WAIT=native")
NO_MPI = ("no rank has written a report, so nothing was grafted: it is no MPI program, the ranks do not load the library, or "
          "the site fixes MPIGRAFT_REPORT; ask `mpigraft doctor PROGRAM`")
NOT_NATIVE = "a launch that was to be native was grafted, so nothing can be compared: the site fixes MPIGRAFT_FORCE"


def shown(line):
    text = line.decode(errors="backslashreplace")
    return f'"{text[:WIDTH]}{"..." if len(text) > WIDTH else ""}"'


class Outputs:
    """What launches of a program printed, as lines in any order: ranks print when they come to it."""

    def __init__(self):
        self.first = None  # the lines of the first launch, which is native
        self.differences = {}  # in words: {True: between native launches, False: of a grafted one}

    def add(self, output, is_native):
        lines = Counter(output.splitlines())
        if self.first is None:
            self.first = lines
        elif lines != self.first:
            names = ("one", "another") if is_native else ("natively", "grafted")
            self.differences.setdefault(is_native, self.difference(lines, names))

    def difference(self, lines, names):
        sides = list((self.first - lines).elements()), list((lines - self.first).elements())
        told = [f"{name} {shown(side[0])}" for name, side in zip(names, sides) if side]
        return f"{', '.join(told)} ({counted(max(map(len, sides)), 'line')} in all)"

    def verdict(self):
        """(what an answer says of them, the difference in words)"""
        if True in self.differences:
            return answer.NOT_COMPARABLE, self.differences[True]
        return (answer.DIFFERENT, self.differences[False]) if self.differences else (answer.SAME, "")


def environment(arm):
    """Native launches get no mpigraft, even if the caller's LD_PRELOAD names it; grafted ones the caller's settings."""
    env = console.environment(lambda name, _: arm not in (NATIVE, NULL) and name != "MPIGRAFT_REPORT")
    preloads = [one for one in env.pop("LD_PRELOAD", "").split(":") if one and "libmpigraft" not in Path(one).name]
    return env | ({"LD_PRELOAD": ":".join(preloads)} if preloads else {})


def grafted_command(asked, program, more, variables=()):
    """The command that `mpigraft run` would start. `variables`: set for the program itself."""
    words = [asked["mpigraft"], "run", "--print", *asked["run"], *more, "--", *program]
    done = subprocess.run(words, env=environment(GRAFTED), stdout=subprocess.PIPE, text=True,
                          errors="surrogateescape", check=False)
    if done.returncode != 0:
        raise Failed(f"`mpigraft run` cannot start {program[0]}, as it says above")
    start = shlex.split(done.stdout)[:-len(program)]
    return [*start, *(("env", *variables) if variables else ()), *program]


def commands(asked, program, report):
    told = ["--report", str(report)]
    native = [*asked["launcher"], *program]
    return {NATIVE: native, NULL: native, GRAFTED: grafted_command(asked, program, []),
            NATIVE_TOLD: grafted_command(asked, program, told, AS_NATIVE),
            GRAFTED_TOLD: grafted_command(asked, program, told)}


class Comparison:
    def __init__(self, asked, program, folder):
        self.asked, self.program, self.folder = asked, program, folder
        self.report = folder / "report.json"
        self.commands = commands(asked, program, self.report)
        self.budget = parse_seconds(asked["budget"])
        self.begin = time.monotonic()
        self.seconds = {arm: [] for arm in ARMS}
        self.reports = {NATIVE_TOLD: [], GRAFTED_TOLD: []}
        self.outputs, self.launches = Outputs(), 0
        self.failure = ""  # of a grafted launch
        self.notes, self.interrupted = [], False

    def wall(self):
        return Times(self.seconds[NATIVE], self.seconds[NULL], self.seconds[GRAFTED])

    def measure(self):
        progress, count = Progress("launches"), self.asked["launches"]
        every = len(ARMS) * (count + 1) - len(WITHOUT_WARM_UP)
        try:
            for arm, number in turns(ARMS, count, warm_up=1, seconds=self.budget):
                if number < 0 and arm in WITHOUT_WARM_UP:
                    continue
                progress.show(self.launches, every, f"{arm}, {f'launch {number + 1}' if number >= 0 else 'warm-up'}")
                self.take(arm, number)
                self.launches += 1
                if self.failure:
                    return
        except OutOfTime:
            self.notes.append(f"the budget was over in a launch ({arm}), which was stopped")
        except KeyboardInterrupt:
            self.interrupted = True
            self.notes.append("stopped; this is what was measured until then")
        finally:
            if self.launches:
                progress.show(self.launches, self.launches)
        if not self.interrupted and 0 < self.launches < every:
            made = counted(self.launches, "launch", "launches")
            self.notes.append(f"the budget, {minutes(self.budget)}, was over after {made}; all {every} take about "
                              f"{minutes(self.seconds_for(every))}")

    def seconds_for(self, launches):
        """By the launches so far, of which there is one."""
        return (time.monotonic() - self.begin) / self.launches * launches

    def take(self, arm, number):
        """Makes a launch, and keeps what it tells."""
        for old in self.folder.glob("report.json*"):
            old.unlink()
        run = launch(self.commands[arm], environment(arm), self.folder, self.begin + self.budget - time.monotonic())
        native = arm in (NATIVE, NULL)
        if run.code != 0:
            words = f"exit code {run.code}{'' if native else ', and native ones with 0'}; its last words:\n{last_words(run)}"
            if native:
                raise Failed(f"natively the program fails, with {words}")
            self.failure = f"a launch ({arm}) ended with {words}"
            return
        if not self.asked["ignore_output"]:
            self.outputs.add(run.output, native)
        report = self.read_report() if arm in self.reports else None
        if arm == NATIVE_TOLD and any(row["ran"] != "native" for row in report["rows"]):
            raise Failed(NOT_NATIVE)
        if number >= 0:
            self.seconds[arm].append(run.seconds)
            if report:
                self.reports[arm].append(report)

    def read_report(self):
        if self.report.exists():
            return json.loads(self.report.read_text(encoding="utf-8"))
        if not any(self.folder.glob("report.json*")):
            raise Failed(NO_MPI.replace("PROGRAM", self.program[0]))
        words = [self.asked["mpigraft"], "report", "--json", self.report]  # of ranks that made no collective of them all
        return json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout)


def last_words(run):
    lines = (run.output[-2000:].decode(errors="replace") + run.errors).rstrip().splitlines()
    return "\n".join(f"  {line}" for line in lines[-10:]) or "  (none)"


def folder_for_files():
    """Ranks on other nodes see this folder, but not /tmp of this one."""
    return tempfile.TemporaryDirectory(prefix=".mpigraft-compare-", dir="." if os.access(".", os.W_OK) else None)


def compare(asked, program):
    if not (shutil.which(program[0]) or Path(program[0]).exists()):
        raise Failed(f"there is no program {program[0]} that can be run")
    if os.environ.get("MPIGRAFT_DISABLE") == "1":
        raise Failed("MPIGRAFT_DISABLE=1: nothing would be grafted; unset it")
    with folder_for_files() as folder:
        comparison = Comparison(asked, program, Path(folder).resolve())
        say("compare", f"the launcher is {' '.join(map(shlex.quote, asked['launcher']))}")
        comparison.measure()
    return answer.tell(comparison)


if __name__ == "__main__":
    sys.exit(console.program("compare", lambda: compare(json.loads(sys.argv[1]), sys.argv[2:]), answer.NOT_COMPARED))
