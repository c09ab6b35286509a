// SPDX-License-Identifier: MIT
// A flow and a replay count the same rounds where nothing but messages and pages takes time.
#include <catch2/catch.hpp>
#include <utility>

#include "algorithms/model/flow.hpp"
#include "algorithms/model/no_data.hpp"
#include "algorithms/model/price.hpp"
#include "algorithms/model/recorders.hpp"
#include "test/algorithms/cases.hpp"

using namespace mpigraft;
using namespace mpigraft::proof;

TEST_CASE("a flow takes as many rounds as a replay") {
  model::Recording recording;
  for_each_proved([&](const Listed& A) {
    CAPTURE(A.name);
    for (int p = 1; p <= 40; ++p)
      for (const std::int64_t m : {1, 5})
        for (const Params& params : variants(*A.info, p, {.root = p / 2, .segment = small})) {
          recording = model::record(*A.info, p, m, params, false, std::move(recording));
          model::NoData nothing;
          const std::int64_t rounds = model::Flow(recording, nothing).run();
          if (static_cast<double>(rounds) != model::price(recording, model::count_rounds))
            FAIL("p = " << p << " ranks, m = " << m << ": " << rounds << " rounds");
        }
  });
}
