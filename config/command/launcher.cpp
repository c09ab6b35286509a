// SPDX-License-Identifier: MIT
#include "config/command/launcher.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "config/command/output.hpp"
#include "config/command/programs.hpp"
#include "config/table/interface.hpp"
#include "config/table/site_settings.hpp"
#include "config/table/suggest.hpp"

namespace mpigraft::command {

namespace {

using Words = std::vector<std::string>;
namespace files = std::filesystem;

constexpr const char* preload = "LD_PRELOAD";
constexpr const char* remedy = "name a launcher with --launcher or MPIGRAFT_LAUNCHER";

struct Soname {
  const char* name;
  Mpi mpi;
};
constexpr std::array sonames{
    Soname{"libmpich.so.12", Mpi::mpich},         Soname{"libmpi.so.12", Mpi::mpich},
    Soname{"libmpi.so.40", Mpi::open_mpi},        Soname{"libmpi.so.80", Mpi::open_mpi},
    Soname{"libmpi_abi.so.0", Mpi::standard_abi}, Soname{"libmpi_abi.so.1", Mpi::standard_abi}};

/// Splits a command into words as a shell does: blanks separate them, quotes and backslashes keep blanks. Empty if a
/// quote is not closed.
std::optional<Words> split(const std::string& text) {
  Words words;
  char quote = '\0';
  bool in_word = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool blank = quote == '\0' && (c == ' ' || c == '\t' || c == '\n');
    if (!blank && !in_word) words.emplace_back();
    in_word = !blank;
    if (blank) continue;
    if (c == quote)
      quote = '\0';
    else if (quote == '\0' && (c == '\'' || c == '"'))
      quote = c;
    else if (c == '\\' && quote != '\'' && i + 1 < text.size())
      words.back() += text[++i];
    else
      words.back() += c;
  }
  if (quote != '\0') return {};
  return words;
}

Mpi mpi_that_says(const std::string& text) {
  if (contains(text, "HYDRA")) return Mpi::mpich;
  if (contains(text, "Open MPI") || contains(text, "OpenRTE") || contains(text, "PRRTE")) return Mpi::open_mpi;
  return contains(text, "Intel") ? Mpi::intel : Mpi::unknown;
}

Launcher asked(const std::string& path) {
  const std::string text = output_of(shell_word(path) + " --version");
  Launcher launcher{.words = {path, "-n", "{n}"}, .path = path, .says = text.substr(0, text.find('\n'))};
  launcher.mpi = mpi_that_says(text);
  launcher.is_slurm = text.starts_with("slurm");
  if (launcher.mpi == Mpi::mpich) launcher.version = behind(text, "Version:");
  return launcher;
}

Launcher named_launcher(const std::string& text) {
  const auto words = split(text);
  if (!words || words->empty())
    return {.problem = table::in_quotes(text) + " is not a command; write one such as \"srun -n {n}\""};
  const std::string path = which(words->front());
  if (path.empty()) return {.problem = "no " + words->front() + " on PATH; " + remedy};
  Launcher launcher = asked(path);
  launcher.named = true;
  launcher.words = *words;
  if (std::ranges::none_of(*words, [](const std::string& word) { return contains(word, "{n}"); }))
    launcher.words.insert(launcher.words.end(), {"-n", "{n}"});
  return launcher;
}

/// Adds a folder to look for a launcher in, each once.
void add_folder(std::vector<std::string>& folders, const files::path& folder) {
  std::error_code none;
  const std::string place = files::canonical(folder, none).string();
  if (!none && std::ranges::find(folders, place) == folders.end()) folders.push_back(place);
}

bool fits(Mpi launcher, Mpi program, bool beside) {
  return launcher == program || (launcher == Mpi::intel && program == Mpi::mpich && beside);  // Intel's has that soname
}

Launcher launcher_of(const LinkedMpi& linked) {
  const bool is_told = linked.mpi != Mpi::unknown && linked.mpi != Mpi::standard_abi;
  const Mpi mpi = is_told ? linked.mpi : Mpi::mpich;
  const Words names =
      mpi == Mpi::open_mpi ? Words{"mpiexec.openmpi", "mpiexec"} : Words{"mpiexec.mpich", "mpiexec.hydra", "mpiexec"};
  std::error_code none;
  const files::path library = linked.library.starts_with('/') ? files::weakly_canonical(linked.library, none) : "";
  std::vector<std::string> folders;
  for (files::path at = library.parent_path(); at.has_relative_path(); at = at.parent_path())
    add_folder(folders, at / "bin");
  const std::size_t above = folders.size();  // the library
  for (const std::string& folder : path_folders()) add_folder(folders, folder);
  std::string others;
  for (std::size_t i = 0; i < folders.size(); ++i)
    for (const std::string& name : names) {
      const std::string path = folders[i] + '/' + name;
      if (access(path.c_str(), X_OK) != 0) continue;
      Launcher launcher = asked(path);
      if (fits(launcher.mpi, mpi, i < above)) return launcher;
      others += (others.empty() ? " (" : ", ") + path + " is " + name_of(launcher.mpi) + "'s";
    }
  return {.problem = std::string("no mpiexec of ") + name_of(mpi) + " on PATH" + others + (others.empty() ? "" : ")") +
                     "; install it, or " + remedy};
}

}  // namespace

