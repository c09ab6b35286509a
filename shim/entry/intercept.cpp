// SPDX-License-Identifier: MIT
// The entry points of collectives: for each function in the table the blocking, the nonblocking and the persistent one,
// and if it has a count, their _c forms.
#include "shim/entry/intercept.hpp"

#include <tuple>

#include "shim/entry/nonblocking.hpp"

namespace mpigraft::entry {
namespace {

using abi::Function;
using abi::Narrow;

template <Collective collective, bool equal, class... Arguments>
[[gnu::always_inline]] inline int blocking(Function& definition, const void* caller, Arguments... arguments) {
  return make<collective, equal>(&definition, caller, arguments...);
}

/// A nonblocking or persistent form that is not grafted goes to the next definition.
template <Collective collective, bool equal, class... Arguments>
int starting(Function& definition, const void* caller, Arguments... arguments) {
  constexpr bool persistent = (std::is_same_v<Arguments, Narrow::info> || ...);
  const abi::Binding next = definition.next(caller);
  std::optional<int> error;
  const auto graft = [&](const abi::RawCall& call) {
    void* const place = std::get<Narrow::newrequest>(std::tuple(arguments...));
    error = graft_starting(call, place, persistent);
    return error.has_value();
  };
  if (next.grafted && abi::as_call(collective, equal, graft, arguments...)) return *error;
  return reinterpret_cast<int (*)(Arguments...)>(next.function)(arguments...);
}

}  // namespace
}  // namespace mpigraft::entry

#define ENTRY_POINT(how, name, Width, collective, equal, ...) \
  MPIGRAFT_C(name, Width, mpigraft::abi::Function(#name),     \
             (mpigraft::entry::how<mpigraft::Collective::collective, equal>), __VA_ARGS__)
#define X(name, equal, function, lower, upper, signature, ...) \
  MPIGRAFT_FORMS(ENTRY_POINT, function, lower, signature, name, equal)
MPIGRAFT_COLLECTIVE_FUNCTIONS(X)
