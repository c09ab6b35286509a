// SPDX-License-Identifier: MIT
#include "shim/observe/verify.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "shim/abi/functions.hpp"
#include "shim/abi/library.hpp"
#include "shim/abi/packed.hpp"
#include "shim/execute/execution.hpp"
#include "shim/execute/gathering.hpp"
#include "shim/observe/kind_of_call.hpp"
#include "shim/observe/mismatch.hpp"
#include "shim/observe/report.hpp"
#include "shim/wait/requests.hpp"

namespace mpigraft::observe {
namespace {

using Bytes = std::vector<char>;

constexpr std::int64_t most_overlapping_bytes = 1 << 30;

/// One verified call. Ranks agree on every step that all must take.
class Verification {
 public:
  Verification(const agree::Negotiated& agreed, execute::TransportState& transport, const abi::RawCall& raw,
               const abi::Call& call, const execute::Decision& decision, bool nonblocking)
      : agreed_(agreed),
        transport_(transport),
        raw_(raw),
        call_(call),
        decision_(decision),
        mpi_{nonblocking},
        info_(call.info()),
        contributes_(call.info().has_input(agreed.rank, call.root)),
        receives_(call.info().has_result(agreed.rank, call.root) && !only_reads()) {}

  int operator()() {
    if (!all(call_.lost == abi::success && native_can() && in_memory([&] { keep_input(); }))) return skip();
    const bool native_runs = run_natively() == abi::success;
    const int error = run();
    if (!all(native_runs && error == abi::success && in_memory([&] { pack_results(); }))) return error;
    const bool decided = native_.empty() || bits_decide(grafted_.data(), native_.data(), elements(), kind_);
    if (!all(decided) && !all(in_memory([&] { add_bounds(); }))) return count_verified(agreed_, {}), abi::success;
    return judge();
  }

