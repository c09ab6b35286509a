#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mpigraft tune for real: stopped, resumed, its table checked, used by a preloaded program, and compared with native by
a run of mpigraft-bench of its own. A minute; only with MPIGRAFT_FULL."""
import argparse
import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import launch

COLLECTIVES, SIZES, RANKS = "scan,exscan", "8,64K", ("2", "4")


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("mpiexec", "command", "bench", "program"):
        parser.add_argument("--" + name, required=True)
    return parser.parse_args()


def tune(options, table, stop_after=None):
    process = subprocess.Popen(
        [options.command, "tune", "--ranks", ",".join(RANKS), "--bytes", SIZES, "--collectives", COLLECTIVES,
         "--budget", "2m", "--launcher", f"{options.mpiexec} -n {{n}}", "-o", table])
    if stop_after:
        time.sleep(stop_after)
        process.send_signal(signal.SIGINT)
    return process.wait(300)


def slower_cells(options, table, ranks):
    """Cells where the table is slower than native, by more than the two native arms differ."""
    command = [options.mpiexec, "-n", ranks, options.bench, "--collectives", COLLECTIVES, "--bytes", SIZES, "--json", "-"]
    done = subprocess.run(command, env=os.environ | {"MPIGRAFT_TABLE": table}, stdout=subprocess.PIPE, check=True)
    return [(ranks, cell["collective"], cell["bytes"], arm) for cell in json.loads(done.stdout)["cells"]
            for arm in cell["arms"] if arm["arm"] == "default" and arm["verdict"] == "slower"]


def main():
    options = parse()
    launch.skip_unless_full()
    del os.environ["MPIGRAFT_FULL"]
    with tempfile.TemporaryDirectory() as folder:
        table, report = f"{folder}/site.json", f"{folder}/report"
        assert tune(options, table, stop_after=8) == 130
        results = Path(table + ".results.jsonl")
        kept = results.read_bytes()
        assert kept.endswith(b"\n") and not os.path.exists(table)
        assert tune(options, table) == 0
        assert results.read_bytes().startswith(kept)
        asked = [(run["place"], *run["asked"]) for run in map(json.loads, results.read_text().splitlines())]
        assert len(asked) == len(set(asked))
        subprocess.run([options.command, "check", table], check=True)
        assert any(rule["algorithm"] != "native" for rule in json.loads(Path(table).read_text())["rules"])
        subprocess.run([options.command, "run", "--launcher", options.mpiexec, "-n", "2", "--table", table, "--report",
                        report, options.program], check=True)
        assert "of the table" in Path(report).read_text()
        slower = [cell for ranks in RANKS for cell in slower_cells(options, table, ranks)]
        assert not slower, slower


if __name__ == "__main__":
    main()
