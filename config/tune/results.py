# SPDX-License-Identifier: MIT
"""The measurements so far: a file with a run of mpigraft-bench on each line, appended to as soon as it is over."""

import json
import os


def complete_lines(text):
    """The text without the last line if that is not complete: its writer was stopped."""
    return text[:text.rfind(b"\n") + 1]


def read_runs(path):
    """The runs of a file; none where there is no file."""
    if not path.exists():
        return []
    runs = []
    for number, line in enumerate(complete_lines(path.read_bytes()).splitlines(), 1):
        try:
            runs.append(json.loads(line))
        except ValueError as error:
            raise SystemExit(f"{path}:{number}: not a result of mpigraft-bench ({error}); remove the line") from error
    return runs


class Results:
    """A run is known by its place (where its ranks were) and what was asked of mpigraft-bench there. `fresh`: the first
    run that is added takes the place of all that the file has."""

    def __init__(self, path, fresh=False):
        self.path = path
        known = path.exists() and not fresh
        self.runs = read_runs(path) if known else []
        self.length = len(complete_lines(path.read_bytes())) if known else 0  # bytes before the next line

    def find(self, place, asked):
        return next((run for run in self.runs if (run["place"], run["asked"]) == (place, asked)), None)

    def add(self, place, asked, run):
        """Appends a run, which is on disk when this returns."""
        run = {"place": place, "asked": asked, **run}
        with open(self.path, "ab") as file:
            file.truncate(self.length)
            file.write(json.dumps(run).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
            self.length = file.tell()
        self.runs.append(run)
        return run
