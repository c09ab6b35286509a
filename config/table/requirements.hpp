// SPDX-License-Identifier: MIT
// Checks that a table is for the place in which a job runs.
#pragma once

#include <string>
#include <string_view>

#include "config/table/table.hpp"

namespace mpigraft::table {

/// The place that a table's requirements are compared with.
struct Surroundings {
  std::string mpi, host;
};

/// `library_version` is the text of MPI_Get_library_version, `host` the name of this host.
Surroundings surroundings(std::string_view library_version, std::string_view host);

/// The same on this host.
Surroundings surroundings_here(std::string_view library_version);

/// Why the table at `origin` is not in force here; empty if all its requirements hold.
std::string why_not_in_force(const std::string& origin, const Requirements& required, const Surroundings& here);

}  // namespace mpigraft::table
