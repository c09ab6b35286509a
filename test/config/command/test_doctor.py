# SPDX-License-Identifier: MIT
"""mpigraft doctor: what it says of launchers, programs, tables and environments. Launchers and ldd are scripts here."""
import ctypes
import json
import os
import re
import shutil
import subprocess
import sys

from command_call import COMMAND, HYDRA, INTEL, OPEN_MPI, Folder, call, text_of

LIBRARY = os.path.abspath(os.path.join(os.path.dirname(COMMAND), "../shim/libmpigraft.so"))
SITE = json.loads(call("env", "--json")[1])["site"]["file"]
TABLE = '{"version": 1, "rules": [{"collective": "scan", "bytes": {"max": "64K"}, "algorithm": "binomial"}]}'
CORES = len(os.sched_getaffinity(0))
PLACE = f"{CORES} ranks of one node" if CORES > 1 else "16 ranks, 1 a node"
HEALTHY = """\
ok  library      {folder}/shim/libmpigraft.so
ok  launcher     {folder}/bin/mpiexec, MPICH 4.0.2
ok  program      {folder}/program, MPI {folder}/lib/libmpich.so.12
ok  environment  no MPIGRAFT_* variable is wrong, and LD_PRELOAD is not exported
ok  site         there is no {site}
ok  memory       long messages of a node are copied twice, or by MPI: MPIGRAFT_SHARED=no-cma
ok  gpu          not here: libcuda.so.1 (CUDA), libhsa-runtime64.so.1 (HIP), libze_intel_gpu.so.1 (Level Zero)
ok  table        {folder}/table.json (MPIGRAFT_TABLE), rules 1, digest {digest:016x}
ok  calls        scan on {place}: 8 bytes scan/binomial, 64K bytes scan/binomial, 4M bytes native
ok  calls        exscan on {place}: 8 bytes native, 64K bytes native, 4M bytes native
ok  calls        bcast on {place}: 8 bytes native, 64K bytes native, 4M bytes native
ok  calls        reduce on {place}: 8 bytes native, 64K bytes native, 4M bytes native
ok  calls        barrier on {place}: native
ok  calls        allreduce on {place}: 8 bytes native, 64K bytes native, 4M bytes native
ok  calls        reduce_scatter on {place}: 8 bytes native, 64K bytes native, 4M bytes native
ok  calls        allgather on {place}: 8 bytes native, 64K bytes native, 4M bytes native
nothing wrong
"""


READS_A_SIBLING = """
import ctypes, os, signal, sys
libc = ctypes.CDLL(None)
class Part(ctypes.Structure):
    _fields_ = [("address", ctypes.c_void_p), ("bytes", ctypes.c_size_t)]
word, into = ctypes.c_long(7), ctypes.c_long(0)
first = os.fork()
if first == 0:
    signal.pause()
second = os.fork()
if second == 0:
    here, there = Part(ctypes.addressof(into), 8), Part(ctypes.addressof(word), 8)
    os._exit(libc.process_vm_readv(first, ctypes.byref(here), 1, ctypes.byref(there), 1, 0) != 8)
status = os.waitstatus_to_exitcode(os.waitpid(second, 0)[1])
os.kill(first, signal.SIGKILL)
sys.exit(status)
"""


def mapped(name):
    """The file of a library that Python has loaded."""
    return next(line.split()[-1] for line in text_of("/proc/self/maps").splitlines() if name in line)


def fnv_1a(text):
    digest = 0xcbf29ce484222325
    for byte in text.encode():
        digest = (digest ^ byte) * 0x100000001b3 % 2**64
    return digest


