// SPDX-License-Identifier: MIT
#include "shim/watch/traced_requests.hpp"

#include <mutex>
#include <string_view>
#include <unordered_map>

#include "shim/base/log.hpp"

namespace mpigraft::watch {
namespace {

struct Requests {
  std::mutex mutex;
  std::unordered_map<std::uintptr_t, TracedRequest> started;
};

Requests& requests_of_process() {
  static Requests& all = *new Requests;
  return all;
}

TracedRequest unknown() {
  TracedRequest request;
  std::string_view("a request").copy(request.message.function.data(), request.message.function.size());
  request.message.sent = -1;
  return request;
}

/// The entry names a communicator only if all requests are on the same one.
void take_comm(report::TraceEntry& entry, const TracedRequest& traced) {
  if (entry.operations == 0) {
    entry.comm = traced.comm;
  } else if (entry.comm.name != traced.comm.name) {
    entry.comm.name = {};
  }
}

}  // namespace

void remember(abi::Request request, const TracedRequest& started) {
  base::ignore_bad_alloc([&] {
    Requests& all = requests_of_process();
    const std::lock_guard lock(all.mutex);
    all.started[abi::to_pass(request)] = started;
  });
}

void describe_requests(report::TraceEntry& entry, const void* requests, std::int64_t n) {
  base::ignore_bad_alloc([&] {
    Requests& all = requests_of_process();
    const std::lock_guard lock(all.mutex);
    for (std::int64_t i = 0; i < n; ++i) {
      const abi::Request request = abi::request_at(requests, i);
      if (request == abi::Request::null) continue;
      const auto found = all.started.find(abi::to_pass(request));
      const TracedRequest traced = found == all.started.end() ? unknown() : found->second;
      take_comm(entry, traced);
      const auto place = static_cast<std::size_t>(entry.operations++);
      if (place < entry.messages.size()) entry.messages[place] = traced.message;
    }
  });
}

}  // namespace mpigraft::watch
