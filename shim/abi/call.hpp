// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "algorithms/collective.hpp"
#include "shim/abi/handles.hpp"
#include "shim/abi/parameters.hpp"

namespace mpigraft::abi {

/// An intercepted call as the program made it. Its handles are the registers' contents, because they cannot be
/// interpreted before the library is known (abi::passed).
struct RawCall {
  Collective collective;
  bool large;                  // the _c form
  bool equal = false;          // the function whose parts have one length, as MPI_Reduce_scatter_block
  const void* send = nullptr;  // null if the signature has only one buffer
  void* recv = nullptr;        // or the only buffer
  std::int64_t count = 0;      // elements of the vector, or of each part if `equal`; 0 if there is an array of counts
  Word raw_type = 0;
  Word raw_op = 0;  // 0 if nothing is combined
  int root = 0;     // 0 if there is no root
  Word comm = 0;
  // Only of some collectives whose vector has parts:
  std::int64_t send_count = 0;  // of the part that this rank contributes
  Word raw_send_type = 0;
  const void* counts = nullptr;  // the parts' lengths: int, or MPI_Count in the _c form; null: all are `count`
  const void* displs = nullptr;  // where gathered parts go: int, or MPI_Aint; null: one follows the other

  /// True if the vector consists of one part for each rank.
  bool in_parts() const { return equal || counts; }
};

/// The member for an argument of this type; null: there is none.
constexpr std::nullptr_t member_for(const auto&) { return nullptr; }
constexpr auto member_for(Narrow::sendbuf) { return &RawCall::send; }
constexpr auto member_for(Narrow::recvbuf) { return &RawCall::recv; }
constexpr auto member_for(Narrow::count) { return &RawCall::count; }
constexpr auto member_for(Large::count) { return &RawCall::count; }
constexpr auto member_for(Narrow::datatype) { return &RawCall::raw_type; }
constexpr auto member_for(Narrow::op) { return &RawCall::raw_op; }
constexpr auto member_for(Narrow::root) { return &RawCall::root; }
constexpr auto member_for(Narrow::comm) { return &RawCall::comm; }
constexpr auto member_for(Narrow::sendcount) { return &RawCall::send_count; }
constexpr auto member_for(Large::sendcount) { return &RawCall::send_count; }
constexpr auto member_for(Narrow::sendtype) { return &RawCall::raw_send_type; }
constexpr auto member_for(Narrow::counts) { return &RawCall::counts; }
constexpr auto member_for(Large::counts) { return &RawCall::counts; }
constexpr auto member_for(Narrow::displs) { return &RawCall::displs; }

template <class Class, class Member>
constexpr Member nothing_for(Member Class::*) {
  return {};
}
/// The argument for a member, or 0 if there is none.
template <auto member, class... Arguments>
[[gnu::always_inline]] inline auto picked(Arguments... arguments) {
  using Value = decltype(nothing_for(member));
  Value value{};
  const auto take = [&]<class Argument>(Argument argument) {
    if constexpr (std::is_same_v<decltype(member_for(argument)), decltype(member)>)
      if constexpr (member_for(Argument{}) == member) value = static_cast<Value>(argument);
  };
  (take(arguments), ...);
  return value;
}

/// Calls use(call) with a RawCall of these arguments, and leaves out others than those above. The call is stored in one
/// go, because a load of what several stores have made would wait for them.
template <class Use, class... Arguments>
[[gnu::always_inline]] inline int as_call(Collective collective, bool equal, Use use, Arguments... given) {
  return use({.collective = collective,
              .large = (is_large<Arguments> || ...),
              .equal = equal,
              .send = picked<&RawCall::send>(given...),
              .recv = picked<&RawCall::recv>(given...),
              .count = picked<&RawCall::count>(given...),
              .raw_type = picked<&RawCall::raw_type>(given...),
              .raw_op = picked<&RawCall::raw_op>(given...),
              .root = picked<&RawCall::root>(given...),
              .comm = picked<&RawCall::comm>(given...),
              .send_count = picked<&RawCall::send_count>(given...),
              .raw_send_type = picked<&RawCall::raw_send_type>(given...),
              .counts = picked<&RawCall::counts>(given...),
              .displs = picked<&RawCall::displs>(given...)});
}

template <class Argument>
Argument argument_of(const RawCall& call) {
  return static_cast<Argument>(call.*member_for(Argument{}));
}

/// Makes the call by its PMPI function, with the arguments untouched. Returns MPI's error code.
int forward(const RawCall& call);
/// With a place for a request, makes the call by PMPI's nonblocking form, and sets the request.
int forward(const RawCall& call, Request* request);

}  // namespace mpigraft::abi
