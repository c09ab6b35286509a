# SPDX-License-Identifier: MIT
"""Reads the help texts of a command, the one source of its man page and completions."""

import os
import re
import subprocess
from dataclasses import dataclass, field

HEADINGS = {"Positionals": "positionals", "Options": "options", "Subcommands": "verbs"}


@dataclass
class Entry:
    """A line of a list: `-h,--help  Print this`, `--ranks RANKS REQUIRED  Sizes`, `list  Show`."""
    words: str
    text: str

    @property
    def names(self):
        return self.words.split()[0].split(",")

    @property
    def value(self):
        """Its name, such as FILE, or {scan,exscan}; empty where it takes none."""
        return re.sub(r" (REQUIRED|\.\.\.)(?= |$)", "", self.words).partition(" ")[2]

    @property
    def choices(self):
        return self.value[1:-1].split(",") if self.value.startswith("{") else []

    @property
    def required(self):
        return "REQUIRED" in self.words


@dataclass
class Help:
    description: str = ""
    usage: str = ""
    positionals: list = field(default_factory=list)
    options: list = field(default_factory=list)
    verbs: list = field(default_factory=list)
    footer: str = ""
    is_verb: bool = False


def output_of(*command):
    """Whatever settings the environment has: a build is not a job."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("MPIGRAFT_")}
    return subprocess.run(command, check=True, text=True, capture_output=True, env=env).stdout


def read(command, *verb):
    found, entries = Help(is_verb=bool(verb)), None
    for line in output_of(command, *verb, "--help").splitlines():
        heading = HEADINGS.get(line.removesuffix(":"))
        if line.startswith("Usage: "):
            found.usage = line.removeprefix("Usage: ")
        elif not found.usage:
            found.description += line
        elif heading and line.endswith(":"):
            entries = getattr(found, heading)
        elif entries is not None and line.startswith(" " * 10):
            entries[-1].text = f"{entries[-1].text} {line.strip()}".strip()
        elif entries is not None and line.startswith("  "):
            words, _, text = line.strip().partition("  ")
            entries.append(Entry(words, text.strip()))
        elif line or found.footer:
            entries = None
            found.footer += line + "\n"
        else:
            entries = None
    return found
