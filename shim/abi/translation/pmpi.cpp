// SPDX-License-Identifier: MIT
#include "shim/abi/translation/pmpi.hpp"

#include <dlfcn.h>

#include <type_traits>

#include "shim/abi/translation/handles.hpp"

namespace mpigraft::abi {

#ifdef MPI_VERSION  // the table's types are those of <mpi.h>
#define X(name, ...) static_assert(std::is_same_v<decltype(&PMPI_##name), decltype(Pmpi::name)>);
MPIGRAFT_PMPI(X)
MPIGRAFT_PMPI_OF_MPI_4(X)
#undef X
#endif

constinit const table::Interface translated_interface = translated;

void find_functions(void* scope, Missing& missing) {
  const auto find = [scope]<class Function>(const char* name, Function*& function, const char*& lacks) {
    function = reinterpret_cast<Function*>(find_in(scope, name, lacks));
  };
#define X(name, ...) find("PMPI_" #name, pmpi.name, missing.needed);
  MPIGRAFT_PMPI(X)
#undef X
#define X(name, ...) find("PMPI_" #name, pmpi.name, missing.of_mpi_4);
  MPIGRAFT_PMPI_OF_MPI_4(X)
#undef X
  const char* extension = nullptr;  // MPICH 5's libmpi_abi has only the name that begins with MPIX
  find("PMPIX_Grequest_start", pmpi.Grequest_start_polled, extension);
  if (extension) find("MPIX_Grequest_start", pmpi.Grequest_start_polled, extension);
  pmpi.polls_for_requests = dlsym(scope, "opal_progress_register") != nullptr;
  if (!find_objects(scope)) missing.needed = "a predefined object";
  set_handles();
}

static_assert(MPI_MAX_LIBRARY_VERSION_STRING <= sizeof(LibraryVersion));

}  // namespace mpigraft::abi
