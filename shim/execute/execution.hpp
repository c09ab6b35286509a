// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>

#include "algorithms/schedule/replay.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/execute/plan.hpp"
#include "shim/execute/pmpi_transport.hpp"
#include "shim/execute/transport_state.hpp"
#include "shim/wait/jobs.hpp"

namespace mpigraft::execute {

/// One grafted call: its algorithm's transport, memory and buffers.
class Execution {
 public:
  /// Takes a call whose facts are known and a plan for calls like it. REQUIRES: transport.ensure().
  Execution(const agree::Negotiated& agreed, TransportState& transport, const abi::Call& call, const Plan& plan);

  /// Runs the algorithm. Returns MPI_SUCCESS or an error class. A rank that depends on one that failed returns its
  /// class.
  int run();

 protected:
  // always_inline: a short call takes little longer than their prologues
  [[gnu::always_inline]] void begin();
  [[gnu::always_inline]] void begin_piece(std::int64_t first, std::int64_t count, Block& input, Block& result);
  const schedule::Schedule& schedule_of(std::int64_t count) const {
    return count < plan_.piece ? schedules_->last : schedules_->each;
  }
  [[gnu::always_inline]] void end_pieces();
  [[gnu::noinline]] void meet();
  [[gnu::always_inline]] void end();

 private:
  [[gnu::always_inline]] const PieceSchedules* schedules() const;
  std::size_t scratch_bytes() const;
  std::uint64_t pieces() const;
  void place();
  void place_stream(char* staging);
  [[gnu::noinline]] bool find_vector();  // most calls have no parts, and are short
  [[gnu::always_inline]] void run(std::int64_t first, std::int64_t count);
  void pack();
  void unpack();

 protected:
  const agree::Negotiated& agreed_;
  TransportState& transport_;
  const abi::Call& call_;
  const std::optional<Plan>
      own_plan_;                 // a copy if the vector's parts are of any length, or if an operator of the program
  const Plan& plan_;             // may call MPI, which could replace the caller's plan
  std::int64_t offset_ = 0;      // bytes from the receive buffer's start to a gather's vector
  bool sends_straight_ = false;  // a gather's input is sent from the send buffer
  const bool staged_;            // a stream is packed before it is sent
  const PieceSchedules* const schedules_;  // null: there is no memory
  const std::size_t scratch_bytes_;
  PmpiTransport net_;
  const Scratch::Lease memory_;
  char* vector_ = nullptr;    // the bytes of a stream
  bool has_barrier_ = false;  // all ranks meet afterwards
};

/// An execution that never waits.
class ResumableExecution : Execution {
 public:
  /// Begins as run() does.
  ResumableExecution(const agree::Negotiated& agreed, TransportState& transport, const abi::Call& call,
                     const Plan& plan);

  /// Runs the algorithm as far as it can go now. If an operator of the program throws, the rank fails, and goes on as
  /// one that has failed the next time.
  wait::Job::Outcome advance();
  /// What run() returns, once it is over.
  int error() const { return net_.error(); }

 private:
  bool advance_pieces();
  auto so_far() const { return std::tuple(first_, replay_ ? replay_->done() : 0, meets_); }

  std::int64_t first_ = 0;                                 // of the piece that runs
  std::optional<schedule::Replay<PmpiTransport>> replay_;  // of a piece, or of the barrier
  bool meets_ = false;                                     // all pieces are over
};

}  // namespace mpigraft::execute
