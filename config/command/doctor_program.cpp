// SPDX-License-Identifier: MIT
// What `mpigraft doctor` says of a program.
#include <elf.h>
#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "config/command/findings.hpp"
#include "config/command/launcher.hpp"
#include "config/command/output.hpp"
#include "config/command/programs.hpp"

namespace mpigraft::command {

namespace {

/// The bytes of a file; empty if it cannot be read.
std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The names of MPI libraries that a file contains, such as "libmpich.so.12, libmpi.so.40". It may load them by dlopen.
std::string named_libraries(const std::string& content) {
  std::set<std::string> names;
  for (std::size_t at = 0; (at = content.find("libmpi", at)) != content.npos;) {
    const auto end = std::find_if(content.begin() + static_cast<std::ptrdiff_t>(at), content.end(),
                                  [](unsigned char c) { return !std::isalnum(c) && c != '.' && c != '_'; });
    const std::string name(content.begin() + static_cast<std::ptrdiff_t>(at), end);
    if (contains(name, ".so") && !name.starts_with("libmpigraft")) names.insert(name);
    at += name.size();
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
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

void look_at_mpi_of(Findings& findings, const std::string& path, const std::string& libraries, bool grafts_family) {
  if (contains(libraries, "not a dynamic executable") || contains(libraries, "statically linked"))
    return findings.problem("program", path + " is linked statically: nothing can be preloaded; link it dynamically");
  if (const std::size_t lost = libraries.find(" => not found"); lost != libraries.npos) {
    const std::size_t line = libraries.rfind('\n', lost) + 1;  // npos + 1 is 0
    return findings.problem("program", path + ": the loader does not find " + behind(libraries.substr(line), "") +
                                           "; install it, or add its folder to LD_LIBRARY_PATH");
  }
  const LinkedMpi linked = linked_mpi(libraries);
  if (linked.mpi == Mpi::mpich) return look_at_mpich(findings, path, linked.library, grafts_family);
  if (linked.mpi == Mpi::open_mpi || linked.mpi == Mpi::standard_abi)
    return findings.well("program",
                         path + (linked.mpi == Mpi::open_mpi ? ", Open MPI (" : ", the standard ABI of MPI-5 (") +
                             linked.library + "): preload " + library_for(linked.mpi, {}) + ", as `mpigraft run` does");
  const std::string content = content_of(path);
  if (contains(content, "MPICH Version:"))
    return findings.problem("program", path + " has MPI linked statically into it; link it to libmpich.so");
  const std::string names = named_libraries(content);
  findings.well("program", path + " is not linked to MPI itself; " +
                               (names.empty() ? "what it loads later is not seen here"
                                              : "it may load " + names + ", whose name it contains"));
}

/// Structures in the bytes of a file; empty if they lie outside.
template <class Item>
std::vector<Item> items(const std::string& bytes, std::size_t at, std::size_t n) {
  if (at > bytes.size() || n > (bytes.size() - at) / sizeof(Item)) return {};
  std::vector<Item> all(n);
  if (n > 0) std::memcpy(all.data(), bytes.data() + at, n * sizeof(Item));
  return all;
}

/// The names of the functions that an ELF file of this machine defines for others; empty if it is no such file.
std::vector<std::string> functions_of(const std::string& path) {
  const std::string bytes = content_of(path);
  const auto header = items<ElfW(Ehdr)>(bytes, 0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
      header[0].e_ident[EI_CLASS] != (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32))
    return {};
  std::vector<std::string> names;
  const auto sections = items<ElfW(Shdr)>(bytes, header[0].e_shoff, header[0].e_shnum);
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type != SHT_DYNSYM || section.sh_link >= sections.size()) continue;
    const std::size_t text = sections[section.sh_link].sh_offset;
    for (const ElfW(Sym) & symbol : items<ElfW(Sym)>(bytes, section.sh_offset, section.sh_size / sizeof(ElfW(Sym))))
      if (symbol.st_shndx != SHN_UNDEF && (symbol.st_info & 0xf) == STT_FUNC && text + symbol.st_name < bytes.size())
        names.emplace_back(bytes.c_str() + text + symbol.st_name);
  }
  return names;
}

/// The files of a program: itself, and the libraries that ldd lists of it, in their order.
std::vector<std::string> objects_of(const std::string& program, const std::string& libraries) {
  std::vector<std::string> files{program};
  std::istringstream lines(libraries);
  for (std::string line; std::getline(lines, line);)
    if (const std::string file = behind(line, "=>"); file.starts_with('/')) files.push_back(file);
  return files;
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

}  // namespace

void look_at_program(Findings& findings, const std::string& name, const std::string& libraries, bool grafts_family) {
  const std::string path = which(name);
  struct stat status;
  if (path.empty() || stat(path.c_str(), &status) != 0)
    return findings.problem("program", name + " is not an executable program; check its path and permissions");
  if (status.st_mode & (S_ISUID | S_ISGID))
    return findings.problem(
        "program", path + " is setuid or setgid, so the loader ignores LD_PRELOAD; run a copy without these bits");
  const std::string module = mpi4py_of(path);
  std::array<char, 2> start{};
  std::ifstream(path).read(start.data(), start.size());
  if (module.empty() && start == std::array{'#', '!'})
    return findings.well("program", path + " is a script; ask about the program that it starts");
  const std::string& loads_mpi = module.empty() ? path : module;
  look_at_mpi_of(findings, loads_mpi, libraries, grafts_family);
  look_at_symbols(findings, loads_mpi, libraries);
}

}  // namespace mpigraft::command
