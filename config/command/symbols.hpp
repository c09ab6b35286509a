// SPDX-License-Identifier: MIT
// The functions that the objects of a program define, and what that means for a preload.
#pragma once

#include <string>
#include <vector>

namespace mpigraft::command {

/// The files of a program: itself, and the libraries that ldd lists of it, in their order.
std::vector<std::string> objects_of(const std::string& program, const std::string& libraries);

/// The names of the functions that an ELF file of this machine defines for others; empty if it is no such file.
std::vector<std::string> functions_of(const std::string& file);

/// gcc's runtime of the address sanitizer among these libraries, which ends a program unless it is loaded before all
/// others; empty if there is none.
std::string address_sanitizer_of(const std::string& libraries);

}  // namespace mpigraft::command
