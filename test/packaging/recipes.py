#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Spack's package.py, run with a stand-in for Spack, Debian's control file and CHANGELOG.md say the same as the Meson
files: version, dependencies, options. This cannot show that Spack itself accepts the package."""

import re
import sys
import types
from pathlib import Path

from repository import finish

SPACK = "config/site/spack/spack_repo/mpigraft/packages/mpigraft/package.py"
# Meson's name of a dependency: Spack's, Debian's
PACKAGES = {"mpich": ("mpich", "libmpich-dev"), "nlohmann_json": ("nlohmann-json", "nlohmann-json3-dev"),
            "CLI11": ("cli11", "libcli11-dev")}
RELEASE = re.compile(r"## (\d+\.\d+\.\d+) - (unreleased|\d{4}-\d\d-\d\d)")


class Recipe:
    """A stand-in for Spack that collects the declarations of package.py."""

    def __init__(self, path):
        self.versions, self.variants, self.depends = [], [], {}
        spack, meson = types.ModuleType("spack.package"), types.ModuleType("spack_repo.builtin.build_systems.meson")
        spack.license = spack.conflicts = lambda *_, **__: None
        spack.version = lambda name, **_: self.versions.append(name)
        spack.variant = lambda name, default, description: self.variants.append(name)
        spack.depends_on = lambda spec, type, when="": self.depends.update({re.split("[@+]", spec)[0]: spec})
        meson.MesonPackage = type("MesonPackage", (), {})
        for module in (spack, meson):
            sys.modules[module.__name__] = module
        names = {}
        exec(compile(path.read_text(), path, "exec"), names)
        self.package = names["Mpigraft"]()

    def meson_args(self, *chosen):
        self.package.spec = types.SimpleNamespace(satisfies=lambda spec: spec[1:] in chosen)
        return dict(argument.removeprefix("-D").split("=") for argument in self.package.meson_args())

    def environment(self):
        env = {}
        self.package.prefix = types.SimpleNamespace(lib="/prefix/lib")
        self.package.setup_run_environment(types.SimpleNamespace(set=env.__setitem__))
        return env


def findings_of_spack(root, version, wanted):
    recipe = Recipe(root / SPACK)
    features = re.findall(r"option\('(\w+)', type: 'feature'", (root / "meson_options.txt").read_text())
    if recipe.versions != [version]:
        yield f"versions {recipe.versions}, the project has {version}"
    for chosen in ([], recipe.variants):
        arguments = recipe.meson_args(*chosen)
        if sorted(arguments) != sorted(features):
            yield f"sets {sorted(arguments)}, meson_options.txt has the features {sorted(features)}"
        for name in recipe.variants:
            if arguments.get(name) != ("enabled" if name in chosen else "disabled"):
                yield f"variant {name} sets {arguments.get(name)}"
    yield from (f"does not depend on {PACKAGES[name][0]}" for name in wanted if PACKAGES[name][0] not in recipe.depends)
    if recipe.environment() != {"LIBMPIGRAFT": "/prefix/lib/libmpigraft.so"}:
        yield f"sets {recipe.environment()}"


def findings_of_debian(root, wanted):
    control = (root / "config/site/debian/control").read_text()
    needs = re.findall(r"^ ([\w.+-]+)", control.split("Build-Depends:")[1].split("\n\n")[0], re.MULTILINE)
    yield from (f"does not build-depend on {PACKAGES[name][1]}" for name in wanted if PACKAGES[name][1] not in needs)
    setup = (root / "scripts/setup").read_text()
    yield from (f"{name} is not what scripts/setup installs" for name in needs
                if name != "debhelper-compat" and name != "meson" and f"{name}:" not in setup)


def findings_of_changelog(root, version):
    releases = [line for line in (root / "CHANGELOG.md").read_text().splitlines() if line.startswith("## ")]
    parsed = [RELEASE.fullmatch(line) for line in releases]
    if not all(parsed):
        yield from (f"{line!r} is no `## X.Y.Z - YYYY-MM-DD`, or `unreleased`"
                    for line, match in zip(releases, parsed) if not match)
        return
    numbers = [tuple(map(int, match[1].split("."))) for match in parsed]
    if parsed[0][1] != version:
        yield f"begins with {parsed[0][1]}, the project has {version}"
    if numbers != sorted(set(numbers), reverse=True):
        yield "versions do not descend"
    yield from (f"{match[1]} is unreleased below a newer one" for match in parsed[1:] if match[2] == "unreleased")


def main():
    root = Path(sys.argv[1])
    version = re.search(r"version: '(.+)'", (root / "meson.build").read_text())[1]
    used = set()
    for path in (root / "meson.build", *(path for room in ("algorithms", "config", "shim")
                                         for path in (root / room).rglob("meson.build"))):
        used.update(re.findall(r"dependency\('([\w-]+)'", path.read_text()))
    used -= {"ompi-c"}  # only for tests
    findings = [f"nobody told this test what {name} is for Spack and Debian" for name in used - set(PACKAGES)]
    wanted = used & set(PACKAGES)
    findings += [f"package.py: {finding}" for finding in findings_of_spack(root, version, wanted)]
    findings += [f"debian/control: {finding}" for finding in findings_of_debian(root, wanted)]
    findings += [f"CHANGELOG.md: {finding}" for finding in findings_of_changelog(root, version)]
    finish(findings)


if __name__ == "__main__":
    main()
