// SPDX-License-Identifier: MIT
// MPIGRAFT_VERIFY: grafted calls also run natively, and the results are compared.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "shim/abi/call.hpp"
#include "shim/execute/decision.hpp"
#include "shim/execute/execution.hpp"
#include "shim/observe/mismatch.hpp"
#include "shim/wait/jobs.hpp"
#include "shim/wait/requests.hpp"

namespace mpigraft::observe {

/// True if the next grafted call of the communicator is verified: the first, and then every N-th. A long call counts
/// once for each of its pieces. Equal on all ranks.
inline bool verifies_next(const agree::Negotiated& agreed, const execute::TransportState& transport) {
  return agreed.verify > 0 && transport.sequence % static_cast<std::uint64_t>(agreed.verify) == 0;
}

/// Does the work of an Execution, and also runs the call natively, into memory of its own. If the two results of any
/// rank cannot both be right, one rank reports everything that reproduces the call, once in a process. The program then
/// gets the native results, or an error with MPIGRAFT_FORCE=strict. Ranks agree on every step that all must take.
class Verification {
 public:
  /// A call must be `nonblocking` on all ranks or on none.
  Verification(const agree::Negotiated& agreed, execute::TransportState& transport, const abi::Call& call,
               const execute::Decision& decision, bool nonblocking)
      : agreed_(agreed),
        transport_(transport),
        call_(call),
        decision_(decision),
        mpi_{nonblocking},
        info_(call.info()),
        contributes_(call.info().has_input(agreed.rank, call.root)),
        receives_(call.info().has_result(agreed.rank, call.root) && !only_reads()) {}

  /// Goes on until it would have to wait. A blocking one never waits here.
  wait::Job::Outcome advance();
  /// MPI_SUCCESS or an error class, once it is over.
  int error() const { return error_; }

 private:
  using Bytes = std::vector<char>;

  bool native_can() const;
  wait::Job::Outcome end_operation();

  /// The bytes of an input or a result of this rank.
  std::int64_t bytes_of(const Operand& operand) const { return operand.count(agreed_.rank, call_.bytes, parts_); }
  std::int64_t count_of(const Operand& operand) const { return bytes_of(operand) / call_.datatype.size; }
  std::size_t span_of(const Operand& operand) const {
    return static_cast<std::size_t>(call_.datatype.span(count_of(operand)));
  }
  /// The number of elements of the result that are compared.
  std::int64_t elements() const { return static_cast<std::int64_t>(native_.size()) / kind_.element_bytes; }

  /// The address of element 0 of `count` elements in `memory`.
  char* element_0(Bytes& memory, std::int64_t count) const {
    return memory.empty() ? nullptr : call_.datatype.element_0(memory.data(), count);
  }
  Bytes packed(const void* buffer, std::int64_t count) const;

  /// True at the root of a broadcast, whose buffer stays as it is.
  bool only_reads() const { return info_.has_one_buffer() && contributes_; }
  int teller() const { return static_cast<int>(gravest_ & 0xffffffff); }
  bool gathers() const { return info_.input.length == Length::part; }

  // The stages of a verification. Each ends with at most one operation, and names the stage after it.
  using Stage = void (Verification::*)();
  void begin();
  void call_natively();
  void run();
  void vote_on_results();
  void vote_on_bounds();
  void combine_bounds();
  void find_gravest();
  void judge();
  void share_inputs();
  void tell();
  void vote(int mine, Stage then);

  void keep_input();
  void keep_parts();
  abi::RawCall native_call() const;
  void forward(abi::RawCall call);
  void gather_natively();
  void pack_results();
  void add_bounds();
  void give_native_results();

  const agree::Negotiated& agreed_;
  execute::TransportState& transport_;
  const abi::Call& call_;
  const execute::Decision& decision_;
  wait::Collectives mpi_;
  const CollectiveInfo& info_;
  const bool contributes_, receives_;
  Kind kind_{};
  std::vector<std::int64_t> firsts_, lengths_;  // of parts
  std::vector<int> int_firsts_, int_lengths_;   // the same, for MPI without _c forms
  Parts parts_;                                 // in bytes
  Bytes input_, native_input_, second_;         // packed input; elements that the native call reads, and writes
  Bytes grafted_, native_;                      // packed results
  std::vector<double> terms_, sums_;            // magnitudes of the input, and those combined over the ranks
  std::vector<Sample> samples_;
  std::optional<execute::Plan> plan_;
  std::optional<execute::ResumableExecution> execution_;  // while the algorithm runs
  Stage next_ = &Verification::begin;                     // null: it is over
  bool native_runs_ = false;
  int mine_ = 0, all_ = 0;  // this rank's vote, and the least of all
  Deviation found_;
  std::int64_t own_verdict_ = 0, gravest_ = 0;  // with its rank: the least is the gravest
  std::int64_t first_ = 0;                      // byte of the vector that is told
  Sample sample_;
  int error_ = abi::success;
};

/// Verifies a blocking call. Returns MPI_SUCCESS or an error class.
int graft_and_verify(const agree::Negotiated& agreed, execute::TransportState& transport, const abi::Call& call,
                     const execute::Decision& decision);

}  // namespace mpigraft::observe