class Doctor(Folder):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("config"))
        self.command = shutil.copy(COMMAND, self.path("config"))
        self.library("libmpigraft.so")
        self.write("table.json", TABLE)
        self.write("program", "\x7fELF", 0o755)
        self.tool("mpiexec", HYDRA)
        self.tool("ldd", f"\tlibmpich.so.12 => {self.path('lib/libmpich.so.12')} (0x1)\n")

    def library(self, name):
        os.makedirs(self.path("shim"), exist_ok=True)
        shutil.copy(LIBRARY, self.path("shim", name))

    def tool(self, name, says):
        self.write(f"says/{name}", says)
        return self.write(f"bin/{name}", f'#!/bin/sh\ncat {self.path("says", name)}\n', 0o755)

    def drivers(self, file):
        """A folder in which the loader finds this file by the name of each GPU's driver."""
        os.makedirs(self.path("drivers"))
        for driver in "libcuda.so.1", "libhsa-runtime64.so.1", "libze_intel_gpu.so.1":
            os.symlink(file, self.path("drivers", driver))
        return self.path("drivers")

    def doctor(self, *arguments, **variables):
        environment = {"PATH": self.path("bin") + ":" + os.environ["PATH"], "MPIGRAFT_TABLE": self.path("table.json"),
                       "MPIGRAFT_SHARED": "no-cma"}
        return call("doctor", *arguments, command=self.command, **environment | variables)

    def problems(self, *arguments, **variables):
        status, out, err = self.doctor(*arguments, **variables)
        self.assertEqual(err, "")
        lines = [line.split(None, 1)[1] for line in out.splitlines() if line.startswith("PROBLEM ")]
        self.assertEqual(status, 1 if lines else 0, out)
        self.assertIn(out.splitlines()[-1], ("nothing wrong", "1 problem", f"{len(lines)} problems"))
        return "\n".join(" ".join(line.split()) for line in lines)

    def test_healthy(self):
        healthy = HEALTHY.format(folder=self.folder, digest=fnv_1a(TABLE), site=SITE, place=PLACE)
        hidden = self.drivers("/dev/null")  # MPI may have brought some
        self.assertEqual(self.doctor(self.path("program"), LD_LIBRARY_PATH=hidden), (0, healthy, ""))

    def test_memory(self):
        """The doctor says what the system permits here; only a separate process can try that."""
        read = subprocess.run([sys.executable, "-c", READS_A_SIBLING]).returncode == 0
        said = re.search("^ok +memory +(.*)$", self.doctor(MPIGRAFT_SHARED="1")[1], re.MULTILINE).group(1)
        self.assertTrue(said.startswith("long messages of a node are copied " + ("once" if read else "twice")), said)

    def test_gpus(self):
        for driver, found in (("libcuda.so.1", "ok +gpu +libcuda.so.1 .CUDA. is here: grafted calls run on copies of buffers"),
                              ("libze_intel_gpu.so.1", "PROBLEM +gpu +the program is linked to libze_intel_gpu.so.1")):
            self.tool("ldd", f"\tlibmpich.so.12 => /lib/libmpich.so.12 (0x1)\n\t{driver} => /lib/{driver} (0x2)\n")
            self.assertRegex(self.doctor(self.path("program"))[1], found)
        self.tool("ldd", "\tlibmpich.so.12 => /lib/libmpich.so.12 (0x1)\n")
        out = self.doctor(self.path("program"), LD_LIBRARY_PATH=self.drivers(mapped("/libm.")))[1]
        self.assertNotIn("not here", out)
        self.assertEqual(out.count("is here: grafted calls run on copies"), 2)
        self.assertIn("libze_intel_gpu.so.1 (Level Zero) is here: every call of a program that loads it stays native", out)

    def test_library(self):
        os.remove(self.path("shim/libmpigraft.so"))
        self.assertIn("library libmpigraft.so is neither in ../shim nor in", self.problems())

        self.tool("mpiexec", "ERROR: ld.so: object '/lib/x' from LD_PRELOAD cannot be preloaded (wrong ELF class): ignored.\n")
        self.library("libmpigraft.so")
        self.assertIn("cannot be preloaded (wrong ELF class): ignored.; build it for the ranks' system",
                      self.problems("--launcher", self.path("bin/mpiexec")))

    def test_launchers(self):
        for says, problem in ((HYDRA.replace("4.0.2", "3.4"), "is of MPICH 3.4; mpigraft needs 4.0 or later"),
                              (INTEL, "is Intel MPI's")):
            with self.subTest(says):
                tool = self.tool("mpiexec", says)
                for found in (self.problems("--launcher", tool), self.problems(MPIGRAFT_LAUNCHER=tool)):
                    self.assertIn(problem, found)
        self.assertEqual(self.problems("--launcher", self.tool("mpiexec", INTEL), MPIGRAFT_ABI="mpich"), "")
        self.assertIn("no absent on PATH", self.problems("--launcher", "absent"))

    def test_plugins_of_slurm(self):
        """Those of MPICH need pmi2, unless a library that they are linked to speaks to Slurm."""
        srun = self.tool("srun", "slurm 23.11\n")
        mpich = f"\tlibmpich.so.12 => {self.path('lib/libmpich.so.12')} (0x1)\n"
        self.tool("scontrol", "MpiParams = (null)\nMpiDefault              = none\n")
        for says, options, variables, problem in ((mpich, "", {}, "its MPI plugin none"), (mpich, " --mpi=pmi2", {}, ""),
                                                  (mpich, " --mpi pmix", {}, "its MPI plugin pmix"),
                                                  (mpich, " -n{n} --mpi", {}, "its MPI plugin none"),
                                                  (mpich, "", {"SLURM_MPI_TYPE": "pmi2"}, ""),
                                                  (mpich + "\tlibpmi.so.0 => /libpmi.so.0 (0x1)\n", "", {}, "")):
            with self.subTest(options=options, **variables):
                self.tool("ldd", says)
                found = self.problems("--launcher", srun + options, self.path("program"), **variables)
                self.assertEqual(bool(problem), "each rank would be a job of its own" in found)
                self.assertIn(problem, found)
        self.tool("ldd", mpich)
        self.tool("scontrol", "slurm_load_ctl_conf error\n")
        self.assertEqual(self.problems("--launcher", srun, self.path("program")), "")

    def test_the_launcher_of_the_program(self):
        other = self.tool("mpiexec", OPEN_MPI)
        for name in ("mpiexec.hydra", "mpiexec.mpich"):
            path = self.tool(name, HYDRA)
            of_mpich = self.doctor(self.path("program"), MPIGRAFT_TABLE="")[1]
            self.assertIn(f"launcher     {path}, MPICH 4.0.2; the mpiexec on PATH is a different one", of_mpich)
        self.tool("ldd", f"\tlibmpi.so.40 => {self.path('lib/libmpi.so.40')} (0x1)\n")
        self.library("libmpigraft-ompi.so")
        of_open_mpi = self.doctor(self.path("program"), MPIGRAFT_TABLE="")[1]
        self.assertIn(f"launcher     {other}, Open MPI\n", of_open_mpi)
        if "table        embedded" in of_mpich:
            self.assertNotIn(re.search("digest .*", of_mpich).group(), of_open_mpi)
        self.assertIn("each rank would be a job of its own", self.problems("--launcher", path, self.path("program")))
        self.tool("ldd", f"\tlibmpi.so.12 => {self.path('lib/release/libmpi.so.12')} (0x1)\n")
        for name in ("mpiexec.hydra", "mpiexec.mpich"):
            self.tool(name, INTEL)
        self.assertIn("is Intel MPI's", self.problems(self.path("program")))

    def test_the_embedded_table_of_the_standard_abi(self):
        """It is that of the MPI whose library the program has."""
        def table(soname, says):
            source = self.write("mpi.c", "int PMPI_Get_library_version(char* text, int* length) "
                                         f'{{ return *length = __builtin_sprintf(text, "{says}"), 0; }}')
            os.makedirs(self.path("lib"), exist_ok=True)
            subprocess.run(["cc", "-shared", "-fPIC", "-o", self.path("lib", soname), source], check=True)
            self.tool("ldd", f"\t{soname} => {self.path('lib', soname)} (0x1)\n")
            return re.search("^ok +table +(.*)$", self.doctor(self.path("program"), MPIGRAFT_TABLE="")[1], re.MULTILINE).group(1)

        self.assertEqual(table("libmpi_abi.so.1", "Open MPI v6.0.0"), table("libmpi.so.40", "Open MPI v5.0.7"))
        self.assertEqual(table("libmpi_abi.so.1", "MPICH Version: 5.0.2"), table("libmpich.so.12", "MPICH Version: 4.0.2"))

    def test_programs(self):
        for name in ("libmpigraft-abi.so", "libmpigraft-ompi.so"):
            self.library(name)
        self.tool("mpiexec.openmpi", OPEN_MPI)
        for libraries, problem in (("\tnot a dynamic executable\n", "is linked statically"),
                                   ("\tstatically linked\n", "is linked statically"),
                                   ("\tliba.so => /a\n\tlibb.so => not found\n", "the loader does not find libb.so"),
                                   ("\tlibmpi_abi.so.1 => /lib/libmpi_abi.so.1 (0x1)\n", ""),
                                   ("\tlibmpi.so.40 => /lib/libmpi.so.40\n", ""),
                                   ("\tlibmpi_cray.so.12 => /lib/libmpi_cray.so.12\n", ""),  # which is not there
                                   ("\tlibc.so.6 => /lib/libc.so.6\n", "")):
            with self.subTest(libraries):
                self.tool("ldd", libraries)
                found = self.problems(self.path("program"))
                self.assertTrue(problem in found and bool(problem) == bool(found), found)
        for libraries, found in (("\tlibmpi_cray.so.12 => /lib/a\n", "MPI /lib/a"),
                                 ("\tlibasan.so.8 => /lib/x (0x1)\n", "which must be first in LD_PRELOAD, as `mpigraft run` puts it: /lib/x"),
                                 ("\tlibmpi_other.so.3 => /lib/a\n\tlibb.so.12 => /lib/b\n", "is not linked to MPI itself")):
            self.tool("ldd", libraries)
            self.assertIn(found, self.doctor(self.path("program"))[1])
        names = self.write("names", "\x7fELF\0libmpi.so.40\0libmpi\0dlopen libmpi_f.so.12!libmpigraft.so", 0o755)
        self.tool("ldd", "\tlibc.so.6 => /lib/libc.so.6\n")
        self.assertIn("it may load libmpi.so.40, libmpi_f.so.12, whose name it contains", self.doctor(names)[1])
        inside = self.write("inside", "\x7fELF MPICH Version:\t4.0.2", 0o755)
        self.assertIn("has MPI linked statically into it", self.problems(inside))
        self.assertEqual(self.problems(self.write("script", "#!/bin/sh\n", 0o755)), "")
        self.assertIn("is not an executable program", self.problems(self.path("absent")))
        os.chmod(inside, 0o4755)
        self.assertIn("is setuid or setgid", self.problems(inside))

    def test_mpi_of_python(self):
        """A Python interpreter is judged by the MPI of its mpi4py, if it has one."""
        python = self.write("python3.11", f"#!/bin/sh\ncat {self.path('says/python')}\n", 0o755)
        self.library("libmpigraft-ompi.so")
        self.tool("mpiexec.openmpi", OPEN_MPI)
        self.tool("ldd", "\tlibmpi.so.40 => /lib/libmpi.so.40 (0x1)\n")
        for origin, says in (("mpi4py: /site/MPI.so\n", "/site/MPI.so, Open MPI (/lib/libmpi.so.40)"),
                             ("ModuleNotFoundError: No module named mpi4py\n", "is a script")):
            self.write("says/python", origin)
            self.assertIn(says, self.doctor(python)[1])

    def test_environment_and_problems_come_first(self):
        found = self.problems(MPIGRAFT_FORSE="x", MPIGRAFT_SHARED="yes", MPIGRAFT_REPORT=self.path("no/job.json"),
                              MPIGRAFT_LEARN=self.folder, MPIGRAFT_TRACE=self.path("no/such"))
        for words in ('MPIGRAFT_FORSE: unknown variable; did you mean "MPIGRAFT_FORCE"?',
                      'MPIGRAFT_SHARED: "yes" is not known; write 0, 1, no-cma or ptracer, or unset it',
                      f"MPIGRAFT_REPORT: there is no folder {self.path('no')}; make it, or name another file",
                      f"MPIGRAFT_LEARN: {self.folder} is a folder; name a file in it",
                      f"MPIGRAFT_TRACE: cannot write into {self.path('no/such')}; name a folder that you can write to"):
            self.assertIn(words, found)
        for report, trace in (("stderr", self.path("new")), (self.path("job.json"), self.folder), ("job.json", "traces")):
            self.assertEqual(self.problems(MPIGRAFT_REPORT=report, MPIGRAFT_TRACE=trace, cwd=self.folder), "")
        for words in "TRACE: /dev/null is no folder; name one that you", "LEARN: no file can be written in /proc/sys/vm: ":
            self.assertIn(words, self.problems(MPIGRAFT_TRACE="/dev/null", MPIGRAFT_LEARN="/proc/sys/vm/overcommit_ratio"))
        self.assertIn("MPIGRAFT_DISABLE=1: every call is native", self.problems(MPIGRAFT_DISABLE="1"))
        rows = self.doctor(MPIGRAFT_SHARED="yes")[1].splitlines()
        self.assertTrue(rows[0].startswith("PROBLEM") and rows[1].startswith("ok"), rows[:2])
        # empty here, as the loader could not load it
        exported = self.doctor(LD_PRELOAD="/absent/libmpigraft.so")
        self.assertEqual(exported[0], 1)
        self.assertIn("LD_PRELOAD is exported", exported[1])
        self.assertIn("LD_PRELOAD is not exported", self.doctor(LD_PRELOAD="/absent/other.so")[1])

    def test_tables(self):
        self.write("table.json", '{"version": 1, "rules": [{"collective": "scan"}]}')
        self.assertIn('table.json:1:26: /rules/0: missing key "algorithm"', self.problems())
        self.write("table.json", '{"version": 1, "rules": []}')
        self.assertIn("calls every call on 2 to 4096 ranks is native", self.problems())
        self.write("table.json", '{"version": 1, "rules": [{"collective": "scan", "algorithm": "binomial", '
                                 '"ranks": {"max": 7}, "nodes": {"max": 1}}]}')
        self.assertEqual(self.problems(), "")
        self.assertRegex(self.doctor()[1], r"scan on \d ranks of one node: 8 bytes scan/binomial")
        self.write("table.json", TABLE.replace('"bytes"', '"nodes": {"min": 1024}, "bytes"'))
        self.assertIn("scan on 1024 ranks, 1 a node: 8 bytes scan/binomial", self.doctor()[1])
        self.assertIn("No such file", self.problems(MPIGRAFT_TABLE=self.path("absent")))

    def test_requirements(self):
        """Where the job would use the embedded table, the doctor says so, and shows that one."""
        def said(launcher="", **required):
            self.write("table.json", TABLE.replace('"rules"', f'"requires": {json.dumps(required)}, "rules"'))
            return self.doctor(MPIGRAFT_LAUNCHER=launcher)
        stale = (rf"PROBLEM +table +not in force: {re.escape(self.path('table.json'))}: the {{}} is \".*\", the table "
                 r'requires "no-such.*"; the embedded table takes its place\n(?s:.*)table +embedded, rules')
        out, _ = self.ended(said(host="no-such*"), 1)
        self.assertRegex(out, stale.format("host"))
        out, _ = self.ended(said(host=os.uname().nodename, mpi="*"), 0)
        self.assertNotIn("embedded", out)
        try:
            ctypes.CDLL("libmpich.so.12")
        except OSError:
            self.skipTest("no MPICH to compare with")
        self.assertRegex(said(mpi="no-such MPICH")[1], stale.format("MPI library"))
        os.makedirs(self.path("lib"))
        os.symlink(mapped("/libmpich."), self.path("lib/libmpi.so.40"))
        for says, found in (OPEN_MPI, stale.format("MPI library")), (INTEL, "requires an MPI library, which does not tell its version"):
            launcher = self.tool("mpiexec", says)
            self.assertRegex(said(mpi="no-such MPICH", launcher=launcher)[1], found)  # of the library above the launcher
        self.tool("mpiexec", HYDRA)
        self.tool("ldd", f"\tlibmpich.so.12 => {self.path('lib/absent.so')} (0x1)\n")
        self.assertIn("requires an MPI library, which does not tell its version", self.doctor(self.path("program"))[1])
