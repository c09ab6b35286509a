// SPDX-License-Identifier: MIT
#include "shim/execute/gathering.hpp"

#include <limits>

#include "shim/abi/functions.hpp"

namespace mpigraft::execute {
namespace {

std::int64_t sent_bytes(const abi::Call& call) {
  std::int64_t bytes = 0;
  const std::int64_t size = call.send_type() == call.type ? call.datatype.size : abi::type_size(call.send_type());
  const bool overflows = __builtin_mul_overflow(call.send_count, size, &bytes);
  return overflows ? std::numeric_limits<std::int64_t>::max() : bytes;
}

/// Calls f(place in the receive buffer, elements, offset in the vector, bytes) for every part that is not empty. Parts
/// of one length follow one another, and f is called once for all of them. Returns the first error of f.
int for_each_part(const abi::Call& call, const Parts& parts, int ranks, auto f) {
  if (call.equal) return f(static_cast<char*>(call.recv), call.elements, std::int64_t{0}, call.bytes);
  int error = abi::success;
  for (int r = 0; r < ranks && error == abi::success; ++r)
    if (parts.count(r) > 0) error = f(call.address_of_part(r), call.part(r), parts.first(r), parts.count(r));
  return error;
}

}  // namespace

Parts parts_of(const abi::Call& call, int ranks, std::int64_t units, std::int64_t* firsts) {
  if (!call.info().has_parts()) return {};
  if (call.equal) return {.each = call.count * units};
  firsts[0] = 0;
  for (int r = 0; r < ranks; ++r) firsts[r + 1] = firsts[r] + call.part(r) * units;
  return {.firsts = {firsts, static_cast<std::size_t>(ranks) + 1}};
}

std::optional<std::int64_t> offset_of_vector(const abi::Call& call, const Parts& parts, int ranks) {
  if (!call.datatype.contiguous) return {};
  if (call.equal) return 0;
  std::optional<std::int64_t> offset;
  for (int r = 0; r < ranks; ++r) {
    if (parts.count(r) == 0) continue;
    const std::int64_t here = call.place_of_part(r) * call.datatype.extent - parts.first(r);
    if (offset.value_or(here) != here) return {};
    offset = here;
  }
  return offset;
}

bool sends_its_part(const abi::Call& call, std::int64_t part_bytes) {
  if (!call.sends_typed() || part_bytes == 0 || sent_bytes(call) != part_bytes) return false;
  return call.send_type() == call.type ? call.datatype.contiguous : abi::describe(call.send_type()).contiguous;
}

/// An input that is shorter than its part is an error of the program, but MPICH accepts it, and so do we.
int pack_input(const abi::Call& call, int rank, std::int64_t part_bytes, char* part) {
  if (part_bytes == 0) return abi::success;
  if (!call.sends_typed()) return abi::pack(call.address_of_part(rank), call.part(rank), call.type, part, part_bytes);
  const std::int64_t sent = sent_bytes(call);
  if (sent > part_bytes) return abi::err_truncate;
  return sent == 0 ? abi::success : abi::pack(call.send, call.send_count, call.send_type(), part, sent);
}

int pack_vector(const abi::Call& call, const Parts& parts, int ranks, char* vector) {
  return for_each_part(call, parts, ranks,
                       [&](char* place, std::int64_t count, std::int64_t first, std::int64_t bytes) {
                         return abi::pack(place, count, call.type, vector + first, bytes);
                       });
}

int unpack_vector(const abi::Call& call, const Parts& parts, int ranks, const char* vector) {
  return for_each_part(call, parts, ranks,
                       [&](char* place, std::int64_t count, std::int64_t first, std::int64_t bytes) {
                         return abi::unpack(vector + first, bytes, place, count, call.type);
                       });
}

}  // namespace mpigraft::execute
