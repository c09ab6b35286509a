# SPDX-License-Identifier: MIT
"""Jobs in which mpigraft does nothing, or not yet: in programs without MPI, where the site has switched it off, and in
the first calls of communicators."""

import json
from collections import Counter
from pathlib import Path

import launch
from launch import case

WITHOUT_MPI = (
    (["/bin/true"], ""),
    (["bash", "-c", "echo one; (echo two | cat)"], "one\ntwo\n"),
    (["python3", "-c", "import subprocess; print(1, flush=True); subprocess.run(['/bin/echo', '2'])"], "1\n2\n"),
)


@case
def inert(bench):
    """The preload is inherited by programs without MPI: it does nothing there, even with all symbols bound at once."""
    launcher = ([bench.options.mpiexec, "-n", "2", "/bin/echo", "3"], "3\n3\n")
    for command, output in (*WITHOUT_MPI, launcher):
        for env in {}, {"LD_BIND_NOW": "1"}, {"MPIGRAFT_VERBOSE": "2", "MPIGRAFT_REPORT": "stderr"}:
            outcome = launch.run(command, 20, {**launch.ENVIRONMENT, "LD_PRELOAD": bench.options.library, **env})
            seen = (outcome.code, outcome.stdout, outcome.stderr)
            bench.expect(seen == (0, output, ""), f"{command} with {env}: {seen}")


FORCED = {"MPIGRAFT_FORCE": "exscan=doubling_123"}


@case
def site_settings(bench):
    """The site's settings in jobs: a switch that no job overrides, values for jobs that set none, values that jobs cannot
    set, and a defective file. The library under test is the shim with a folder of the tests' as the site's, the word."""
    bench.launcher.grafts_all = True
    file = Path(*bench.options.words) / "mpigraft.json"
    file.parent.mkdir(parents=True, exist_ok=True)

    def check(settings, env, what, holds):
        file.write_text(settings if isinstance(settings, str) else json.dumps(settings))
        outcome = bench.launcher.grafted(3, [bench.program("plain_exscan")], env)
        file.unlink()
        bench.expect(outcome.code == 0 and holds(outcome), f"{settings} {env}: {what}", outcome)

    def is_off(outcome):
        return outcome.ran() == {"native"} and "the site has switched mpigraft off" in outcome.report

    check({}, FORCED, "grafted", lambda job: job.ran() == {"grafted"} and not job.messages())
    for env in {}, FORCED, {"MPIGRAFT_FORCE": "strict,exscan=doubling_123"}, {"MPIGRAFT_WAIT": "absurd"}:
        check({"enabled": False}, env, "native and silent", lambda job: is_off(job) and not job.messages())
    check({"enabled": False}, {"MPIGRAFT_VERBOSE": 1}, "the reason told once",
          lambda job: job.messages() == ["mpigraft: the site has switched mpigraft off: further communicators stay native"])
    ran = {"defaults": FORCED}
    check(ran, {}, "the site's algorithm", lambda job: "exscan/doubling_123" in job.report and not job.messages())
    check(ran, {"MPIGRAFT_FORCE": "native"}, "the job's wish", lambda job: job.ran() == {"native"})
    check(ran | {"fixed": ["MPIGRAFT_FORCE"]}, {"MPIGRAFT_FORCE": "native"}, "the site's algorithm, and one message",
          lambda job: "exscan/doubling_123" in job.report
          and job.messages() == [f'mpigraft: MPIGRAFT_FORCE: {file} fixes it to "exscan=doubling_123"; '
                                 "the job's value is not used"])
    check('{"enabled": 1}', FORCED, "native, with file and place told once",
          lambda job: job.ran() == {"native"}
          and job.messages() == [f"mpigraft: {file}:1:13: /enabled: expected a boolean, found an integer "
                                 "(every call stays native)"])


FIRST = "first calls of a communicator"
FIRST_CALLS, TURNS = 4, 3
# No short call is native for its length alone, and messages need a private communicator.
AT_ONCE = {"MPIGRAFT_VERIFY": "1", "MPIGRAFT_SHARED": "0"}
KINDS = 2  # of communicators of more than one rank in communicators.c


def calls_by_reason(outcome):
    calls = Counter()
    for row in outcome.rows():
        calls["grafted" if row["ran"] != "native" else row["reason"]] += int(row["calls"])
    return calls


@case
def communicators_in_turn(bench):
    """Communicators that are made, used a little and freed: their first calls stay native and make nothing, and then all
    ranks begin at the same call."""
    bench.launcher.grafts_all = True
    for ranks, calls in ((ranks, calls) for ranks in (2, 3) for calls in (1, FIRST_CALLS, FIRST_CALLS + 1)):
        what = f"{calls} calls on {ranks} ranks"
        command = [bench.program("communicators"), "in_turn", str(TURNS), str(calls)]
        native, watched = bench.launcher.native(ranks, command), bench.launcher.grafted(ranks, command, AT_ONCE)
        unwatched = bench.launcher.grafted(ranks, command, {"MPIGRAFT_REPORT": "", **AT_ONCE})
        for outcome in (native, watched, unwatched):
            bench.expect(outcome.code == 0 and not outcome.messages(), what, outcome)
        later = max(0, calls - FIRST_CALLS)
        wanted = {FIRST: KINDS * TURNS * (calls - later), "grafted": KINDS * TURNS * later}
        ran = calls_by_reason(watched)
        bench.expect(wanted.items() <= {"grafted": 0, **ran}.items(), f"{what}: {ran}, not {wanted}")
        alone = {tellers * TURNS * calls + TURNS for tellers in (2, ranks)}  # a third one has more to tell only if it slept
        bench.expect(ran["one rank"] in alone, f"{what}: {ran}, not {alone} on one rank")
        # communicators that a rank could make beside them
        more, natively = (outcome.stdout.split()[0] for outcome in (unwatched, native))
        bench.expect((more == natively) == (later == 0), f"{what}: {more} more communicators, natively {natively}")
