// SPDX-License-Identifier: MIT
#include "shim/execute/staging.hpp"

#include <algorithm>
#include <string>

#include "shim/abi/functions.hpp"
#include "shim/base/log.hpp"

namespace mpigraft::execute {
namespace {

/// Bytes of an element that follow one another.
struct Run {
  std::int64_t first, bytes;
};

/// Finds where the data of an element lies, from its address on, by unpacking an element of which each byte is 1.
/// Returns MPI's error code. May throw std::bad_alloc.
int find_runs(const abi::Datatype& type, std::vector<Run>& runs) {
  if (type.contiguous) return runs.push_back({0, type.size}), abi::success;
  std::vector<char> element(static_cast<std::size_t>(type.true_extent), 0);
  const std::vector<char> ones(static_cast<std::size_t>(type.size), 1);
  const int error = abi::unpack(ones.data(), type.size, abi::moved(element.data(), -type.true_lb), 1, type.handle);
  for (auto at = element.begin(); (at = std::find(at, element.end(), 1)) != element.end();) {
    const auto end = std::find(at, element.end(), 0);
    runs.push_back({type.true_lb + (at - element.begin()), end - at});
    at = end;
  }
  return error;
}

}  // namespace

void Staging::Buffer::add(const void* element_0, std::int64_t count, const abi::Datatype& type) {
  if (count == 0 || type.size == 0) return;
  char* const lowest = abi::moved(element_0, -type.offset_of_first(count));
  begin = empty() ? lowest : std::min(begin, lowest);
  end = std::max(end, lowest + type.span(count));
}

char* Staging::Buffer::of_copy(const void* address) const { return copy + (static_cast<const char*>(address) - begin); }

Staging::Staging(const agree::Negotiated& agreed, TransportState& transport, const abi::Call& call)
    : agreed_(agreed),
      call_(call),
      memory_(transport.copies.lease(
          find_buffers(), static_cast<std::size_t>(agreed.table->table.scratch / agreed.ranks_per_node.max))) {
  if (call_.lost == abi::success && send_.room() + recv_.room() == 0) return;
  const bool has_memory = base::ignore_bad_alloc([&] {
    if (call_.lost == abi::success) call_.lost = bring();
  });
  if (!has_memory) call_.lost = abi::err_no_mem;
  ++calls;
  if (call_.lost == abi::err_other) tell();
}

/// Says why the call fails, which its error class does not tell.
void Staging::tell() const {
  base::ignore_bad_alloc([&] {
    base::log_once("rank " + std::to_string(agreed_.rank) + ": no GPU driver brings a buffer of " +
                   std::string(function_of(call_.collective, call_.equal)) +
                   " to host memory, and the CPU cannot read it; MPIGRAFT_DISABLE=1 on all ranks leaves it to MPI");
  });
}

/// Calls f(element 0, count) for the elements that the call writes on this rank.
void Staging::for_each_result(auto f) const {
  const CollectiveInfo& info = call_.info();
  const bool reads_only = info.has_one_buffer() && info.has_input(agreed_.rank, call_.root);
  if (!info.has_result(agreed_.rank, call_.root) || reads_only) return;
  if (!call_.in_parts() || (call_.equal && info.result.length == Length::vector)) return f(call_.recv, call_.elements);
  if (info.result.length == Length::part) return f(call_.recv, call_.part(agreed_.rank));
  for (int r = 0; r < agreed_.size; ++r) f(call_.address_of_part(r), call_.part(r));
}

/// Finds the bytes of both buffers and where they lie. Returns the bytes of memory that their copies need.
std::size_t Staging::find_buffers() {
  const CollectiveInfo& info = call_.info();
  if (call_.elements == 0) return 0;
  for_each_result([&](const void* element_0, std::int64_t count) { recv_.add(element_0, count, call_.datatype); });
  if (info.has_input(agreed_.rank, call_.root)) {
    const bool in_recv = info.has_one_buffer() || call_.send == abi::in_place;
    (in_recv ? recv_ : send_).is_read = true;
    if (call_.sends_typed())
      send_.add(call_.send, call_.send_count, abi::describe(call_.send_type()));
    else if (info.input.length == Length::vector)
      (in_recv ? recv_ : send_).add(call_.input(), call_.elements, call_.datatype);
  }
  for (Buffer* const buffer : {&send_, &recv_}) {
    if (buffer->empty()) continue;
    const memory::Residence residence = memory::Devices::of(buffer->begin, buffer->end - 1);
    if (residence.unreachable) call_.lost = abi::err_other;
    buffer->driver = residence.driver;
  }
  return call_.lost == abi::success ? send_.room() + recv_.room() : 0;
}

/// Places the copies and fills those that are read. Returns an error code. May throw std::bad_alloc.
int Staging::bring() {
  char* room = memory_.memory();
  if (!room) return abi::err_no_mem;
  for (Buffer* const buffer : {&send_, &recv_}) {
    buffer->copy = room + static_cast<std::size_t>(buffer->begin - room) % line;
    room += buffer->room();
    if (!buffer->driver || !buffer->is_read) continue;
    const memory::Copy copy{buffer->copy, buffer->begin, buffer->bytes()};
    if (!buffer->driver->copy({&copy, 1}, buffer->begin)) return abi::err_other;
  }
  const int error = recv_.driver ? plan_results() : abi::success;
  if (send_.driver) call_.send = send_.of_copy(call_.send);
  if (recv_.driver) call_.recv = recv_.of_copy(call_.recv);
  return error;
}

/// Bytes between those of the result are not written, because a GPU may work on them meanwhile.
int Staging::plan_results() {
  std::vector<Run> runs;
  const int error = find_runs(call_.datatype, runs);
  const auto add = [&](char* program, std::int64_t bytes) {
    const bool follows = !results_.empty() && static_cast<char*>(results_.back().to) + results_.back().bytes == program;
    if (follows)
      results_.back().bytes += static_cast<std::size_t>(bytes);
    else
      results_.push_back({program, recv_.of_copy(program), static_cast<std::size_t>(bytes)});
  };
  for_each_result([&](const void* element_0, std::int64_t count) {
    if (call_.datatype.contiguous) return add(abi::moved(element_0, 0), count * call_.datatype.size);
    for (std::int64_t i = 0; i < count; ++i)
      for (const Run& run : runs) add(abi::moved(element_0, i * call_.datatype.extent + run.first), run.bytes);
  });
  return error;
}

int Staging::finish(int error) {
  if (error != abi::success || results_.empty()) return error;
  if (recv_.driver->copy(results_, recv_.begin)) return abi::success;
  tell();
  return abi::err_other;
}

}  // namespace mpigraft::execute
