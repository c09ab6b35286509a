// SPDX-License-Identifier: MIT
// The nonblocking forms of collectives. They are grafted as their blocking forms are, but only once the traffic exists,
// because all ranks make it together. Persistent forms are counted and stay native: their requests would have to be
// ours, and mpi_f08 passes requests to PMPI_Start and PMPI_Wait without us.
#pragma once

#include <optional>
#include <string_view>

#include "shim/abi/call.hpp"
#include "shim/entry/words.hpp"

namespace mpigraft::entry {

/// A function that is a collective's nonblocking or persistent form.
struct Nonblocking {
  Collective collective;
  bool equal;  // the form whose parts have one length
  Signature signature;
  bool persistent;
};

/// The form that a function's name stands for, or nothing. "MPI_Iscan" and "MPI_Iscan_c" are nonblocking forms of
/// MPI_Scan, "MPI_Scan_init" is its persistent form.
constexpr std::optional<Nonblocking> nonblocking_form(std::string_view function) {
  constexpr std::string_view prefix = "MPI_", nonblocking = "MPI_I", init = "_init";
  if (function.ends_with("_c")) function.remove_suffix(2);
  const bool persistent = function.ends_with(init);
  if (persistent) function.remove_suffix(init.size());
  const std::string_view start = persistent ? prefix : nonblocking;
  if (!function.starts_with(start)) return {};
  function.remove_prefix(start.size());
  const auto is_of = [&](std::string_view blocking) {
    blocking.remove_prefix(prefix.size());
    return blocking.size() == function.size() && blocking.substr(1) == function.substr(1) &&
           (persistent ? blocking.front() == function.front() : blocking.front() - 'A' == function.front() - 'a');
  };
  for (const Collective c : all_collectives)
    if (is_of(info_of(c).function)) return Nonblocking{c, false, info_of(c).signature, persistent};
  for (const EqualParts& f : equal_parts)
    if (is_of(f.function)) return Nonblocking{f.collective, true, f.signature, persistent};
  return {};
}

/// Grafts a call, or counts it for the report. Returns false if MPI must make it; else `error` is MPI's error code.
/// `words` are the arguments; the request is the last, after an info in a persistent form.
bool graft_nonblocking(const Nonblocking& function, bool large, const Word* words, int& error);

}  // namespace mpigraft::entry
