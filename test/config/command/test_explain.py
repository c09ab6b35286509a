# SPDX-License-Identifier: MIT
"""mpigraft explain."""
import json
import os

from command_call import Folder, call, explain


class Explain(Folder):
    def explain(self, *arguments, **variables):
        if "--ranks-per-node" not in arguments:
            arguments = ("--ranks-per-node", "1", *arguments)
        return explain("exscan", 36, "64K", *arguments, **variables)

    def rules(self):
        return self.table({"collective": "scan", "algorithm": "native"},
                          {"collective": "exscan", "algorithm": "native", "bytes": {"max": 65535}},
                          {"collective": "exscan", "algorithm": "native", "operator": "user"},
                          {"collective": "exscan", "algorithm": "native", "ranks_per_node": {"min": 4}},
                          {"collective": "exscan", "algorithm": "doubling_123", "ranks": {"min": 36}, "note": "measured"})

    def test_text(self):
        table = self.rules()
        head = f"""\
runs: exscan/doubling_123, rounds 6 (rule 5 at line 1 of {table}: exscan ranks 36..inf: exscan/doubling_123)
note: measured
stays native: among the first 4 calls of a communicator other than MPI_COMM_WORLD, and more if they are short
call: exscan, ranks 36, bytes 64K, ranks per node 1, operator commutative
table: {table} (--table)
machine: latency 1.5us, bandwidth 12.5GB/s, combine 10GB/s
"""
        skipped = """\
rule 2 (line 1) does not match: bytes 64K is outside 0..65535
rule 3 (line 1) does not match: the operator is predefined
rule 4 (line 1) does not match: ranks per node 1 is outside 4..inf
"""
        self.assertEqual(self.explain("--table", table),
                         (0, head + skipped + "rules for other collectives before it: 1 (--verbose shows them)\n", ""))
        self.assertEqual(self.explain("--table", table, "--verbose"),
                         (0, head + "rule 1 (line 1) does not match: it is for scan\n" + skipped, ""))

    def test_ranks_per_node_of_this_machine(self):
        cores = len(os.sched_getaffinity(0))
        self.assertIn(f", ranks per node {cores} (of this machine's {cores} cores), ", explain("scan", 4096, 8)[1])
        before, after = self.table(), self.table({"collective": "scan", "algorithm": "two_tree"}, name="after.json")
        text = call("diff", before, after)[1]
        self.assertTrue(text.startswith(f"ranks per node: {cores}, the cores of this machine (--ranks-per-node)\n"), text)
        self.assertNotIn("cores", call("diff", before, after, "--ranks-per-node", "3")[1])

    def test_json(self):
        document = json.loads(self.fine(self.explain("--json", "--operator", "user", MPIGRAFT_TABLE=self.rules())))
        self.assertEqual(document["table"], {"origin": self.path("table.json"), "source": "MPIGRAFT_TABLE"})
        self.assertEqual(document["call"]["operator"], "user")
        self.assertEqual(document["rule"]["number"], 3)
        self.assertEqual([skipped["reason"] for skipped in document["skipped"]], ["bytes 64K is outside 0..65535"])
        verbose = json.loads(self.explain("--json", "--verbose", "--operator", "user", MPIGRAFT_TABLE=self.rules())[1])
        self.assertEqual([skipped["number"] for skipped in verbose["skipped"]], [1, 2])
        self.assertEqual((document["algorithm"], document["rounds"]), ("native", None))

    def test_what_was_learned_is_the_table_where_no_other_is_named(self):
        learned = self.table({"collective": "exscan", "algorithm": "doubling_1",
                              "note": "learned: 1.5 times the speed of native"}, name="learned.json")
        text = self.explain(MPIGRAFT_LEARN=learned)[1]
        self.assertIn(f"table: {learned} (MPIGRAFT_LEARN)", text)
        self.assertIn("note: learned: 1.5 times", text)
        self.assertIn("(MPIGRAFT_TABLE)", self.explain(MPIGRAFT_LEARN=learned, MPIGRAFT_TABLE=self.rules())[1])
        self.assertIn("table: embedded\n", self.explain(MPIGRAFT_LEARN=self.path("none.json"))[1])

    def test_oversubscribed(self):
        table = self.table({"collective": "exscan", "algorithm": "native", "oversubscribed": True},
                           {"collective": "exscan", "algorithm": "doubling_123", "oversubscribed": False})
        with_cores = self.explain("--table", table)[1]
        oversubscribed = self.explain("--table", table, "--oversubscribed")[1]
        self.assertIn("rule 1 (line 1) does not match: it is for nodes with more ranks than cores\n", with_cores)
        self.assertIn(f"(rule 2 at line 1 of {table}: exscan not oversubscribed", with_cores)
        self.assertIn("ranks per node 1, oversubscribed, operator", oversubscribed)
        self.assertIn(f"runs: native (rule 1 at line 1 of {table}: exscan oversubscribed: native)", oversubscribed)
        after = self.table({"collective": "exscan", "algorithm": "native", "oversubscribed": True}, name="after.json")
        self.assertIn("doubling_123", call("diff", table, after)[1])
        self.assertNotIn("doubling_123", call("diff", table, after, "--oversubscribed")[1])

    def test_rounds_follow_the_machine(self):
        """A chain of 36 ranks takes p + b - 2 rounds, b = round(sqrt((p-2) * transfer and combining / latency))."""
        for machine, rounds in (({}, 35 + 65 - 1), ({"latency": "6us", "bandwidth": "12.5GB/s"}, 35 + 33 - 1),
                                ({"latency": "24us"}, 35 + 16 - 1)):
            table = self.table({"collective": "scan", "algorithm": "linear_pipeline"}, machine=machine)
            self.assertEqual(json.loads(explain("scan", 36, "1M", "--table", table, "--json")[1])["rounds"], rounds, machine)

    def test_options_of_the_choice(self):
        table = self.table({"collective": "exscan", "algorithm": "k_ported", "ports": 3},
                           {"collective": "bcast", "algorithm": "linear_pipeline", "segment": "8K"})
        document = json.loads(self.explain("--table", table, "--json")[1])
        self.assertEqual((document["ports"], document["segment"], document["rounds"]), (3, None, 3))
        self.assertIn(": exscan: exscan/k_ported@ports=3)\n", self.explain("--table", table)[1])
        document = json.loads(explain("bcast", 36, 65539, "--table", table, "--json")[1])
        self.assertEqual((document["ports"], document["segment"]), (None, "8K"))
        self.assertEqual(document["rounds"], 35 + 9 - 1)  # the last block is short
        self.assertEqual(document["call"]["operator"], "none")
        text = explain("bcast", 36, 65539, "--table", table)[1]
        self.assertIn(", operator none\n", text)
        self.assertIn("runs: bcast/linear_pipeline@8K, rounds 43 ", text)
        self.assertIsNone(json.loads(self.explain("--table", self.table(), "--json")[1])["rule"])
        self.assertIn("rounds 3", explain("scan", 4, 13, MPIGRAFT_FORCE="scan=linear_pipeline@none")[1])
        for barrier, runs in (True, "scan/binomial@barrier, rounds 17"), (False, "scan/binomial, rounds 5"):
            table = self.table({"collective": "scan", "algorithm": "binomial", "barrier": barrier})
            self.assertIn(f"runs: {runs} ", explain("scan", 8, 8, "--table", table)[1])
        self.assertIn("rounds 2", explain("exscan", 8, 8, MPIGRAFT_FORCE="exscan=k_ported")[1])  # by two ports

    def test_flat_forms(self):
        table = self.table({"collective": "exscan", "algorithm": "hierarchical"})
        self.assertIn("runs: exscan/hierarchical", self.explain("--table", table, "--ranks-per-node", "6")[1])
        one_node = ("--table", table, "--ranks-per-node", "36")
        self.assertRegex(self.explain(*one_node)[1], r"runs: exscan/\w+, .*; flat form of exscan/hierarchical: one node\)")
        self.assertIn("runs: exscan/hierarchical", self.explain(*one_node, MPIGRAFT_NODES="/9")[1])

    def test_operators(self):
        table = self.table({"collective": "reduce", "algorithm": "circulant", "operator": "commutative"})
        reduce = ("reduce", 8, "1K")
        other = (*reduce, "--operator", "noncommutative")
        self.assertIn("does not match: the operator is not commutative", explain(*other, "--table", table)[1])
        table = self.table({"collective": "reduce", "algorithm": "binomial", "operator": "noncommutative"})
        self.assertIn("does not match: the operator is commutative", explain(*reduce, "--table", table)[1])
        names = ("two_tree", "shared_flat", "doubling_123")
        table = self.table(*({"collective": "exscan", "algorithm": name} for name in names))
        cut = self.explain("--table", table, "--operator", "user")[1]
        self.assertIn("rule 1 (line 1) does not match: exscan/two_tree may cut the vector, and a user operator gets parts", cut)
        self.assertIn("rule 2 (line 1) does not match: exscan/shared_flat may cut a vector above 8K, and", cut)
        self.assertIn("runs: exscan/doubling_123, ", cut)
        forced = {"MPIGRAFT_FORCE": "reduce=circulant"}
        needs = "MPIGRAFT_FORCE names reduce/circulant, which needs a commutative operator: "
        self.assertIn(needs + "native)", explain(*other, **forced)[1])
        forced_strictly = explain(*other, MPIGRAFT_FORCE="reduce=circulant,strict")[1]
        self.assertIn(needs + "an MPI error (MPIGRAFT_FORCE=strict))", forced_strictly)
        self.assertIn("(MPIGRAFT_FORCE)", explain(*reduce, **forced)[1])
        self.assertIn("runs: native (MPIGRAFT_FORCE)", explain(*other, MPIGRAFT_FORCE="reduce=native")[1])

    def runs_by(self, rule, size, *operator):
        """True if a call on 16 ranks runs by this rule."""
        words = ("--ranks-per-node", "16", "--table", self.table(rule), *operator)
        runs = self.fine(explain(rule["collective"], 16, size, *words))
        return runs.startswith(f"runs: {rule['collective']}/{rule['algorithm']}")

    def test_operators_of_rules(self):
        commutative, noncommutative, user = calls = (), ("--operator", "noncommutative"), ("--operator", "user")
        for operator, matching in (("any", [*calls]), ("commutative", [commutative, user]),
                                   ("noncommutative", [noncommutative]), ("user", [noncommutative, user])):
            rule = {"collective": "reduce", "algorithm": "binomial", "operator": operator}
            self.assertEqual([one for one in calls if self.runs_by(rule, 8, *one)], matching, operator)

    def test_a_user_operator_gets_parts_only_by_rules_for_such_operators(self):
        none, of_users = {"segment": "none"}, {"operator": "user"}
        for name, more, size, gets in (
                ("hillis_steele", {}, "1M", True), ("two_tree", none, 1, False), ("two_tree", of_users, "1M", True),
                ("linear_pipeline", {}, 1, False), ("linear_pipeline", {"operator": "commutative"}, 1, False),
                ("linear_pipeline", none, "1M", True), ("linear_pipeline", {"segment": 4096}, 4096, True),
                ("linear_pipeline", {"segment": 4096}, 4097, False),
                ("linear_pipeline", {"segment": 4096} | of_users, 4097, True), ("shared_flat", {}, 8192, True),
                ("shared_flat", none, 8192, True), ("shared_flat", none, 8193, False),
                ("shared_flat", {"segment": 4096}, 4097, False)):
            rule = {"collective": "scan", "algorithm": name} | more
            self.assertEqual(self.runs_by(rule, size, "--operator", "user"), gets, f"{rule} {size}")
            self.assertEqual(self.runs_by(rule, size), "user" not in more.values(), f"{rule} {size}")
        self.assertTrue(self.runs_by({"collective": "bcast", "algorithm": "linear_pipeline", "segment": 4096}, "1M"))

    def test_floating_point(self):
        """MPIGRAFT_REPRODUCIBLE comes before MPIGRAFT_FORCE, as in the library."""
        table, native = self.rules(), "runs: native (MPIGRAFT_REPRODUCIBLE=native)\n"
        floats = {"MPIGRAFT_REPRODUCIBLE": "native"}
        self.assertIn("; floating point types stay native: MPIGRAFT_REPRODUCIBLE=native)\n",
                      self.explain("--table", table, **floats)[1])
        self.assertNotIn("float", self.explain("--table", table)[1])
        _, out, _ = self.explain("--table", table, "--floating", **floats)
        self.assertTrue(out.startswith(native) and ", operator commutative, floating point\n" in out, out)
        self.assertIn(native, self.explain("--floating", MPIGRAFT_FORCE="exscan=doubling_1", **floats)[1])
        self.assertIn("runs: exscan/doubling_123", self.explain("--table", table, "--floating")[1])
        document = json.loads(self.explain("--table", table, "--floating", "--json", **floats)[1])
        self.assertEqual((document["algorithm"], document["call"]["floating"]), ("native", True))
        bcast = explain("bcast", 8, "1K", "--floating", MPIGRAFT_FORCE="bcast=binomial", **floats)[1]
        self.assertIn("runs: bcast/binomial, rounds 3 (MPIGRAFT_FORCE)\n", bcast)
        every = ("explain", "--all", "--collective", "exscan", "--ranks-per-node", "1", "--table", table)
        self.assertIn(" a exscan/doubling_123\n", call(*every, **floats)[1])
        _, out, _ = call(*every, "--floating", **floats)
        self.assertTrue(out.startswith("exscan, 1 rank a node, floating point\n") and " a exscan" not in out, out)

    def test_no_data(self):
        out = self.fine(call("explain", "--collective", "barrier", "--ranks", "8", "--ranks-per-node", "1", "--table", self.table(
            {"collective": "barrier", "algorithm": "dissemination"})))
        self.assertRegex(out, r"^runs: barrier/dissemination, rounds 3 (.|\n)*\ncall: barrier, ranks 8, bytes 0, ")
        out = self.fine(call("explain", "--all", "--collective", "barrier", "--ranks-per-node", "1",
                             MPIGRAFT_FORCE="barrier=dissemination"))
        self.assertTrue(out.startswith("barrier, 1 rank a node\nbytes  0\n    2  a\n    3  a\n"), out)

    def test_no_rule(self):
        out = self.fine(self.explain("--table", self.table()))
        self.assertIn("runs: native (no rule matches)", out)
        self.assertNotIn("first 4 calls", out)

    def test_the_built_in_table_of_an_mpi(self):
        def rules(*arguments):
            return self.fine(call("explain", "--all", "--ranks-per-node", "16", *arguments))
        source = json.loads(self.explain("--json")[1])["table"]["source"]
        self.assertIn(source, ("embedded", "site file"))
        self.assertEqual(rules(), rules("--mpi", "mpich"))
        self.assertEqual(rules() == rules("--mpi", "openmpi"), source == "site file")
        named = self.explain("--table", self.rules())
        self.assertEqual(self.explain("--table", self.path("table.json"), "--mpi", "openmpi"), named)

    def test_options_reach_the_query(self):
        table = self.rules()
        self.assertIn("(rule 4 at line 1 ", self.explain("--table", table, "--ranks-per-node", "4")[1])
        self.assertIn("(rule 3 at line 1 ", self.explain("--table", table, "--operator", "noncommutative")[1])

    def test_force_wins(self):
        out = self.fine(self.explain("--table", self.rules(), MPIGRAFT_FORCE="exscan=doubling_1"))
        self.assertIn("runs: exscan/doubling_1, rounds 7 (MPIGRAFT_FORCE)", out)
        self.assertNotIn("rule", out)

    def test_force_says_what_runs_for_which_collectives_and_bytes(self):
        force = ("exscan=doubling_123,scan=binomial:-8K,scan=scan/two_tree@4K:8193-64K,bcast=native:8,reduce=binomial@none,"
                 "scan_reduce=apart,scan_allreduce=decomposed")
        for collective, size, runs in (
                ("exscan", 8, "exscan/doubling_123, rounds 4"), ("scan", 1, "scan/binomial, rounds 5"),
                ("scan", 8192, "scan/binomial, rounds 5"), ("scan", 8193, "scan/two_tree@4K, rounds 13"),
                ("scan", "64K", "scan/two_tree@4K, rounds 37"), ("scan", 65537, ""), ("bcast", 7, ""), ("bcast", 8, "native"),
                ("bcast", 9, ""), ("allreduce", 8, ""), ("reduce", 8, "reduce/binomial@none, rounds 3"),
                ("scan_reduce", 8, "apart"), ("scan_allreduce", 8, "decomposed")):
            out = explain(collective, 8, size, "--ranks-per-node", "1", "--table", self.table(), MPIGRAFT_FORCE=force)[1]
            wanted = f"runs: {runs} (MPIGRAFT_FORCE" if runs else "runs: native (no rule matches"
            self.assertEqual(out.partition(")")[0], wanted, f"{collective} of {size}")

    def test_compositions(self):
        table = self.table({"collective": "scan_scan", "algorithm": "fused", "ranks": {"max": 36}, "bytes": {"max": 7}},
                           {"collective": "scan_scan", "algorithm": "apart", "nodes": {"max": 1}, "bytes": {"max": 8}},
                           {"collective": "scan_scan", "algorithm": "fused", "nodes": {"min": 3}, "bytes": {"min": "1M"}})

        def runs(composition, size, *more, **variables):
            more = more or ("--ranks-per-node", "1")
            return self.fine(explain(composition, 36, size, "--table", table, *more, **variables)).splitlines()[0]
        self.assertEqual(runs("scan_scan", "8", "--ranks-per-node", "36"), "runs: apart (rule at line 1 of the table)")
        for rule in ("7", "--ranks-per-node", "36"), ("1M",):
            self.assertEqual(runs("scan_scan", *rule), "runs: fused (rule at line 1 of the table)")
        self.assertRegex(runs("scan_scan", "499", "--ranks-per-node", "36"), "^runs: apart .no rule matches, on one node")
        self.assertRegex(explain("scan_scan", 37, 7, "--ranks-per-node", "37", "--table", table)[1], "^runs: apart .rule")
        self.assertEqual(runs("scan_scan", "8", "--force", "scan_scan=fused"), "runs: fused (MPIGRAFT_FORCE)")
        # q = 6 start-ups of 1.5 us, and twice as many
        self.assertEqual(runs("scan_scan", "8"), "runs: fused (no rule matches; by the model, fused 9.04 us, apart 18 us)")
        self.assertRegex(runs("scan_scan", "64K"), "^runs: apart ")
        self.assertEqual(runs("scan_reduce", "8", "--ranks-per-node", "36"), "runs: apart (no rule matches, on one node)")
        self.assertRegex(runs("scan_allreduce", "64K"), "^runs: decomposed ")
        fused = {"MPIGRAFT_FORCE": "scan_scan=fused"}
        self.assertEqual(runs("scan_scan", "8", MPIGRAFT_DISABLE="1"), "runs: apart (MPIGRAFT_DISABLE=1: every call is native)")
        self.assertEqual(runs("scan_scan", "0", **fused), "runs: apart (zero bytes)")
        self.assertEqual(runs("scan_scan", "8", "--floating", MPIGRAFT_REPRODUCIBLE="native", **fused),
                         "runs: apart (MPIGRAFT_REPRODUCIBLE=native)")
        self.assertEqual(runs("scan_scan", "8", MPIGRAFT_REPRODUCIBLE="native", **fused), "runs: fused (MPIGRAFT_FORCE)")
        self.assertEqual(runs("scan_scan", "8", "--floating", MPIGRAFT_REPRODUCIBLE="order", **fused), "runs: fused (MPIGRAFT_FORCE)")
        on_two_nodes = json.loads(explain("scan_reduce", 2, 8, "--ranks-per-node", "1", "--json")[1])
        self.assertEqual(on_two_nodes["variant"], "fused")

    def test_unusable_table_or_settings(self):
        broken = self.table({"collective": "scan"})
        err = self.refused(self.explain("--table", broken))
        self.assertEqual(err, f'mpigraft: {broken}:1:26: /rules/0: missing key "algorithm"\n')
        for other in (("--all",), ("--collective", "scan_scan", "--ranks", "2", "--bytes", "8")):
            self.assertEqual(self.refused(call("explain", *other, "--table", broken)), err)
        self.assertIn("No such file", self.refused(self.explain("--table", self.path("absent"))))
        self.assertIn('did you mean "native"?', self.refused(self.explain(MPIGRAFT_FORCE="exscan=nativ")))
