// SPDX-License-Identifier: MIT
#include "algorithms/model/recorders.hpp"

#include <utility>

#include "algorithms/model/recording_transport.hpp"
#include "algorithms/types.hpp"

namespace mpigraft::model {
namespace {

template <class A>
Recording record_listed(int p, std::int64_t m, const Params& params, bool in_place, Recording&& reused) {
  return record<A>(p, m, params, in_place, std::move(reused));
}

}  // namespace

const std::array<Recorder, listed.size()> recorders = std::apply(
    [](auto... entry) {
      return std::array<Recorder, sizeof...(entry)>{record_listed<typename decltype(entry)::algorithm>...};
    },
    catalogue);

}  // namespace mpigraft::model
