// SPDX-License-Identifier: MIT
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <list>

#include "test/unit/shim/fake_world.hpp"

namespace mpigraft::abi {
namespace {

using namespace test;

/// A receive that was begun.
struct Begun {
  Request request;
  void* into;
  std::size_t most;
  int from;
  Comm comm;
  bool done = false;
  int tag = 0;
  std::size_t bytes = 0;
};
std::list<Begun> begun;  // in order: the receives of a rank take its letters in that order

std::size_t bytes_of(int count, Type type) {
  return static_cast<std::size_t>(count) * static_cast<std::size_t>(type_size(type));
}

bool is_alone(Comm comm) { return comm_size(comm) == 1; }

void deliver(Begun& to) {
  Mail& mail = world().mail[static_cast<std::size_t>(to.from)][static_cast<std::size_t>(own_rank())];
  const std::uint32_t end = mail.written.load(std::memory_order_acquire);
  std::uint32_t next = mail.read.load(std::memory_order_relaxed);
  const auto letter_at = [&](std::uint32_t i) -> Mail::Letter& { return mail.letters[i % Mail::room]; };
  const auto is_for = [&](const Mail::Letter& letter) { return !letter.taken && letter.comm == to.comm; };
  std::uint32_t i = next;
  while (i != end && !is_for(letter_at(i))) ++i;
  if (i == end) return;
  Mail::Letter& letter = letter_at(i);
  if (letter.bytes > to.most) std::abort();  // MPICH ends the program
  std::memcpy(to.into, letter.text.data(), letter.bytes);
  to.done = true, to.tag = letter.tag, to.bytes = letter.bytes;
  letter.taken = true;
  while (next != end && letter_at(next).taken) ++next;
  mail.read.store(next, std::memory_order_release);
}

void deliver_all() {
  for (auto one = begun.begin(); one != begun.end(); ++one) {
    const auto is_earlier = [&](const Begun& other) {
      return !other.done && other.from == one->from && other.comm == one->comm;
    };
    if (!one->done && std::none_of(begun.begin(), one, is_earlier)) deliver(*one);
  }
}

struct Envelope {
  int tag;
  std::size_t bytes;
};

/// The least of all ranks' numbers, one by one.
template <class T>
void least(const void* from, void* to, int count) {
  const std::size_t n = static_cast<std::size_t>(count);
  std::vector<T> result(n);
  meet(from, n * sizeof(T), [&](const auto& slots) {
    for (int rank = 0; rank < world().size; ++rank) {
      std::vector<T> theirs(n);
      std::memcpy(theirs.data(), slots[static_cast<std::size_t>(rank)].data(), n * sizeof(T));
      for (std::size_t i = 0; i < n; ++i) result[i] = rank == 0 ? theirs[i] : std::min(result[i], theirs[i]);
    }
  });
  std::memcpy(to, result.data(), n * sizeof(T));
}

template <class T>
int sum_up(const void* lower, void* upper, int count) {
  for (int i = 0; i < count; ++i) {
    T x, y;
    std::memcpy(&x, static_cast<const char*>(lower) + static_cast<std::size_t>(i) * sizeof x, sizeof x);
    std::memcpy(&y, static_cast<char*>(upper) + static_cast<std::size_t>(i) * sizeof y, sizeof y);
    y = x + y;
    std::memcpy(static_cast<char*>(upper) + static_cast<std::size_t>(i) * sizeof y, &y, sizeof y);
  }
  return success;
}

}  // namespace

int tag_of(const Status& status) { return reinterpret_cast<const Envelope*>(status.of_library)->tag; }
int count_of(const Status& status, Type type) {
  const auto bytes = static_cast<std::int64_t>(reinterpret_cast<const Envelope*>(status.of_library)->bytes);
  return bytes % type_size(type) == 0 ? static_cast<int>(bytes / type_size(type)) : undefined;
}

int isend(const void* from, int count, Type type, int to, int tag, Comm comm, Request& request) {
  Mail& mail = world().mail[static_cast<std::size_t>(own_rank())][static_cast<std::size_t>(to)];
  const std::uint32_t next = mail.written.load(std::memory_order_relaxed);
  while (next - mail.read.load(std::memory_order_acquire) == Mail::room) sched_yield();
  Mail::Letter& letter = mail.letters[next % Mail::room];
  letter.comm = comm, letter.taken = false, letter.tag = tag, letter.bytes = bytes_of(count, type);
  if (letter.bytes > letter.text.size()) std::abort();
  if (letter.bytes > 0) std::memcpy(letter.text.data(), from, letter.bytes);
  mail.written.store(next + 1, std::memory_order_release);
  ++asked().messages;
  request = Request::null;
  return success;
}
int issend(const void* from, int count, Type type, int to, int tag, Comm comm, Request& request) {
  return isend(from, count, type, to, tag, comm, request);
}

int irecv(void* into, int count, Type type, int from, int, Comm comm, Request& request) {
  static std::uintptr_t last = 0;
  request = static_cast<Request>(++last);
  begun.push_back({.request = request, .into = into, .most = bytes_of(count, type), .from = from, .comm = comm});
  return success;
}

bool test(Request& request, Status& status) {
  status.error = success;
  if (request == Request::null) return true;
  deliver_all();
  const auto found = std::ranges::find(begun, request, &Begun::request);
  if (!found->done) return false;
  const Envelope envelope{found->tag, found->bytes};
  std::memcpy(status.of_library, &envelope, sizeof envelope);
  begun.erase(found);
  request = Request::null;
  return true;
}

void wait(Request& request, Status& status) {
  while (!test(request, status)) sched_yield();
}

int copy(const void* from, void* to, int count, Type type, Comm) {
  std::memmove(to, from, bytes_of(count, type));
  return success;
}

void progress() {
  deliver_all();
  asked().look();
}

int bcast(void* buffer, int count, Type type, int root, Comm comm) {
  if (is_alone(comm)) return success;
  ++asked().collectives;
  meet(buffer, bytes_of(count, type), [&](const auto& slots) {
    std::memcpy(buffer, slots[static_cast<std::size_t>(root)].data(), bytes_of(count, type));
  });
  return success;
}

int allreduce(const void* from, void* to, int count, Type type, Op op, Comm comm) {
  if (count == 0) return success;  // such a call asks whether the handles are taken
  if (op != op_min) std::abort();
  if (is_alone(comm)) return std::memcpy(to, from, bytes_of(count, type)), success;
  ++asked().collectives;
  type == type_int ? least<int>(from, to, count) : least<std::int64_t>(from, to, count);
  return success;
}

int allgather(const void* own, void* all, std::size_t bytes, Comm comm) {
  if (is_alone(comm)) return std::memcpy(all, own, bytes), success;
  ++asked().collectives;
  meet(own, bytes, [&](const auto& slots) {
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(world().size); ++rank)
      std::memcpy(static_cast<char*>(all) + rank * bytes, slots[rank].data(), bytes);
  });
  return success;
}

