# SPDX-License-Identifier: MIT
"""Runs mpigraft-bench and reads what it prints."""

import json
import os
import signal
import subprocess
import time

WRONG_RESULTS = 1
PATIENCE = 5  # seconds, for a launcher to end its ranks


class BenchFailed(Exception):
    pass


def stop(process):
    """Ends a launcher and what it has started."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def output_of(command, env, each_line):
    """The standard output and exit code of a command. `each_line` gets the lines as they come. The process has a session
    of its own, so that a terminal's Ctrl-C does not reach it: this program ends it."""
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=env,
                                   start_new_session=True)
    except OSError as error:
        raise BenchFailed(f"cannot run {command[0]}: {error.strerror}") from error
    lines = []
    try:
        for line in process.stdout:
            lines.append(line)
            each_line(line)
        process.wait()
    finally:
        stop(process)
    return lines, process.returncode


def run_bench(launcher, bench, arguments, env=None, each_line=lambda line: None):
    """Runs mpigraft-bench; its JSON, of cells or of a job, with the seconds that all took. Raises BenchFailed."""
    mixed = "--mixed" in arguments
    command = [str(word) for word in (*launcher, bench, *arguments, *([] if mixed else ["--json", "-"]))]
    begin = time.monotonic()
    lines, code = output_of(command, env, each_line)
    told = f"exit code {code} of {' '.join(command)}"
    if code not in (0, WRONG_RESULTS):
        raise BenchFailed(told)
    out = "".join(lines)
    try:
        run = json.loads(lines[-1] if mixed else out)
    except (ValueError, IndexError) as error:
        if out.count('"mpigraft":') > 1:  # documents of several ranks, which srun mixes
            raise BenchFailed(f"{told}, which started each rank as a job of its own: the launcher belongs to another MPI, "
                              "or srun lacks --mpi=pmi2") from error
        raise BenchFailed(f"{told}, which printed no JSON: {out[:80]!r}") from error
    return {"seconds": round(time.monotonic() - begin, 3), **run}


def arms_of(cell):
    """{arm: its figures} of a cell of a run."""
    return {arm["arm"]: arm for arm in cell["arms"]}


def wrong_arms(run):
    return [f"{arm['arm']} ({cell['collective']}, {cell['bytes']} bytes)" for cell in run["cells"]
            for arm in cell["arms"] if not arm["agrees"]]


def noise_told(runs):
    """The range of the ratios of the two native arms of each cell, in words."""
    nulls = sorted(arms_of(cell)["null"]["ratio"] for run in runs for cell in run["cells"])
    return f"Native over native: {nulls[0]:.2f} to {nulls[-1]:.2f}, median {nulls[len(nulls) // 2]:.2f}"
