# SPDX-License-Identifier: MIT
"""mpigraft import: what MPICH and Open MPI were told to choose, as a tuning table."""
import json

from command_call import Folder, call, explain

CLASSIC = """rule-file-version-2
3          # collectives
7          # bcast
2          # communicator sizes
2
1
0 6 0 0 0
16         # of which 16 to 63 ranks take the rules
2
0 6 0 0 0
65536 3 0 8192 0   # a pipeline
3          # alltoall
1
2
1
0 1 0 0 0
2          # allreduce
1
2
2
0 3 0 0 0
8192 2 0 0 0
"""
IN_JSON = {"rule_file_version": 3, "module": "tuned", "collectives": {
    "allreduce": [{"comm_size_min": 4, "comm_size_max": 8, "rules": [
        {"msg_size_max": 511, "alg": 3}, {"msg_size_min": 512, "msg_size_max": "inf", "alg": "ring"}]}],
    "reducescatterblock": [{"comm_rank_distribution": "single-node", "rules": [{"alg": "recursive_halving"}]}],
    "scan": [{"rules": [{"msg_size_min": 64, "alg": 2}]}]}}
SELECTION = {
    "collective=bcast": {
        "comm_type=intra": {
            "comm_size<8": {"algorithm=MPIR_Bcast_intra_binomial": {}},
            "comm_size=pow2": {"algorithm=MPIR_Bcast_intra_scatter_recursive_doubling_allgather": {}},
            "comm_size=any": {
                "comm_hierarchy=parent": {
                    "avg_msg_size<=12288": {"algorithm=MPIR_Bcast_intra_smp": {}},
                    "avg_msg_size=any": {"algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}}},
                "comm_hierarchy=any": {"algorithm=MPIR_Bcast_intra_tree": {"k=2": {}}}}},
        "comm_type=inter": {"algorithm=MPIR_Bcast_inter_remote_send_local_bcast": {}}},
    "collective=allreduce": {
        "comm_type=intra": {
            "is_op_built_in=yes": {"algorithm=MPIR_Allreduce_intra_ring": {}},
            "is_op_built_in=no": {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}}}},
    "collective=ibcast": {"count<pow2": {"algorithm=MPIR_Ibcast_intra_sched_binomial": {}}}}


class Import(Folder):
    def imported(self, text, told=()):
        """Imports a file, which says exactly this."""
        status, out, err = call("import", self.write("rules", text if isinstance(text, str) else json.dumps(text)))
        self.assertEqual((status, err), (0, "".join(f"mpigraft import: {self.path('rules')}: {line}\n" for line in told)))
        self.table_file = self.write("table.json", out)
        self.assertEqual(call("check", self.table_file)[0], 0)
        return json.loads(out)["rules"]

    def runs(self, collective, ranks, size, *options):
        out = explain(collective, ranks, size, "--table", self.table_file, *options)[1]
        return out.split()[1].rstrip(",:")

    def test_variables(self):
        told = ("exscan: there is no recursive_doubling here; its calls are native",)
        rules = self.imported("# of our site\nexport MPIR_CVAR_BCAST_INTRA_ALGORITHM=scatter_ring_allgather\n"
                              "MPIR_CVAR_SCAN_INTRA_ALGORITHM = auto\nMPIR_CVAR_EXSCAN_INTRA_ALGORITHM=recursive_doubling\n"
                              "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM=brucks\nPATH=/bin\n", told)
        self.assertEqual([(rule["collective"], rule["algorithm"]) for rule in rules],
                         [("bcast", "scatter_allgather_ring"), ("scan", "native"), ("exscan", "native")])

    def test_environment_and_files_that_it_names(self):
        file = self.write("tuned.conf", CLASSIC)
        status, out, err = call("import", OMPI_MCA_coll_tuned_reduce_algorithm="3", OMPI_MCA_coll_tuned_reduce_algorithm_segmentsize="65536",
                                OMPI_MCA_coll_tuned_dynamic_rules_filename=file, MPIR_CVAR_BARRIER_INTRA_ALGORITHM="k_dissemination")
        self.assertEqual((status, err.count("\n")), (0, 1), err)
        rules = json.loads(out)["rules"]
        self.assertEqual(rules[:2], [{"collective": "barrier", "algorithm": "dissemination"},
                                     {"collective": "reduce", "algorithm": "linear_pipeline", "segment": "64K"}])
        self.assertEqual([rule["collective"] for rule in rules[2:]], ["bcast"] * 3 + ["allreduce"] * 2)

    def test_rules_of_open_mpi(self):
        rules = self.imported(CLASSIC, ["allreduce: there is no nonoverlapping here; its calls are native"])
        for ranks, size, name in ((2, "1M", "bcast/binomial"), (15, "1M", "bcast/binomial"), (16, "1K", "bcast/binomial"),
                                  (16, "64K", "bcast/linear_pipeline"), (5000, "1M", "bcast/linear_pipeline")):
            self.assertEqual(self.runs("bcast", ranks, size), name)
        self.assertEqual([rule.get("segment") for rule in rules], [None, None, "8K", None, None])
        self.assertEqual(self.runs("allreduce", 4, 8191), "allreduce/recursive_doubling")
        self.assertEqual(self.runs("allreduce", 4, 8192), "native")

    def test_json_of_open_mpi(self):
        told = ["scan: Open MPI counts its bytes otherwise; the rule for 64 bytes and more is left out"]
        self.assertEqual(len(self.imported(IN_JSON, told)), 3)
        for collective, ranks, size, name in (("allreduce", 4, 511, "allreduce/recursive_doubling"),
                                              ("allreduce", 8, 512, "allreduce/ring"), ("allreduce", 9, 8, "native"),
                                              ("reduce_scatter", 4, 512, "reduce_scatter/recursive_halving")):
            self.assertEqual(self.runs(collective, ranks, size, "--ranks-per-node", "8"), name)
        self.assertEqual(self.runs("reduce_scatter", 4, 512, "--ranks-per-node", "2"), "native")

    def test_selection_of_mpich(self):
        told = ["bcast: comm_size=pow2: a table has no such condition; its calls fall to the rules that follow"]
        self.imported(SELECTION, told)
        for ranks, size, name in ((7, "1M", "bcast/binomial"), (8, 12288, "bcast/hierarchical"),
                                  (9, 12289, "bcast/scatter_allgather_ring")):
            self.assertEqual(self.runs("bcast", ranks, size, "--ranks-per-node", "2"), name)
        self.assertEqual(self.runs("allreduce", 8, 64), "allreduce/ring")
        self.assertEqual(self.runs("allreduce", 8, 64, "--operator", "user"), "allreduce/recursive_doubling")

    def test_what_cannot_be_imported(self):
        for text, problem in ((CLASSIC.replace("65536 3", "x 3"), "11: expected a rule's numbers, found x"),
                              (CLASSIC[:60], "expected"), ('{"collectives": {', "line 1 column 18"),
                              ('{"collectives": {"bcast": 3}}', "not in the form of Open MPI: "),
                              ('{"version": 1, "rules": []}', "neither")):
            err = self.refused(call("import", self.write("rules", text)))
            self.assertTrue(err.startswith(f"mpigraft import: {self.path('rules')}: ") and problem in err, err)
        self.assertEqual(self.refused(call("import", self.path("absent"))),
                         f"mpigraft import: {self.path('absent')}: No such file or directory\n")
        self.assertEqual(call("import"), (1, "", "mpigraft import: environment: nothing chooses an algorithm of a "
                                          "collective that mpigraft grafts\n"))
