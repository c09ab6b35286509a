// SPDX-License-Identifier: MIT
#include "shim/observe/mismatch.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "config/table/choice.hpp"
#include "config/table/size.hpp"
#include "shim/abi/functions.hpp"
#include "shim/abi/predefined.hpp"
#include "shim/base/log.hpp"

namespace mpigraft::observe {
namespace {

constexpr int inputs_shown = 64;

bool is_whole(const Kind& kind) {
  return kind.element_bytes > 1 && kind.element_bytes <= static_cast<std::int64_t>(sizeof Sample::bytes);
}

template <class T>
T number_at(const char* bytes) {
  T x;
  std::memcpy(&x, bytes, sizeof x);
  return x;
}

std::string number_text(const char* bytes, Kind::Number number) {
  if (number == Kind::Number::single) return table::formatted("%.9g", number_at<float>(bytes));
  if (number == Kind::Number::twofold) return table::formatted("%.17g", number_at<double>(bytes));
  return table::formatted("%.21Lg", number_at<long double>(bytes));
}

/// A number, a complex number in brackets, or bytes in hexadecimal, lowest address first.
std::string text_of(const Sample& s, const Kind& kind) {
  if (s.size == 0) return "-";
  if (kind.number != Kind::Number::none && s.size == kind.element_bytes) {
    const std::string first = number_text(s.bytes.data(), kind.number);
    if (kind.numbers == 1) return first;
    return "(" + first + " " + number_text(s.bytes.data() + s.size / 2, kind.number) + ")";
  }
  std::string text = "0x";
  for (int i = 0; i < s.size; ++i)
    text += table::formatted("%02x", static_cast<unsigned char>(s.bytes[static_cast<std::size_t>(i)]));
  return text;
}

std::string name_of_type(abi::Type type) {
  const std::string name = abi::type_name(type);
  return name.empty() ? "a user-defined datatype" : name;
}

/// The count of a call, or the counts of its parts.
std::string count_text(const agree::Negotiated& agreed, const abi::Call& call) {
  if (!call.counts) return "count " + std::to_string(call.count);
  std::string text = "counts";
  const int shown = std::min(agreed.size, inputs_shown);
  for (int r = 0; r < shown; ++r) text += " " + std::to_string(call.part(r));
  return shown < agreed.size ? text + " ..." : text;
}

std::string call_text(const agree::Negotiated& agreed, const execute::TransportState& transport,
                      const abi::Call& call) {
  std::string text = "grafted call " + std::to_string(transport.sequence) + " on a communicator of " +
                     std::to_string(agreed.size) + " ranks";
  const auto tell_groups = [&text](const char* what, const std::vector<int>& firsts) {
    if (firsts.size() < 2) return;
    text += what;
    for (const int first : firsts) text += " " + std::to_string(first);
  };
  tell_groups(", nodes begin at ranks", agreed.nodes);
  tell_groups(", cache groups begin at ranks", agreed.cache_groups);
  text +=
      ": " + count_text(agreed, call) + " of " + name_of_type(call.type) + ", " + std::to_string(call.bytes) + " bytes";
  if (call.info().combines())
    text.append(call.commutative ? ", " : ", not commutative, ").append(abi::name_of(abi::operator_of(call.op)));
  if (call.info().rooted()) text += ", root " + std::to_string(call.root);
  if (call.send == abi::in_place) text += ", MPI_IN_PLACE";
  return text;
}

std::string result_text(const agree::Negotiated& agreed, const Mismatch& m) {
  const bool stream = m.kind.element_bytes == 1;
  const std::string index = std::to_string(m.first / m.kind.element_bytes);
  std::string text = "rank " + std::to_string(agreed.rank) + " (" + std::to_string(abi::comm_rank(abi::comm_world)) +
                     " of MPI_COMM_WORLD): " + std::to_string(m.found.elements) + " of " + std::to_string(m.elements) +
                     (stream ? " bytes differ, from byte " : " elements differ, the first is ") + index + ": grafted " +
                     text_of(m.grafted, m.kind) + ", native " + text_of(m.native, m.kind) +
                     "\n  input there, rank 0 first:";
  const int shown = std::min(agreed.size, inputs_shown);
  for (int r = 0; r < shown; ++r) text += " " + text_of(m.inputs[static_cast<std::size_t>(r)], m.kind);
  return shown < agreed.size ? text + " ..." : text;
}

}  // namespace

Sample sample(const std::vector<char>& packed, std::int64_t first, const Kind& kind) {
  Sample s;
  const std::int64_t left = first < 0 ? 0 : static_cast<std::int64_t>(packed.size()) - first;
  const std::int64_t size =
      std::min(left, is_whole(kind) ? kind.element_bytes : static_cast<std::int64_t>(s.bytes.size()));
  if (size <= 0) return s;
  std::copy_n(packed.begin() + first, size, s.bytes.begin());
  s.size = static_cast<std::int32_t>(size);
  return s;
}

std::int64_t first_difference(const std::vector<char>& a, const std::vector<char>& b, std::int64_t from,
                              const Kind& kind) {
  return is_whole(kind) ? from : std::mismatch(a.begin() + from, a.end(), b.begin() + from).first - a.begin();
}

void tell_mismatch(const agree::Negotiated& agreed, const execute::TransportState& transport, const abi::Call& call,
                   const execute::Decision& decision, const Mismatch& mismatch) {
  static std::atomic<bool> told{false};
  if (told.exchange(true)) return;
  base::ignore_bad_alloc([&] {
    const table::Choice choice = decision.choice;
    base::log("MPIGRAFT_VERIFY: " + table::words_of(choice) + " and the native collective differ\n  " +
              call_text(agreed, transport, call) + "\n  chosen by " + execute::explain(decision) + "; table " +
              agreed.table->origin + "\n  " + result_text(agreed, mismatch) +
              "\n  to compare every call of this algorithm, set MPIGRAFT_FORCE=" + table::forced_words(choice) +
              " MPIGRAFT_VERIFY=1\n  " +
              (agreed.strict ? "the call ends with an error (MPIGRAFT_FORCE=strict)"
                             : "the program goes on with the native results") +
              "; this process reports no further mismatches");
  });
}

}  // namespace mpigraft::observe
