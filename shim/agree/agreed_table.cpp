// SPDX-License-Identifier: MIT
#include "shim/agree/agreed_table.hpp"

#include <algorithm>
#include <array>
#include <mutex>

#include "config/table/digest.hpp"
#include "config/table/table_file.hpp"
#include "shim/abi/library.hpp"
#include "shim/base/log.hpp"
#include "shim/base/own_objects.hpp"
#include "shim/base/process.hpp"

namespace mpigraft::agree {
namespace {

constexpr std::size_t shown_problems = 3;

struct Cache {
  std::mutex mutex;
  std::shared_ptr<const AgreedTable> table;
};
Cache& cache() { return base::of_process<Cache>(); }

std::string summary(const table::LoadedTable& loaded) {
  const std::size_t all = loaded.problems.size();
  std::string text;
  for (std::size_t i = 0; i < all && i < shown_problems; ++i) text.append(i ? "\n  " : "").append(loaded.problems[i]);
  if (all > shown_problems)
    text += "\n  and " + std::to_string(all - shown_problems) + " more: mpigraft check " + loaded.origin;
  return text;
}

table::Interface interface_here() { return table::interface_of(abi::library_version()); }

/// Makes `agreed` the known table of this process.
std::shared_ptr<const AgreedTable> keep(std::shared_ptr<AgreedTable> agreed) {
  agreed->digest = table::digest(agreed->packed.data(), agreed->packed.size());
  const std::lock_guard lock(cache().mutex);
  cache().table = agreed;
  return agreed;
}

/// True if this rank reads no file and needs no notes, and so has nothing to parse.
bool takes_embedded_table() {
  const table::Settings& settings = base::settings();
  return settings.table.empty() && settings.learn.empty() && !table::exists(table::site_table_path());
}

std::shared_ptr<AgreedTable> read_table() {
  const std::string path = table::path_from_environment(base::settings());
  const table::Interface interface = interface_here();
  const table::Surroundings here = table::surroundings_here(abi::library_version());
  table::LoadedTable loaded = table::load(table::read_table_file(path, table::site_table_path(), interface));
  auto agreed = std::make_shared<AgreedTable>();
  agreed->notice = table::embed_unless_in_force(loaded, here, interface);
  agreed->error = summary(loaded);
  agreed->origin = std::move(loaded.origin);
  if (agreed->error.empty()) agreed->table = std::move(loaded.table);
  if (base::settings().learn.empty()) table::drop_notes(agreed->table);  // a table that is learned keeps them
  return agreed;
}

/// Keeps a table as it was packed. Returns null, and keeps nothing, if it is damaged.
std::shared_ptr<const AgreedTable> keep_table(std::string packed) {
  std::optional<table::SharedTable> shared = table::unpacked(packed);
  if (!shared) return nullptr;
  auto agreed = std::make_shared<AgreedTable>();
  static_cast<table::SharedTable&>(*agreed) = *std::move(shared);
  agreed->packed = std::move(packed);
  return keep(std::move(agreed));
}

}  // namespace

std::shared_ptr<const AgreedTable> known_table() {
  const std::lock_guard lock(cache().mutex);
  return cache().table;
}

std::shared_ptr<const AgreedTable> load_table() {
  if (takes_embedded_table()) return keep_table(std::string(table::default_table_packed(interface_here())));
  auto agreed = read_table();
  agreed->packed = table::packed(*agreed);
  return keep(std::move(agreed));
}

std::shared_ptr<const AgreedTable> share_table(std::shared_ptr<const AgreedTable> table, std::int64_t length,
                                               abi::Comm comm) {
  const int rank = abi::comm_rank(comm);
  std::string received;
  const bool receives =
      rank != 0 && base::ignore_bad_alloc([&] { received.reserve(static_cast<std::size_t>(length)); });
  // Pieces are so short that MPI copies them at once. It may read longer messages out of the sender's process, and
  // aborts if that is forbidden, as in a set-uid program.
  std::array<char, 4096> piece;
  for (std::int64_t at = 0; at < length; at += static_cast<std::int64_t>(piece.size())) {
    const auto n = static_cast<std::size_t>(std::min<std::int64_t>(length - at, piece.size()));
    if (rank == 0) table->packed.copy(piece.data(), n, static_cast<std::size_t>(at));
    abi::bcast(piece.data(), static_cast<int>(n), abi::type_byte, 0, comm);
    if (receives) received.append(piece.data(), n);
  }
  if (rank == 0) return table;
  table = nullptr;
  if (receives) base::ignore_bad_alloc([&] { table = keep_table(std::move(received)); });
  return table;
}

}  // namespace mpigraft::agree
