// SPDX-License-Identifier: MIT
// The nonblocking forms of collectives, which are grafted where their blocking forms are: once the traffic stands, as
// making it takes all ranks at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "shim/abi/call.hpp"

namespace mpigraft::entry {

/// A function that is a collective's nonblocking form.
struct Nonblocking {
  Collective collective;
  bool equal;  // parts of one length
  Signature signature;
};

/// "MPI_Iscan" and "MPI_Iscan_c" are "MPI_Scan"'s.
constexpr std::optional<Nonblocking> nonblocking_form(std::string_view function) {
  constexpr std::string_view prefix = "MPI_I";
  if (!function.starts_with(prefix)) return {};
  if (function.ends_with("_c")) function.remove_suffix(2);
  function.remove_prefix(prefix.size());
  const auto is_of = [&](std::string_view blocking) {
    blocking.remove_prefix(prefix.size() - 1);
    return blocking.size() == function.size() && blocking.front() - 'A' == function.front() - 'a' &&
           blocking.substr(1) == function.substr(1);
  };
  for (const Collective c : all_collectives)
    if (is_of(info_of(c).function)) return Nonblocking{c, false, info_of(c).signature};
  for (const EqualParts& f : equal_parts)
    if (is_of(f.function)) return Nonblocking{f.collective, true, f.signature};
  return {};
}

/// An argument is as wide as a register.
using Word = std::uintptr_t;

/// Grafts a call, whose request is the last argument. False: it is to go on to MPI.
bool graft_nonblocking(const Nonblocking& function, bool large, const Word* words, int& error);

}  // namespace mpigraft::entry
