// SPDX-License-Identifier: MIT
#include "shim/entry/attribute.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <new>
#include <utility>

#include "shim/abi/frees.hpp"
#include "shim/abi/library.hpp"
#include "shim/entry/communicator.hpp"

namespace mpigraft::entry {
namespace {

static_assert(sizeof(WarmUp) == sizeof(std::uint64_t) && sizeof(void*) == sizeof(WarmUp));

// The two lowest bits tell a warm_up, one with memory of its own, and a state apart.
static_assert(alignof(Communicator) % 4 == 0 && alignof(Warming) % 4 == 0);
enum Form : std::uintptr_t { state = 0, number = 1, warming_up = 2 };
Form form_of(void* value) {
  const auto bits = reinterpret_cast<std::uintptr_t>(value);
  return (bits & number) != 0 ? number : (bits & warming_up) != 0 ? warming_up : state;
}
void* packed(const WarmUp& warm_up) {
  return reinterpret_cast<void*>(std::bit_cast<std::uint64_t>(warm_up) << 1 | number);
}
void* packed(Warming* kept) { return reinterpret_cast<char*>(kept) + warming_up; }
Warming* warming_of(void* value) { return reinterpret_cast<Warming*>(static_cast<char*>(value) - warming_up); }
WarmUp warm_up_of(void* value) {
  return form_of(value) == warming_up ? warming_of(value)->warm_up
                                      : std::bit_cast<WarmUp>(reinterpret_cast<std::uint64_t>(value) >> 1);
}

/// Deletes what an attribute points to. A state whose nonblocking calls are not over lives until then.
void forget(void* value) {
  const Form form = form_of(value);
  if (form == number) return;
  ++generation;
  if (form == warming_up) return delete warming_of(value);
  auto* const communicator = static_cast<Communicator*>(value);
  if (communicator && !communicator->in_flight.keeps_communicator()) delete communicator;
}

[[gnu::tls_model("initial-exec")]] constinit thread_local abi::Frees<const Freeing> under_way;

/// The attributes of communicators that this thread is freeing, once MPI has deleted them.
class Ended {
 public:
  void add(abi::Comm comm, void* value) {
    if (count_ == all_.size()) forget(std::exchange(all_[0], all_[--count_]).value);  // deeper than any program frees
    all_[count_++] = {comm, value};
    if (form_of(value) != number) ++generation;
  }
  /// The attribute of a communicator that is being freed; null: there is none. One that MPI freed without our
  /// knowledge is gone, and its handle is that of another communicator, unless MPI has called back.
  void** find(abi::Comm comm) {
    Entry* const end = all_.data() + count_;
    Entry* const found = std::find_if(all_.data(), end, [&](const Entry& entry) { return entry.comm == comm; });
    if (found == end) return nullptr;
    if (under_way.find(comm) || abi::called_from_mpi()) return &found->value;
    end_after(0);
    return nullptr;
  }
  void end_after(std::size_t count) {
    while (count_ > count) forget(all_[--count_].value);
  }
  std::size_t count() const { return count_; }

