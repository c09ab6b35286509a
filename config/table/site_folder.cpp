// SPDX-License-Identifier: MIT
#include "config/table/site_settings.hpp"

namespace mpigraft::table {

std::string site_folder() { return MPIGRAFT_SYSCONFDIR "/mpigraft"; }

}  // namespace mpigraft::table