const char* name_of(Mpi mpi) {
  constexpr std::array names{"an unknown MPI", "MPICH", "Open MPI", "Intel MPI", "the standard ABI"};
  return names[static_cast<std::size_t>(mpi)];
}

std::string mpi4py_of(const std::string& path) {
  if (!std::filesystem::path(path).filename().string().starts_with("python")) return {};
  const char* const ask = "from importlib.util import find_spec; print('mpi4py:', find_spec('mpi4py.MPI').origin)";
  return behind(output_of(shell_word(path) + " -c " + shell_word(ask)), "mpi4py: ");
}

std::string libraries_of(const std::string& program) {
  const std::string path = program.empty() ? "" : which(program);
  if (path.empty()) return {};
  const std::string module = mpi4py_of(path);
  return output_of("ldd " + shell_word(module.empty() ? path : module));
}

LinkedMpi linked_mpi(const std::string& libraries) {
  const bool has_pmi = contains(libraries, "libpmi");
  for (const auto& [name, mpi] : sonames)
    if (contains(libraries, name)) return {mpi, behind(libraries, (std::string(name) + " =>").c_str()), has_pmi};
  // Cray's, one for each compiler
  const std::size_t at = libraries.find("libmpi_");
  const std::string line = at == libraries.npos ? "" : libraries.substr(at, libraries.find('\n', at) - at);
  if (contains(line, ".so.12 =>")) return {Mpi::mpich, behind(line, "=>"), has_pmi};
  return {};
}

table::Interface interface_of(Mpi program, Mpi launcher) {
  const Mpi mpi = program == Mpi::unknown ? launcher : program;
  if (mpi == Mpi::standard_abi) return table::Interface::standard;
  return mpi == Mpi::open_mpi ? table::Interface::openmpi : table::Interface::mpich;
}

std::string version_in_job(const LinkedMpi& program, const Launcher& launcher) {
  if (program.mpi != Mpi::unknown) return library_version_of(program.library);
  if (launcher.mpi != Mpi::mpich && launcher.mpi != Mpi::open_mpi) return {};
  const std::string name = launcher.mpi == Mpi::mpich ? "libmpich.so.12" : "libmpi.so.40";
  const std::string beside = std::filesystem::path(launcher.path).parent_path() / ".." / "lib" / name;
  return library_version_of(access(beside.c_str(), R_OK) == 0 ? beside : name);
}

const char* library_for(Mpi program, Mpi launcher) { return table::library_for(interface_of(program, launcher)); }

