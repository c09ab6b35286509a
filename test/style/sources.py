#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rules for the project's files and libraries, each a function and a test. Arguments: NAME, and what the function takes"""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import repository

LONGEST = 300
SOURCES = (".hpp", ".cpp", ".h", ".c", ".F90", ".f90", ".py")
TOP = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "meson.build", "meson_options.txt", "shim", "algorithms",
       "config", "test", "scripts"}
MACHINE_PATH = re.compile(r"(?<![\w.])/(work|home|root|tmp/b-)\b")

CLANG_FORMAT = 14

WITHOUT_MPI = re.compile("(algorithms|config|shim)/(?!bench/|abi/translation/)")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"][^>"]+)[>"]', re.MULTILINE)
STANDARD = r"<[a-z_0-9]+"
SYSTEM = r"<(?!mpi)[a-z_0-9/]+\.h"
# folder: what its #include lines may begin with
INCLUDES = {
    "algorithms": (STANDARD, '"algorithms/.+'),
    "config": (STANDARD, SYSTEM, "<nlohmann/.+", '"(algorithms|config)/.+'),
    "shim": (STANDARD, SYSTEM, '"(algorithms|config|shim)/.+'),
}
COMMAND_ONLY = "<CLI/.+"  # config/command/, and shim/bench/, which is a command, too
OF_MPI = r"<mpi\.h"  # shim/bench/, shim/abi/translation/, and the header for programs
BESIDE = r'"(kinds\.h|\.\./\.\./algorithms/collective\.hpp)'  # the model of calls; C programs are built without -I

# folder: its rooms, low to high; those of one step do not know each other
ROOMS = {
    "config": ("table", "learning report analysis", "command"),
    "shim": ("base", "abi", "wait watch", "memory", "agree", "execute", "observe", "learn", "entry", "compose", "bench"),
}
HEIGHTS = {(folder, room): step for folder, steps in ROOMS.items() for step, rooms in enumerate(steps) for room in rooms.split()}

# functions that libraries export
COLLECTIVE = "(scan|exscan|bcast|reduce|barrier|allreduce|reduce_scatter|reduce_scatter_block|allgather|allgatherv)"
BEGIN_OR_END = "(init|init_thread|finalize|comm_free|comm_disconnect|start|startall|cancel|request_free|op_free)"
LOOKS = "(improbe|iprobe|test|testall|testany|testsome|request_get_status(_all|_any|_some)?|parrived|win_test)"
GRAFTS = re.compile(f"(I?{COLLECTIVE}(_init)?(_c)?|{BEGIN_OR_END}|{LOOKS})", re.IGNORECASE)
WATCHES = re.compile("[A-Za-z_]+")
C = "MPI_(?P<c>[A-Z][a-z_]+)|MPIGRAFT_[A-Z][a-z_]+|ucp_worker_progress|fi_fabric"
MPICH = re.compile(C + "|mpi_(?P<f08>[a-z_]+)_f08_|opal_progress")
STANDARD_ABI = re.compile(C + "|opal_progress")
OPEN_MPI = re.compile(r"MPI_(?P<f>[A-Z][a-z_]+)_f(08)?|" + STANDARD_ABI.pattern + "|MPI_(?P<upper>[A-Z_]+)|mpi_(?P<f08>[a-z_]+)_f08_"
                      "|mpi_(?P<lower>[a-z_]+?)_{0,2}|ompi_(?P<ompi>[a-z_]+)_f")
NEEDED = re.compile(r"(libc|libm|libgcc_s|ld-linux[\w-]*)\.so\.\d+")


def files(root):
    """Files are short, name their licence, know nothing of the machine that they were written on, and the top level has
    no others. Python finds one module only of each name, because scripts use those of several folders."""
    modules = Counter(path.name for path in repository.files(root, ".py"))
    yield from (f"{name}: {count} modules have this name" for name, count in modules.items() if count > 1)
    for path in repository.files(root):
        place = path.relative_to(root)
        if place.parts[0] not in TOP and not place.parts[0].startswith("."):
            yield f"{place}: does not belong at the top level"
        if path.suffix == ".png":
            continue
        lines = path.read_text(errors="replace").splitlines()
        if path.suffix in SOURCES and not any("SPDX-License-Identifier: MIT" in line for line in lines[:2]):
            yield f"{place}: no SPDX line at the top"
        if len(lines) > LONGEST:
            yield f"{place}: {len(lines)} lines, at most {LONGEST}"
        yield from (f"{place}:{number}: a path of one machine: {line.strip()}"
                    for number, line in enumerate(lines, 1) if MACHINE_PATH.search(line))


def clang_format(root):
    """C and C++ look as .clang-format says. Versions differ in taste, so only one judges; skipped without it."""
    def version(tool):
        told = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
        return int(re.search(r"version (\d+)", told)[1])

    found = {tool: version(tool) for tool in (f"clang-format-{CLANG_FORMAT}", "clang-format") if shutil.which(tool)}
    right = [tool for tool in found if found[tool] == CLANG_FORMAT]
    if not right:
        repository.skip(f"needs clang-format {CLANG_FORMAT}" + (f", not {found['clang-format']}" if found else ""))
    done = subprocess.run([right[0], "--dry-run", "-Werror", *repository.files(root, ".hpp", ".cpp", ".h", ".c")], check=False)
    return ["clang-format finds more to do"] if done.returncode else []


def headers_alone(root, build, mpi_include, *compiler):
    """Every header compiles by itself; where there is no <mpi.h>, unless it belongs to a translation. That is shown of a
    header once something that compiles includes it before all else: a source, all of which the build compiles, or another
    header."""
    def check(path):
        mpi = [] if WITHOUT_MPI.match(str(path.relative_to(root))) else ["-isystem", mpi_include]
        command = [*compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                   "-I", root, "-I", build, *mpi, "-include", path, "-x", "c++", "/dev/null"]
        return subprocess.run(command, capture_output=True, text=True).stderr

    def first_included(path):
        first = re.search(r'^#include "(.*)"$|^#include', path.read_text(), re.MULTILINE)
        return first and first[1]

    headers = {str(path.relative_to(root)): path for path in repository.files(root, ".hpp")}
    shown = {first_included(path) for name, path in headers.items() if WITHOUT_MPI.match(name)}
    shown |= {first_included(path) for path in repository.files(root, ".cpp")}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        errors = pool.map(check, (path for name, path in headers.items() if name not in shown))
    return [error for error in errors if error]


def runs_back_up(place, header):
    here, there = place.parts[:2], tuple(header.split("/")[:2])
    known = here[0] == there[0] and HEIGHTS.keys() >= {here, there}
    return known and here != there and HEIGHTS[there] >= HEIGHTS[here]


def include_rule(root):
    """Each folder includes only what it may: algorithms/ the standard library, config/ JSON, shim/abi/translation/ and
    mpigraft.h MPI; only test/ may include test/. In config/ and shim/ no room includes a higher one."""
    for path in repository.files(root, ".hpp", ".cpp", ".h", ".c", ".in"):
        place = path.relative_to(root)
        allowed = INCLUDES.get(place.parts[0])
        if allowed is None or place.parts[1] == "man":
            continue
        if place.match("config/command/*"):
            allowed += (COMMAND_ONLY,)
        if place.match("shim/bench/*"):
            allowed += (COMMAND_ONLY, OF_MPI, "<nlohmann/.+", BESIDE)
        if any(place.match(text) for text in ("shim/abi/translation/*", "shim/mpigraft.h")):
            allowed += (OF_MPI,)
        for header in INCLUDE.findall(path.read_text()):
            if not any(re.fullmatch(rule, header) for rule in allowed):
                yield f"{place}: must not include {header[1:]}"
            if runs_back_up(place, header[1:]):
                yield f"{place}: includes {header[1:]} of a higher room"


def exports(*libraries):
    """A library that grafts exports only collectives with their forms, what set-up needs, functions that look, that start
    or free requests, those of mpigraft.h and those that drive messages. One that watches exports any function of MPI. That
    for Open MPI has its Fortran names, too, and that for MPICH those of mpi_f08 which call PMPI. It needs neither an MPI
    library nor a C++ runtime in the process."""
    def lines(*command):
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()

    for library in libraries:
        exported = [line.split()[-1] for line in lines("nm", "-D", "--defined-only", library)]
        if not exported:
            yield f"{library}: exports nothing"
        shown = OPEN_MPI if library.endswith("-ompi.so") else STANDARD_ABI if library.endswith("-abi.so") else MPICH
        allowed = WATCHES if "-watch" in library else GRAFTS
        for name in exported:
            found = shown.fullmatch(name)
            function = found and next((part for part in found.groups() if part), None)
            if not found or (function and not allowed.fullmatch(function)):
                yield f"{library}: exports {name}"
        for line in lines("nm", "-D", "--undefined-only", library):
            kind, name = line.split()[-2:]
            if kind == "U" and name.startswith(("MPI_", "PMPI_")):
                yield f"{library}: cannot be loaded without MPI: {name} is not weak"
        for line in lines("readelf", "-d", "--wide", library):
            needed = re.search(r"\(NEEDED\).*\[(.+)\]", line)
            if needed and not NEEDED.fullmatch(needed[1]):
                yield f"{library}: needs {needed[1]}"


if __name__ == "__main__":
    name, *arguments = sys.argv[1:]
    rules = {rule.__name__: rule for rule in (files, clang_format, headers_alone, include_rule, exports)}
    repository.finish(list(rules[name](*arguments)))
