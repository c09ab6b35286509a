// SPDX-License-Identifier: MIT
// A batch of cases: a communicator of every rank, and what selects the algorithms there.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>

#include "shim/entry/communicator.hpp"

namespace mpigraft::fuzz {

/// Cases on one communicator. Making one takes native collectives, which take milliseconds with more ranks than cores.
inline constexpr std::int64_t cases_in_batch = 200;

enum class Selection { forced, random_table, default_table };

/// Collective over MPI_COMM_WORLD; a pure function of its arguments. Where it splits the world every rank is in one of
/// the parts, and these run the same cases side by side.
class Batch {
 public:
  Batch(std::uint64_t seed, std::int64_t number);
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  Selection selection() const { return selection_; }
  const std::string& text() const { return text_; }

  /// The next call of this collective runs this and nothing else.
  void force(Collective collective, table::Choice choice);

 private:
  void split(class Random& random, int p, int rank);
  void choose_table(class Random& random);

  MPI_Comm comm_ = MPI_COMM_WORLD;
  Selection selection_ = Selection::forced;
  int rank_ = 0, size_ = 1;
  entry::Communicator* communicator_ = nullptr;          // null if there is one rank
  std::shared_ptr<const agree::AgreedTable> own_table_;  // of MPI_COMM_WORLD, put back at the end
  MPI_Request wildcard_ = MPI_REQUEST_NULL;              // a receive of anything on the communicator, open all the time
  int received_ = 0;
  std::string text_;
};

}  // namespace mpigraft::fuzz
