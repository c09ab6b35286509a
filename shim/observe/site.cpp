// SPDX-License-Identifier: MIT
#include "shim/observe/site.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "shim/abi/objects.hpp"

namespace mpigraft::observe {
namespace {

/// The memory of an object, in bytes from `begin` to `end`.
struct Range {
  std::uintptr_t begin = UINTPTR_MAX, end = 0;
  bool holds(std::uintptr_t address) const { return begin <= address && address < end; }
};

/// The Fortran bindings of MPICH, Open MPI's mpi_f08 bindings, which call its other ones, and the library that watches.
constexpr std::array callers{"/libmpichfort.so", "/libmpifort.so", "/libmpi_usempif08", "/libmpigraft-watch"};
using Ranges = std::array<Range, callers.size()>;

/// `found` gets the memory of an object between the program and us.
int find_caller(dl_phdr_info* object, std::size_t /*bytes*/, void* found) {
  const auto* const name =
      std::ranges::find_if(callers, [&](const char* part) { return std::strstr(object->dlpi_name, part) != nullptr; });
  if (name == callers.end()) return 0;
  Range& range = (*static_cast<Ranges*>(found))[static_cast<std::size_t>(name - callers.begin())];
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& part = object->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
    range.begin = std::min(range.begin, begin);
    range.end = std::max(range.end, begin + part.p_memsz);
  }
  return 0;
}

/// The memory of such objects; empty for those that are not loaded.
const Ranges& between() {
  static const Ranges ranges = [] {
    Ranges found;
    dl_iterate_phdr(find_caller, &found);
    return found;
  }();
  return ranges;
}

struct Walk {
  int frames_left = 32;
  bool inside = false;
  std::uintptr_t site = 0;
};

/// True for code between the program and us, or of ours: entry points for Fortran call those for C.
bool is_between(const void* address) {
  static const abi::Object this_library = abi::object_at(reinterpret_cast<const void*>(&is_between));
  const auto holds = [&](const Range& range) { return range.holds(reinterpret_cast<std::uintptr_t>(address)); };
  return std::ranges::any_of(between(), holds) || (*this_library.file && this_library.contains(address));
}

_Unwind_Reason_Code step(_Unwind_Context* frame, void* state) {
  Walk& walk = *static_cast<Walk*>(state);
  const std::uintptr_t address = _Unwind_GetIP(frame);
  const bool here = is_between(reinterpret_cast<const void*>(address));
  if (walk.inside && !here) walk.site = address;
  walk.inside |= here;
  return walk.site != 0 || --walk.frames_left == 0 ? _URC_END_OF_STACK : _URC_NO_REASON;
}

}  // namespace

const void* site_of(const void* caller) {
  if (!is_between(caller)) return caller;
  Walk walk;
  _Unwind_Backtrace(step, &walk);
  return walk.site != 0 ? reinterpret_cast<const void*>(walk.site) : caller;
}

/// The symbol is that of the byte before the return address, because the call may be the last instruction of its
/// function.
std::string words_of_site(const void* address) {
  if (!address) return {};
  const auto* const code = static_cast<const char*>(address);
  Dl_info found{};
  if (!dladdr(code - 1, &found) || !found.dli_fname) return "unknown";
  std::string words = found.dli_fname;
  words.erase(0, words.rfind('/') + 1);
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%zx", static_cast<std::size_t>(code - static_cast<char*>(found.dli_fbase)));
  words += offset;
  return found.dli_sname ? words.append(" (").append(found.dli_sname).append(")") : words;
}

}  // namespace mpigraft::observe
