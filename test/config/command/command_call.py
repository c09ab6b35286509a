# SPDX-License-Identifier: MIT
"""The part that the command's tests share. They are modules for `python3 -m unittest`; COMMAND in the environment is the
path of the command in a build."""
import json
import os
import subprocess
import tempfile
import unittest
from contextlib import contextmanager

COMMAND = os.path.abspath(os.environ["COMMAND"])
SCHEMA = os.path.join(os.path.dirname(COMMAND), "table.schema.json")
SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
DEFAULT_TABLE = os.path.join(SOURCE, "config/table/default.json")
BROKEN_TABLES, QUESTIONABLE_TABLES = (os.path.join(SOURCE, "test/config/table", name)
                                      for name in ("broken_tables", "questionable_tables"))
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("MPIGRAFT_", "LD_PRELOAD"))}
# under the sanitizers, and where branches are counted
SLOWER = 10 if "UBSAN_OPTIONS" in os.environ else 3 if "LLVM_PROFILE_FILE" in os.environ else 1

# The answers of launchers to --version.
HYDRA = "HYDRA build details:\n    Version:                                 4.0.2\n"
OPEN_MPI = "mpiexec (OpenRTE) 4.1.4\n"
INTEL = "Intel(R) MPI Library for Linux* OS\n"


def call(*arguments, command=COMMAND, cwd=None, seconds=20, stdin=None, stdout=subprocess.PIPE, **variables):
    """(exit code, stdout, stderr); None instead of what goes to another `stdout`."""
    done = subprocess.run([command, *arguments], env=CLEAN | variables, cwd=cwd, timeout=SLOWER * seconds, text=True,
                          stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout, done.stderr


def without_room(*arguments, room=0):
    """call() where no file can grow beyond so many blocks of 512 bytes."""
    # where branches are counted, the compiler's runtime could not write its file either
    return call("-c", f'ulimit -f {room}; exec "$0" "$@"', COMMAND, *arguments, command="sh", LLVM_PROFILE_FILE=os.devnull)


@contextmanager
def unread():
    """A pipe that nobody reads."""
    read, written = os.pipe()
    os.close(read)
    try:
        yield written
    finally:
        os.close(written)


def explain(collective, ranks, size, *more, **variables):
    """The answer of `mpigraft explain` about a call."""
    return call("explain", "--collective", collective, "--ranks", str(ranks), "--bytes", str(size), *more, **variables)


def text_of(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)

    def ended(self, done, ends):
        """(stdout, stderr) of a call that ends with this exit code, or with one of a tuple."""
        status, out, err = done
        self.assertIn(status, ends if isinstance(ends, tuple) else (ends,), f"{out}{err}")
        return out, err

    def fine(self, done):
        """The output of a call that succeeds and has nothing else to say."""
        status, out, err = done
        self.assertEqual((status, err), (0, ""), out)
        return out

    def refused(self, done):
        """What a call says that prints nothing and ends in 2."""
        status, out, err = done
        self.assertEqual((status, out), (2, ""), err)
        return err

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def write(self, name, text, mode=0o644):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), mode)
        return self.path(name)

    def of_page(self, *arguments, ends=0):
        """(exit code, stdout, stderr) of a command that makes a page, and the page's kind, file and data: it gets a
        python3 that keeps them."""
        self.write("bin/python3", '#!/bin/sh\ncase "$*" in *version_info*) exit 0 ;; esac\n'
                   f'printf "%s\\n" "$@" >{self.path("words")}\ncat >{self.path("given")}\nexit {ends}\n', 0o755)
        done = call(*arguments, PATH=self.path("bin") + ":" + os.environ["PATH"])
        *options, script, kind, file = text_of(self.path("words")).splitlines()
        self.assertEqual((options, os.path.basename(script)), (["-E", "-s", "-B"], "page.py"))
        for one in script, script.replace("page.py", f"{kind}_page.py"):
            self.assertTrue(os.path.exists(one), one)
        return done, kind, file, json.loads(text_of(self.path("given")))

    def table(self, *rules, name="table.json", **heads):
        return self.write(name, json.dumps({"version": 1} | heads | {"rules": rules}))
