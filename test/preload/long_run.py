# SPDX-License-Identifier: MIT
"""The memory, files and ids that a process holds after a great many calls and communicators, beyond what it holds natively."""

import re
import subprocess

import launch

RANKS = 2
MEMORY_KIB = 1024  # beyond the native growth
HEAP_KIB = 320  # likewise, of what is allocated and not freed; MPICH adds pools of 144 KiB
KINDS = ("memory_kib", "heap_kib", "files", "shared_mappings", "communicators")
GROWTH = re.compile(r"^growth over (\w+): " + " ".join(rf"{kind} (-?\d+)" for kind in KINDS) + "$", re.MULTILINE)
CALLS = re.compile(r"^calls made: (\d+)$", re.MULTILINE)
LEFT = re.compile(r"^left in /dev/shm: *(.*)$", re.MULTILINE)

OWN_SHM = ("unshare", "-m", "sh", "-c", 'mount -t tmpfs none /dev/shm && "$@"; code=$?; '
           'echo "left in /dev/shm:" $(ls -A /dev/shm); exit $code', "sh")


def own_shm():
    """True if the job can have a /dev/shm of its own: other jobs on the machine have files in there, which come and
    go."""
    return subprocess.run([*OWN_SHM, "true"], capture_output=True).returncode == 0


def growth(outcome):
    return {of: dict(zip(KINDS, map(int, numbers))) for of, *numbers in GROWTH.findall(outcome.stdout)}


def judge_growth(bench, native, grafted):
    bench.expect(set(grafted) == set(native) == {"calls", "communicators"}, "no figures")
    for of in grafted:
        limits = {name: max(0, natively) for name, natively in native[of].items()}
        limits["memory_kib"] += MEMORY_KIB
        limits["heap_kib"] += HEAP_KIB
        for name, limit in limits.items():
            print(f"growth of {name} over {of}: {grafted[of][name]}, native {native[of][name]}, limit {limit}")
            bench.expect(grafted[of][name] <= limit, f"{name} over {of}: {grafted[of][name]} > {limit}")


def judge_calls(bench, grafted):
    """Expects that all calls ran by algorithms of ours."""
    made = [int(calls) for calls in CALLS.findall(grafted.stdout)]
    rows = [row for row in grafted.rows() if row["ran"] != "native"]
    ran = sum(int(row["calls"]) for row in rows)
    print(f"calls made: {made}, grafted: {ran} by", *sorted({row["ran"] for row in rows}))
    bench.expect([ran] == made, "calls that were not grafted")


@launch.case
def long_run(bench):
    """The words: numbers of calls and of communicators, and perhaps MPIGRAFT_FORCE of the grafted launch."""
    calls, communicators, *force = bench.options.words
    bench.launcher.prefix, bench.launcher.grafts_all = OWN_SHM if own_shm() else (), True
    program = [bench.program("long_run"), calls, communicators]
    native = bench.launcher.native(RANKS, program)
    grafted = bench.launcher.grafted(RANKS, program, {"MPIGRAFT_FORCE": text for text in force})
    for outcome in (native, grafted):
        bench.expect(outcome.code == 0, "exit code", outcome)
        bench.expect("leaked" not in outcome.stderr, "a leak", outcome)
        if bench.launcher.prefix:
            bench.expect(LEFT.findall(outcome.stdout) == [""], "files are left in /dev/shm", outcome)
        else:
            print("not looked at: files that are left in /dev/shm (unshare and mount are not permitted)")
    bench.expect(not grafted.messages(), "the library printed unasked", grafted)
    judge_growth(bench, growth(native), growth(grafted))
    judge_calls(bench, grafted)
