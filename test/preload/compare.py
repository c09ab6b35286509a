#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mpigraft compare with real launches: faster, no difference, other output, other exit code."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import launch


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("mpiexec", "command", "exscans", "broadcasts"):
        parser.add_argument("--" + name, required=True, type=os.path.abspath)
    return parser.parse_args()


def compare(options, *words, launches=4):
    """(exit code, document)"""
    command = [options.command, "compare", "--json", "--launcher", options.mpiexec, "--launches", str(launches), *words]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, cwd=folder, env=launch.ENVIRONMENT, stdout=subprocess.PIPE, text=True, timeout=200, check=False)
        assert os.listdir(folder) == [], os.listdir(folder)
    document = json.loads(done.stdout)
    assert document["exit_code"] == done.returncode, document
    return done.returncode, document


def spins(mpiexec):
    """True if ranks wait without yielding: those of MPICH before 5, by its launcher's version."""
    told = subprocess.run([mpiexec, "--version"], stdout=subprocess.PIPE, text=True, timeout=20, check=False).stdout
    hydra = re.search(r"^ *Version: *([0-9]+)", told, re.MULTILINE)
    return hydra is not None and int(hydra[1]) < 5


def main():
    options = parse()
    if len(os.sched_getaffinity(0)) < 3 and spins(options.mpiexec):  # grafted ranks sleep there
        code, faster = compare(options, "-n", "3", options.exscans, launches=2)
        assert (code, faster["verdict"], faster["output"]["verdict"]) == (0, "faster", "same"), faster
        exscan = next(call for call in faster["calls"] if call["collective"] == "exscan")
        assert exscan["ratio"] > 2 and exscan["calls"] == 1000 and "native" not in exscan["ran"], exscan
    code, same = compare(options, "-n", "2", "--force", "native", options.broadcasts, "5")
    assert code in (0, 1) and same["output"]["verdict"] == "same", same
    assert all(list(call["ran"]) == ["native"] for call in same["calls"]) and same["rules"] == [], same
    code, few = compare(options, "-n", "2", options.broadcasts, "1", "apart", launches=2)  # rank 0 writes no report of all
    assert code in (0, 1) and [(call["collective"], call["calls"]) for call in few["calls"]] == [("bcast", 1)], few
    code, other = compare(options, "-n", "2", options.broadcasts, "5", "prints", launches=2)
    assert (code, other["verdict"]) == (2, "different output"), other
    assert "5 broadcasts, grafted" in other["output"]["difference"], other
    assert compare(options, "-n", "2", "--ignore-output", options.broadcasts, "5", "prints", launches=2)[0] in (0, 1)
    code, other = compare(options, "-n", "2", options.broadcasts, "5", "fails", launches=2)
    assert (code, other["verdict"]) == (2, "different exit code"), other


if __name__ == "__main__":
    sys.exit(main())
