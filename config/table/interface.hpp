// SPDX-License-Identifier: MIT
// The binary interface of an MPI library: the width of its handles, its constants and its status.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>

namespace mpigraft::table {

enum class Interface {
  mpich,     // MPICH's own, of MPICH
  family,    // the same, promised by a library built on MPICH: grafted only with MPIGRAFT_ABI=mpich
  openmpi,   // Open MPI's own
  standard,  // that of MPI-5, whatever library it is
  other
};

/// The library that grafts it, or nullptr.
constexpr const char* library_for(Interface interface) {
  // in the order of Interface
  constexpr std::array libraries{"libmpigraft.so", "libmpigraft.so", "libmpigraft-ompi.so", "libmpigraft-abi.so"};
  return interface == Interface::other ? nullptr : libraries[static_cast<std::size_t>(interface)];
}

/// The library that watches such a program, by the name of the one that grafts it.
inline std::string watching_library(std::string_view library) {
  constexpr std::string_view first = "libmpigraft";
  return std::string(first) + "-watch" + std::string(library.substr(first.size()));
}

/// The interface that the text of MPI_Get_library_version tells; it never tells `standard`.
constexpr Interface interface_of(std::string_view library_version) {
  constexpr std::array<std::string_view, 5> family{"Intel(R) MPI Library", "MPI VERSION    : CRAY MPICH",
                                                   "MVAPICH Version", "MVAPICH2 Version", "=== ParaStation MPI"};
  if (library_version.starts_with("MPICH Version:")) return Interface::mpich;
  if (library_version.starts_with("Open MPI v")) return Interface::openmpi;
  const bool promised =
      std::ranges::any_of(family, [&](std::string_view text) { return library_version.starts_with(text); });
  return promised ? Interface::family : Interface::other;
}

/// True if ranks spin while they wait in the library, as far as is known. MPICH gives its core away from version 5 on,
/// and Open MPI always.
inline bool waits_spin(std::string_view library_version) {
  const Interface interface = interface_of(library_version);
  if (interface != Interface::mpich) return interface != Interface::openmpi;
  int major = 0;
  const std::size_t digit = std::min(library_version.find_first_of("0123456789"), library_version.size());
  std::from_chars(library_version.data() + digit, library_version.data() + library_version.size(), major);
  return major < 5;
}

}  // namespace mpigraft::table
