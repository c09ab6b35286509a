// SPDX-License-Identifier: MIT
// mpigraft doctor: would it work here?
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "config/analysis/comparison.hpp"
#include "config/analysis/explanation.hpp"
#include "config/command/command.hpp"
#include "config/command/launcher.hpp"
#include "config/command/output.hpp"
#include "config/command/programs.hpp"
#include "config/command/single_copy.hpp"
#include "config/command/symbols.hpp"
#include "config/table/digest.hpp"
#include "config/table/drivers.hpp"
#include "config/table/interface.hpp"
#include "config/table/requirements.hpp"
#include "config/table/size.hpp"
#include "config/table/table_file.hpp"

namespace mpigraft::command {

namespace {

namespace files = std::filesystem;

constexpr std::array<std::int64_t, 12> typical_ranks{16, 8, 32, 4, 64, 2, 128, 256, 512, 1024, 2048, 4096};
const std::vector<std::int64_t> typical_bytes{8, 64 << 10, 4 << 20};

/// Collects what is well and what is not.
class Findings {
 public:
  void well(const char* topic, const std::string& text) { rows_.push_back({"ok", topic, text}); }
  void problem(const char* topic, const std::string& text) {
    rows_.push_back({"PROBLEM", topic, text});
    ++problems_;
  }
  int print_all() const {
    const std::string verdict = problems_ == 0   ? "nothing wrong\n"
                                : problems_ == 1 ? "1 problem\n"
                                                 : std::to_string(problems_) + " problems\n";
    return print(columns(rows_) + verdict, problems_ == 0 ? ok : found_problems);
  }

