// SPDX-License-Identifier: MIT
#include "shim/observe/difference.hpp"

#include <algorithm>

#include "shim/abi/functions.hpp"
#include "shim/abi/predefined.hpp"

namespace mpigraft::observe {
namespace {

Kind::Number number_of(abi::Type type, std::int64_t bytes) {
  if (abi::is_extended(type)) return Kind::Number::extended;
  if (bytes == sizeof(float)) return Kind::Number::single;
  return bytes == sizeof(double) ? Kind::Number::twofold : Kind::Number::none;
}

/// The kind of a call that combines nothing. It is a stream of bytes, because ranks may use different types, except
/// that the padding of long double does not count.
Kind kind_of_stream(const abi::Call& call) {
  if (!abi::holds(call.type, abi::is_extended)) return {.element_bytes = 1};
  if (!abi::is_extended(call.type)) return {.element_bytes = 1, .rule = Kind::Rule::unknown};
  return {.element_bytes = call.datatype.size,
          .rule = Kind::Rule::values,
          .number = Kind::Number::extended,
          .numbers = abi::numbers_in(call.type)};
}

Kind::Rule rule_of(abi::Operator op) {
  if (op == abi::Operator::sum) return Kind::Rule::sum;
  return op == abi::Operator::prod ? Kind::Rule::product : Kind::Rule::values;
}

}  // namespace

Kind kind_of(const abi::Call& call) {
  if (!call.info().moves_data()) return {.element_bytes = 1};
  if (!call.info().combines()) return kind_of_stream(call);
  Kind kind{.element_bytes = call.datatype.size};
  const auto has_numbers = [](abi::Type type) { return abi::numbers_in(type) > 0; };
  const auto is_byte = [](abi::Type type) { return abi::type_size(type) == 1; };
  // Programs pass structures as bytes, which may be numbers to an operator of theirs.
  if (!abi::holds(call.type, has_numbers) && !(call.user_op && abi::holds(call.type, is_byte))) return kind;
  const int numbers = abi::numbers_in(call.type);
  kind.numbers = std::max(1, numbers);
  const bool has_index = abi::facts_of(call.type).content == abi::Content::floating_and_index;
  const std::int64_t number_bytes = kind.element_bytes - (has_index ? static_cast<std::int64_t>(sizeof(int)) : 0);
  if (numbers > 0) kind.number = number_of(call.type, number_bytes / numbers);
  if (call.user_op || kind.number == Kind::Number::none)
    kind.rule = Kind::Rule::unknown;
  else
    kind.rule = rule_of(abi::operator_of(call.op));
  return kind;
}

}  // namespace mpigraft::observe
