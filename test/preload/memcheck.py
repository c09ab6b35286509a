# SPDX-License-Identifier: MIT
"""Programs under valgrind's memcheck, for run.py. An error or a leak counts where a call of ours is on its stack; those
of MPICH alone are only counted."""

import shutil
import xml.etree.ElementTree as xml
from pathlib import Path

import launch

OURS = "libmpigraft.so"
FORWARDING = ("MPI_Init", "MPI_Init_thread")  # ours are on the stack of all that MPI does there
LEAKING = "PMPI_Comm_create_from_group"  # of MPICH 4.0.2, however the communicator is freed
# Memory that is still reachable at the end is no leak: the library has no destructors that run at exit.
VALGRIND = ("valgrind", "--num-callers=40", "--leak-check=full", "--show-leak-kinds=definite,indirect,possible",
            "--error-limit=no", "--xml=yes")


def command(folder):
    """What runs a program and leaves its log in the folder."""
    if not shutil.which("valgrind"):
        launch.skip("no valgrind")
    return [*VALGRIND, f"--xml-file={folder}/%p.xml"]


def frames(error):
    return [{field.tag: field.text for field in frame} for frame in error.iter("frame")]


def is_ours(error):
    if error.findtext("kind").startswith("Leak_") and any(frame.get("fn") == LEAKING for frame in frames(error)):
        return False
    return any(frame.get("obj", "").endswith("/" + OURS) and frame.get("fn") not in FORWARDING for frame in frames(error))


def describe(error):
    what = error.findtext("what") or error.findtext("xwhat/text")
    return "\n    ".join([what, *(f"{f.get('fn', f['ip'])} ({f.get('obj', '').split('/')[-1]})" for f in frames(error))])


def judge(failures, folder, ranks, wanted):
    """`wanted`: the text of an error that the program has, which must be found."""
    logs = list(Path(folder).glob("*.xml"))
    failures.expect(len(logs) == ranks, f"{len(logs)} logs of valgrind for {ranks} ranks")
    errors = [error for log in logs for error in xml.parse(log).iter("error")]
    ours = [error for error in errors if is_ours(error)]
    print(f"{len(ours)} errors of ours, {len(errors) - len(ours)} of others")
    if wanted:
        failures.expect(any(wanted in describe(error) for error in ours), f"not found: {wanted}")
    else:
        failures.extend(map(describe, ours))


def judge_calls(failures, rows, forced):
    """Expects that algorithms of ours ran, and for collectives whose algorithm is forced no others."""
    forced = dict(choice.split("@")[0].split("=") for choice in forced.split(",") if choice)
    ran = {row["ran"].split("@")[0] for row in rows} - {"native"}
    print("ran:", *sorted(ran))
    others = [name for name in ran if (kept := forced.get(name.split("/")[0])) and name.split("/")[1] != kept]
    failures.expect(ran and not others, f"ran {ran}, forced {forced}")
