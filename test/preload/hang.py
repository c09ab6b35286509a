#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""MPIGRAFT_TRACE: of a job that never ends, and is killed, `mpigraft doctor --hang` names the rank that is missing."""

import re
import subprocess
import tempfile

import launch

SECONDS = (2, 15)  # until the watchdog; on a loaded machine ranks may come late

SCAN = "MPI_Scan of 1 MPI_INT64_T (8 bytes), MPI_SUM"

# what of skips.c, and what the doctor says; * stands for a time of day
CASES = {
    "first": f"""ranks with a trace: 3 of 4
MPI_COMM_WORLD of 4 ranks, call 1
  waiting in {SCAN}, since *: 0 1 3
  missing: rank 2, which has made no call that mpigraft sees (a tool may make its calls by PMPI_)
""",
    "later": f"""ranks with a trace: 4 of 4
MPI_COMM_WORLD of 4 ranks, call 4
  waiting in {SCAN}, since *: 3
  missing: rank 2, which has made 3 calls there; it has ended its last call, {SCAN}, at *, and has been outside MPI since then
""",
    "half 2": f"""ranks with a trace: 4 of 4
communicator * of 2 ranks, call 2
  waiting in {SCAN}, since *: 3
  missing: rank 2, which has made 1 call there; it has ended its last call, {SCAN}, at *, and has been outside MPI since then
""",
    "half 5": f"""ranks with a trace: 4 of 4
communicator * of 2 ranks, call 5
  waiting in {SCAN}, since *: 3
  missing: rank 2, which has made 4 calls there; it has ended its last call, {SCAN}, at *, and has been outside MPI since then
""",
    "half 6": f"""ranks with a trace: 4 of 4
communicator * of 2 ranks, call 6
  waiting in {SCAN}, since *: 3
  missing: rank 2, which has made 5 calls there; it has ended its last call, {SCAN}, at *, and has been outside MPI since then
""",
}


def said(command, folder):
    done = subprocess.run([command, "doctor", "--hang", folder], capture_output=True, text=True, check=False)
    text = re.sub(r"\d\d:\d\d:\d\d", "*", done.stdout)
    return done.returncode, re.sub(r"communicator \S+", "communicator *", text), done.stderr


def of_a_hang(options, way, right):
    """A job that hangs, and what the doctor says of it. If that is not right, the same for a second job, which has more
    time."""
    for seconds in SECONDS:
        launcher = launch.Launcher(options.mpiexec, options.library, seconds)
        with tempfile.TemporaryDirectory(prefix="mpigraft-hang-") as folder:
            # the chain: rank 3 waits for rank 2, ranks 0 and 1 do not
            settings = {"MPIGRAFT_FORCE": "scan=linear_pipeline", "MPIGRAFT_TRACE": folder}
            outcome = launcher.grafted(4, [options.skips, *way.split()], settings)
            words = said(options.command, folder)
        if right(words):
            break
    return outcome, words


def main():
    parser = launch.arguments(__doc__)
    parser.add_argument("--command", required=True)
    parser.add_argument("skips")
    parser.add_argument("ends")
    options = parser.parse_args()
    failures = launch.Failures()
    for way, words in CASES.items():
        expected = (1, words, "")
        outcome, found = of_a_hang(options, way, lambda told, expected=expected: told == expected)
        failures.expect(outcome.hung and not outcome.messages(), f"{way}: {outcome.stderr}")
        failures.expect_alike(f"{way}: what the doctor says", expected, found)
    different = "  the ranks call different functions there, so no call can end\n"
    text = of_a_hang(options, "other", lambda told: different in told[1])[1][1]
    failures.expect(different in text, f"other: {text}")
    with tempfile.TemporaryDirectory(prefix="mpigraft-hang-") as folder:
        launch.Launcher(options.mpiexec, options.library).grafted(2, [options.ends], {"MPIGRAFT_TRACE": f"{folder}/new"})
        failures.expect_alike("a job that ended", said(options.command, f"{folder}/new"),
                              (0, "ranks with a trace: 2 of 2\nno rank waits in a call that mpigraft sees\n", ""))
        failures.expect(said(options.command, folder)[0] == 2, "a folder without traces")
    failures.exit()


if __name__ == "__main__":
    main()
