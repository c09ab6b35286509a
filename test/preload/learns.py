# SPDX-License-Identifier: MIT
"""MPIGRAFT_LEARN: a job writes a table of what it has found, the next one begins with it, results stay the same, and
whatever becomes of a job, the file is whole or as it was."""

import json
import os
import re

import launch

NOTHING = "nothing was learned"
CALLS = "3000"
ALL = {"scan", "allreduce", "bcast", "barrier"}
EMPTY = {"version": 1, "site": "empty", "rules": [{"collective": "reduce", "algorithm": "native", "note": "mine"}]}


class Jobs:
    def __init__(self, bench):
        self.bench, self.launcher, self.expect, self.folder = bench, bench.launcher, bench.expect, bench.folder
        self.program = bench.program("repeats")
        self.base = self.folder / "base.json"
        self.base.write_text(json.dumps(EMPTY))

    def file(self, name):
        return self.folder / f"{name}.json"

    def run(self, name, ranks, *words, base=True, learn="", **env):
        """A job that learns into the file of this name; `learn` follows the name in MPIGRAFT_LEARN."""
        settings = {"MPIGRAFT_LEARN": str(self.file(name)) + learn} | ({"MPIGRAFT_TABLE": self.base} if base else {}) | env
        return self.launcher.grafted(ranks, [self.program, *words], settings)

    def good(self, what, outcome):
        self.expect(outcome.code == 0 and "repeats: ok" in outcome.stdout, f"{what}: {outcome}")

    def learned(self, name):
        """The learned rules in the file, in which `mpigraft check` must find no error; none if there is no file."""
        if not self.file(name).exists():
            return []
        done = self.bench.mpigraft("check", self.file(name))
        self.expect(done.code == 0, f"{name}: {done}")
        rules = json.loads(self.file(name).read_text())["rules"]
        mine = [rule for rule in rules if rule.get("note") == "mine"]
        self.expect(len(mine) == 1 and rules[-1] == mine[0], f"{name}: the table's own rules: {rules}")
        return [rule for rule in rules if rule.get("note", "").startswith("learned: ")]

    def learn(self, name, wanted, ranks, *words, **env):
        """Runs jobs until they have learned of these collectives, a few more each time: on a busy machine a hundredth
        of a job's time is soon used up. Returns the first one."""
        first = self.run(name, ranks, CALLS, *words, **env)
        self.good(name, first)
        for _ in range(8):
            if {rule["collective"] for rule in self.learned(name)} >= wanted:
                break
            self.good(name, self.run(name, ranks, CALLS, *words, base=not self.file(name).exists(), **env))
        found = {rule["collective"] for rule in self.learned(name)}
        self.expect(found == wanted, f"{name}: learned of {found}")
        return first

    def with_something_to_write(self, name, calls):
        """The first of some jobs that has learned something, whether or not it could write it."""
        for _ in range(8):
            outcome = self.run(name, 2, calls)
            self.good(name, outcome)
            if NOTHING not in outcome.stderr:
                break
        return outcome


def learn_and_begin_with_it(jobs, expect, ranks):
    name = f"of_{ranks}"
    first = jobs.learn(name, ALL, ranks, MPIGRAFT_VERBOSE="1")
    rules = jobs.learned(name)
    expect(all(rule["ranks"] == {"min": ranks, "max": ranks} for rule in rules), f"{rules}")
    reasons = {row["reason"] for row in first.rows()}
    expect("tried by MPIGRAFT_LEARN" in reasons, f"{ranks} ranks: {first.report}")
    told = [line for line in first.report.splitlines() if line.startswith("@ learned: ")]
    expect(told and all("; tried " in line for line in told), f"{ranks} ranks: {first.report}")
    expect(all("mpigraft: " + line[2:] in first.stderr for line in told), f"{ranks} ranks: not told at once: {first.stderr}")
    before = jobs.file(name).read_text()
    second = jobs.run(name, ranks, CALLS, base=False)
    jobs.good("begins with it", second)
    expect(jobs.file(name).read_text() == before, f"{ranks} ranks: learned again: {jobs.file(name).read_text()}")
    expect(not any(NOTHING in message for message in second.messages()), f"{second}")
    for row in second.rows():
        expect("rule at line" in row["reason"], f"{ranks} ranks, second job: {second.report}")
    return rules


def keep_bits(jobs, expect):
    """Two operands have one association. That of native calls with more is not known."""
    jobs.learn("pair", ALL, 2, "floats")
    first = jobs.learn("floats", {"bcast", "barrier"}, 3, "floats")
    for name in ("scan", "allreduce"):
        expect(re.search(rf"(?m)^@ learned: {name}, 3 ranks, .*, floating point: tried 0 of .*json,float", first.report),
               f"no word of what the rule forbids: {first.report}")
    # Not even products of real numbers may be joined in another order, but maxima may.
    jobs.learn("products", {"scan", "bcast", "barrier"}, 3, "products")
    jobs.learn("permitted", ALL, 3, "floats", learn=",float")
    order = jobs.run("order", 3, CALLS, MPIGRAFT_REPRODUCIBLE="order")
    jobs.good("fixed order", order)
    expect(not jobs.file("order").exists(), "fixed order: something is learned")


