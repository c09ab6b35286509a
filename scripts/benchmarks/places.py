# SPDX-License-Identifier: MIT
"""The places where scripts/bench and scripts/guard measure: so many ranks on this machine, and emulated hosts
(scripts/cluster)."""

import argparse
import os
import re
import shutil
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLUSTER = ROOT / "scripts/cluster"
sys.path[:0] = [str(ROOT / "config/tune"), str(ROOT / "test/preload"), str(ROOT / "scripts")]
import launch  # noqa: E402
from launcher import NoLauncher, hydra  # noqa: E402

TOO_LONG, NO_HOSTS = 124, 77  # exit codes of scripts/cluster


@dataclass(frozen=True)
class Place:
    name: str
    ranks: int
    hosts: int = 0  # emulated ones; 0: this machine

    @property
    def crowd(self):
        """0 with a core a rank, 1 with two ranks a core, 2 with up to four, and so on; on emulated hosts as with two."""
        return 1 if self.hosts else (-(-self.ranks // len(os.sched_getaffinity(0))) - 1).bit_length()


def refuse(message, code=2):
    print(f"{sys.argv[0]}: {message}", file=sys.stderr)
    sys.exit(code)


def words_of(text):
    return [word for word in text.split(",") if word not in ("", "-")]


def absolute(text):
    return Path(text).resolve()


def positive(text):
    """A number of things that there must be."""
    if not re.fullmatch(r"[1-9]\d*", text):
        raise argparse.ArgumentTypeError(f"{text}: write a number from 1 on")
    return int(text)


def numbers(text):
    """Those that N,... names."""
    return [positive(word) for word in words_of(text)]


def setting(text):
    """The pair of NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text}: write NAME=VALUE")
    return name, value


def shapes(text):
    """The pairs of numbers that HOSTSxRANKS,... names."""
    found = [re.fullmatch(r"([1-9]\d*)x([1-9]\d*)", word) for word in words_of(text)]
    if not all(found):
        raise argparse.ArgumentTypeError(f"{text}: write HOSTSxRANKS,..., such as 4x2,36x1")
    return [tuple(map(int, shape.groups())) for shape in found]


def in_folder(text):
    """A path to write to, in a folder that is there."""
    path = Path(text)
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text}: there is no folder {path.parent}")
    return path


def need(build, *files):
    """Refuses a build folder that lacks one of the files."""
    for path in (build / file for file in files):
        if not path.exists():
            refuse(f"{path} is missing: scripts/setup; ninja -C {build}")


def rate(text):
    """That of a link, as tc writes it."""
    if not re.fullmatch(r"[1-9]\d*(\.\d+)?([kmgt]i?)?(bit|bps)", text, re.IGNORECASE):
        raise argparse.ArgumentTypeError(f"{text}: write a rate such as 20mbit")
    return text


def add_build(parser):
    parser.add_argument("--build", type=absolute, default=ROOT / "build", help="the build folder (default: build)")


def add_options(parser, usual, example):
    """Adds the options that name places and the build folder. `usual`: numbers of ranks on this machine, in words."""
    parser.add_argument("--ranks", type=numbers, help=f"numbers of ranks on this machine (default: {usual}; -: none)")
    parser.add_argument("--cluster", type=shapes, default="", metavar="HOSTSxRANKS,...",
                        help=f"emulated hosts to measure on, too (scripts/cluster; needs root), e.g. {example}")
    parser.add_argument("--rate", type=rate, default="20mbit", help="rate of the emulated links (default: 20mbit)")
    add_build(parser)


def places(options, usual):
    """The places that the options name; without --ranks those with the `usual` numbers of ranks on this machine."""
    here = [Place(f"{n} ranks", n) for n in (numbers(usual) if options.ranks is None else options.ranks)]
    there = [Place(f"{hosts}x{each} at {options.rate}", hosts * each, hosts) for hosts, each in options.cluster]
    return here + there or refuse("nothing to run")


@cache
def mpiexec_for(program):
    """The launcher of a program on this machine."""
    try:
        return hydra(shutil.which(program))
    except NoLauncher as error:
        refuse(error)


def command(options, place, program, seconds=600, library=None, env=None):
    """The command that starts a program at a place, and makes the hosts if there are some: with the library preloaded
    and with these variables, or natively without a library."""
    settings = (env or {}) if library else {}
    if library:
        launch.preloadable(library)
    if place.hosts:
        preload = ["--library", library] if library else []
        words = [word for name, value in settings.items() for word in ("--env", f"{name}={value}")]
        start = [CLUSTER, "run", "--hosts", place.hosts, "-n", place.ranks, "--rate", options.rate, "--build", options.build,
                 "--seconds", seconds, *preload, *words, "--"]
    else:
        preload = {"LD_PRELOAD": library} if library else {}
        words = [word for name, value in (preload | settings).items() for word in ("-genv", name, value)]
        start = [mpiexec_for(program[0]), *words, "-n", place.ranks]
    return [str(word) for word in (*start, *program)]


def run(options, place, program, seconds, library=None, env=None):
    """The outcome of a launch (test/preload/launch.py). One that takes longer than so many seconds is stopped."""
    outcome = launch.run(command(options, place, program, seconds, library, env), seconds + (60 if place.hosts else 0))
    if place.hosts and outcome.code == NO_HOSTS:
        refuse(f"--cluster needs hosts, but none can be made here\n{outcome.stderr}", 1)
    outcome.hung |= place.hosts > 0 and outcome.code == TOO_LONG
    return outcome
