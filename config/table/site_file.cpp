// SPDX-License-Identifier: MIT
#include "config/table/site_settings.hpp"

namespace mpigraft::table {

std::string site_file(const char* name) { return std::string(MPIGRAFT_SYSCONFDIR "/mpigraft/") + name; }

}  // namespace mpigraft::table
