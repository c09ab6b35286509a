// SPDX-License-Identifier: MIT
#include "config/command/symbols.hpp"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "config/command/programs.hpp"

namespace mpigraft::command {
namespace {

/// The bytes of a file, read as the structures in it; what lies outside is empty.
class File {
 public:
  explicit File(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
  }

  template <class Item>
  std::vector<Item> items(std::size_t at, std::size_t n) const {
    if (at > bytes_.size() || n > (bytes_.size() - at) / sizeof(Item)) return {};
    std::vector<Item> all(n);
    if (n > 0) std::memcpy(all.data(), bytes_.data() + at, n * sizeof(Item));
    return all;
  }
  std::string text(std::size_t at) const { return at < bytes_.size() ? std::string(bytes_.c_str() + at) : ""; }

 private:
  std::string bytes_;
};

}  // namespace

std::vector<std::string> functions_of(const std::string& path) {
  const File file(path);
  const auto header = file.items<ElfW(Ehdr)>(0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
      header[0].e_ident[EI_CLASS] != (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32))
    return {};
  std::vector<std::string> names;
  const auto sections = file.items<ElfW(Shdr)>(header[0].e_shoff, header[0].e_shnum);
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type != SHT_DYNSYM || section.sh_link >= sections.size()) continue;
    const std::size_t text = sections[section.sh_link].sh_offset;
    for (const ElfW(Sym) & symbol : file.items<ElfW(Sym)>(section.sh_offset, section.sh_size / sizeof(ElfW(Sym))))
      if (symbol.st_shndx != SHN_UNDEF && (symbol.st_info & 0xf) == STT_FUNC)
        names.push_back(file.text(text + symbol.st_name));
  }
  return names;
}

std::vector<std::string> objects_of(const std::string& program, const std::string& libraries) {
  std::vector<std::string> files{program};
  std::istringstream lines(libraries);
  for (std::string line; std::getline(lines, line);)
    if (const std::string file = behind(line, "=>"); file.starts_with('/')) files.push_back(file);
  return files;
}

std::string address_sanitizer_of(const std::string& libraries) {
  const std::size_t at = libraries.find("libasan.so.");
  return at == libraries.npos ? "" : behind(libraries.substr(at, libraries.find('\n', at) - at), "=>");
}

}  // namespace mpigraft::command