 private:
  struct Entry {
    abi::Comm comm;
    void* value;
  };
  std::array<Entry, 16> all_{};
  std::size_t count_ = 0;
};

/// The communicators that this thread has begun to free last.
struct Frees {
  std::array<abi::Comm, 16> last{};
  std::uint64_t count = 0;
};

[[gnu::tls_model("initial-exec")]] constinit thread_local Frees frees_of_thread;
[[gnu::tls_model("initial-exec")]] constinit thread_local Ended ended;
[[gnu::tls_model("initial-exec")]] constinit thread_local bool replacing = false;

/// Does local work only, because ranks may free communicators in different orders. MPI calls it also for an attribute
/// that another takes the place of.
void at_delete(abi::Comm comm, void* value) {
  if (!replacing) ended.add(comm, value);
}

/// A duplicate has the same ranks, so what they know of each other holds there, too.
void* at_copy(void* value) {
  WarmUp inherited;
  if (form_of(value) != state) {
    const WarmUp warm_up = warm_up_of(value);
    inherited.in_touch = warm_up.in_touch, inherited.at_once = warm_up.at_once;
  } else if (const auto* const communicator = static_cast<Communicator*>(value)) {
    inherited.in_touch = communicator->agreed.fallback == agree::FallbackReason::none;
    inherited.at_once = communicator->agreed.at_once;
  }
  return inherited.in_touch ? packed(inherited) : nullptr;
}

constinit abi::Key key({at_delete, at_copy});

std::atomic<bool> is_known_up{false}, may_end{false};

bool is_up() {
  if (may_end.load(std::memory_order_relaxed)) return abi::is_up();
  if (!is_known_up.load(std::memory_order_relaxed) && abi::is_up()) is_known_up = true;
  return is_known_up;
}

/// Lets MPI keep the value in place of the one before, which nobody deletes.
void give_to_mpi(abi::Comm comm, void* value) {
  replacing = true;
  abi::comm_set_attr(comm, key, value);
  replacing = false;
}

void set_value(abi::Comm comm, void* value) {
  const abi::Attribute before = abi::comm_get_attr(comm, key);
  if (before.found && form_of(before.value) == warming_up) forget(before.value);
  if (void** const of_ended = before.found ? nullptr : ended.find(comm)) {
    if (form_of(*of_ended) == warming_up) forget(*of_ended);
    *of_ended = value;
    return;
  }
  if (!before.found && under_way.find(comm))
    ended.add(comm, value);  // MPI might not delete an attribute set so late
  else
    give_to_mpi(comm, value);
}

}  // namespace

void WarmUp::add(std::int64_t estimated_ns) {
  constexpr std::uint64_t most_calls = (1u << 23) - 1;
  constexpr std::int64_t most_ns = (std::int64_t{1} << 32) - 1;
  if (calls < most_calls) ++calls;
  spent_ns = std::min(most_ns, spent_ns + estimated_ns);
}

Attribute attribute_of(abi::Comm comm) {
  Attribute attribute;
  if (!abi::is_communicator(comm) || !is_up()) return attribute;
  auto [refused, found, value] = abi::comm_get_attr(comm, key);
  attribute.refused = refused, attribute.found = found;
  if (refused) return attribute;
  attribute.readable = true;
  if (!found) {
    void** const of_ended = ended.find(comm);
    attribute.found = of_ended != nullptr;
    if (of_ended) value = *of_ended;
  }
  if (!attribute.found) return attribute;
  const Form form = form_of(value);
  attribute.is_warming_up = form != state;
  if (form == warming_up) attribute.warming_up = warming_of(value);
  if (attribute.is_warming_up)
    attribute.warm_up = warm_up_of(value);
  else
    attribute.communicator = static_cast<Communicator*>(value);
  return attribute;
}

void set_attribute(abi::Comm comm, Communicator* communicator) { set_value(comm, communicator); }
void set_attribute(abi::Comm comm, const WarmUp& warm_up) { set_value(comm, packed(warm_up)); }

Warming* keep(abi::Comm comm, const WarmUp& warm_up, int size) {
  auto* const kept = new (std::nothrow) Warming{warm_up, size};
  set_value(comm, kept ? packed(kept) : packed(warm_up));
  return kept;
}

/// MPI always refuses to free its own communicators, which keep their attributes.
Freeing::Freeing(abi::Comm comm) : comm_(comm), before_(ended.count()) {
  if (comm == abi::comm_world || comm == abi::comm_self || comm == abi::Comm::null) return;
  under_way.begin(comm, this);
  frees_of_thread.last[frees_of_thread.count++ % frees_of_thread.last.size()] = comm;
  if (!abi::is_communicator(comm) || !is_up()) return;
  const abi::Attribute kept = abi::comm_get_attr(comm, key);
  refused = kept.refused;
  if (kept.found) abi::comm_delete_attr(comm, key);
}
Freeing::~Freeing() {
  under_way.end(this);
  ended.end_after(before_);
}
void Freeing::is_in_vain() const {
  if (void** const of_ended = ended.find(comm_)) give_to_mpi(comm_, std::exchange(*of_ended, nullptr));
}

std::uint64_t frees() { return frees_of_thread.count; }
bool is_freed_since(std::uint64_t before, abi::Comm comm) {
  const auto& last = frees_of_thread.last;
  while (before < frees_of_thread.count)
    if (last[before++ % last.size()] == comm) return true;
  return false;
}

void expect_end() { may_end = true; }
bool expects_end() { return may_end; }

}  // namespace mpigraft::entry
