// SPDX-License-Identifier: MIT
// The launcher, the program that starts the ranks. Another MPI's would refuse our options, or start every rank as a job
// of its own. mpigraft(1), LAUNCHERS, has the rule by which it is found; scripts/launcher.py finds it by the same rule,
// for Python, Meson and shell scripts.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/table/interface.hpp"

namespace mpigraft::command {

/// The standard ABI is that of MPI-5, which several libraries have.
enum class Mpi { unknown, mpich, open_mpi, intel, standard_abi };

/// "MPICH", "Open MPI", ...
const char* name_of(Mpi mpi);

struct LinkedMpi {
  Mpi mpi = Mpi::unknown;
  std::string library;   // its file
  bool has_pmi = false;  // a library of a resource manager's, which finds the other ranks by itself
};

/// The file of mpi4py.MPI, by which a Python interpreter loads MPI; empty if `path` is none or has no mpi4py.
std::string mpi4py_of(const std::string& path);

/// The text that ldd prints of a program, or of an interpreter's mpi4py; empty if there is no program.
std::string libraries_of(const std::string& program);

/// The MPI among these libraries.
LinkedMpi linked_mpi(const std::string& libraries);

/// The interface of the program's MPI, otherwise of the launcher's; MPICH's if neither is known.
table::Interface interface_of(Mpi program, Mpi launcher);
/// The name of the library to preload for that interface.
const char* library_for(Mpi program, Mpi launcher);

using Variables = std::vector<std::pair<std::string, std::string>>;  // names and values

struct Launcher {
  std::vector<std::string> words = {};  // with {n} for the number of ranks
  std::string path = {};                // of the first word
  std::string says = {};                // the first line of its answer to --version
  std::string version = {};             // of MPICH; empty for another MPI
  Mpi mpi = Mpi::unknown;
  bool is_slurm = false;
  bool named = false;        // by option or environment
  std::string problem = {};  // why there is no launcher; empty if there is one

  /// The reason why no call of a program of this MPI would be grafted under it; empty if nothing is known against it.
  /// `grafts_family`: MPIGRAFT_ABI=mpich.
  std::string trouble(const LinkedMpi& linked, bool grafts_family) const;
  /// The plugin by which srun tells ranks of each other, such as "pmi2"; empty if it is not known.
  std::string slurm_plugin() const;
  /// True if nobody named it and `mpiexec` on PATH is another program, so that this one would surprise a user.
  bool is_unexpected() const;
  /// The words before the program, which start so many ranks with these variables.
  std::vector<std::string> command(int ranks, const Variables& variables = {}) const;
};

/// The text of MPI_Get_library_version in a job of this program or launcher; empty if it is not known.
std::string version_in_job(const LinkedMpi& program, const Launcher& launcher);

/// Finds the launcher. `named` is the option's value, or empty; `linked` is the program's MPI, if anything tells it.
Launcher find_launcher(const std::string& named, const LinkedMpi& linked);

}  // namespace mpigraft::command