int ibcast(void* buffer, int count, Type type, int root, Comm comm, Request& request) {
  request = Request::null;
  return bcast(buffer, count, type, root, comm);
}
int iallreduce(const void* from, void* to, int count, Type type, Op op, Comm comm, Request& request) {
  request = Request::null;
  return allreduce(from, to, count, type, op, comm);
}
int iallgather(const void* own, void* all, std::size_t bytes, Comm comm, Request& request) {
  request = Request::null;
  return allgather(own, all, bytes, comm);
}

bool can_make_requests() { return true; }
int request_for(OwnOperation& operation, Request& request) {
  request = static_cast<Request>(reinterpret_cast<std::uintptr_t>(&operation));
  return success;
}
void complete(Request) {}

bool true_on_all(bool mine, Comm comm) {
  int one = mine, every = 0;
  allreduce(&one, &every, 1, type_int, op_min, comm);
  return every != 0;
}

int pack(const void* from, std::int64_t, Type, char* packed, std::int64_t bytes, Comm) {
  return std::memcpy(packed, from, static_cast<std::size_t>(bytes)), success;
}
int unpack(const char* packed, std::int64_t bytes, void* to, std::int64_t, Type, Comm) {
  return std::memcpy(to, packed, static_cast<std::size_t>(bytes)), success;
}

int reduce_local(const void* lower, void* upper, int count, Type type, Op op) {
  if (within_operator()) within_operator()();
  if (op == op_first) return std::memcpy(upper, lower, bytes_of(count, type)), success;
  if (op != op_sum || (type != type_int64 && type != type_double)) return err_other;
  return type == type_double ? sum_up<double>(lower, upper, count) : sum_up<std::uint64_t>(lower, upper, count);
}

}  // namespace mpigraft::abi
