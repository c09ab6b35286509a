// SPDX-License-Identifier: MIT
// The entry points for Fortran under Open MPI.
#include "shim/entry/intercept.hpp"
#include "shim/entry/poll.hpp"

#define COLLECTIVE(name, collective, equal, ...)                                            \
  MPIGRAFT_FORTRAN(name, mpigraft::abi::Function(#name),                                    \
                   (mpigraft::entry::in_fortran<[](const void* caller, auto... arguments) { \
                     return mpigraft::entry::make<mpigraft::Collective::collective, equal>( \
                         nullptr, caller, mpigraft::abi::c_value(arguments)...);            \
                   }>),                                                                     \
                   __VA_ARGS__)
// The three forms of a function.
#define FORMS(name, equal, function, lower, upper, ...)                                                     \
  MPIGRAFT_IN_SPELLINGS(COLLECTIVE, function, lower, upper, name, equal, __VA_ARGS__)                       \
  MPIGRAFT_IN_SPELLINGS(MPIGRAFT_BY_C, I##lower, i##lower, I##upper, MPI_I##lower, __VA_ARGS__, newrequest) \
  MPIGRAFT_IN_SPELLINGS(MPIGRAFT_BY_C, function##_init, lower##_init, upper##_INIT, MPI_##function##_init,  \
                        __VA_ARGS__, info, newrequest)
#define X(name, equal, function, lower, upper, signature, ...) \
  FORMS(name, equal, function, lower, upper, MPIGRAFT_PARAMETERS_##signature(MPIGRAFT_NAME))
MPIGRAFT_COLLECTIVE_FUNCTIONS(X)

#define END(function, lower, upper, callers, ...) \
  MPIGRAFT_IN_SPELLINGS(MPIGRAFT_BY_C, function, lower, upper, MPI_##function __VA_OPT__(, ) __VA_ARGS__)
MPIGRAFT_ENDS(END)

#define START(function, lower, upper, what, ...) \
  MPIGRAFT_IN_SPELLINGS(MPIGRAFT_BY_C, function, lower, upper, MPI_##function, __VA_ARGS__)
MPIGRAFT_STARTS(START)

// Those of `use mpi_f08` call PMPI, or a Fortran function by the name with which programs ask for MPI's own.
#define POLL(function, lower, upper, ...)                                              \
  MPIGRAFT_IN_SPELLINGS(MPIGRAFT_POLL_IN_FORTRAN, function, lower, upper, __VA_ARGS__) \
  MPIGRAFT_POLL_IN_FORTRAN(mpi_##lower##_f08_, __VA_ARGS__)
MPIGRAFT_POLLS(POLL)
