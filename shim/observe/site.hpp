// SPDX-License-Identifier: MIT
// MPIGRAFT_REPORT_SITES: the places in the program that calls come from.
#pragma once

#include <string>

namespace mpigraft::observe {

/// "OBJECT+0xOFFSET (SYMBOL)" of a return address; the symbol where the object exports one. "" for null.
std::string words_of_site(const void* address);

}  // namespace mpigraft::observe
