// SPDX-License-Identifier: MIT
// Whichever rank fails, and whenever: every rank whose result depends on it learns of it, and nobody waits for ever.
#include <catch2/catch.hpp>
#include <utility>

#include "algorithms/model/check.hpp"
#include "test/algorithms/cases.hpp"

using namespace mpigraft;
using namespace mpigraft::proof;

// Two elements, so that a pipeline has two blocks.

TEST_CASE("every failure of few ranks", "[poison]") {
  long failures = 0;
  model::Recording recording;
  for_each_proved([&](const Listed& A) {
    for (int p = 1; p <= all_failures; ++p)
      for (const int root : roots(A.info->collective, p))
        for (const bool in_place : in_place_modes(A.info->collective)) {
          recording = model::record(*A.info, p, 2, {.root = root, .segment = small}, in_place, std::move(recording));
          expect(A, recording, model::check_poison(recording));
          failures += static_cast<long>(recording.events.size());
        }
  });
  CHECK((failures > 0 || !only().empty()));
}

TEST_CASE("sampled failures of many ranks", "[poison]") {
  Random random(2);
  long failures = 0;
  model::Recording recording;
  for_each_proved([&](const Listed& A) {
    for (int sample = 0; is_for(*A.info, all_failures + 1) && sample < (full() ? 5000 : 300); ++sample) {
      const int p = all_failures + 1 + random.below(1000), r = random.below(p);
      const int root = info_of(A.info->collective).rooted() ? random.below(p) : 0;
      recording = model::record(*A.info, p, 2, {.root = root, .segment = small}, false, std::move(recording));
      if (recording.event_count(r) == 0) continue;
      expect(A, recording, model::check_poison(recording, r, random.below(recording.event_count(r))));
      ++failures;
    }
  });
  CHECK((failures > 0 || !only().empty()));
}
