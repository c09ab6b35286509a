# SPDX-License-Identifier: MIT
"""The rules of the embedded table that no measurement has made, for scripts/make-default-table."""

from table import make_rule

# Collectives whose algorithms in MPI are known, and take as many rounds as ours and more volume: MPICH's scans are one
# butterfly, Open MPI's a chain. All others have forms of their own for several nodes, which differ from MPI to MPI.
DOMINATED = ("scan", "exscan")
# More than two ranks of a node with a core each, where nothing was measured. MPICH's algorithms have as many rounds and
# as much volume, so the only gain is that a message through memory takes less, up to lengths at which it does between
# two ranks. Above 2 KB MPICH halves the vectors of reduce and allreduce, which takes less time by the model at 0.3 us
# a message. Long scans gain more: MPICH sends and combines whole vectors ceil(log2 p) times. Chains of up to 64 ranks
# do it once, in less than 0.7 of that time by the model, at 0.3 us a message and at 1.5 us. Open MPI's own messages
# between two ranks take no longer, but its scans are chains of whole vectors: there only scans are grafted.
A_CORE_EACH = {"nodes": {"max": 1}, "crowded": False}
BY_ROUNDS = "not measured: as few rounds as native, of cheaper messages"
BY_VOLUME = "not measured: the volume of one vector, native of ceil(log2 p)"
CHAIN = {"ranks": {"max": 64}, "bytes": {"min": (256 << 10) + 1}}
WITH_CORES = (("scan", "simultaneous_binomial", {"bytes": {"max": "256K"}}, BY_ROUNDS),
              ("scan", "linear_pipeline", CHAIN, BY_VOLUME),
              ("exscan", "adaptive", {"bytes": {"max": "256K"}}, BY_ROUNDS),
              ("exscan", "linear_pipeline", CHAIN, BY_VOLUME),
              ("bcast", "binomial", {"bytes": {"max": 2560}}, BY_ROUNDS),
              ("reduce", "binomial", {"bytes": {"max": "2K"}}, BY_ROUNDS),
              ("barrier", "dissemination", {}, BY_ROUNDS),
              ("allreduce", "adaptive", {"bytes": {"max": "2K"}}, BY_ROUNDS),
              ("reduce_scatter", "recursive_halving", {"bytes": {"max": "64K"}}, BY_ROUNDS),
              ("allgather", "bruck", {"bytes": {"max": "1K"}}, BY_ROUNDS))
# Elsewhere: what is best in the model, whatever the network, until a vector takes longer than a message's start.
ONE_NODE = {"nodes": {"max": 1}}
UNMEASURED = (("scan", "simultaneous_binomial", "64K"), ("exscan", "round_optimal", "8K"), ("exscan", "adaptive", "64K"),
              ("bcast", "binomial", "12K"), ("reduce", "binomial", "8K"), ("barrier", "dissemination", None),
              ("allreduce", "adaptive", "64K"), ("reduce_scatter", "recursive_halving", "64K"),
              ("allgather", "bruck", "64K"))
# The functions of mpigraft.h on one node, as `scripts/bench compositions` measured them on 2 cores under MPICH 4.0.2: times the
# speed of the two grafted calls. On several nodes the model decides.
FUSES = {"scan_reduce": ("0.3 to 0.5", "2K", "1.1 to 1.9"), "scan_allreduce": ("0.3 to 0.7", "2K", "0.8 to 1.8"),
         "scan_scan": ("0.8 to 1.3", "4K", "0.8 to 1.4")}


def with_cores(mpi):
    """Rules for a core a rank. They say that longer calls are native, because rules for any number of cores follow."""
    for collective in dict.fromkeys(name for name, *_ in WITH_CORES):
        grafted = "scan" in collective or not mpi.startswith("Open MPI")
        for name, algorithm, limits, note in WITH_CORES:
            if name == collective and grafted:
                yield make_rule(collective, algorithm, A_CORE_EACH | limits, {}, note)
        if limits_end(collective) or not grafted:
            yield make_rule(collective, "native", A_CORE_EACH, {}, "not measured: no clear gain by the model")


def limits_end(collective):
    return all("max" in limits.get("bytes", {}) for name, _, limits, _ in WITH_CORES if name == collective)


def composition_rules():
    for name, (at_two, limit, beyond_two) in FUSES.items():
        yield make_rule(name, "apart", ONE_NODE | {"ranks": {"max": 2}}, {}, f"fused {at_two} times the two calls' speed")
        yield make_rule(name, "fused", ONE_NODE | {"crowded": True}, {"max": limit},
                        f"{beyond_two} times the two calls' speed at 4 and 8 ranks")
        yield make_rule(name, "apart", ONE_NODE, {}, "fused about the two calls' speed, or not measured")


def unmeasured(mpi):
    """Rules for places that were not measured, under the MPI of that name."""
    yield from with_cores(mpi)
    for collective, algorithm, most in UNMEASURED:
        yield make_rule(collective, algorithm, {} if collective in DOMINATED else ONE_NODE, {"max": most} if most else {},
                        "not measured: ceil(log2 p) rounds")
