#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program behind `mpigraft import MPIGRAFT [FILE...]`: prints a tuning table that chooses what MPICH or Open MPI was told
to choose."""

import json
import os
import re
import subprocess
import sys
import tempfile

import mpich_rules
import open_mpi_rules
from console import say
from rules import limits

OK, FINDINGS, CANNOT_RUN = 0, 1, 2
SETTING = re.compile(r"^\s*(?:export\s+|-+(?:mca|gmca|genv)\s+)?(\w+)\s*[=:\s]\s*[\"']?([^\s\"';]+)", re.MULTILINE)
SAME = {"allgatherv": "allgather", "reduce_scatter_block": "reduce_scatter"}  # for which a table has one set of rules
OPTIONS = {"segment", "operator"}  # keys that are no ranges
FOREIGN = re.compile(r"/rules/(\d+)/(collective|algorithm|bytes|operator|segment)$")


class Import:
    def __init__(self, mpigraft):
        self.mpigraft, self.rules, self.source = mpigraft, [], ""

    def tell(self, message):
        say("import", f"{self.source}: {message}")

    def ask(self, verb, table, *options):
        """What the command says of a table."""
        with tempfile.NamedTemporaryFile("w", prefix="mpigraft-import-", encoding="utf-8") as file:
            json.dump(table, file)
            file.flush()
            words = [self.mpigraft, verb, *options, file.name]
            return subprocess.run(words, capture_output=True, text=True, check=False).stdout

    def settings(self, variables):
        """The rules of variables, and of the files that some of them name."""
        for name, value in variables.items():
            self.rules += mpich_rules.of_variable(name, value)
        self.rules += open_mpi_rules.of_variables(variables)
        for name, value in variables.items():
            if name == mpich_rules.FILE_VARIABLE or name.endswith(open_mpi_rules.FILE_VARIABLE):
                self.file(value)

    def file(self, name):
        before, self.source = self.source, name
        with open(name, encoding="utf-8") as file:
            text = file.read()
        if text.lstrip().startswith("{"):
            document = json.loads(text)
            self.rules += self.of_json(document)
        elif re.match(r"\s*(#.*\n\s*)*(\d|rule-file-version)", text):
            self.rules += open_mpi_rules.of_classic(text, self.tell)
        else:
            self.settings(dict(SETTING.findall(text)))
        self.source = before

    def of_json(self, document):
        if "collectives" not in document and not all(key.startswith("collective=") for key in document):
            raise ValueError("neither rules of Open MPI's component tuned nor a selection of MPICH")
        origin = open_mpi_rules if "collectives" in document else mpich_rules
        try:
            return origin.of_json(document, self.tell)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not in the form of {'Open MPI' if origin is open_mpi_rules else 'MPICH'}: {error}") from error

    def table(self):
        """The rules as a table has them; those of a collective's other form only if that itself has none."""
        own = {collective for collective, _, _ in self.rules}
        rules = []
        for collective, algorithm, conditions in self.rules:
            if collective in SAME and SAME[collective] in own:
                continue
            collective = SAME.get(collective, collective)
            rule = {"collective": collective, "algorithm": algorithm or "native"}
            for key, value in conditions.items():
                told = value if key in OPTIONS else limits(*value)
                rule |= {key: told} if told else {}
            rules.append(rule)
        return {"version": 1, "rules": rules}

    def check(self, table):
        """Takes out what the collective has not: all rules, if it is not grafted; keys; an algorithm, for MPI's own. Returns
        true if nothing had to be taken out."""
        findings = json.loads(self.ask("check", table, "--json"))["findings"]
        errors = [finding for finding in findings if finding["severity"] == "error"]
        foreign = set()
        for finding in errors:
            found = FOREIGN.match(finding["pointer"])
            if not found:
                raise ValueError(f"{finding['pointer']}: {finding['message']}")
            rule = table["rules"][int(found[1])]
            if found[2] == "collective":
                foreign.add(rule["collective"])
            elif found[2] == "algorithm":
                self.tell(f"{rule['collective']}: there is no {rule['algorithm']} here; its calls are native")
                rule |= {"algorithm": "native", "note": f"{rule['algorithm']} where it came from"}
            else:
                del rule[found[2]]
        table["rules"] = [rule for rule in table["rules"] if rule["collective"] not in foreign]
        return not errors


def convert(importer, files):
    """Prints the table. Returns the exit code."""
    for name in files:
        importer.file(name)
    if not files:
        importer.source = "environment"
        importer.settings(dict(os.environ))
    table = importer.table()
    importer.source = ", ".join(files) or "environment"
    while not importer.check(table):
        pass
    if not table["rules"]:
        importer.tell("nothing chooses an algorithm of a collective that mpigraft grafts")
        return FINDINGS
    sys.stdout.write(importer.ask("fmt", table))
    return OK


def main():
    command, *files = sys.argv[1:]
    importer = Import(command)
    try:
        return convert(importer, files)
    except (OSError, ValueError) as error:
        importer.tell(getattr(error, "strerror", None) or str(error))
        return CANNOT_RUN


if __name__ == "__main__":
    sys.exit(main())
