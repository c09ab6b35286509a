# SPDX-License-Identifier: MIT
"""Reads the help texts of a command, the one source of its man page and completions."""

import re
import subprocess
from dataclasses import dataclass, field

HEADINGS = {"Positionals": "positionals", "Options": "options", "Subcommands": "verbs"}
TYPE = re.compile(r"(TEXT|INT|UINT|FLOAT|BOOLEAN)\b")


@dataclass
class Entry:
    """A line of a list: `-h,--help  Print this`, `--ranks TEXT REQUIRED  Sizes`, `list  Show`."""
    words: str
    text: str

    @property
    def names(self):
        return self.words.split()[0].split(",")

    @property
    def values(self):
        """What follows the names, without what only the parser needs to know."""
        rest = self.words.split(maxsplit=1)[1:]
        text = re.sub(r" ?(REQUIRED|\.\.\.)", "", rest[0] if rest else "")
        text = re.sub(r":(NONNEGATIVE|POSITIVE|[A-Z]+ in \[.*?\])", "", text)
        choice = re.search(r"\{(.*?)\}", text)
        if choice:
            return choice[1].split(",")
        kind = TYPE.match(text)
        return [{"TEXT": "word", "INT": "number", "UINT": "number", "FLOAT": "number"}[kind[1]] if kind else text]

    @property
    def takes_value(self):
        return len(self.words.split()) > 1

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
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout


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
