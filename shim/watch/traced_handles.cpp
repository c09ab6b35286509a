// SPDX-License-Identifier: MIT
#include "shim/watch/traced_handles.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "config/table/digest.hpp"
#include "config/table/size.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/abi/frees.hpp"
#include "shim/abi/predefined.hpp"
#include "shim/base/log.hpp"
#include "shim/base/own_objects.hpp"
#include "shim/watch/trace_file.hpp"

namespace mpigraft::watch {
namespace {

std::mutex mutex;  // of the makers of attributes

[[gnu::tls_model("initial-exec")]] constinit thread_local abi::Frees<Freed> under_way;
[[gnu::tls_model("initial-exec")]] constinit thread_local bool taking = false;

/// MPI_Finalize begins with the attributes of MPI_COMM_SELF, whatever language called it (MPI-4.0, 11.2.4).
void forget(abi::Comm comm, void* attribute) {
  if (taking) return;
  if (comm == abi::comm_self) trace_file()->finalized = 1;
  delete static_cast<TracedComm*>(attribute);
}

constinit abi::Key key({forget});

/// Names a communicator, on all its ranks alike, by its members and its origin. Without an origin, it counts the
/// communicators of the same members: ranks make them in the same order, unless several threads do.
void name(TracedComm& traced, abi::Comm comm, std::uint64_t origin) {
  static auto& made = *new std::map<std::uint64_t, int>;
  std::vector<int> ranks(static_cast<std::size_t>(traced.place.size)), members(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  abi::comm_world_ranks(comm, traced.place.size, ranks.data(), members.data());
  traced.place.world_order = members == ranks;
  const std::uint64_t mark =
      table::digest(reinterpret_cast<const char*>(members.data()), members.size() * sizeof(int), origin);
  std::string words = table::formatted("%012jx", mark % (std::uint64_t{1} << 48));
  if (comm == abi::comm_world || comm == abi::comm_self)
    words = comm == abi::comm_world ? "MPI_COMM_WORLD" : "MPI_COMM_SELF";
  else if (origin == no_origin)
    words += '.' + std::to_string(++made[mark]);
  put(traced.place.name, words);
}

struct Requests {
  std::mutex mutex;
  std::unordered_map<std::uintptr_t, TracedRequest> started;
};

TracedRequest unknown() {
  TracedRequest request;
  put(request.message.function, "a request");
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

bool is_accepted(abi::Type type) { return abi::is_datatype(type) && abi::accepts(type) == abi::Answer::yes; }

/// -1 if it is not known, because MPI would end the program if it were asked for a type that it does not accept.
std::int64_t bytes_of(std::int64_t count, abi::Type type, const abi::TypeFacts& facts) {
  std::int64_t bytes = -1;
  if (count < 0 || (facts.number == 0 && !is_accepted(type))) return -1;
  const std::int64_t each = facts.number != 0 ? facts.bytes : abi::type_size(type);
  return __builtin_mul_overflow(count, each, &bytes) ? -1 : bytes;
}

}  // namespace

TracedComm* traced_comm(abi::Comm comm, abi::Refused& refused, std::uint64_t origin) {
  TracedComm* traced = nullptr;
  Freed* const freed = under_way.find(comm);
  const auto look = [&] {
    const abi::Attribute kept = abi::comm_get_attr(comm, key);
    refused = kept.refused;
    traced = kept.found ? static_cast<TracedComm*>(kept.value) : freed ? freed->traced_.get() : nullptr;
    return traced || refused;
  };
  if (look()) return traced;  // without the lock, because an error calls the program's handler, which may call MPI
  base::ignore_bad_alloc([&] {
    const std::lock_guard lock(mutex);
    if (look()) return;
    auto fresh = std::make_unique<TracedComm>();
    fresh->place.rank = abi::comm_rank(comm);
    fresh->place.size = abi::comm_size(comm);
    fresh->inter = abi::comm_is_inter(comm);
    fresh->named_late = origin == not_created_now && comm != abi::comm_world && comm != abi::comm_self;
    if (!fresh->inter) name(*fresh, comm, origin == not_created_now ? no_origin : origin);
    traced = fresh.get();
    if (freed)
      freed->traced_ = std::move(fresh);
    else
      abi::comm_set_attr(comm, key, fresh.release());
  });
  return traced;
}

Freed::Freed(abi::Comm comm, abi::Refused& refused) : comm_(comm) {
  under_way.begin(comm, this);
  if (!abi::is_communicator(comm)) return;
  const abi::Attribute kept = abi::comm_get_attr(comm, key);
  refused = kept.refused;
  if (!kept.found) return;
  traced_.reset(static_cast<TracedComm*>(kept.value));
  taking = true;
  abi::comm_delete_attr(comm, key);
  taking = false;
}
Freed::~Freed() { under_way.end(this); }

void Freed::is_in_vain() {
  if (traced_) abi::comm_set_attr(comm_, key, traced_.release());
}

std::uint64_t mark_of(const report::TraceComm& comm, std::int64_t call) {
  const std::uint64_t name = table::digest(comm.name.data(), comm.name.size());
  return table::digest(reinterpret_cast<const char*>(&call), sizeof call, name);
}

std::int32_t world_rank(abi::Comm comm, const TracedComm& traced, std::int32_t rank, bool& found) {
  found = !traced.inter && rank >= 0 && rank < traced.place.size;
  if (!found || traced.place.world_order) return rank;
  std::int32_t there = rank;
  abi::comm_world_ranks(comm, 1, &rank, &there);
  found = there != abi::undefined;
  return found ? there : rank;
}

void remember(abi::Request request, const TracedRequest& started) {
  base::ignore_bad_alloc([&] {
    auto& all = base::of_process<Requests>();
    const std::lock_guard lock(all.mutex);
    all.started[abi::to_pass(request)] = started;
  });
}

void describe_requests(report::TraceEntry& entry, const void* requests, std::int64_t n) {
  base::ignore_bad_alloc([&] {
    auto& all = base::of_process<Requests>();
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
