// SPDX-License-Identifier: MIT
#include "shim/observe/site.hpp"

#include <dlfcn.h>

#include <cstdio>

namespace mpigraft::observe {

/// A call may be the last instruction of its function, so its symbol is that of the byte before.
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
