// SPDX-License-Identifier: MIT
// MPIGRAFT_REPORT_SITES: the places in the program that calls come from.
#pragma once

#include <string>

namespace mpigraft::observe {

/// The place in the program: where a call came through MPICH's Fortran bindings, the one that called these.
const void* site_of(const void* caller);

/// "OBJECT+0xOFFSET (SYMBOL)" of a return address; the symbol where the object exports one. "" for null.
std::string words_of_site(const void* address);

}  // namespace mpigraft::observe
