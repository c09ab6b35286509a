// SPDX-License-Identifier: MIT
// Which binary interface an MPI library has: how wide its handles are, what its constants and its status.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace mpigraft::table {

enum class Interface {
  mpich,   // MPICH's own, of MPICH
  family,  // the same, promised by a library that is built on MPICH: grafted where MPIGRAFT_ABI=mpich asks for it
  other
};

/// By the text of MPI_Get_library_version.
constexpr Interface interface_of(std::string_view library_version) {
  constexpr std::array<std::string_view, 5> family{"Intel(R) MPI Library", "MPI VERSION    : CRAY MPICH",
                                                   "MVAPICH Version", "MVAPICH2 Version", "=== ParaStation MPI"};
  if (library_version.starts_with("MPICH Version:")) return Interface::mpich;
  const bool promised =
      std::ranges::any_of(family, [&](std::string_view text) { return library_version.starts_with(text); });
  return promised ? Interface::family : Interface::other;
}

}  // namespace mpigraft::table
