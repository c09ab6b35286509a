// SPDX-License-Identifier: MIT
#pragma once

namespace mpigraft::agree {

/// A process has about 2000 context ids. mpigraft takes at most this many and leaves the rest to the program.
inline constexpr int max_private_communicators = 512;

// THE reasons why calls on a communicator stay native, and the same in words. If ranks have different reasons, the
// later one in this list prevails. With `later` the ranks negotiate again. The reasons from `warming_up` on are those
// of single calls.
// clang-format off
#define MPIGRAFT_FALLBACK_REASONS(X)                                                                              \
  X(none, "")                                                                                                     \
  X(later, "not set up yet")                                                                                      \
  X(intercommunicator, "intercommunicator")                                                                       \
  X(other_world, "a process of another MPI_COMM_WORLD")                                                           \
  X(settings, "a defect in an MPIGRAFT_* variable")                                                               \
  X(library, "the MPI library is not what its binary interface says")                                             \
  X(gpu, "a GPU driver is loaded that cannot be asked where buffers lie")                                         \
  X(site, "the site has switched mpigraft off")                                                                   \
  X(table, "the table is unusable")                                                                               \
  X(differs, "settings differ between ranks")                                                                     \
  X(many, "512 private communicators are in use")                                                                 \
  X(context, "MPI has no context id left for a private communicator")                                             \
  X(memory, "a rank was out of memory")                                                                           \
  X(warming_up, "first calls of a communicator")                                                                  \
  X(early, "nonblocking, before a blocking call has set the communicator up")                                     \
  X(not_carried_on, "nonblocking, but mpigraft cannot run inside MPI's other calls, or several threads call MPI") \
  X(program_operator, "nonblocking, with a user-defined operator, and MPI_Op_free does not reach mpigraft")       \
  X(persistent, "persistent, and there is no room for another such request, or MPI_Start does not reach mpigraft")
// clang-format on
static_assert(max_private_communicators == 512);

#define MPIGRAFT_NAME_OF(name, words) name,
enum class FallbackReason { MPIGRAFT_FALLBACK_REASONS(MPIGRAFT_NAME_OF) };
#undef MPIGRAFT_NAME_OF

/// The reason in words; empty for `none`.
constexpr const char* words_of(FallbackReason reason) {
#define MPIGRAFT_WORDS_OF(name, words) words,
  constexpr const char* all[] = {MPIGRAFT_FALLBACK_REASONS(MPIGRAFT_WORDS_OF)};
#undef MPIGRAFT_WORDS_OF
  return all[static_cast<int>(reason)];
}

}  // namespace mpigraft::agree