def lose_nothing(jobs, expect):
    few = jobs.run("few", 2, "20")
    jobs.good("few calls", few)
    expect(not jobs.file("few").exists() and len(few.messages()) == 1 and NOTHING in few.messages()[0], f"{few}")
    for word in ("abort", "leaves"):
        for _ in range(12):  # mpiexec of MPICH 4.2.1 loses the exit code in half of the launches, natively, too
            outcome = jobs.run(word, 2, CALLS, word)
            if outcome.code != 0:
                break
        expect(outcome.code != 0, f"{word}: {outcome}")
        # MPI_Abort of MPICH 4.2 may return, and the program then reaches MPI_Finalize before it is killed.
        if "repeats: ok" in outcome.stdout:
            jobs.learned(word)
        else:
            expect(not jobs.file(word).exists(), f"{word}: a file of an interrupted job")
    jobs.file("broken").write_text("{ no table")
    broken = jobs.run("broken", 2, CALLS)
    jobs.good("broken file", broken)
    expect(jobs.file("broken").read_text() == "{ no table", "a broken file is written")
    expect(len(broken.messages()) == 1 and "broken.json" in broken.messages()[0], f"{broken}")
    nowhere = jobs.with_something_to_write("no/such/folder", "20000")
    expect(len(nowhere.messages()) == 1 and "cannot write" in nowhere.messages()[0], f"{nowhere}")


def follow_a_link(jobs, expect):
    """A file that a site's users share stays where it is, and for all of them to write."""
    real = jobs.folder / "shared.txt"
    real.write_text(json.dumps(EMPTY))
    real.chmod(0o666)
    jobs.file("link").symlink_to(real)
    jobs.learn("link", ALL, 2, base=False)
    expect(jobs.file("link").is_symlink() and real.stat().st_mode & 0o777 == 0o666, "the file behind a link")
    real.unlink()


def other_programs(jobs, expect):
    for word, ranks, calls in (("many", 2, "150"), ("threads", 2, "5000"), ("skewed", 4, CALLS)):
        outcome = jobs.run(word, ranks, calls, word)
        jobs.good(word, outcome)
    left = [file for file in os.listdir(jobs.folder) if not file.endswith(".json")]
    expect(not left, f"files that are left: {left}")


def users_operators(jobs, expect):
    """What was learned for predefined operators does not end learning for a program's own."""
    jobs.learn("operators", ALL, 2)
    for _ in range(8):
        jobs.good("operators", jobs.run("operators", 2, CALLS, "user", base=False))
        found = {rule["collective"] for rule in jobs.learned("operators") if rule.get("operator") == "user"}
        if found == {"scan", "allreduce"}:
            return
    expect(False, f"operators of the program: learned of {found}")


def elsewhere(jobs, expect):
    """The folder in which a job begins is that of its file, and a file for other hosts is not for this one."""
    jobs.file("moved").write_text(json.dumps(EMPTY))
    before = json.dumps(EMPTY | {"requires": {"host": "no"}})
    jobs.file("kept").write_text(before)
    here = os.getcwd()
    os.chdir(jobs.folder)
    try:
        for _ in range(8):  # until there is something to write
            moved = jobs.run("moved", 2, CALLS, "moves", MPIGRAFT_LEARN="moved.json", MPIGRAFT_TABLE="base.json")
            jobs.good("moves", moved)
            if jobs.learned("moved"):
                break
    finally:
        os.chdir(here)
    expect(jobs.learned("moved"), f"nothing is learned: {moved}")
    kept = jobs.with_something_to_write("kept", CALLS)
    expect(jobs.file("kept").read_text() == before and len(kept.messages()) == 1 and
           'the table requires "no"; the file stays' in kept.stderr,
           f"a file for other hosts: {kept}")


def disagree(jobs, expect):
    program = [jobs.program, CALLS]
    parts = [(1, {"MPIGRAFT_LEARN": jobs.file("one")}, program), (1, {"MPIGRAFT_LEARN": jobs.file("two")}, program)]
    outcome = jobs.launcher.grafted_mpmd(parts, {"MPIGRAFT_TABLE": jobs.base})
    jobs.good("other files", outcome)
    expect(len(outcome.messages()) == 1 and "differ between ranks" in outcome.messages()[0], f"{outcome}")
    expect(not jobs.file("one").exists() and not jobs.file("two").exists(), "ranks with other files learn")


@launch.case
def learns(bench):
    jobs = Jobs(bench)
    rules = [learn_and_begin_with_it(jobs, bench.expect, ranks) for ranks in (2, 5)]
    for test in (keep_bits, lose_nothing, follow_a_link, other_programs, users_operators, elsewhere, disagree):
        test(jobs, bench.expect)
    both = bench.mpigraft("merge", jobs.file("of_2"), jobs.file("of_5"))
    bench.expect(len(json.loads(both.stdout)["rules"]) == len(rules[0]) + len(rules[1]) + 1, both)
