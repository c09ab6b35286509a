# SPDX-License-Identifier: MIT
"""The command line of mpigraft tune."""

import argparse
from pathlib import Path

from launcher import NoLauncher, command_for, template
from plan import Command
from units import parse_seconds, parse_size

DESCRIPTION = "Measure this machine and write a tuning table for it"
FOOTER = """\
Tune starts jobs that make the wanted calls in mixed order, with ranks that come late, under the learner of
MPIGRAFT_LEARN: it tries algorithms on them, and judges these by the time of a call and by the time to the next one.
Then jobs by the new table and native ones take turns, twice for what seems slower, and what is slower becomes native
again. What every job found goes into FILE.results.jsonl, so you can stop tune at any time: the same command resumes
and runs nothing twice. With a larger --budget it decides more.

If scans, reductions and allreduces are tuned, the calls of mpigraft.h follow: a rule names the variant that is faster
than the two calls under the new table.

Exit codes: 0 success, 1 a run failed or a result was wrong, 2 cannot run, 130 stopped.

Examples:
  mpigraft tune --ranks 2,8,32 --budget 20m --launcher "srun -n {n}" --out site.json
  mpigraft tune --from job.json --out better.json
  mpigraft tune --ranks 2,8 --collectives scan,exscan --dry-run"""
COLUMN = 30  # where the other subcommands' help has its texts


class Parser(argparse.ArgumentParser):
    """A parser whose help looks like that of the other subcommands, from which man page and completions are made."""

    def format_usage(self):
        return f"Usage: {self.prog} [OPTIONS]\n"

    def format_help(self):
        lines = [line_of(action) for action in self._actions if action.help != argparse.SUPPRESS]
        return f"{DESCRIPTION}\n{self.format_usage()}\nOptions:\n" + "\n".join(lines) + f"\n\n{FOOTER}\n"


def line_of(action):
    value = "" if action.nargs == 0 else f" {action.metavar}"
    words = f"  {','.join(action.option_strings)}{value}"
    text = action.help % {"default": action.default}
    return f"{words:{COLUMN}}{text}" if len(words) + 2 <= COLUMN else f"{words}\n{'':{COLUMN}}{text}"


def explained(parse):
    """The parser, whose errors argparse shows as they are."""
    def parse_or_tell(text):
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(error) from error
    return parse_or_tell


def list_of(parse):
    return explained(lambda text: [parse(word) for word in text.split(",")])


def ranks_of(text):
    if not text.isdigit() or int(text) < 2:
        raise ValueError(f'"{text}" is not a number of ranks; write 2 or more')
    return int(text)


def size_of(text):
    if parse_size(text) == 0:
        raise ValueError("calls of 0 bytes are always native")
    return parse_size(text)


def one_of(names):
    def parse_name(text):
        if text not in names:
            raise ValueError(f'"{text}" is unknown; write one of {", ".join(names)}')
        return text
    return parse_name


def command_in_arguments():
    """The command that `mpigraft tune` names in --mpigraft: itself. It knows the collectives."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--mpigraft", type=Path, required=True)
    return Command(parser.parse_known_args()[0].mpigraft)


def parse():
    command = command_in_arguments()
    parser = Parser(prog="mpigraft tune", add_help=False)
    parser.add_argument("-h", "--help", action="help", help="Print this help message and exit")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--ranks", type=list_of(ranks_of), metavar="RANKS",
                      help="Numbers of ranks to tune for, such as 2,8,32")
    what.add_argument("--from", type=Path, metavar="FILE", dest="report",
                      help="Instead of --ranks, a job's report in JSON: only its kinds of calls are tuned")
    parser.add_argument("--bytes", type=list_of(size_of), metavar="BYTES", default="8,1K,8K,64K,512K,4M",
                        help="Sizes of one rank's data, with --ranks. Default: %(default)s")
    parser.add_argument("--collectives", type=list_of(one_of(command.collectives)), metavar="COLLECTIVES",
                        default=",".join(command.collectives), help="Collectives to tune. Default: %(default)s")
    parser.add_argument("--launcher", metavar="COMMAND",
                        help='Command that starts {n} ranks, such as "srun -n {n}". Default: MPIGRAFT_LAUNCHER, '
                             "else that of the MPICH that mpigraft-bench is linked to")
    parser.add_argument("--budget", type=explained(parse_seconds), metavar="TIME",
                        help="Time for all jobs in FILE.results.jsonl, such as 5m or 2h; what is not decided by then "
                             "stays native. Default: as long as it takes")
    parser.add_argument("--margin", type=float, metavar="FACTOR", default=1.0,
                        help="How many times as fast as the slower of two native jobs a call must be when compared, as far as these agree. "
                             "Default: %(default)s")
    parser.add_argument("-o", "--out", type=Path, metavar="FILE", default=Path("site.json"),
                        help="File for the table. Default: %(default)s")
    parser.add_argument("--fresh", action="store_true", help="Run everything again: ignore FILE.results.jsonl")
    parser.add_argument("--dry-run", action="store_true", help="Show what would be run, but run nothing")
    parser.add_argument("--policy", type=Path, metavar="FILE",
                        help="Rules beyond what is measured, in JSON, and those of the table in --out that stay; the "
                             "embedded tables are made so")
    parser.add_argument("--bench", type=Path, metavar="FILE",
                        help="Path of mpigraft-bench. Default: the one beside this command")
    parser.add_argument("--mpigraft", type=Path, help=argparse.SUPPRESS)  # read above
    options = parser.parse_args()
    options.command = command
    if not options.bench or not options.bench.exists():
        parser.error("mpigraft-bench is not beside this command; build it, or name it with --bench")
    options.bench = options.bench.absolute()
    try:
        options.launcher = template(options.launcher) if options.launcher else command_for(options.bench)
    except NoLauncher as error:
        parser.error(f"{error} or --launcher")
    return options
