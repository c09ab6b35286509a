// SPDX-License-Identifier: MIT
// Every pipelined algorithm overlaps messages with combining as soon as there are blocks to overlap.
#include <catch2/catch.hpp>
#include <utility>

#include "algorithms/model/check.hpp"
#include "test/algorithms/cases.hpp"

using namespace mpigraft;
using namespace mpigraft::proof;

TEST_CASE("pipelines announce every receive before they combine what has come") {
  long combining = 0;
  model::Recording recording;
  for_each_proved([&](const Listed& A) {
    if (!A.info->pipelined || A.info->placement != Placement::any) return;  // of nodes: nodes_test.cpp
    for (int p = 1; p <= 40; ++p)
      for (const int root : roots(A.info->collective, p))
        for (const std::int64_t m : {3, 8, 40})
          for (const std::int64_t length : {1, 2, 9}) {
            if (m - m / 2 <= length) continue;  // one block per half
            recording =
                model::record(*A.info, p, m, {.root = root, .segment = small * length}, false, std::move(recording));
            expect(A, recording, model::check_ahead(recording));
            combining += recording.most.combined > 0;
          }
  });
  CHECK(combining > 0);
}
