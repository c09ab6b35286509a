// SPDX-License-Identifier: MIT
#include "shim/watch/trace_words.hpp"

#include "shim/abi/arguments.hpp"
#include "shim/abi/functions.hpp"
#include "shim/abi/predefined.hpp"
#include "shim/base/log.hpp"

namespace mpigraft::watch {

namespace {

bool is_accepted(abi::Type type) { return abi::is_datatype(type) && abi::accepts(type) == abi::Answer::yes; }

/// -1 if it is not known, because MPI would end the program if it were asked for a type that it does not accept.
std::int64_t bytes_of(std::int64_t count, abi::Type type, const abi::TypeFacts& facts) {
  std::int64_t bytes = -1;
  if (count < 0 || (facts.number == 0 && !is_accepted(type))) return -1;
  const std::int64_t each = facts.number != 0 ? facts.bytes : abi::type_size(type);
  return __builtin_mul_overflow(count, each, &bytes) ? -1 : bytes;
}

}  // namespace

/// MPI is asked for the names of predefined types only, because another handle may be invalid.
void put_elements(report::TraceEntry& entry, std::int64_t count, abi::Type type) {
  const abi::TypeFacts facts = abi::facts_of(type);
  const bool predefined = facts.number != 0 || facts.content != abi::Content::other;
  entry.count = count;
  entry.bytes = bytes_of(count, type, facts);
  put(entry.type, "of a derived type");
  if (predefined) base::ignore_bad_alloc([&] { put(entry.type, abi::type_name(type)); });
}

}  // namespace mpigraft::watch
