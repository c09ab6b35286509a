// SPDX-License-Identifier: MIT
#include "shim/observe/verify.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <vector>

#include "shim/abi/functions.hpp"
#include "shim/abi/packed.hpp"
#include "shim/abi/predefined.hpp"
#include "shim/observe/difference.hpp"
#include "shim/observe/mismatch.hpp"
#include "shim/observe/report.hpp"
#include "shim/operation/operation.hpp"

namespace mpigraft::observe {
namespace {

using Bytes = std::vector<char>;

Kind::Number number_of(abi::Type type, std::int64_t bytes) {
  if (abi::is_extended(type)) return Kind::Number::extended;
  if (bytes == sizeof(float)) return Kind::Number::single;
  return bytes == sizeof(double) ? Kind::Number::twofold : Kind::Number::none;
}

/// Ranks of a broadcast may count in different types: a stream of bytes, but for the padding of long double.
Kind kind_of_stream(const abi::Call& call) {
  if (!abi::holds(call.type, abi::is_extended)) return {.element_bytes = 1};
  if (!abi::is_extended(call.type)) return {.element_bytes = 1, .rule = Kind::Rule::unknown};
  return {.element_bytes = call.datatype.size,
          .rule = Kind::Rule::values,
          .number = Kind::Number::extended,
          .numbers = abi::floats_of(call.type).numbers};
}

Kind::Rule rule_of(abi::Operator op) {
  if (op == abi::Operator::sum) return Kind::Rule::sum;
  return op == abi::Operator::prod ? Kind::Rule::product : Kind::Rule::values;
}

Kind kind_of(const abi::Call& call) {
  if (!call.info().moves_data()) return {.element_bytes = 1};
  if (!call.info().combines()) return kind_of_stream(call);
  Kind kind{.element_bytes = call.datatype.size};
  const auto has_numbers = [](abi::Type type) { return abi::floats_of(type).numbers > 0; };
  if (!abi::holds(call.type, has_numbers)) return kind;
  const abi::Floats floats = abi::floats_of(call.type);
  kind.numbers = std::max(1, floats.numbers);
  const std::int64_t index_bytes = floats.pair && floats.numbers == 1 ? sizeof(int) : 0;
  if (floats.numbers > 0) kind.number = number_of(call.type, (kind.element_bytes - index_bytes) / floats.numbers);
  if (call.user_op || kind.number == Kind::Number::none)
    kind.rule = Kind::Rule::unknown;
  else
    kind.rule = rule_of(abi::operator_of(call.op));
  return kind;
}

/// One verified call. Ranks agree on every step that all must take.
class Verification {
 public:
  Verification(const agree::Agreement& agreed, operation::Traffic& traffic, const abi::RawCall& raw,
               const abi::Call& call, const operation::Decision& decision)
      : agreed_(agreed),
        traffic_(traffic),
        raw_(raw),
        call_(call),
        decision_(decision),
        contributes_(call.info().has_input(agreed.rank, call.root)),
        receives_(call.info().has_result(agreed.rank, call.root) && !only_reads()) {}

  int operator()() {
    // MPICH 4.0.2 writes beyond its own memory where elements lie in descending order.
    const bool native_can = call_.datatype.extent >= 0;
    if (!all(native_can && in_memory([&] { keep_input(); }))) return skip();
    const bool native_runs = run_natively() == abi::success;
    const int error = operation::Operation(agreed_, traffic_, call_, decision_.choice).run();
    if (!all(native_runs && error == abi::success && in_memory([&] { pack_results(); }))) return error;
    const bool decided = !receives_ || bits_decide(grafted_.data(), native_.data(), elements(), kind_);
    if (!all(decided) && !all(in_memory([&] { add_bounds(); }))) return skip_judgement();
    return judge();
  }

