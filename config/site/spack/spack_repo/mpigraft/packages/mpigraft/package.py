# SPDX-License-Identifier: MIT
from spack_repo.builtin.build_systems.meson import MesonPackage

from spack.package import *


class Mpigraft(MesonPackage):
    """Preloadable collectives for unmodified MPI programs: scans, broadcasts and reductions by published algorithms,
    which a tuning table chooses."""

    license("MIT")

    # `spack dev-build` takes the tree in which it is called. To fetch a release from a mirror, add url and sha256.
    version("0.1.0")

    variant("bench", default=True, description="mpigraft-bench, which `mpigraft tune` needs")
    variant("command", default=True, description="the mpigraft command and its man pages")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.11:", type=("build", "run"))
    # Only mpigraft-bench links it: the libraries serve Open MPI and MPI-5's standard ABI as well.
    depends_on("mpich@4.0:", type=("build", "link"))
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("cli11", type="build", when="+bench")
    depends_on("cli11", type="build", when="+command")

    conflicts("%gcc@:11")

    def setup_run_environment(self, env):
        env.set("LIBMPIGRAFT", f"{self.prefix.lib}/libmpigraft.so")

    def meson_args(self):
        def feature(name):
            return f"-D{name}={'enabled' if self.spec.satisfies(f'+{name}') else 'disabled'}"

        return ["-Dtests=disabled", "-Dfortran=disabled", feature("bench"), feature("command")]
