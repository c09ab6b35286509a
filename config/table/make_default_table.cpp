// SPDX-License-Identifier: MIT
// Writes the source of the embedded tables: their texts, and the bytes that processes get without parsing them.
//   make_default_table OF_MPICH OF_OPEN_MPI SOURCE
#include <fstream>
#include <iterator>
#include <string>

#include "config/table/packed.hpp"

namespace mpigraft::table {

namespace {

std::string quoted(const std::string& text) { return "R\"json(" + text + ")json\""; }

std::string quoted_bytes(const std::string& bytes) {
  std::string text = "std::string_view(\"";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text.append(1, '\\').append(1, '0' + (byte >> 6)).append(1, '0' + (byte >> 3 & 7)).append(1, '0' + (byte & 7));
  }
  return text + "\", " + std::to_string(bytes.size()) + ")";
}

/// The bytes of the table in `text`; it has no findings, as a test shows.
std::string packed_without_notes(const std::string& text) {
  SharedTable shared{"embedded", "", parse_table(text).table};
  drop_notes(shared.table);
  return packed(shared);
}

std::string function(const std::string& name, const std::string& of_mpich, const std::string& of_open_mpi) {
  return "std::string_view " + name + "(Interface interface) {\n  return interface == Interface::openmpi ? " +
         of_open_mpi + " : " + of_mpich + ";\n}\n";
}

std::string source(const std::string& of_mpich, const std::string& of_open_mpi) {
  return "// Generated from config/table/default.json and config/table/default_openmpi.json. Do not edit.\n"
         "#include \"config/table/packed.hpp\"\n\nnamespace mpigraft::table {\n" +
         function("default_table_text", quoted(of_mpich), quoted(of_open_mpi)) +
         function("default_table_packed", quoted_bytes(packed_without_notes(of_mpich)),
                  quoted_bytes(packed_without_notes(of_open_mpi))) +
         "}  // namespace mpigraft::table\n";
}

std::string content(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator(file), {}};
}

}  // namespace

}  // namespace mpigraft::table

int main(int, char** argv) {
  std::ofstream file(argv[3]);
  file << mpigraft::table::source(mpigraft::table::content(argv[1]), mpigraft::table::content(argv[2])) << std::flush;
  return file ? 0 : 1;
}
