# SPDX-License-Identifier: MIT
"""Reads the help texts of a command, the one source of its man page."""

import os
import re
import subprocess
from dataclasses import dataclass

HEADINGS = ("Positionals", "Options", "Subcommands")  # in the order of Help


@dataclass
class Entry:
    """A line of a list: `-h,--help  Print this`, `--ranks RANKS REQUIRED  Sizes`, `--verify[=N]  Compare`, `list  Show`."""
    words: str
    text: str

    @property
    def names(self):
        return re.split(r"[ [=]", self.words)[0].split(",")

    @property
    def value(self):
        """Its name, such as FILE, or {scan,exscan}; empty where it takes none."""
        return re.sub(r" (REQUIRED|\.\.\.)(?= |$)", "", self.words).partition(" ")[2]

    @property
    def optional_value(self):
        """Its name, where the option takes one only behind a sign."""
        return "".join(re.findall(r"\[=(\w+)\]$", self.words))

    @property
    def choices(self):
        return self.value[1:-1].split(",") if self.value.startswith("{") else []

    @property
    def required(self):
        return "REQUIRED" in self.words


@dataclass
class Help:
    description: str
    positionals: list
    options: list
    verbs: list
    footer: str
    is_verb: bool


def output_of(*command):
    """Whatever settings the environment has: a build is not a job."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("MPIGRAFT_")}
    return subprocess.run(command, check=True, text=True, capture_output=True, env=env).stdout


def entries(text):
    """Those of a list; the text of a long entry is in the line below it."""
    return [Entry(*found) for found in re.findall(r"^  (\S.*?)(?:  +|\n {10,})(.*)$", text, re.MULTILINE)]


def read(command, *verb):
    head, *lists = re.split(rf"\n\n(?=(?:{'|'.join(HEADINGS)}):\n)", output_of(command, *verb, "--help"))
    lists[-1], _, footer = lists[-1].partition("\n\n")
    found = {text.partition(":")[0]: entries(text) for text in lists}
    return Help(head.partition("\nUsage: ")[0], *(found.get(heading, []) for heading in HEADINGS), footer, bool(verb))
