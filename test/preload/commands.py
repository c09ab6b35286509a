# SPDX-License-Identifier: MIT
"""`mpigraft compare` and `mpigraft tune` with real launches."""

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import launch
from launch import case


def spins(mpiexec):
    """True if ranks wait without yielding: those of MPICH before 5, by its launcher's version."""
    hydra = re.search(r"^ *Version: *([0-9]+)", launch.run([mpiexec, "--version"], 20).stdout, re.MULTILINE)
    return hydra is not None and int(hydra[1]) < 5


@case
def compare(bench):
    """Faster, no difference, other output, other exit code."""
    def compared(*words, launches=4):
        outcome = bench.mpigraft("compare", "--json", "--launcher", bench.options.mpiexec, "--launches", launches, *words,
                                 cwd=bench.folder)
        bench.expect(os.listdir(bench.folder) == [], os.listdir(bench.folder))
        document = json.loads(outcome.stdout)
        bench.expect(document["exit_code"] == outcome.code, document)
        return outcome.code, document

    broadcasts = ["-n", "2", bench.program("compared")]
    if len(os.sched_getaffinity(0)) < 3 and spins(bench.options.mpiexec):  # grafted ranks sleep there
        code, faster = compared("-n", "3", bench.program("plain_exscan"), "200", launches=2)
        bench.expect((code, faster["verdict"], faster["output"]["verdict"]) == (0, "faster", "same"), faster)
        exscan = next(call for call in faster["calls"] if call["collective"] == "exscan")
        bench.expect(exscan["ratio"] > 2 and exscan["calls"] == 200 and "native" not in exscan["ran"], exscan)
    code, same = compared("--force", "native", *broadcasts, "5")
    bench.expect(code in (0, 1) and same["output"]["verdict"] == "same", same)
    bench.expect(all(list(call["ran"]) == ["native"] for call in same["calls"]) and same["rules"] == [], same)
    code, few = compared(*broadcasts, "1", "apart", launches=2)  # rank 0 writes no report of all
    bench.expect(code in (0, 1) and [(call["collective"], call["calls"]) for call in few["calls"]] == [("bcast", 1)], few)
    code, other = compared(*broadcasts, "5", "prints", launches=2)
    bench.expect((code, other["verdict"]) == (2, "different output"), other)
    bench.expect("5 broadcasts, grafted" in other["output"]["difference"], other)
    code, other = compared("--ignore-output", *broadcasts, "5", "prints", launches=2)
    bench.expect(code in (0, 1), other)
    code, other = compared(*broadcasts, "5", "fails", launches=2)
    bench.expect((code, other["verdict"]) == (2, "different exit code"), other)


COLLECTIVES, SIZES, RANKS = "scan,exscan", "8,64K", ("2", "4")


def tuned(bench, table, stop_after=None):
    process = subprocess.Popen(
        [bench.command, "tune", "--ranks", ",".join(RANKS), "--bytes", SIZES, "--collectives", COLLECTIVES,
         "--budget", "2m", "--launcher", f"{bench.options.mpiexec} -n {{n}}", "-o", table], env=launch.ENVIRONMENT)
    if stop_after:
        time.sleep(stop_after)
        process.send_signal(signal.SIGINT)
    return process.wait(300)


def slower_cells(bench, table, ranks):
    """Cells where the table is slower than native, by more than the two native arms differ."""
    command = [bench.options.mpiexec, "-n", ranks, *bench.options.words, "--collectives", COLLECTIVES, "--bytes", SIZES,
               "--json", "-"]
    done = launch.run(command, 200, launch.ENVIRONMENT | {"MPIGRAFT_TABLE": table})
    return [(ranks, cell["collective"], cell["bytes"], arm) for cell in json.loads(done.stdout)["cells"]
            for arm in cell["arms"] if arm["arm"] == "default" and arm["verdict"] == "slower"]


@case
def tune(bench):
    """Stopped, resumed, its table checked, used by a preloaded program, and compared with native by a run of its own of
    mpigraft-bench, the word. A minute."""
    table, report = f"{bench.folder}/site.json", f"{bench.folder}/report"
    bench.expect(tuned(bench, table, stop_after=8) == 130, "stopped")
    results = Path(table + ".results.jsonl")
    kept = results.read_bytes()
    bench.expect(kept.endswith(b"\n") and not os.path.exists(table), "stopped: results")
    bench.expect(tuned(bench, table) == 0 and results.read_bytes().startswith(kept), "resumed")
    asked = [(run["place"], *run["asked"]) for run in map(json.loads, results.read_text().splitlines())]
    bench.expect(len(asked) == len(set(asked)), f"asked twice: {asked}")
    bench.expect(bench.mpigraft("check", table).code == 0, "checked")
    rules = json.loads(Path(table).read_text())["rules"]
    bench.expect(any(rule["algorithm"] != "native" for rule in rules), rules)
    outcome = bench.mpigraft("run", "--launcher", bench.options.mpiexec, "-n", 2, "--table", table, "--report", report,
                             bench.program("prefix_sums"))
    bench.expect(outcome.code == 0 and "of the table" in Path(report).read_text(), outcome)
    slower = [cell for ranks in RANKS for cell in slower_cells(bench, table, ranks)]
    bench.expect(not slower, slower)
