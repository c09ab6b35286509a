// SPDX-License-Identifier: MIT
#include "shim/abi/objects.hpp"

#include <dlfcn.h>

#include <cstring>
#include <string_view>

#include "shim/base/load_watch.hpp"

namespace mpigraft::abi {
namespace {

/// The addresses of an object's segments, from the first to the end of the last.
Object object_of(const dl_phdr_info& info) {
  ElfW(Addr) begin = ~ElfW(Addr){0}, end = 0;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    if (segment.p_vaddr < begin) begin = segment.p_vaddr;
    if (segment.p_vaddr + segment.p_memsz > end) end = segment.p_vaddr + segment.p_memsz;
  }
  if (end == 0) return {};
  return {reinterpret_cast<const char*>(info.dlpi_addr + begin), end - begin, info.dlpi_name};
}

Object find_object(auto is_it) {
  Object found;
  base::for_objects([&](const dl_phdr_info& info) {
    const Object object = object_of(info);
    const bool is_found = is_it(object);
    if (is_found) found = object;
    return is_found;
  });
  return found;
}

/// The entry of an object's dynamic section; the loader has made addresses of the offsets in it.
template <class Entry>
const Entry* entry_of(const link_map* object, ElfW(Sxword) tag) {
  for (const ElfW(Dyn)* entry = object->l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == tag) return reinterpret_cast<const Entry*>(entry->d_un.d_ptr);
  return nullptr;
}

/// The number of symbols among which an object's references are: all, or those before the ones that others may find.
std::uint32_t symbols_of(const link_map* object) {
  if (const auto* const table = entry_of<std::uint32_t>(object, DT_GNU_HASH)) return table[1];
  const auto* const table = entry_of<std::uint32_t>(object, DT_HASH);
  return table ? table[1] : 0;
}

}  // namespace

Changes changes() {
  Changes now;
  base::for_objects([&](const dl_phdr_info& info) {
    now = {info.dlpi_adds, info.dlpi_subs};
    return true;
  });
  return now;
}

Object object_at(const void* address) {
  return find_object([=](const Object& object) { return object.contains(address); });
}

Object object_named(const char* part) {
  return find_object([=](const Object& object) { return object.file && std::strstr(object.file, part); });
}

bool names(const Object& object, const char* word) {
  for (const link_map* one = _r_debug.r_map; one; one = one->l_next) {
    if (!object.contains(one->l_ld)) continue;
    const auto* const text = entry_of<char>(one, DT_STRTAB);
    const auto bytes = reinterpret_cast<std::size_t>(entry_of<char>(one, DT_STRSZ));  // a number, not an address
    return text && memmem(text, bytes, word, std::strlen(word) + 1);
  }
  return false;
}

Handle::Handle(const char* file) : handle_(file && *file ? dlopen(file, RTLD_LAZY | RTLD_NOLOAD) : nullptr) {}

Handle::~Handle() {
  if (handle_) dlclose(handle_);
}

void* Handle::find(const char* name) const { return handle_ ? dlsym(handle_, name) : nullptr; }

bool Handle::refers_to(const char* prefix) const {
  const link_map* object = nullptr;
  if (!handle_ || dlinfo(handle_, RTLD_DI_LINKMAP, &object) != 0) return false;
  const auto* const symbols = entry_of<ElfW(Sym)>(object, DT_SYMTAB);
  const auto* const names = entry_of<char>(object, DT_STRTAB);
  const std::uint32_t n = symbols && names ? symbols_of(object) : 0;
  for (std::uint32_t i = 1; i < n; ++i)
    if (symbols[i].st_shndx == SHN_UNDEF && std::string_view(names + symbols[i].st_name).starts_with(prefix))
      return true;
  return false;
}

}  // namespace mpigraft::abi
