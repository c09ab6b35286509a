#!/usr/bin/env python3
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


def parse():
    parser = launch.arguments(__doc__, "--program")
    parser.add_argument("--calls", type=int, required=True)
    parser.add_argument("--communicators", type=int, required=True)
    parser.add_argument("--seconds", type=int, default=200, help="a launch that takes longer is stopped")
    parser.add_argument("--force", default="", help="MPIGRAFT_FORCE of the grafted launch")
    parser.add_argument("--long", action="store_true", help="skipped unless MPIGRAFT_FULL is set")
    return parser.parse_args()


def growth(outcome):
    return {of: dict(zip(KINDS, map(int, numbers))) for of, *numbers in GROWTH.findall(outcome.stdout)}


def judge_growth(failures, native, grafted):
    failures.expect(set(grafted) == set(native) == {"calls", "communicators"}, "no figures")
    for of in grafted:
        limits = {name: max(0, natively) for name, natively in native[of].items()}
        limits["memory_kib"] += MEMORY_KIB
        limits["heap_kib"] += HEAP_KIB
        for name, limit in limits.items():
            print(f"growth of {name} over {of}: {grafted[of][name]}, native {native[of][name]}, limit {limit}")
            failures.expect(grafted[of][name] <= limit, f"{name} over {of}: {grafted[of][name]} > {limit}")


def judge_calls(failures, grafted):
    """Expects that all calls ran by algorithms of ours."""
    made = [int(calls) for calls in CALLS.findall(grafted.stdout)]
    rows = [row for row in grafted.rows() if row["ran"] != "native"]
    ran = sum(int(row["calls"]) for row in rows)
    print(f"calls made: {made}, grafted: {ran} by", *sorted({row["ran"] for row in rows}))
    failures.expect([ran] == made, "calls that were not grafted")


def main():
    options = parse()
    if options.long:
        launch.skip_unless_full()
    prefix = OWN_SHM if own_shm() else ()
    launcher = launch.Launcher(options.mpiexec, options.library, options.seconds, prefix=prefix, grafts_all=True)
    command = [options.program, str(options.calls), str(options.communicators)]
    native = launcher.native(RANKS, command)
    grafted = launcher.grafted(RANKS, command, {"MPIGRAFT_FORCE": options.force} if options.force else {})
    failures = launch.Failures()
    for outcome in (native, grafted):
        failures.expect(outcome.code == 0, f"exit code {outcome.code}")
        failures.expect("leaked" not in outcome.stderr, "a leak")
        if prefix:
            failures.expect(LEFT.findall(outcome.stdout) == [""], "files are left in /dev/shm")
        else:
            print("not looked at: files that are left in /dev/shm (unshare and mount are not permitted)")
    failures.expect(not grafted.messages(), "the library printed unasked")
    judge_growth(failures, growth(native), growth(grafted))
    judge_calls(failures, grafted)
    failures.exit(native, grafted)


if __name__ == "__main__":
    main()
