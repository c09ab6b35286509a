# SPDX-License-Identifier: MIT
"""The schema accepts what the parser accepts and refuses what it refuses, but for what no schema can say."""
import glob
import json
import os
import re
import sys

from command_call import BROKEN_TABLES, DEFAULT_TABLE, QUESTIONABLE_TABLES, SCHEMA, SOURCE, Folder, call, text_of
from test_hints import changed, put, remove

try:
    import jsonschema
except ImportError:
    print("no python3-jsonschema")
    sys.exit(77)

VALIDATOR = jsonschema.Draft202012Validator(json.loads(text_of(SCHEMA)))
NO_JSON = {"trailing_comma"}
# Findings on two keys together.
BEYOND_A_SCHEMA = {"duplicate_key"}
# Instead of every value of a table, and as a key of every object.
VALUES = (None, True, False, -1, 0, 1, 9, 1.5, "", "x", "64K", "none", "user", "native", "binomial", "barrier", [],
          {"min": 1})
SAMPLE = {"$schema": "s", "version": 1, "site": "s", "note": "n", "requires": {"mpi": "*", "host": "*"},
          "machine": {"latency": "1.5us", "bandwidth": "12.5GB/s", "combine": "10GB/s"},
          "scratch": "1G", "rules": [
              {"collective": "reduce", "algorithm": "circulant", "operator": "commutative", "segment": "8K", "note": "n",
               "ranks": {"min": 0, "max": "inf"}, "bytes": {"max": "64K"}, "nodes": {"min": 1}, "ranks_per_node": {},
               "oversubscribed": True},
              {"collective": "exscan", "algorithm": "k_ported", "ports": 2},
              {"collective": "scan", "algorithm": "binomial", "barrier": True, "segment": 7},
              {"collective": "bcast", "algorithm": "native", "bytes": {"max": 8}}]}


def places(value, path=()):
    """The paths of all values."""
    yield path
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places(value[key], (*path, key))


class Schema(Folder):
    def test_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(VALIDATOR.schema)

    def test_good_tables(self):
        example = re.search(r"```json\n(.*?)```", text_of(SOURCE, "README.md"), re.DOTALL)[1]
        good = [text_of(DEFAULT_TABLE), text_of(SOURCE, "test/fuzz_table/corpus/everything.json"), example]
        good += [text_of(path) for path in glob.glob(os.path.join(QUESTIONABLE_TABLES, "*.json")) if "errors" not in path]
        for text in good:
            VALIDATOR.validate(json.loads(text))
            self.assertEqual(call("check", self.write("t.json", text))[0], 0)

    def test_broken_tables(self):
        for path in glob.glob(os.path.join(BROKEN_TABLES, "*.json")):
            name = os.path.basename(path)[:-len(".json")]
            with self.subTest(name):
                if name in NO_JSON:
                    self.assertRaises(ValueError, json.loads, text_of(path))
                else:
                    self.assertEqual(VALIDATOR.is_valid(json.loads(text_of(path))), name in BEYOND_A_SCHEMA)

    def test_changed_tables(self):
        """In turn, one value of a table is changed, removed or added."""
        documents = [*VALUES]
        for path in filter(None, places(SAMPLE)):
            documents += [changed(SAMPLE, path, change) for change in (*map(put, VALUES), remove)]
        differ = []
        for document in documents:
            accepted = call("check", self.write("t.json", json.dumps(document)))[0] == 0
            if accepted != VALIDATOR.is_valid(document):
                differ.append((accepted, document))
        self.assertEqual(differ, [])
        self.assertGreater(len(documents), 600)