std::string Launcher::slurm_plugin() const {
  if (!is_slurm) return {};
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].starts_with("--mpi=")) return words[i].substr(6);
    if (words[i] == "--mpi" && i + 1 < words.size()) return words[i + 1];
  }
  if (const char* const type = std::getenv("SLURM_MPI_TYPE")) return type;
  const std::string configured = output_of("scontrol show config");
  const std::size_t at = configured.find("MpiDefault");
  return at == configured.npos ? "" : behind(configured.substr(at), "=");
}

std::string Launcher::trouble(const LinkedMpi& linked, bool grafts_family) const {
  const Mpi program = linked.mpi;
  const bool both_known = mpi != Mpi::unknown && program != Mpi::unknown && program != Mpi::standard_abi;
  if (both_known && (mpi == Mpi::open_mpi) != (program == Mpi::open_mpi))
    return path + " is " + name_of(mpi) + "'s, and the program's MPI is " + name_of(program) +
           ": each rank would be a job of its own; " + remedy;
  if (mpi == Mpi::mpich && std::atoi(version.c_str()) < 4)
    return path + " is of MPICH " + version + "; mpigraft needs 4.0 or later";
  if (mpi == Mpi::intel && !grafts_family)
    return path + " is Intel MPI's, under which every call stays native without MPIGRAFT_ABI=mpich";
  if (const std::string plugin = program == Mpi::mpich && !linked.has_pmi ? slurm_plugin() : "";
      !plugin.empty() && plugin != "pmi2")
    return path + " starts ranks by its MPI plugin " + plugin +
           ", and the program's MPICH needs pmi2: each rank would be a job of its own; give srun --mpi=pmi2, or set "
           "SLURM_MPI_TYPE=pmi2";
  return {};
}

bool Launcher::is_unexpected() const {
  const std::string plain = which("mpiexec");
  std::error_code none;
  return !named && !plain.empty() && !files::equivalent(plain, path, none);
}

std::vector<std::string> Launcher::command(int ranks, const Variables& variables) const {
  Words before, start = words;
  for (std::string& word : start)
    for (std::size_t at; (at = word.find("{n}")) != word.npos;) word.replace(at, 3, std::to_string(ranks));
  const bool genv = mpi == Mpi::mpich || mpi == Mpi::intel, x = mpi == Mpi::open_mpi;
  if (variables.empty()) return start;
  if (is_slurm && std::getenv(preload)) before = {"-u", preload};
  if (!genv && !x && !is_slurm) start.push_back("env");
  for (const auto& [name, value] : variables) {
    const std::string set = name + '=' + value;
    if (genv)
      start.insert(start.end(), {"-genv", name, value});
    else if (x)
      start.insert(start.end(), {"-x", set});
    else if (!is_slurm)
      start.push_back(set);
    else if (name == preload)  // for the ranks alone; srun would prefer one of its own environment to that of --export
      start.push_back("--export=ALL," + (contains(set, ",") ? "'" + set + "'" : set));
    else
      before.push_back(set);
  }
  if (!before.empty()) before.insert(before.begin(), "env");
  start.insert(start.begin(), before.begin(), before.end());
  return start;
}

Launcher find_launcher(const std::string& named, const LinkedMpi& linked) {
  if (!named.empty()) return named_launcher(named);
  const table::SiteSettings site = table::read_site_settings();
  const table::Setting set = table::setting("MPIGRAFT_LAUNCHER", std::getenv("MPIGRAFT_LAUNCHER"), site);
  if (set.overruled) fail("MPIGRAFT_LAUNCHER: " + site.origin + " fixes it; the job's value is not used");
  if (set.value.empty()) return launcher_of(linked);
  Launcher launcher = named_launcher(std::string(set.value));
  if (set.source == table::Setting::Source::site && !launcher.problem.empty())
    launcher.problem.insert(0, site.origin + ": ");
  return launcher;
}

}  // namespace mpigraft::command