 private:
  std::vector<std::vector<std::string>> rows_;
  int problems_ = 0;
};

void look_at_library(Findings& findings, const std::string& name) {
  const std::string library = find_beside({"../shim", MPIGRAFT_LIBRARIES}, name.c_str());
  if (library.empty())
    findings.problem("library", name + " is neither in ../shim nor in " MPIGRAFT_LIBRARIES
                                       " as seen from this command; build or install it");
  else if (library.find_first_of(" :") != library.npos)
    findings.problem("library", library + ": LD_PRELOAD cannot hold a path with a space or a colon; move the library");
  else
    findings.well("library", library);
}

void look_at_launcher(Findings& findings, const Launcher& launcher, const LinkedMpi& program, bool grafts_family) {
  const std::string trouble = launcher.problem.empty() ? launcher.trouble(program, grafts_family) : launcher.problem;
  if (!trouble.empty()) return findings.problem("launcher", trouble);
  std::string text = launcher.path;
  if (launcher.mpi == Mpi::mpich)
    text += ", MPICH " + launcher.version;
  else if (launcher.mpi != Mpi::unknown)
    text += std::string(", ") + name_of(launcher.mpi);
  else
    text += ", which does not say which MPI it starts (" + launcher.says + ")";
  if (const std::string plugin = launcher.slurm_plugin(); !plugin.empty()) text += "; its MPI plugin is " + plugin;
  if (!launcher.named && launcher.is_other_than_mpiexec())
    text += "; the mpiexec on PATH is a different one: do not start programs with it";
  findings.well("launcher", text);
}

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Judges an MPI library with MPICH's name by the version that it tells; one that tells none is taken for MPICH.
void look_at_mpich(Findings& findings, const std::string& path, const std::string& library, bool grafts_family) {
  const std::string version = library_version_of(library), says = version.substr(0, version.find('\n'));
  const table::Interface interface = version.empty() ? table::Interface::mpich : table::interface_of(version);
  if (interface == table::Interface::mpich) return findings.well("program", path + ", MPI " + library);
  const std::string uses = path + " uses " + library + " (" + says + ")";
  if (!table::library_for(interface))
    return findings.problem("program", uses + ", where every call stays native; build it with MPICH or Open MPI");
  if (grafts_family)
    return findings.well("program",
                         uses + ", which MPIGRAFT_ABI=mpich grafts; compare some runs with MPIGRAFT_VERIFY=1");
  findings.problem("program", uses +
                                  ", where every call stays native; it promises MPICH's binary interface: "
                                  "MPIGRAFT_ABI=mpich on all ranks grafts it");
}

void look_at_mpi_of(Findings& findings, const std::string& path, bool grafts_family) {
  const std::string libraries = libraries_of(path);
  if (contains(libraries, "not a dynamic executable") || contains(libraries, "statically linked"))
    return findings.problem("program", path + " is linked statically: nothing can be preloaded; link it dynamically");
  if (const std::size_t lost = libraries.find(" => not found"); lost != libraries.npos) {
    const std::size_t line = libraries.rfind('\n', lost) + 1;  // npos + 1 is 0
    return findings.problem("program", path + ": the loader does not find " + behind(libraries.substr(line), "") +
                                           "; install it, or add its folder to LD_LIBRARY_PATH");
  }
  const LinkedMpi linked = linked_mpi(libraries);
  if (linked.mpi == Mpi::standard_abi)
    return findings.well("program", path + ", the standard ABI of MPI-5 (" + linked.library + "): preload " +
                                        library_for(linked.mpi, {}) + ", as `mpigraft run` does");
  if (linked.mpi == Mpi::mpich) return look_at_mpich(findings, path, linked.library, grafts_family);
  if (linked.mpi == Mpi::open_mpi)
    return findings.well("program", path + ", Open MPI (" + linked.library + "): preload " +
                                        library_for(linked.mpi, {}) + ", as `mpigraft run` does");
  if (contains(content_of(path), "MPICH Version:"))
    return findings.problem("program", path + " has MPI linked statically into it; link it to libmpich.so");
  findings.well("program",
                path + " is not linked to MPI itself; what it loads later (as Python does) is not seen here");
}

/// Names the objects that define MPI's functions or UCX's. Another one than MPI may be first: a tool, or a serial
/// stand-in.
void look_at_symbols(Findings& findings, const std::string& path, const std::string& libraries) {
  std::string mpi, ucx;
  for (const std::string& file : objects_of(path, libraries)) {
    bool has_mpi = false, has_ucx = false;
    for (const std::string& name : functions_of(file)) {
      has_mpi =
          has_mpi || (name.starts_with("MPI_") && name.size() > 5 && std::islower(static_cast<unsigned char>(name[5])));
      has_ucx = has_ucx || name.starts_with("ucp_");
    }
    if (has_mpi) mpi += (mpi.empty() ? "" : ", then ") + file;
    if (has_ucx) ucx += (ucx.empty() ? "" : ", then ") + file;
  }
  if (!mpi.empty()) findings.well("symbols", "MPI_ functions are in " + mpi);
  if (!ucx.empty()) findings.well("symbols", "ucp_ functions are in " + ucx);
  if (const std::string sanitizer = address_sanitizer_of(libraries); !sanitizer.empty())
    findings.well(
        "sanitizer",
        path +
            " has gcc's address sanitizer, which must be first in LD_PRELOAD, as `mpigraft run` puts it: " + sanitizer);
}

void look_at_program(Findings& findings, const std::string& name, bool grafts_family) {
  const std::string path = which(name);
  struct stat status;
  if (path.empty() || stat(path.c_str(), &status) != 0)
    return findings.problem("program", name + " is not an executable program; check its path and permissions");
  if (status.st_mode & (S_ISUID | S_ISGID))
    return findings.problem(
        "program", path + " is setuid or setgid, so the loader ignores LD_PRELOAD; run a copy without these bits");
  std::array<char, 2> start{};
  std::ifstream(path).read(start.data(), start.size());
  if (start == std::array{'#', '!'})
    return findings.well("program", path + " is a script; ask about the program that it starts");
  look_at_mpi_of(findings, path, grafts_family);
  look_at_symbols(findings, path, libraries_of(path));
}

std::string in_hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

table::Choice choice_of(Collective collective, std::int64_t ranks, bool one_node, std::int64_t bytes,
                        const table::Settings& settings, const table::Table& table) {
  const analysis::Placing placing{.ranks_per_node = one_node ? ranks : 1};
  return analysis::selection_of(analysis::query_of(collective, placing, ranks, bytes), settings, table).choice;
}

/// Tells what would run on so many ranks; false, without telling anything, if all of it is native.
bool look_at_calls(Findings& findings, std::int64_t ranks, bool one_node, const table::Settings& settings,
                   const table::Table& table) {
  bool any = false;
  std::vector<std::string> lines;
  for (const Collective c : all_collectives) {
    std::string& text = lines.emplace_back(name_of(c));
    text += " on " + std::to_string(ranks) + (one_node ? " ranks of one node:" : " ranks, 1 a node:");
    const bool moves_data = info_of(c).moves_data();
    for (const std::int64_t bytes : moves_data ? typical_bytes : std::vector<std::int64_t>{0}) {
      const table::Choice choice = choice_of(c, ranks, one_node, bytes, settings, table);
      text += (text.back() == ':' ? " " : ", ") + (moves_data ? table::format_size(bytes) + " bytes " : "") +
              std::string(name_of(choice));
      any = any || choice.algorithm != table::native;
    }
  }
  if (any)
    for (const std::string& line : lines) findings.well("calls", line);
  return any;
}

/// Looks for ranks with a call that is not native: a table may only be for a few numbers of ranks, or for one node.
void look_at_calls(Findings& findings, const table::Settings& settings, const table::Table& table) {
  for (const std::int64_t ranks : typical_ranks)
    for (const bool one_node : {false, true})
      if (look_at_calls(findings, ranks, one_node, settings, table)) return;
  findings.problem("calls", "every call on 2 to 4096 ranks is native; `mpigraft explain` says why");
}

/// Replaces the table by the embedded one if the job would, by the same comparison.
void look_at_requirements(Findings& findings, analysis::LoadedTable& loaded, table::TableFile& file,
                          table::Interface interface, const std::string& version) {
  table::Requirements required = loaded.table.required;
  if (version.empty() && !std::exchange(required.mpi, "").empty())
    findings.well("table", loaded.origin + " requires an MPI library, which does not tell its version here");
  const std::string reason = table::why_not_in_force(loaded.origin, required, table::surroundings_here(version));
  if (reason.empty()) return;
  findings.problem("table", "not in force: " + reason);
  file = table::embedded_table(interface);
  loaded = {.origin = file.origin, .source = file.origin, .table = table::parse_table(file.text).table, .problems = {}};
}

void look_at_table(Findings& findings, const table::Settings& settings, table::Interface interface,
                   const std::string& version) {
  table::TableFile file =
      table::read_table_file(table::path_from_environment(settings), table::site_table_path(), interface);
  analysis::LoadedTable loaded = analysis::load_table({}, settings, interface);
  for (const std::string& problem : loaded.problems) findings.problem("table", problem);
  if (!loaded.problems.empty()) return;
  look_at_requirements(findings, loaded, file, interface, version);
  findings.well("table", loaded.origin + (loaded.source == loaded.origin ? "" : " (" + loaded.source + ")") +
                             ", rules " + std::to_string(loaded.table.rule_count()) + ", digest " +
                             in_hex(table::digest(file.text.data(), file.text.size())));
  if (settings.errors.empty()) look_at_calls(findings, settings, loaded.table);
}

void look_at_gpus(Findings& findings, const std::string& libraries) {
  std::string absent;
  for (const table::GpuDriver& driver : table::gpu_drivers) {
    const std::string file(driver.file), name = file + " (" + std::string(driver.name) + ")";
    const bool linked = contains(libraries, (file + " => ").c_str());
    if (!linked && !loader_finds(file))
      absent += (absent.empty() ? "" : ", ") + name;
    else if (driver.tells)
      findings.well("gpu", name + " is here: grafted calls run on copies of buffers in its memory");
    else if (linked)
      findings.problem("gpu", "the program is linked to " + name +
                                  ", where every call stays native; this driver does not tell where buffers lie");
    else
      findings.well("gpu", name + " is here: every call of a program that loads it stays native");
  }
  if (!absent.empty()) findings.well("gpu", "not here: " + absent);
}

bool can_write_beside(const std::string& file) {
  const files::path folder = files::path(file).parent_path();
  return access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
}

void look_at_environment(Findings& findings, const table::Settings& settings) {
  std::vector<std::string> problems = table::unknown_variables(environ);
  problems.insert(problems.end(), settings.errors.begin(), settings.errors.end());
  const char* preload = std::getenv("LD_PRELOAD");
  if (preload && contains(preload, "libmpigraft"))
    problems.push_back(
        "LD_PRELOAD is exported, so that mpiexec and every other program load the library too; set it for "
        "the ranks alone, as `mpigraft run` does: mpiexec -genv LD_PRELOAD FILE");
  if (settings.disable) problems.push_back("MPIGRAFT_DISABLE=1: every call is native");
  if (!settings.report.empty() && settings.report != "stderr" && !can_write_beside(settings.report))
    problems.push_back("MPIGRAFT_REPORT: cannot write " + settings.report +
                       "; name a file in a folder that you can write to");
  const bool there = access(settings.trace.c_str(), F_OK) == 0;  // otherwise the first rank makes it
  if (!settings.trace.empty() && !can_write_beside(there ? settings.trace + "/" : settings.trace))
    problems.push_back("MPIGRAFT_TRACE: cannot write into " + settings.trace + "; name a folder that you can write to");
  for (const std::string& problem : problems) findings.problem("environment", problem);
  if (problems.empty()) findings.well("environment", "no MPIGRAFT_* variable is wrong, and LD_PRELOAD is not exported");
}

}  // namespace

int doctor(const DoctorOptions& options) {
  if (!options.hang.empty()) return show_hang(options.hang);
  const table::Settings settings = current_settings();
  Findings findings;
  const std::string libraries = libraries_of(options.program);
  const LinkedMpi linked = linked_mpi(libraries);
  const Launcher launcher = find_launcher(options.launcher, linked);
  look_at_library(findings, library_for(linked.mpi, launcher.mpi));
  look_at_launcher(findings, launcher, linked, settings.mpich_abi);
  if (!options.program.empty()) look_at_program(findings, options.program, settings.mpich_abi);
  look_at_environment(findings, settings);
  findings.well("memory", how_long_messages_travel(settings.single_copy));
  look_at_gpus(findings, libraries);
  look_at_table(findings, settings, interface_of(linked.mpi, launcher.mpi), version_in_job(linked, launcher));
  return findings.print_all();
}

}  // namespace mpigraft::command
