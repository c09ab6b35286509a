// SPDX-License-Identifier: MIT
#include "shim/observe/verify.hpp"

#include <algorithm>
#include <utility>

#include "shim/abi/functions.hpp"
#include "shim/abi/library.hpp"
#include "shim/base/log.hpp"
#include "shim/execute/gathering.hpp"
#include "shim/observe/report.hpp"

namespace mpigraft::observe {

using Outcome = wait::Job::Outcome;

namespace {

constexpr std::int64_t most_overlapping_bytes = 1 << 30;

enum { no_results, numbers, bits };  // by what a rank would decide the comparison; the least of all ranks counts

}  // namespace

Outcome Verification::advance() {
  for (bool moved = false; next_; moved = true) {
    const Outcome outcome = end_operation();
    if (outcome != Outcome::over) return moved ? Outcome::moved : outcome;
    (this->*std::exchange(next_, nullptr))();
  }
  return Outcome::over;
}

/// Carries the last operation on.
Outcome Verification::end_operation() {
  if (!execution_) return mpi_.is_over() ? Outcome::over : Outcome::waits;
  const Outcome outcome = execution_->advance();
  if (outcome != Outcome::over) return outcome;
  error_ = execution_->error();
  execution_.reset();
  return outcome;
}

void Verification::vote(int mine, Stage then) {
  mine_ = mine, all_ = 0;
  mpi_.call(abi::allreduce, &mine_, &all_, 1, abi::type_int, abi::op_min, transport_.comm);
  next_ = then;
}

void Verification::begin() {
  vote(call_.lost == abi::success && native_can() && base::ignore_bad_alloc([&] { keep_input(); }),
       &Verification::call_natively);
}

/// Has buffers in host memory, which every MPI reaches. A nonblocking one is made on the private communicator, because
/// native calls on the program's may come in between.
abi::RawCall Verification::native_call() const {
  abi::RawCall call = call_;
  if (mpi_.nonblocking()) call.comm = abi::to_pass(transport_.comm);
  return call;
}

/// The native call is not in place and has a receive buffer on every rank, because MPICH 4.0.2 crashes on some calls in
/// place, and rejects an exclusive scan whose first rank has no receive buffer.
void Verification::call_natively() {
  next_ = &Verification::run;
  if (!all_) return count_verified(agreed_, {});
  if (gathers()) return gather_natively();
  abi::RawCall raw = native_call();
  if (!native_input_.empty()) {
    const std::int64_t count = count_of(info_.input);
    unpack(input_.data(), bytes_of(info_.input), element_0(native_input_, count), count, call_.type);
    raw.send = element_0(native_input_, count);
  }
  if (!second_.empty()) raw.recv = element_0(second_, count_of(info_.result));
  mpi_.forward(raw);
}

void Verification::run() {
  native_runs_ = mpi_.error() == abi::success;
  plan_.emplace(agreed_, transport_, call_, decision_);
  next_ = &Verification::vote_on_results;
  if (mpi_.nonblocking())
    execution_.emplace(agreed_, transport_, call_, *plan_);
  else
    error_ = execute::Execution(agreed_, transport_, call_, *plan_).run();
}

void Verification::vote_on_results() {
  if (!all_) return;  // it did not run natively
  int mine = no_results;
  if (native_runs_ && error_ == abi::success && base::ignore_bad_alloc([&] { pack_results(); }))
    mine = native_.empty() || bits_decide(grafted_.data(), native_.data(), elements(), kind_) ? bits : numbers;
  vote(mine, &Verification::vote_on_bounds);
}

void Verification::vote_on_bounds() {
  if (all_ == no_results) return;
  if (all_ == bits) return find_gravest();
  vote(base::ignore_bad_alloc([&] { add_bounds(); }), &Verification::combine_bounds);
}

/// MPICH 4.0.2 writes beyond its own memory if elements lie in descending order. In a reduce-scatter with an operator
/// that does not commute it uses true extents in place of extents. Without room for all true extents one after the
/// other, it leaves the other ranks waiting.
bool Verification::native_can() const {
  if (gathers()) return true;
  const abi::Datatype& type = call_.datatype;
  const bool takes_other_places = info_.result.length == Length::part && !call_.commutative;
  const bool has_no_holes = type.true_lb == 0 && type.true_extent == type.extent;
  const bool overlap = type.true_extent > type.extent;
  return type.extent >= 0 && (!takes_other_places || has_no_holes) &&
         (!overlap || call_.bytes / type.size <= most_overlapping_bytes / type.true_extent);
}

Verification::Bytes Verification::packed(const void* buffer, std::int64_t count) const {
  Bytes bytes(static_cast<std::size_t>(count * call_.datatype.size));
  if (!bytes.empty()) pack(buffer, count, call_.type, bytes.data(), count * call_.datatype.size);
  return bytes;
}

void Verification::keep_input() {
  kind_ = kind_of(call_);
  samples_.resize(static_cast<std::size_t>(agreed_.size));
  if (info_.has_parts()) keep_parts();
  if (gathers()) {
    input_.resize(static_cast<std::size_t>(bytes_of(info_.input)));
    execute::pack_input(call_, agreed_.rank, bytes_of(info_.input), input_.data());
    native_.resize(static_cast<std::size_t>(call_.bytes));
    return;
  }
  if (contributes_) {
    input_ = packed(call_.input(), count_of(info_.input));
    if (call_.send == abi::in_place) native_input_.resize(span_of(info_.input));
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

/// Makes a call of our own with parts of `lengths_`, in int if MPI has no _c forms.
void Verification::forward(abi::RawCall call) {
  call.large = abi::native_forms[static_cast<std::size_t>(call.collective)][0].large != nullptr;
  call.counts = lengths_.data(), call.displs = firsts_.data();
  if (!call.large) {
    std::ranges::copy(lengths_, int_lengths_.begin());
    std::ranges::copy(firsts_, int_firsts_.begin());
    call.counts = int_lengths_.data(), call.displs = int_firsts_.data();
  }
  mpi_.forward(call);
}

/// Gathers bytes that follow one another, because the program's parts may lie far apart.
void Verification::gather_natively() {
  abi::RawCall call = native_call();
  call.equal = false, call.count = 0;
  call.send = input_.data(), call.recv = native_.data();
  call.raw_type = call.raw_send_type = abi::to_pass(abi::type_byte), call.send_count = bytes_of(info_.input);
  forward(call);
}

void Verification::pack_results() {
  if (!receives_) return;
  if (gathers()) {
    grafted_.resize(native_.size());
    execute::pack_vector(call_, parts_, agreed_.size, grafted_.data());
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
  if (!all_) return count_verified(agreed_, {});
  next_ = &Verification::find_gravest;
  if (terms_.empty()) return;
  abi::RawCall call = native_call();
  call.equal = false, call.count = static_cast<std::int64_t>(terms_.size());
  call.send = terms_.data(), call.recv = sums_.data();
  call.raw_type = abi::to_pass(abi::type_double), call.comm = abi::to_pass(transport_.comm);
  forward(call);
}

void Verification::find_gravest() {
  if (receives_)
    found_ = compare(grafted_.data(), native_.data(), elements(), kind_, agreed_.size,
                     terms_.empty() ? nullptr : sums_.data());
  own_verdict_ = -(static_cast<std::int64_t>(found_.verdict) << 32) + agreed_.rank;
  mpi_.call(abi::allreduce, &own_verdict_, &gravest_, 1, abi::type_int64, abi::op_min, transport_.comm);
  next_ = &Verification::judge;
}

void Verification::judge() {
  const auto verdict = static_cast<Verdict>(-(gravest_ >> 32));
  count_verified(agreed_, verdict);
  if (verdict != Verdict::different) return;
  if (agreed_.rank == teller())
    first_ = info_.result.first(agreed_.rank, parts_) +
             first_difference(grafted_, native_, found_.first * kind_.element_bytes, kind_);
  mpi_.call(abi::bcast, &first_, 1, abi::type_int64, teller(), transport_.comm);
  next_ = &Verification::share_inputs;
}

void Verification::share_inputs() {
  if (contributes_) sample_ = sample(input_, first_ - info_.input.first(agreed_.rank, parts_), kind_);
  mpi_.call(abi::allgather, &sample_, samples_.data(), sizeof sample_, transport_.comm);
  next_ = &Verification::tell;
}

/// The teller reports its first difference, with the inputs of all ranks at the same byte of the vector.
void Verification::tell() {
  if (const std::int64_t first = first_ - info_.result.first(agreed_.rank, parts_); agreed_.rank == teller())
    tell_mismatch(
        agreed_, transport_, call_, decision_,
        {kind_, found_, first, elements(), sample(grafted_, first, kind_), sample(native_, first, kind_), samples_});
  if (agreed_.strict)
    error_ = abi::err_other;
  else
    give_native_results();
}

void Verification::give_native_results() {
  if (native_.empty()) return;
  if (gathers())
    execute::unpack_vector(call_, parts_, agreed_.size, native_.data());
  else
    unpack(native_.data(), bytes_of(info_.result), call_.recv, count_of(info_.result), call_.type);
}

int graft_and_verify(const agree::Negotiated& agreed, execute::TransportState& transport, const abi::Call& call,
                     const execute::Decision& decision) {
  Verification verification(agreed, transport, call, decision, false);
  verification.advance();
  return verification.error();
}

}  // namespace mpigraft::observe
