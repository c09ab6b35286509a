#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a man page from a template, in which a line @NAME@ stands for text that something else is the source of:
@verbs@, @options@, @examples@, @exit_status@ and @footer@ (the rest after the options) for the command's help,
@environment@ for `mpigraft env`, @keys@ for the schema. Inside lines @VERSION@ is the version, @FUNCTIONS@ those of MPI
that are grafted, by `mpigraft list`."""

import argparse
import json
import os
import re
import subprocess
import textwrap
from pathlib import Path

HEADINGS = ("Positionals", "Options", "Subcommands")
MOST_CODES = "0 success, 1 findings or differences, 2 cannot run."
# `-h,--help`, `--ranks RANKS REQUIRED`, `--collective {scan,exscan} ...`, `--verify[=N]`
OPTION = re.compile(r"(?P<names>[^ [=]+)(\[=(?P<optional>\w+)\])?( (?P<value>.+?))??( \.\.\.)?( REQUIRED)?")


def output_of(*command):
    """Whatever settings the environment has: a build is not a job."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("MPIGRAFT_")}
    return subprocess.run(command, check=True, text=True, capture_output=True, env=env).stdout


class Help:
    """What a command, or a subcommand, says of itself. A list has pairs, (words, text)."""
    def __init__(self, command, *verb):
        head, *lists = re.split(rf"\n\n(?=(?:{'|'.join(HEADINGS)}):\n)", output_of(command, *verb, "--help"))
        lists[-1], _, self.footer = lists[-1].partition("\n\n")
        self.description = head.partition("\nUsage: ")[0]
        # the text of a long entry is in the line below it
        found = {part.partition(":")[0]: re.findall(r"(?m)^  (\S.*?)(?:  +|\n {10,})(.*)$", part) for part in lists}
        self.positionals, self.options, self.verbs = (found.get(heading, []) for heading in HEADINGS)
        if verb:
            del self.options[0]  # each has --help


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return re.sub(r"(?m)^\.", r"\\&.", text)


def bold(text):
    return f"\\fB{escaped(text)}\\fR"


def italic(text):
    return f"\\fI{escaped(text)}\\fR"


def tagged(tag, text):
    return f".TP\n{tag}\n{escaped(text)}\n"


def option_tag(words):
    found = OPTION.fullmatch(words)
    tag = ", ".join(map(bold, found["names"].split(",")))
    if value := found["value"]:
        choices = value[1:-1].split(",") if value.startswith("{") else [value]
        tag += " " + escaped("|").join(map(italic, choices))
    if found["optional"]:
        tag += f"[={italic(found['optional'])}]"
    return tag


def entries(help_text):
    text = "".join(tagged(italic(words.split()[0]), told) for words, told in help_text.positionals)
    for words, told in help_text.options:
        text += tagged(option_tag(words), told + " (required)" * ("REQUIRED" in words))
    return text


def verbatim(text):
    return f".nf\n{escaped(textwrap.dedent(text))}\n.fi\n"


def footer_of(text):
    """Paragraphs are filled, indented ones keep their lines."""
    paragraphs = re.split(r"\n\n|(?<=:)\n(?=  )", text.strip())
    return "".join(".PP\n" + (verbatim(part) if part.startswith("  ") else escaped(part) + "\n") for part in paragraphs)


def paragraphs_of(footer):
    """(examples, exit status, others) of a help's footer, without their headings."""
    examples, codes, others = "", "", []
    for paragraph in footer.strip().split("\n\n"):
        if paragraph.startswith("Examples:\n"):
            examples = paragraph.removeprefix("Examples:\n")
        elif paragraph.startswith("Exit codes: "):
            codes = paragraph.removeprefix("Exit codes: ")
        else:
            others.append(paragraph)
    return examples, codes, "\n\n".join(others)


class Page:
    def __init__(self, options):
        self.command = options.command
        self.help = Help(self.command)
        self.schema = options.schema

    def functions(self):
        catalogue = json.loads(output_of(self.command, "list", "--json"))
        *first, last = dict.fromkeys(entry["function"] for entry in catalogue)
        return f"{', '.join(first)} and {last}"

    def verbs(self):
        text = ""
        for verb, _ in self.help.verbs:
            own = Help(self.command, verb)
            arguments = " ".join(italic(words.split()[0]) for words, _ in own.positionals)
            text += f".SS {bold(verb)} {arguments}\n{escaped(own.description)}\n{entries(own)}"
            text += self.footer_of_subcommand(own)
        return text

    def footer_of_subcommand(self, own):
        """What its help says below the options; exit codes only if they are not those of most."""
        examples, codes, others = paragraphs_of(own.footer)
        parts = [others, f"Exit codes: {codes}" * (codes != MOST_CODES), f"Examples:\n{examples}" * bool(examples)]
        return footer_of("\n\n".join(filter(None, parts)))

    def options(self):
        return entries(self.help)

    def examples(self):
        return verbatim(paragraphs_of(self.help.footer)[0])

    def exit_status(self):
        """The codes as a list, then what else there is to say."""
        codes, _, more = " ".join(paragraphs_of(self.help.footer)[1].split()).partition(". ")
        listed = re.findall(r"(\d+) (.*?)(?:, (?=\d+ )|\.?$)", codes)
        text = "".join(tagged(bold(code), meaning) for code, meaning in listed)
        return text + (f".PP\n{escaped(more)}\n" if more else "")

    def footer(self):
        return footer_of(paragraphs_of(self.help.footer)[2])

    def environment(self):
        text = ""
        for variable in json.loads(output_of(self.command, "env", "--json"))["variables"]:
            text += tagged(f"{bold(variable['name'])}={italic(variable['values'])}", variable["meaning"])
        return text

    def keys(self):
        """Those of a table, of the objects in it and of a rule."""
        schema = json.loads(self.schema.read_text())
        defined = schema["$defs"]
        text = ""
        objects = [(key, value) for key, value in schema["properties"].items() if "properties" in value]
        for heading, part in (("A table", schema), *objects, ("A rule", defined["rule"])):
            text += f".SS {heading}\n"
            for key, value in part["properties"].items():
                required = " (required)" if key in part.get("required", ()) else ""
                text += tagged(bold(key) + required, described(value, defined))
        return text


def described(value, defined):
    shared = defined.get(value.get("$ref", "").rsplit("/", 1)[-1], {})
    told = "; ".join(part["description"] for part in (value, shared) if "description" in part)
    choices = value.get("enum") or ([value["const"]] if "const" in value else [])
    if choices:
        told = "; ".join(filter(None, (told, "one of " * (len(choices) > 1) + ", ".join(map(str, choices)))))
    return told or {"string": "text for people", "array": "a list"}.get(value.get("type"), "")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("template", type=Path)
    parser.add_argument("page", type=Path)
    parser.add_argument("--command", required=True)
    parser.add_argument("--schema", type=Path)
    parser.add_argument("--version", default="")
    options = parser.parse_args()
    page = Page(options)
    text = options.template.read_text().replace("@VERSION@", options.version)
    if "@FUNCTIONS@" in text:
        text = text.replace("@FUNCTIONS@", page.functions())
    options.page.write_text(re.sub(r"(?m)^@(\w+)@\n", lambda match: getattr(page, match[1])(), text))


if __name__ == "__main__":
    main()
