// SPDX-License-Identifier: MIT
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>

#include "shim/abi/functions.hpp"
#include "shim/agree/negotiation.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"
#include "shim/wait/backoff.hpp"
#include "shim/wait/requests.hpp"

namespace mpigraft::agree {
namespace {

/// A nonblocking minimum over the ranks of a communicator.
struct Minimum {
  std::array<std::int64_t, most_words> mine{}, least{};
  abi::Request request = abi::Request::null;

  void begin(const void* words, int n, abi::Comm comm) {
    std::memcpy(mine.data(), words, static_cast<std::size_t>(n) * sizeof mine[0]);
    abi::allreduce(mine.data(), least.data(), n, abi::type_int64, abi::op_min, comm, &request);
  }

  /// Returns false if it is not over at that time.
  bool finish(std::int64_t until_ns) {
    abi::Status status;
    for (wait::Backoff backoff(true); !wait::poll(request, status); backoff.pause())
      if (base::now_ns() > until_ns) return false;
    return status.error == abi::success;
  }
};

/// The two votes of a negotiation. MPI writes to those that are not over until all ranks have answered. Where some
/// never do, nonblocking collectives of the program on that communicator meet the votes, because MPI matches them in
/// order.
struct Votes {
  Minimum words, nobody_gave_up;
};

/// The votes of this process that were not over in time; null: none, or all ranks have answered since.
std::atomic<Votes*> unanswered{nullptr};

bool ranks_are_silent() {
  Votes* const votes = unanswered.exchange(nullptr);
  if (!votes) return false;
  abi::Status status;
  if (abi::test(votes->words.request, status) && abi::test(votes->nobody_gave_up.request, status))
    return delete votes, false;
  unanswered = votes;
  return true;
}

/// True for one of the processes of this node that have the same parent, which the launcher's often have.
bool speaks_for_node() {
  const int socket_for_life = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_un name{.sun_family = AF_UNIX, .sun_path = {}};  // an abstract name begins with NUL and leaves no file
  const int length = std::snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "mpigraft-answer-%d", getppid());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<std::size_t>(length));
  if (socket_for_life < 0 || bind(socket_for_life, reinterpret_cast<sockaddr*>(&name), size) == 0) return true;
  close(socket_for_life);
  return false;
}

void tell_of_silence(const Negotiated& agreed, std::int64_t seconds) {
  static std::atomic<bool> told{false};
  if (told.exchange(true) || !speaks_for_node()) return;
  base::ignore_bad_alloc([&] {
    base::log(
        "rank " + std::to_string(agreed.rank) + " of " + std::to_string(agreed.size) + " has waited " +
        std::to_string(seconds) +
        " s for other ranks of its communicator and goes on natively: they are late, or their calls do not reach "
        "mpigraft and nonblocking collectives fail; load it on all ranks or none, with the same MPIGRAFT_DISABLE, "
        "and no tool on some ranks only (MPIGRAFT_ANSWER sets the seconds)");
  });
}

}  // namespace

bool first_vote(const void* mine, void* least, int words, const Negotiated& agreed) {
  static constexpr std::int64_t yes = 1, no = 0;
  std::int64_t seconds = table::Settings{}.answer;
  base::ignore_bad_alloc([&] { seconds = base::settings().answer; });
  const bool silent = ranks_are_silent();
  Votes of_stack;  // used without memory: then this rank waits for all answers
  Votes* const votes = new (std::nothrow) Votes;
  Votes& in_use = votes ? *votes : of_stack;
  in_use.words.begin(mine, words, agreed.comm);
  const std::int64_t until_ns = !votes ? INT64_MAX : silent ? 0 : base::now_ns() + seconds * 1'000'000'000;
  const bool in_time = in_use.words.finish(until_ns);
  in_use.nobody_gave_up.begin(in_time ? &yes : &no, 1, agreed.comm);
  if (!in_time) {
    if (!votes) of_stack.nobody_gave_up.finish(INT64_MAX);
    unanswered = votes;  // of several communicators, the last is as good as any
    tell_of_silence(agreed, seconds);
    return false;
  }
  in_use.nobody_gave_up.finish(INT64_MAX);
  std::memcpy(least, in_use.words.least.data(), static_cast<std::size_t>(words) * sizeof(std::int64_t));
  const bool answered = in_use.nobody_gave_up.least[0] == yes;
  delete votes;
  return answered;
}

}  // namespace mpigraft::agree
