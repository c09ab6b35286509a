// SPDX-License-Identifier: MIT
// The source of the tuning table, and whether the table is for the place in which a job runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/table/interface.hpp"
#include "config/table/json_reader.hpp"
#include "config/table/settings.hpp"

namespace mpigraft::table {

struct TableFile {
  std::string origin;  // path as it can be printed, or "embedded"
  std::string text;
  std::string error;  // path, problem and remedy; empty: `text` was read
};

/// <sysconfdir>/mpigraft/table.json
std::string site_table_path();

/// True if something is at the path, even if it cannot be read.
bool exists(const std::string& path);

/// Reads a regular file that is no longer than the limit. Devices and pipes are refused without waiting for them,
/// unless it `may_be_stream`: then they are read to their end.
TableFile read_regular(const std::string& path, const FileLimit& limit, bool may_be_stream = false);

TableFile read_table(const std::string& path);

/// The table inside the library for MPIs of the interface; never an error.
TableFile embedded_table(Interface interface = Interface::mpich);

/// The path that the environment names: MPIGRAFT_TABLE, else an earlier job's file of MPIGRAFT_LEARN; "" for none.
std::string path_from_environment(const Settings& settings);

/// Reads `from_environment` if that is not empty, otherwise the site's file if there is one, otherwise the embedded
/// table.
TableFile read_table_file(const std::string& from_environment, const std::string& site = site_table_path(),
                          Interface interface = Interface::mpich);

/// A table, and why it cannot be used.
struct LoadedTable {
  std::string origin, text;  // as those of its file
  Table table = {};
  std::vector<std::string> problems = {};  // each with its place and remedy; empty: it can
};

/// Parses what was read.
LoadedTable load(TableFile file);

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

/// Puts the embedded table in the place of a usable one that is not in force here, and returns why.
std::string embed_unless_in_force(LoadedTable& loaded, const Surroundings& here, Interface interface);

}  // namespace mpigraft::table
