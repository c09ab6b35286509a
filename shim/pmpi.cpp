// SPDX-License-Identifier: MIT
#include "shim/pmpi.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace mpigraft {

Pmpi pmpi;

namespace {

/// RTLD_DEFAULT, or the object that holds `caller` where MPI is visible only there (dlopen(RTLD_LOCAL)).
void* scope_of_mpi(const void* caller) {
  if (dlsym(RTLD_DEFAULT, "PMPI_Initialized")) return RTLD_DEFAULT;
  Dl_info info;
  if (!dladdr(caller, &info) || !info.dli_fname) return RTLD_DEFAULT;
  void* object = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  return object ? object : RTLD_DEFAULT;
}

template <class F>
bool find(F& function, void* scope, const char* name) {
  function = reinterpret_cast<F>(dlsym(scope, name));
  return function != nullptr;
}

/// Empty, or the reason why everything stays native. Characters in place: looking for MPI must not need memory.
struct Reason {
  char text[128] = "";

  explicit Reason(const void* caller);
};

Reason::Reason(const void* caller) {
  void* const scope = scope_of_mpi(caller);
  const char* missing = nullptr;
#define X(name) \
  if (!find(pmpi.name, scope, "PMPI_" #name)) missing = "PMPI_" #name;
  MPIGRAFT_PMPI(X)
#undef X
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  if (pmpi.Get_library_version) pmpi.Get_library_version(version, &length);
  const std::string_view name = version;
  // Handles of other libraries may be pointers, and constants differ: nothing is interpreted before this line.
  if (!name.starts_with("MPICH Version:"))
    std::snprintf(text, sizeof text, "this MPI is not MPICH (\"%.*s\")",
                  static_cast<int>(std::min<std::size_t>(name.find('\n'), 60)), version);
  else if (missing)
    std::snprintf(text, sizeof text, "the MPI library lacks %s", missing);
}

/// Resolved once and never destroyed: calls may come from destructors of the program.
const char* reason(const void* caller) {
  static const Reason why(caller);
  return why.text;
}

}  // namespace

bool graftable(const void* caller) { return *reason(caller) == '\0'; }
const char* not_graftable_because() { return reason(nullptr); }

int error_class(int code) {
  int error = code;
  if (code != MPI_SUCCESS) pmpi.Error_class(code, &error);
  return error;
}

}  // namespace mpigraft
