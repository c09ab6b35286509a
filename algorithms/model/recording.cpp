// SPDX-License-Identifier: MIT
#include "algorithms/model/recording.hpp"

namespace mpigraft::model {

bool Recording::has_result(int rank) const {
  switch (collective) {
    case Collective::exscan:
      return rank > 0;
    case Collective::reduce:
      return rank == params.root;
    case Collective::scan:
    case Collective::bcast:
      break;
  }
  return true;
}

bool Recording::aliased(int rank) const {
  return collective == Collective::bcast || (in_place && collective != Collective::exscan && has_result(rank));
}

Span Recording::result(int rank) const {
  const auto count = static_cast<std::uint32_t>(m);
  return {aliased(rank) ? 0 : count, count};
}

std::uint32_t Recording::first_writable(int rank) const {
  const bool only_scratch = !has_result(rank) || (collective == Collective::bcast && rank == params.root);
  return only_scratch ? 2 * static_cast<std::uint32_t>(m) : result(rank).at;
}

}  // namespace mpigraft::model
