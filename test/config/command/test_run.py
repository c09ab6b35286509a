# SPDX-License-Identifier: MIT
"""mpigraft run: the launcher that it takes, and what that gets. Launchers are scripts here, and so is ldd."""
import os
import shutil
import sys

from command_call import COMMAND, HYDRA, INTEL, OPEN_MPI, SOURCE, Folder, call


def launcher_of_scripts(program, **variables):
    """What scripts and Meson find, by the same rule."""
    script = os.path.join(SOURCE, "scripts/launcher.py")
    _, out, error = call(script, program, command=sys.executable, **variables)
    return (out + error).strip()


class Run(Folder):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("config"))
        self.command = shutil.copy(COMMAND, self.path("config"))
        self.library = self.write("shim/libmpigraft.so", "")
        self.hydra = self.launcher("mpiexec.hydra", HYDRA)
        self.start = f"{self.hydra} -n 4 -genv LD_PRELOAD {self.library}"

    def launcher(self, name, says):
        """A launcher that tells its version. Open MPI's refuses -genv, as the real one does."""
        return self.write(f"bin/{name}", f"""#!/bin/sh
if [ "$1" = --version ]; then echo "{says}"; exit; fi
case "{says} $*" in *Open*-genv*) echo unknown option -genv >&2; exit 1;; esac
printf '%s\\n' "$@"; grep SigIgn /proc/self/status
exit 7
""", 0o755)

    def ldd(self, script):
        self.write("bin/ldd", f"#!/bin/sh\n{script}\n", 0o755)

    def links(self, library):
        """Lets ldd tell this library, in a folder below ours, of every program."""
        self.ldd(f"echo '\t{os.path.basename(library)} => {self.path(library)} (0x1)'")

    def only(self, *names):
        """A PATH with only these launchers of bin/, and the programs that find and ask them."""
        for name in ("sh", "timeout", "ldd", "grep", *names):
            if not os.path.exists(self.path("bin", name)):
                os.symlink(shutil.which(name), self.path("bin", name))
        return {"PATH": self.path("bin")}

    def run_verb(self, *arguments, **variables):
        return call("run", "-n", "4", *arguments, command=self.command, cwd=self.folder, **variables)

    def started(self, *arguments, **variables):
        """The words that the launcher gets, if there is nothing to say, and the signals that are ignored there."""
        status, out, err = self.run_verb(*arguments, **variables)
        self.assertEqual((status, err), (7, ""))
        *words, ignored = out.splitlines()
        return words, int(ignored.split()[1], 16)

    def test_print(self):
        table = self.table()
        self.assertEqual(
            self.run_verb("--print", "--table", "table.json", "--force", "bcast=native,strict", "--report", "out",
                          "--launcher", f"{self.hydra} -l -v", "./a b", "-n", "$x", ""),
            (0, f"{self.hydra} -l -v -n 4 -genv LD_PRELOAD {self.library} -genv MPIGRAFT_TABLE {table} "
                f"-genv MPIGRAFT_FORCE bcast=native,strict -genv MPIGRAFT_REPORT {self.path('out')} "
                "'./a b' -n '$x' ''\n", ""))

    def test_the_current_folder_is_gone(self):
        script = f"mkdir gone; cd gone; rmdir ../gone; {self.command} run -n 4 --launcher {self.hydra} --report r --print ./p"
        status, out, _ = call("-c", script, command="/bin/sh", cwd=self.folder)
        self.assertEqual((status, out), (0, f"{self.start} -genv MPIGRAFT_REPORT r ./p\n"))

    def test_numbers_of_ranks(self):
        for words in ("-np", "4"), ("--np", "4"), ("-n4",), ("--np=4",):
            self.assertEqual(call("run", "--launcher", self.hydra, *words, "--print", "./p", "-np", "3", command=self.command),
                             (0, f"{self.start} ./p -np 3\n", ""))
        for wrong in "0", "-3", "two", "9" * 300, "3000000000", "1.5":
            self.assertRegex(self.refused(call("run", "-n", wrong, "./p", command=self.command)),
                             '^mpigraft: -n: "[^"]{,67}" is not a number of ranks; write 1 or more; see `mpigraft run --help`\n')

    def test_options_of_the_launcher(self):
        for word in "-hosts", "-host", "-ppn", "-l", "-nooversubscribe":
            self.assertEqual(self.refused(call("run", "-n", "2", word, "x", "./p", command=self.command)),
                             f'mpigraft: unknown option "{word}"; options of the launcher go into --launcher "mpiexec {word} '
                             '... -n {n}"\n')

    def test_everyday_settings_need_no_variable(self):
        start = ("--print", "--launcher", self.hydra)
        for words, setting in ((["--verify"], "VERIFY 1"), (["--verify=5"], "VERIFY 5"),
                               (["--learn", "won.json"], f"LEARN {self.path('won.json')}")):
            self.assertEqual(self.run_verb(*start, *words, "./p")[1], f"{self.start} -genv MPIGRAFT_{setting} ./p\n")
        self.assertIn('"0" is not a count; write 1 or more', self.refused(self.run_verb(*start, "--verify=0", "./p")))

    def test_files_that_cannot_be_written(self):
        """They are found before the program runs for hours."""
        for option, variable in ("--report", "MPIGRAFT_REPORT"), ("--learn", "MPIGRAFT_LEARN"):
            self.assertEqual(self.run_verb("--launcher", self.hydra, option, "absent/job.json", "./p"),
                             (2, "", f"mpigraft: {variable}: there is no folder {self.path('absent')}; make it, or name another file\n"))
            self.assertIn(" is a folder; name a file in it", self.run_verb("--launcher", self.hydra, option, "bin", "./p")[2])
            # nor by root
            self.assertRegex(self.refused(self.run_verb("--launcher", self.hydra, option, "/proc/sys/job.json", "./p")),
                             f"^mpigraft: {variable}: no file can be written in /proc/sys: (Permission|Read-only)")
            self.assertEqual(self.run_verb("--launcher", self.hydra, option, self.table(), "./p")[0], 7)
            self.assertIn("no folder /absent;", self.run_verb("--launcher", self.hydra, "./p", **{variable: "/absent/x.json"})[2])
        self.assertIn(" MPIGRAFT_REPORT stderr,sites ", self.run_verb("--launcher", self.hydra, "--print", "--report",
                                                                      "stderr,sites", "./p")[1])

    def test_the_library_that_watches(self):
        """It comes first, by --watch or by a variable."""
        program = self.write("program", "", 0o755)
        start = ("--print", "--launcher", self.hydra)
        self.assertIn("libmpigraft-watch.so is neither in", self.run_verb(*start, "--watch", program)[2])
        watching = self.write("shim/libmpigraft-watch.so", "")
        for options, variables, timeout in ((["--watch"], {}, 60), (["--watch=5s"], {}, 5), (["--watch=7"], {}, 7)):
            self.assertEqual(self.run_verb(*start, *options, program, **variables)[1],
                             f"{self.hydra} -n 4 -genv LD_PRELOAD {watching}:{self.library} "
                             f"-genv MPIGRAFT_TIMEOUT {timeout} {program}\n")
        for name, value in ("TIMEOUT", "9"), ("CHECK", "1"), ("TRACE", "/tmp/t"), ("SIGNAL", "USR1"):
            self.assertIn(f"LD_PRELOAD {watching}:{self.library} ",
                          self.run_verb(*start, program, **{f"MPIGRAFT_{name}": value})[1])
        self.assertIn("is not a number of seconds; write 60s", self.run_verb(*start, "--watch=soon", program)[2])

    def test_the_library_of_the_program(self):
        """The standard ABI has one of its own."""
        self.links("lib/libmpi_abi.so.1")
        other, program, path = self.write("shim/libmpigraft-abi.so", ""), self.write("program", "", 0o755), self.only()
        self.assertEqual(self.run_verb("--print", program, **path)[1],
                         f"{self.hydra} -n 4 -genv LD_PRELOAD {other} {program}\n")
        os.remove(other)
        self.assertIn("libmpigraft-abi.so is neither in", self.run_verb("--print", program, **path)[2])

    def test_address_sanitizer(self):
        """gcc's runtime ends a program in which it is not the first library."""
        self.ldd("echo ' libasan.so.8 => /lib/libasan.so.8 (0x1)'")
        program = self.write("program", "", 0o755)
        self.assertEqual(self.run_verb("--print", program, LD_PRELOAD="/absent.so", **self.only())[1],
                         f"{self.hydra} -n 4 -genv LD_PRELOAD /lib/libasan.so.8:{self.library}:/absent.so {program}\n")

    def test_separator_and_other_preloads(self):
        # a preload that does not exist: the loader says so on stderr and goes on
        status, out, _ = self.run_verb("--print", "--report", "stderr", "--", "./it's", "--print",
                                       LD_PRELOAD="/absent.so", **self.only())
        self.assertEqual((status, out), (0, f"{self.start}:/absent.so -genv MPIGRAFT_REPORT stderr './it'\\''s' --print\n"))
        self.assertEqual(self.run_verb("--print", "p", LD_PRELOAD="", **self.only())[1], f"{self.start} p\n")

    def test_becomes_the_launcher(self):
        words, ignored = self.started("program", "a b", **self.only())
        self.assertEqual(words, ["-n", "4", "-genv", "LD_PRELOAD", self.library, "program", "a b"])
        self.assertEqual(ignored >> 12 & 1, 0)  # SIGPIPE is the usual one

    def test_open_mpi_is_mpiexec(self):
        other, path = self.launcher("mpiexec", OPEN_MPI), self.only()
        status, out, err = self.run_verb("program", **path)
        self.assertEqual((status, err), (7, f"mpigraft: the launcher is {self.hydra}, MPICH 4.0.2; the mpiexec on PATH "
                                            "is a different one\n"))
        self.assertEqual(self.run_verb("--print", "p", **path)[1], f"{self.start} p\n")
        self.assertEqual(launcher_of_scripts("p", **path), self.hydra)
        mpich = self.launcher("mpiexec.mpich", HYDRA)
        self.assertIn(f"is {mpich}, MPICH", self.run_verb("program", **path)[2])
        self.assertEqual(self.run_verb("program", MPIGRAFT_LAUNCHER=mpich, **path)[2], "")
        for name in (self.hydra, mpich):
            os.remove(name)
        err = self.refused(self.run_verb("program", **path))
        self.assertEqual(err, f"mpigraft: no mpiexec of MPICH on PATH ({other} is Open MPI's); install it, or name a "
                              "launcher with --launcher or MPIGRAFT_LAUNCHER\n")
        self.assertIn(f"no mpiexec of MPICH on PATH ({other}: of another MPI)", launcher_of_scripts("p", **path))
        self.assertIn("must be MPICH's mpiexec", launcher_of_scripts("p", MPIGRAFT_LAUNCHER=other, **path))
        self.launcher("mpiexec.hydra", INTEL)
        self.assertIn(f"on PATH ({self.hydra} is Intel MPI's, {other} is Open MPI's); install it",
                      self.refused(self.run_verb("program", **path)))
        os.remove(self.hydra)
        os.remove(other)
        self.assertIn("no mpiexec of MPICH on PATH; install it, or", self.run_verb("program", **path)[2])

    def test_mpiexec_of_mpich_under_its_plain_name(self):
        os.rename(self.hydra, self.path("bin/mpiexec"))
        path = self.only()["PATH"]
        self.assertEqual(self.run_verb("program", PATH=f"::{path}")[::2], (7, ""))
        self.assertEqual(self.run_verb("program", MPIGRAFT_VERBOSE="1", PATH=path)[2],
                         f"mpigraft: the launcher is {self.path('bin/mpiexec')}, MPICH 4.0.2\n")

    def test_the_launcher_above_the_library(self):
        beside = self.launcher("../mpich/bin/mpiexec", HYDRA)
        for library, launcher in (("libmpi.so.12", beside), ("libmpich.so.12", beside), ("libc.so.6", self.hydra)):
            self.links("mpich/lib/x/" + library)
            with self.subTest(library):
                program = self.write("program", "", 0o755)
                out = self.run_verb("--print", program, **self.only())[1]
                self.assertEqual(out.split()[0], os.path.realpath(launcher))
                self.assertEqual(os.path.realpath(launcher_of_scripts(program, **self.only())), os.path.realpath(launcher))

    def test_a_program_of_open_mpi(self):
        self.links("lib/libmpi.so.40")
        other = self.launcher("mpiexec.openmpi", OPEN_MPI)
        program = self.write("program", "", 0o755)
        library = self.write("shim/libmpigraft-ompi.so", "")
        words = ["-n", "4", "-x", f"LD_PRELOAD={library}", "-x", "MPIGRAFT_FORCE=strict"]
        self.assertEqual(self.started("--force", "strict", program, **self.only())[0], [*words, program])
        by_name = self.started("--force", "strict", "--launcher", other, "script", **self.only("cat"))
        self.assertEqual(by_name[0], [*words, "script"])
        for says in ("mpirun (Open MPI) 5.0.3", "prterun (PRRTE) 3.0.5"):
            self.launcher("mpiexec.openmpi", says)
            self.assertEqual(self.run_verb("--print", program, **self.only())[1].split()[3:5], ["-x", f"LD_PRELOAD={library}"])
        self.launcher("mpiexec.openmpi", INTEL)
        self.assertIn(f"no mpiexec of Open MPI on PATH ({other} is Intel MPI's)", self.run_verb(program, **self.only())[2])
        self.launcher("mpiexec.openmpi", OPEN_MPI)
        python = self.write("python3", f"#!/bin/sh\necho 'mpi4py: {self.path('site/MPI.so')}'\n", 0o755)
        of_module = f"case $1 in */site/MPI.so) echo '\tlibmpi.so.40 => {self.path('lib/libmpi.so.40')} (0x1)' ;; esac"
        self.ldd(of_module)
        self.assertEqual(self.run_verb("--print", python, **self.only())[1].split()[0], os.path.realpath(other))
        self.assertNotEqual(self.run_verb("--print", self.write("ruby", "", 0o755), **self.only())[1].split()[0],
                            os.path.realpath(other))
        self.links("lib/libmpi.so.40")
        err = self.run_verb("--launcher", self.hydra, program, **self.only())[2]
        self.assertEqual(err, f"mpigraft: {self.hydra} is MPICH's, and the program's MPI is Open MPI: each rank would be a "
                              "job of its own; name a launcher with --launcher or MPIGRAFT_LAUNCHER\n")

    def test_commands_for_launchers(self):
        other = self.launcher("srun it", "slurm 23.11")
        for text, words in ((f"'{other}'", ["-n", "4"]), (f'"{other}" -N{{n}} a\\ b --of={{n}}', ["-N4", "a b", "--of=4"]),
                            (f"'{other}'\t-N{{n}}\n'c\\d' e\\", ["-N4", "c\\d", "e\\"])):
            for how in ({"MPIGRAFT_LAUNCHER": text}, {}):
                self.assertEqual(self.started(*([] if how else ["--launcher", text]), "program", **how)[0],
                                 [*words, f"--export=ALL,LD_PRELOAD={self.library}", "program"])
        out = self.run_verb("--print", "--launcher", f"'{other}'", "--force", "scan=native,bcast=native", "program",
                            LD_PRELOAD="/absent.so")[1]
        self.assertEqual(out, f"env -u LD_PRELOAD MPIGRAFT_FORCE=scan=native,bcast=native '{other}' -n 4 "
                              f"--export=ALL,LD_PRELOAD={self.library}:/absent.so program\n")
        out = self.run_verb("--launcher", f"'{other}'", "program", LD_PRELOAD="/a,b.so")[1]
        self.assertEqual(out.splitlines()[2], f"--export=ALL,'LD_PRELOAD={self.library}:/a,b.so'")
        for says, words in ((INTEL, ["-genv", "LD_PRELOAD", self.library]), ("mine 1.0", ["env", f"LD_PRELOAD={self.library}"])):
            mine = self.launcher("mine", says)
            status, out, err = self.run_verb("--launcher", mine, "program", MPIGRAFT_VERBOSE="1")
            self.assertEqual((status, out.splitlines()[:-1]), (7, ["-n", "4", *words, "program"]))
            self.assertTrue(err.startswith(f"mpigraft: the launcher is {mine}\n"), err)
        self.assertEqual(self.run_verb("--launcher", self.hydra, "p", MPIGRAFT_LAUNCHER="absent")[0], 7)
        for text in ("'open", "  "):
            self.assertIn('is not a command; write one such as "srun -n {n}"',
                          self.refused(self.run_verb("--launcher", text, "program")))

    def test_problems_are_told_before_the_start(self):
        err = self.refused(self.run_verb("--launcher", "/absent/mpiexec", "program"))
        self.assertIn("no /absent/mpiexec on PATH; name a launcher with --launcher or MPIGRAFT_LAUNCHER", err)
        for arguments, problem in ((["--force", "scan=x"], '"x" is not an algorithm of scan'),
                                   (["--table", "absent"], "No such file")):
            self.assertIn(problem, self.refused(self.run_verb(*arguments, "--print", "program")))

    def test_absent_library_and_library_that_cannot_be_preloaded(self):
        os.makedirs(self.path("a b/config"))
        shutil.copytree(self.path("shim"), self.path("a b/shim"))
        self.command = shutil.copy(COMMAND, self.path("a b/config"))
        self.assertIn("a space or a colon", self.refused(self.run_verb("program")))
        os.remove(self.path("a b/shim/libmpigraft.so"))
        self.assertIn("libmpigraft.so is neither in ../shim nor in ", self.refused(self.run_verb("program")))
