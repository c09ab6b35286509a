#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs an unmodified program with libmpigraft.so preloaded under valgrind's memcheck. An error or a leak counts where a
call of ours is on its stack; those of MPICH alone are only counted."""

import shutil
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

import launch

OURS = "libmpigraft.so"
FORWARDING = ("MPI_Init", "MPI_Init_thread")  # ours are on the stack of all that MPI does there
LEAKING = "PMPI_Comm_create_from_group"  # of MPICH 4.0.2, however the communicator is freed
# Memory that is still reachable at the end is no leak: the library has no destructors that run at exit.
VALGRIND = ("valgrind", "--num-callers=40", "--leak-check=full", "--show-leak-kinds=definite,indirect,possible",
            "--error-limit=no", "--xml=yes")


def parse():
    parser = launch.arguments(__doc__)
    parser.add_argument("-n", type=int, default=2, help="ranks")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--finds", metavar="TEXT", help="the program has this error, which must be found")
    parser.add_argument("program", nargs="+")
    return parser.parse_args()


def frames(error):
    return [{field.tag: field.text for field in frame} for frame in error.iter("frame")]


def is_ours(error):
    if error.findtext("kind").startswith("Leak_") and any(frame.get("fn") == LEAKING for frame in frames(error)):
        return False
    return any(frame.get("obj", "").endswith("/" + OURS) and frame.get("fn") not in FORWARDING for frame in frames(error))


def describe(error):
    what = error.findtext("what") or error.findtext("xwhat/text")
    return "\n    ".join([what, *(f"{f.get('fn', f['ip'])} ({f.get('obj', '').split('/')[-1]})" for f in frames(error))])


def judge_memory(failures, logs, ranks, wanted):
    failures.expect(len(logs) == ranks, f"{len(logs)} logs of valgrind for {ranks} ranks")
    errors = [error for log in logs for error in xml.parse(log).iter("error")]
    ours = [error for error in errors if is_ours(error)]
    print(f"{len(ours)} errors of ours, {len(errors) - len(ours)} of others")
    if wanted:
        failures.expect(any(wanted in describe(error) for error in ours), f"not found: {wanted}")
        return
    for error in ours:
        failures.append(describe(error))


def judge_calls(failures, rows, env):
    """Expects that algorithms of ours ran, and for collectives whose algorithm is forced no others."""
    forced = dict(choice.split("@")[0].split("=") for choice in env.get("MPIGRAFT_FORCE", "").split(",") if choice)
    ran = {row["ran"].split("@")[0] for row in rows} - {"native"}
    print("ran:", *sorted(ran))
    others = [name for name in ran if (kept := forced.get(name.split("/")[0])) and name.split("/")[1] != kept]
    failures.expect(ran and not others, f"ran {ran}, forced {forced}")


def main():
    options = parse()
    launch.skip_unless_full()
    if not shutil.which("valgrind"):
        launch.skip("no valgrind")
    failures = launch.Failures()
    env = dict(pair.split("=", 1) for pair in options.env)
    launcher = launch.Launcher(options.mpiexec, options.library, 1000)
    with tempfile.TemporaryDirectory() as folder:
        command = [*VALGRIND, f"--xml-file={folder}/%p.xml", *options.program]
        outcome = launcher.grafted(options.n, command, env)
        failures.expect(outcome.code == 0, f"exit code {outcome.code}")
        failures.expect(not outcome.messages(), "the library printed unasked")
        judge_memory(failures, list(Path(folder).iterdir()), options.n, options.finds)
    judge_calls(failures, outcome.rows(), env)
    failures.exit(outcome)


if __name__ == "__main__":
    main()
