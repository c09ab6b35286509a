// SPDX-License-Identifier: MIT
#include "shim/observe/site.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>

#include "config/table/size.hpp"
#include "shim/abi/objects.hpp"

namespace mpigraft::observe {
namespace {

/// True for code between the program and us, or of ours: entry points for Fortran call those for C. It is in the
/// Fortran bindings of MPICH, in Open MPI's mpi_f08 bindings, which call its other ones, or in the library that
/// watches.
bool is_between(const void* address) {
  static const std::array libraries{abi::object_named("/libmpichfort.so"), abi::object_named("/libmpifort.so"),
                                    abi::object_named("/libmpi_usempif08"), abi::object_named("/libmpigraft-watch")};
  static const abi::Object ours = abi::object_at(reinterpret_cast<const void*>(&is_between));
  const auto holds = [&](const abi::Object& library) { return library.contains(address); };
  return std::ranges::any_of(libraries, holds) || (*ours.file && ours.contains(address));
}

}  // namespace

const void* site_of(const void* caller) {
  if (!is_between(caller)) return caller;
  int frames_left = 32;
  bool inside = false;
  const void* site = caller;
  abi::for_frames([&](const void* address) {
    const bool here = is_between(address), is_site = inside && !here;
    if (is_site) site = address;
    inside |= here;
    return is_site || --frames_left == 0;
  });
  return site;
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
  words += table::formatted("+0x%zx", static_cast<std::size_t>(code - static_cast<char*>(found.dli_fbase)));
  return found.dli_sname ? words.append(" (").append(found.dli_sname).append(")") : words;
}

}  // namespace mpigraft::observe
