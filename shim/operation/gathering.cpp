// SPDX-License-Identifier: MIT
#include "shim/operation/gathering.hpp"

#include <limits>

#include "shim/abi/functions.hpp"

namespace mpigraft::operation {
namespace {

char* place_of(const abi::Call& call, int rank) {
  return static_cast<char*>(call.recv) + call.place_of_part(rank) * call.datatype.extent;
}

std::int64_t sent_bytes(const abi::Call& call) {
  std::int64_t bytes = 0;
  const std::int64_t size = call.send_type() == call.type ? call.datatype.size : abi::type_size(call.send_type());
  const bool overflows = __builtin_mul_overflow(call.parts->send_count, size, &bytes);
  return overflows ? std::numeric_limits<std::int64_t>::max() : bytes;
}

}  // namespace

std::optional<std::int64_t> offset_of_vector(const abi::Call& call, const Parts& parts, int size) {
  if (!call.datatype.contiguous) return {};
  if (call.equal) return 0;
  std::optional<std::int64_t> offset;
  for (int r = 0; r < size; ++r) {
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

/// An input that is shorter than its part is wrong, but MPICH lets it pass.
int gather_input(const abi::Call& call, const Parts& parts, int rank, abi::ShiftedTypes& types, abi::Comm comm,
                 char* vector) {
  const std::int64_t bytes = parts.count(rank);
  if (bytes == 0) return abi::success;
  char* const own = vector + parts.first(rank);
  if (!call.sends_typed()) return abi::pack(types, place_of(call, rank), call.part(rank), call.type, own, bytes, comm);
  const std::int64_t sent = sent_bytes(call);
  if (sent > bytes) return abi::err_truncate;
  if (sent == 0) return abi::success;
  return abi::pack(types, call.send, call.parts->send_count, call.send_type(), own, sent, comm);
}

int scatter_result(const abi::Call& call, const Parts& parts, int size, abi::ShiftedTypes& types, abi::Comm comm,
                   const char* vector) {
  if (call.equal) return abi::unpack(types, vector, call.bytes, call.recv, call.elements, call.type, comm);
  int error = abi::success;
  for (int r = 0; r < size && error == abi::success; ++r)
    if (parts.count(r) > 0)
      error =
          abi::unpack(types, vector + parts.first(r), parts.count(r), place_of(call, r), call.part(r), call.type, comm);
  return error;
}

}  // namespace mpigraft::operation
