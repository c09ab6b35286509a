# SPDX-License-Identifier: MIT
"""MPIGRAFT_VERIFY: what is right is counted as right, rounding is told from errors, and of a result that another library
made wrong one message says all that reproduces it, while the program gets the native one."""

import re

import collectives
import launch

VERIFIED = re.compile(r"^@ verified: (\d+) identical, (\d+) within rounding, (\d+) not judged, (\d+) different, "
                      r"(\d+) not compared$", re.MULTILINE)
SAID = re.compile(r"""mpigraft: MPIGRAFT_VERIFY: (\w+)/two_tree@none and the native collective differ
  grafted call \d+ on a communicator of 4 ranks: count 200 of MPI_\w+, \d+ bytes(, MPI_(SUM|PROD|MAX))?(, root 3)?
  chosen by MPIGRAFT_FORCE; table embedded
  rank \d \(\d of MPI_COMM_WORLD\): 1 of \d+ (elements differ, the first is|bytes differ, from byte) \d+: grafted \S+, native \S+
  input there, rank 0 first:( \S+){4}
  to compare every call of this algorithm, set MPIGRAFT_FORCE=\1=two_tree@none MPIGRAFT_VERIFY=1
  the program goes on with the native results; this process reports no further mismatches
""")
FORCE = ",".join(f"{collective}=two_tree@512" for collective, name in collectives.ALGORITHMS if name == "two_tree")


def verified(outcome):
    """Verdicts (identical, rounded, unjudged, different, not compared), summed over all processes."""
    return tuple(map(sum, zip(*(map(int, line) for line in VERIFIED.findall(outcome.report))))) or (0,) * 5


def grafted_calls(outcome):
    return sum(int(row["calls"]) for row in outcome.rows() if row["ran"] != "native")


class Tests:
    def __init__(self, bench):
        self.sums, self.random = [bench.program("prefix_sums")], [bench.program("floats"), "random_sums"]
        self.wrong = bench.program("wrong_result.so")
        self.launcher, self.expect = bench.launcher, bench.expect

    def run(self, program, ranks=4, preload=None, **env):
        settings = {"MPIGRAFT_FORCE": FORCE, "MPIGRAFT_VERIFY": "1", **env}
        if preload:
            settings["LD_PRELOAD"] = f"{preload} {self.launcher.library}"
        return self.launcher.grafted(ranks, program, settings)

    def right_results(self):
        """All types and operators: no message, and every grafted call is compared."""
        for force in (FORCE, ""):
            outcome = self.run(self.sums, MPIGRAFT_FORCE=force)
            identical, rounded, unjudged, different, without = verified(outcome)
            self.expect(outcome.code == 0 and not outcome.messages(), "right results", outcome)
            self.expect(identical + unjudged + rounded == grafted_calls(outcome) > 50, "calls verified", outcome)
            self.expect(different == without == 0 and identical > 50, "right results", outcome)

    def every_so_many(self):
        """The first of every communicator, then every N-th."""
        outcome = self.run(self.sums, MPIGRAFT_VERIFY="50")
        calls, checked = grafted_calls(outcome), sum(verified(outcome))
        self.expect(calls / 50 <= checked <= calls / 50 + 8, "every 50th", outcome)

    def rounding(self):
        """Other orders than the native ones, and nothing to complain of: sums of numbers, and three of bytes
        that are numbers to an operator of the program."""
        outcome = self.run(self.random, ranks=7)
        identical, rounded, unjudged, different, without = verified(outcome)
        self.expect(outcome.code == 0 and not outcome.messages(), "rounding", outcome)
        self.expect(rounded > 5 and identical > 5 and unjudged == 3 and different == without == 0, "rounding", outcome)

    def wrong_results(self):
        """A wrong bit that is more than rounding, in the 101st double of 200. MPI sends the messages, where it comes
        in."""
        fault = {"MPIGRAFT_SHARED": "0", "WRONG_RANK": "1", "WRONG_BYTE": "806",
                 "MPIGRAFT_FORCE": FORCE.replace("512", "none")}
        for which in ("WRONG_REDUCE", "WRONG_SEND"):
            fault[which] = "18"  # of a sum; a maximum can leave a wrong bit out
            plain = self.run(self.random, preload=self.wrong, **{**fault, "MPIGRAFT_VERIFY": ""})
            self.expect(plain.code == 1, f"{which}, not verified: a wrong result", plain)
            outcome = self.run(self.random, preload=self.wrong, **fault)
            self.expect(outcome.code == 0, f"{which}: the program has the native results", outcome)
            self.expect(verified(outcome)[3] == 1, f"{which}: one call differs", outcome)
            self.expect(len(outcome.messages()) == 1, f"{which}: one message", outcome)
            self.expect(SAID.search(outcome.stderr), f"{which}: the message", outcome)
            strict = self.run(self.random, preload=self.wrong,
                              **{**fault, "MPIGRAFT_FORCE": fault["MPIGRAFT_FORCE"] + ",strict"})
            self.expect((strict.code > 1 or strict.aborted()) and not strict.hung, f"{which}, strict: an error", strict)
            del fault[which]


@launch.case
def verify(bench):
    tests = Tests(bench)
    tests.right_results()
    tests.every_so_many()
    tests.rounding()
    tests.wrong_results()
