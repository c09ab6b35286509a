# SPDX-License-Identifier: MIT
"""Every hint that `mpigraft check` gives is accepted when it is taken as it stands."""
import copy
import glob
import json
import re
from collections import Counter

from command_call import BROKEN_TABLES, QUESTIONABLE_TABLES, Folder, call, text_of

# Hints that say what to think about, not what to write.
UNTAKEN = ("keep one of them", "it is an algorithm of exscan", "this mpigraft reads 1")


def changed(document, path, change):
    """A copy in which change(parent, key) was made at a place."""
    document = copy.deepcopy(document)
    parent = document
    for step in path[:-1]:
        parent = parent[int(step) if isinstance(parent, list) else step]
    change(parent, int(path[-1]) if isinstance(parent, list) else path[-1])
    return document


def path_of(pointer):
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def literal(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def put(value):
    return lambda parent, key: parent.__setitem__(key, value)


def remove(parent, key):
    parent.pop(key)


def rename(name):
    return lambda parent, key: parent.__setitem__(name, parent.pop(key))


def rule_of(finding):
    return re.match(r"/rules/\d+", finding["pointer"])[0]


def of_rule(key, value):
    return lambda parent, rule: parent[rule].__setitem__(key, value)


def written(finding, text):
    """The changes that write one of several values, or keys, that a hint names."""
    if re.fullmatch("1 to [0-9]+", text):
        return [(finding["pointer"], put(int(number))) for number in text.split(" to ")]
    if found := re.fullmatch("one of (.*)", text):
        names = found[1].split(", ")
    else:
        names = re.findall(r'\{.*\}|"[^"]*"|[^ ,]+', re.sub(r" or |one such as |, with .*|a smaller one,|leave it out|remove it",
                                                           " ", text))
    key = finding["message"].startswith("unknown key")
    return [(finding["pointer"], rename(name) if key else put(literal(name))) for name in names]


def repairs(finding):
    """All that a hint offers, each as (place, change); none for a hint that cannot be taken word by word."""
    hint, place = finding["hint"], finding["pointer"]
    if hint.startswith("remove") or hint == "write \"*\", or remove it":
        return [(place, remove)]
    if found := re.fullmatch(r"did you mean (.*)\?", hint):
        if finding["message"].startswith("unknown key"):
            return [(place, rename(literal(found[1])))]
        bound = re.match("(max|min) [0-9]+ does not fit", finding["message"])
        return [(place + (f"/{bound[1]}" if bound else ""), put(literal(found[1])))]
    if found := re.fullmatch(r'(?:add|write) "(operator)": (".*")', hint):
        return [(rule_of(finding), of_rule(found[1], literal(found[2])))]
    if hint.startswith("if you mean that, add a rule that names native"):
        ranks, sizes = re.search(r"ranks (\S+), bytes (\S+), between", finding["message"]).groups()
        limits = [{"min": literal(least), "max": literal(most)} for least, most in (ranks.split(".."), sizes.split(".."))]

        def add(parent, rule):
            native = {"collective": parent[rule]["collective"], "algorithm": "native"}
            parent.insert(rule, native | {"ranks": limits[0], "bytes": limits[1]})
        return [(rule_of(finding), add)]
    asked = re.search(r'ask for "(nodes)": (.*)$', hint)
    named = re.match("name ([a-z_/0-9]+)", hint)
    offers = [(rule_of(finding), of_rule("algorithm", named[1]))] if named else []
    offers += [(rule_of(finding), of_rule(asked[1], literal(asked[2])))] if asked else []
    if hint.startswith("write ") and not offers:
        offers = written(finding, hint.removeprefix("write "))
    return offers


class Hints(Folder):
    def findings(self, document):
        return json.loads(call("check", "--json", self.write("t.json", json.dumps(document)))[1])["findings"]

    def test_every_hint_is_accepted(self):
        """Each hint of each table here is taken as it stands: what it was for is gone, and no error takes its place."""
        taken = 0
        for folder in (BROKEN_TABLES, QUESTIONABLE_TABLES):
            for name in sorted(glob.glob("*.json", root_dir=folder)):
                try:
                    document = json.loads(text_of(folder, name))
                except ValueError:
                    continue
                before = [] if name == "duplicate_key.json" else self.findings(document)
                known = Counter(finding["message"] for finding in before)  # places change if a rule is removed
                for finding in before:
                    offers = repairs(finding)
                    said = f"{name}: {finding['message']}; {finding['hint']}"
                    self.assertTrue(offers or not finding["hint"] or finding["hint"] in UNTAKEN, said)
                    for place, change in offers:
                        after = self.findings(changed(document, path_of(place), change))
                        left = {(other["pointer"], other["message"]) for other in after}
                        self.assertNotIn((finding["pointer"], finding["message"]), left, said)
                        fresh = Counter(other["message"] for other in after if other["severity"] == "error") - known
                        if re.match("unknown key.*; write", f"{finding['message']}; {finding['hint']}"):
                            fresh = [message for message in fresh if " key" in message]  # its value is another's
                        self.assertEqual(list(fresh), [], said)
                        taken += 1
        self.assertGreater(taken, 60)
