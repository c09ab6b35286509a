// SPDX-License-Identifier: MIT
#include "shim/pmpi.hpp"

#include <dlfcn.h>

#include <algorithm>

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

/// Empty, or the reason why everything stays native.
std::string resolve(const void* caller) {
  void* const scope = scope_of_mpi(caller);
  const char* missing = nullptr;
#define X(name) \
  if (!find(pmpi.name, scope, "PMPI_" #name)) missing = "PMPI_" #name;
  MPIGRAFT_PMPI(X)
#undef X
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  if (pmpi.Get_library_version) pmpi.Get_library_version(version, &length);
  const std::string text(version);
  // Handles of other libraries may be pointers, and constants differ: nothing is interpreted before this line.
  if (!text.starts_with("MPICH Version:"))
    return "this MPI is not MPICH (\"" + text.substr(0, std::min<std::size_t>(text.find('\n'), 60)) + "\")";
  if (missing) return std::string("the MPI library lacks ") + missing;
  return {};
}

/// Resolved once and never destroyed: calls may come from destructors of the program.
const std::string& reason(const void* caller) {
  static const std::string& why = *new std::string(resolve(caller));
  return why;
}

}  // namespace

bool graftable(const void* caller) { return reason(caller).empty(); }
const std::string& not_graftable_because() { return reason(nullptr); }

int error_class(int code) {
  int error = code;
  if (code != MPI_SUCCESS) pmpi.Error_class(code, &error);
  return error;
}

}  // namespace mpigraft
