// SPDX-License-Identifier: MIT
#include "shim/abi/mpich/pmpi.hpp"

#include <dlfcn.h>

#include <cstring>

#include "shim/abi/mpich/translation.hpp"

namespace mpigraft::abi {

Pmpi pmpi;

void find_mpich_functions(void* scope, FunctionName& missing) {
#define X(name)                                                                   \
  pmpi.name = reinterpret_cast<decltype(pmpi.name)>(dlsym(scope, "PMPI_" #name)); \
  if (!pmpi.name) std::strcpy(missing, "PMPI_" #name);
  MPIGRAFT_PMPI(X)
#undef X
  pmpi.Grequest_start = reinterpret_cast<decltype(pmpi.Grequest_start)>(dlsym(scope, "PMPIX_Grequest_start"));
}

bool is_mpich(std::string_view version) { return version.starts_with("MPICH Version:"); }

static_assert(MPI_MAX_LIBRARY_VERSION_STRING <= sizeof(LibraryVersion));

}  // namespace mpigraft::abi
