# SPDX-License-Identifier: MIT
"""The places where scripts/bench measures: so many ranks on this machine, and emulated hosts (scripts/cluster)."""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLUSTER = ROOT / "scripts/cluster"
sys.path[:0] = [str(ROOT / "test/preload"), str(ROOT / "test/apps"), str(ROOT / "config/tune"), str(ROOT / "scripts")]
from launcher import NoLauncher, hydra  # noqa: E402


@dataclass(frozen=True)
class Place:
    name: str
    ranks: int
    hosts: int = 0  # emulated ones; 0: this machine


def refuse(message, code=2):
    print(f"{sys.argv[0]}: {message}", file=sys.stderr)
    sys.exit(code)


def words_of(text):
    return text.split(",")


def absolute(text):
    return Path(text).resolve()


def shapes(text):
    """The pairs of numbers that HOSTSxRANKS,... names."""
    found = [re.fullmatch(r"([1-9]\d*)x([1-9]\d*)", word) for word in words_of(text) if word]
    if not all(found):
        raise argparse.ArgumentTypeError(f"{text}: write HOSTSxRANKS,..., such as 4x2,36x1")
    return [tuple(map(int, shape.groups())) for shape in found]


def add_build(parser):
    parser.add_argument("--build", type=absolute, default=ROOT / "build", help="the build folder (default: build)")


def add_options(parser, usual, example):
    """Adds the options that name places and the build folder. `usual`: numbers of ranks on this machine, in words."""
    parser.add_argument("--ranks", type=words_of, help=f"numbers of ranks on this machine (default: {usual}; -: none)")
    parser.add_argument("--cluster", type=shapes, default="", metavar="HOSTSxRANKS,...",
                        help=f"emulated hosts to measure on, too (scripts/cluster; needs root), e.g. {example}")
    parser.add_argument("--rate", default="20mbit", help="rate of the emulated links (default: 20mbit)")
    add_build(parser)


def places(options, usual):
    """The places that the options name; without --ranks those with the `usual` numbers of ranks on this machine."""
    here = [Place(f"{n} ranks", int(n)) for n in options.ranks or words_of(usual) if n != "-"]
    return here + [Place(f"{hosts}x{each} at {options.rate}", hosts * each, hosts) for hosts, each in options.cluster]


def on_hosts(options, hosts, ranks, seconds, library=None, env=None):
    """The command, before a program's words, that makes hosts and runs the program on them."""
    preload = ["--library", library] if library else []
    settings = [word for name, value in (env or {}).items() for word in ("--env", f"{name}={value}")]
    return [CLUSTER, "run", "--hosts", str(hosts), "-n", str(ranks), "--rate", options.rate, "--build", options.build,
            "--seconds", str(seconds), *preload, *settings, "--"]


def mpiexec_for(program):
    """The launcher of a program on this machine."""
    try:
        return hydra(program)
    except NoLauncher as error:
        refuse(error)