 private:
  /// Runs f. Returns false without memory.
  template <class F>
  bool in_memory(F f) {
    try {
      f();
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }
  /// MPICH 4.0.2 writes beyond its own memory if elements lie in descending order. In a reduce-scatter with an operator
  /// that does not commute it uses true extents in place of extents. Without room for all true extents one after the
  /// other, it leaves the other ranks waiting.
  bool native_can() const {
    if (gathers()) return true;
    const abi::Datatype& type = call_.datatype;
    const bool takes_other_places = info_.result.length == Length::part && !call_.commutative;
    const bool has_no_holes = type.true_lb == 0 && type.true_extent == type.extent;
    const bool overlap = type.true_extent > type.extent;
    return type.extent >= 0 && (!takes_other_places || has_no_holes) &&
           (!overlap || call_.bytes / type.size <= most_overlapping_bytes / type.true_extent);
  }
  int run() {
    const execute::Plan plan(agreed_, transport_, call_, decision_.choice);
    return execute::Execution(agreed_, transport_, call_, plan).run();
  }
  bool all(bool mine) const { return mpi_.true_on_all(mine, transport_.comm); }
  int skip() { return count_verified(agreed_, {}), run(); }

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
  Bytes packed(const void* buffer, std::int64_t count) const {
    Bytes bytes(static_cast<std::size_t>(count * call_.datatype.size));
    if (!bytes.empty())
      pack(transport_.shifted_types, buffer, count, call_.type, bytes.data(), count * call_.datatype.size,
           transport_.self_comm);
    return bytes;
  }

  /// True at the root of a broadcast, whose buffer stays as it is.
  bool only_reads() const { return one_buffer() && contributes_; }
  bool one_buffer() const { return info_.in_place == InPlace::in_buffer; }
  bool gathers() const { return info_.input.length == Length::part; }

  void keep_input();
  void keep_parts();
  int run_natively();
  int forward(abi::RawCall call, abi::RawParts parts);
  int gather_natively();
  void pack_results();
  void add_bounds();
  void combine_bounds();
  int judge();
  void give_native_results();
  void tell(int teller, const Deviation& found);

  const agree::Negotiated& agreed_;
  execute::TransportState& transport_;
  const abi::RawCall& raw_;
  const abi::Call& call_;
  const execute::Decision& decision_;
  const wait::Collectives mpi_;
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
};

void Verification::keep_input() {
  kind_ = kind_of(call_);
  samples_.resize(static_cast<std::size_t>(agreed_.size));
  if (info_.has_parts()) keep_parts();
  if (gathers()) {
    input_.resize(static_cast<std::size_t>(bytes_of(info_.input)));
    execute::pack_input(call_, agreed_.rank, bytes_of(info_.input), transport_.shifted_types, input_.data(),
                        transport_.self_comm);
    native_.resize(static_cast<std::size_t>(call_.bytes));
    return;
  }
  const bool in_place = call_.send == abi::in_place;
  if (contributes_) {
    const bool in_recv = in_place || one_buffer();
    input_ = packed(in_recv ? call_.recv : call_.send, count_of(info_.input));
    if (in_place) native_input_.resize(span_of(info_.input));
  }
  if (!only_reads()) second_.resize(span_of(info_.result));
}

void Verification::keep_parts() {
  const auto ranks = static_cast<std::size_t>(agreed_.size);
  firsts_.resize(ranks + 1);
  lengths_.resize(ranks);
  int_firsts_.resize(ranks + 1), int_lengths_.resize(ranks);
  parts_ = execute::parts_of(call_, agreed_.size, call_.datatype.size, firsts_.data());
  for (std::size_t r = 0; r < ranks; ++r) {
    firsts_[r] = parts_.first(static_cast<int>(r));
    lengths_[r] = parts_.count(static_cast<int>(r));
  }
}

/// The native call is not in place and has a receive buffer on every rank, because MPICH 4.0.2 crashes on some calls in
/// place, and rejects an exclusive scan whose first rank has no receive buffer.
int Verification::run_natively() {
  if (gathers()) return gather_natively();
  abi::RawCall raw = raw_;
  if (!native_input_.empty()) {
    const std::int64_t count = count_of(info_.input);
    unpack(transport_.shifted_types, input_.data(), bytes_of(info_.input), element_0(native_input_, count), count,
           call_.type, transport_.self_comm);
    raw.send = element_0(native_input_, count);
  }
  if (!second_.empty()) raw.recv = element_0(second_, count_of(info_.result));
  return mpi_.forward(raw);
}

/// Makes a call of our own with parts of `lengths_`, in int if MPI has no _c forms.
int Verification::forward(abi::RawCall call, abi::RawParts parts) {
  call.large = abi::native_forms[static_cast<std::size_t>(call.collective)][0].large != nullptr;
  parts.counts = lengths_.data(), parts.displs = firsts_.data();
  if (!call.large) {
    std::ranges::copy(lengths_, int_lengths_.begin());
    std::ranges::copy(firsts_, int_firsts_.begin());
    parts.counts = int_lengths_.data(), parts.displs = int_firsts_.data();
  }
  call.parts = info_.has_parts() ? &parts : nullptr;
  return mpi_.forward(call);
}

/// Gathers bytes that follow one another, because the program's parts may lie far apart.
int Verification::gather_natively() {
  return forward({.collective = call_.collective,
                  .large = {},
                  .send = input_.data(),
                  .recv = native_.data(),
                  .count = 0,
                  .type = abi::to_pass(abi::type_byte),
                  .op = 0,
                  .root = 0,
                  .comm = raw_.comm},
                 {.send_count = bytes_of(info_.input), .send_type = abi::to_pass(abi::type_byte)});
}

void Verification::pack_results() {
  if (!receives_) return;
  if (gathers()) {
    grafted_.resize(native_.size());
    execute::pack_vector(call_, parts_, agreed_.size, transport_.shifted_types, grafted_.data(), transport_.self_comm);
  } else {
    const std::int64_t count = count_of(info_.result);
    grafted_ = packed(call_.recv, count);
    native_ = packed(element_0(second_, count), count);
  }
}

/// The bounds of floating-point results are computed by the same collective.
void Verification::add_bounds() {
  if (kind_.rule != Kind::Rule::sum && kind_.rule != Kind::Rule::product) return;
  terms_.resize(static_cast<std::size_t>(magnitude_count(count_of(info_.input), kind_)));
  sums_.resize(static_cast<std::size_t>(magnitude_count(count_of(info_.result), kind_)));
  magnitudes(input_.data(), count_of(info_.input), kind_, terms_.data());
  for (std::int64_t& length : lengths_) length = magnitude_count(length / call_.datatype.size, kind_);
}

void Verification::combine_bounds() {
  forward({.collective = call_.collective,
           .large = {},
           .send = terms_.data(),
           .recv = sums_.data(),
           .count = static_cast<std::int64_t>(terms_.size()),
           .type = abi::to_pass(abi::type_double),
           .op = abi::to_pass(call_.op),
           .root = call_.root,
           .comm = abi::to_pass(transport_.comm)},
          {});
}

int Verification::judge() {
  if (!terms_.empty()) combine_bounds();
  Deviation found;
  if (receives_)
    found = compare(grafted_.data(), native_.data(), elements(), kind_, agreed_.size,
                    terms_.empty() ? nullptr : sums_.data());
  // the minimum is the gravest verdict and its lowest rank
  const std::int64_t mine = -(static_cast<std::int64_t>(found.verdict) << 32) + agreed_.rank;
  std::int64_t gravest = 0;
  mpi_.allreduce(&mine, &gravest, 1, abi::type_int64, abi::op_min, transport_.comm);
  const auto verdict = static_cast<Verdict>(-(gravest >> 32));
  count_verified(agreed_, verdict);
  if (verdict != Verdict::different) return abi::success;
  tell(static_cast<int>(gravest & 0xffffffff), found);
  if (agreed_.strict) return abi::err_other;
  give_native_results();
  return abi::success;
}

void Verification::give_native_results() {
  if (native_.empty()) return;
  if (gathers())
    execute::unpack_vector(call_, parts_, agreed_.size, transport_.shifted_types, native_.data(), transport_.self_comm);
  else
    unpack(transport_.shifted_types, native_.data(), bytes_of(info_.result), call_.recv, count_of(info_.result),
           call_.type, transport_.self_comm);
}

/// Rank `teller` reports its first difference, with the inputs of all ranks at the same byte of the vector.
void Verification::tell(int teller, const Deviation& found) {
  const std::int64_t result_at = info_.result.first(agreed_.rank, parts_);
  const std::int64_t input_at = info_.input.first(agreed_.rank, parts_);
  std::int64_t first = 0;
  if (agreed_.rank == teller)
    first = result_at + first_difference(grafted_, native_, found.first * kind_.element_bytes, kind_);
  mpi_.bcast(&first, 1, abi::type_int64, teller, transport_.comm);
  const Sample mine = contributes_ ? sample(input_, first - input_at, kind_) : Sample{};
  mpi_.allgather(&mine, samples_.data(), sizeof mine, transport_.comm);
  first -= result_at;
  if (agreed_.rank == teller)
    tell_mismatch(
        agreed_, transport_, call_, decision_,
        {kind_, found, first, elements(), sample(grafted_, first, kind_), sample(native_, first, kind_), samples_});
}

}  // namespace

bool verifies_next(const agree::Negotiated& agreed, const execute::TransportState& transport) {
  return agreed.verify > 0 && transport.sequence % static_cast<std::uint64_t>(agreed.verify) == 0;
}

int graft_and_verify(const agree::Negotiated& agreed, execute::TransportState& transport, const abi::RawCall& raw,
                     const abi::Call& call, const execute::Decision& decision, bool nonblocking) {
  return Verification(agreed, transport, raw, call, decision, nonblocking)();
}

}  // namespace mpigraft::observe
