#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The site's settings in jobs: a switch that no job overrides, values for jobs that set none, values that jobs cannot
set, and a defective file. The library under test is the shim with a folder of the tests' as the site's."""

import json
from pathlib import Path

import launch

FORCED = {"MPIGRAFT_FORCE": "exscan=doubling_123"}


def main():
    options, launcher, failures = launch.begin(launch.arguments(__doc__, "--site", "program"), seconds=30, grafts_all=True)
    file = Path(options.site) / "mpigraft.json"
    file.parent.mkdir(parents=True, exist_ok=True)

    def check(settings, env, what, holds):
        file.write_text(settings if isinstance(settings, str) else json.dumps(settings))
        outcome = launcher.grafted(3, [options.program], env)
        file.unlink()
        failures.expect(outcome.code == 0 and holds(outcome), f"{settings} {env}: {what}", outcome)

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
          and job.messages() == [f"mpigraft: {file}:1:13: /enabled: expected a boolean, found an integer (every call stays native)"])
    failures.exit()


if __name__ == "__main__":
    main()
