// SPDX-License-Identifier: MIT
// MPIGRAFT_REPORT=FILE,sites: the places in the program that calls come from.
#pragma once

#include <string>

namespace mpigraft::observe {

/// The return address in the program of a call whose return address is `caller`. They differ if the call came through
/// MPI's Fortran bindings.
const void* site_of(const void* caller);

/// A return address in words: "OBJECT+0xOFFSET (SYMBOL)", without SYMBOL if the object exports none; "" for null.
std::string words_of_site(const void* address);

}  // namespace mpigraft::observe