 private:
  /// False where memory is short.
  template <class F>
  bool in_memory(F f) {
    try {
      f();
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }
  bool all(bool mine) const { return abi::true_on_all(mine, traffic_.comm); }
  int skip() {
    count_verified(agreed_, {});
    return operation::Operation(agreed_, traffic_, call_, decision_.choice).run();
  }
  int skip_judgement() {
    count_verified(agreed_, {});
    return abi::success;
  }

  std::int64_t elements() const { return call_.bytes / kind_.element_bytes; }
  /// A place for the call's elements in `memory`.
  char* element_0(Bytes& memory) const { return memory.data() + call_.datatype.offset_of_first(call_.count); }
  Bytes packed(const void* buffer) const {
    Bytes bytes(static_cast<std::size_t>(call_.bytes));
    pack(traffic_.shifted_types, buffer, call_.count, call_.type, bytes.data(), call_.bytes, traffic_.comm);
    return bytes;
  }

  /// The root of a broadcast, whose buffer stays as it is.
  bool only_reads() const { return one_buffer() && contributes_; }
  bool one_buffer() const { return call_.info().in_place == InPlace::in_buffer; }

  void keep_input();
  int run_natively();
  void pack_results();
  void add_bounds();
  int judge();
  void tell(int teller, const Deviation& found);

  const agree::Agreement& agreed_;
  operation::Traffic& traffic_;
  const abi::RawCall& raw_;
  const abi::Call& call_;
  const operation::Decision& decision_;
  const bool contributes_, receives_;
  Kind kind_{};
  Bytes input_, own_, second_;        // packed; elements for the native call to read, and to write
  Bytes grafted_, native_;            // packed results
  std::vector<double> terms_, sums_;  // magnitudes of the input, and over the ranks
  std::vector<Sample> samples_;
};

void Verification::keep_input() {
  kind_ = kind_of(call_);
  samples_.resize(static_cast<std::size_t>(agreed_.size));
  const auto span = static_cast<std::size_t>(call_.datatype.span(call_.count));
  const bool in_place = call_.send == abi::in_place;
  if (contributes_) {
    const bool in_recv = in_place || one_buffer();
    input_ = packed(in_recv ? call_.recv : call_.send);
    if (in_place) own_.resize(span);
  }
  if (!only_reads()) second_.resize(span);
}

/// Not in place, and with a receive buffer on every rank: MPICH 4.0.2 crashes on some calls that are in place, and
/// rejects an exclusive scan whose first rank has none.
int Verification::run_natively() {
  abi::RawCall raw = raw_;
  if (!own_.empty()) {
    unpack(traffic_.shifted_types, input_.data(), call_.bytes, element_0(own_), call_.count, call_.type, traffic_.comm);
    raw.send = element_0(own_);
  }
  if (!second_.empty()) raw.recv = element_0(second_);
  return abi::forward(raw);
}

void Verification::pack_results() {
  if (!receives_) return;
  grafted_ = packed(call_.recv);
  native_ = packed(element_0(second_));
}

/// The bounds of floating point results are results of the same collective.
void Verification::add_bounds() {
  if (kind_.rule != Kind::Rule::sum && kind_.rule != Kind::Rule::product) return;
  terms_.resize(static_cast<std::size_t>(magnitude_count(call_.count, kind_)));
  sums_.resize(terms_.size());
  magnitudes(input_.data(), call_.count, kind_, terms_.data());
}

int Verification::judge() {
  if (!terms_.empty())
    abi::forward({.collective = call_.collective,
                  .large = true,
                  .send = terms_.data(),
                  .recv = sums_.data(),
                  .count = static_cast<std::int64_t>(terms_.size()),
                  .type = abi::to_pass(abi::type_double),
                  .op = abi::to_pass(call_.op),
                  .root = call_.root,
                  .comm = abi::to_pass(traffic_.comm)});
  Deviation found;
  if (receives_)
    found = compare(grafted_.data(), native_.data(), elements(), kind_, agreed_.size,
                    terms_.empty() ? nullptr : sums_.data());
  // the minimum is the gravest verdict and its lowest rank
  const std::int64_t mine = -(static_cast<std::int64_t>(found.verdict) << 32) + agreed_.rank;
  std::int64_t gravest = 0;
  abi::allreduce(&mine, &gravest, 1, abi::type_int64, abi::op_min, traffic_.comm);
  const auto verdict = static_cast<Verdict>(-(gravest >> 32));
  count_verified(agreed_, verdict);
  if (verdict != Verdict::different) return abi::success;
  tell(static_cast<int>(gravest & 0xffffffff), found);
  if (agreed_.strict) return abi::err_other;
  if (receives_)
    unpack(traffic_.shifted_types, native_.data(), call_.bytes, call_.recv, call_.count, call_.type, traffic_.comm);
  return abi::success;
}

/// The teller shows the inputs of all ranks at its first difference.
void Verification::tell(int teller, const Deviation& found) {
  std::int64_t first = found.first * kind_.element_bytes;
  if (agreed_.rank == teller) first = first_difference(grafted_, native_, first, kind_);
  abi::bcast(&first, 1, abi::type_int64, teller, traffic_.comm);
  const Sample own = contributes_ ? sample(input_, first, kind_) : Sample{};
  abi::allgather(&own, samples_.data(), sizeof own, traffic_.comm);
  if (agreed_.rank == teller)
    tell_mismatch(agreed_, traffic_, call_, decision_,
                  {kind_, found, first, sample(grafted_, first, kind_), sample(native_, first, kind_), samples_});
}

}  // namespace

bool verifies_next(const agree::Agreement& agreed, const operation::Traffic& traffic) {
  return agreed.verify > 0 && traffic.sequence % static_cast<std::uint64_t>(agreed.verify) == 0;
}

int graft_and_verify(const agree::Agreement& agreed, operation::Traffic& traffic, const abi::RawCall& raw,
                     const abi::Call& call, const operation::Decision& decision) {
  return Verification(agreed, traffic, raw, call, decision)();
}

}  // namespace mpigraft::observe
