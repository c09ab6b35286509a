// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <vector>

#include "shim/compose/pairs.hpp"

using namespace mpigraft;
using compose::Blocks;

TEST_CASE("blocks hold the vector, and little else") {
  for (const std::int64_t size : {1, 4, 8, 24, 4096})
    for (std::int64_t elements = 1; elements < 5000; elements += 1 + elements / 16)
      for (const std::int64_t number : {std::int64_t{8}, std::int64_t{64}}) {
        const Blocks blocks(elements, size, number);
        CAPTURE(size, elements, number, blocks.length);
        const std::int64_t room = blocks.count() * blocks.length;
        CHECK(room >= elements);
        CHECK((room == elements || 8 * (room - elements) < elements));
        CHECK((blocks.length == 1 || blocks.bytes() <= 2048));
        if (number > 8) CHECK(blocks.count() >= std::min(elements, number));
      }
}

TEST_CASE("pairs of a vector, and its sums out of them again") {
  for (const std::int64_t elements : {1, 7, 33, 100, 1000}) {
    std::vector<std::uint64_t> vector(static_cast<std::size_t>(elements));
    std::iota(vector.begin(), vector.end(), 1);
    const Blocks blocks(elements, sizeof vector[0]);
    std::vector<std::uint64_t> pairs(static_cast<std::size_t>(2 * blocks.count() * blocks.length)), back(vector.size());
    compose::pair(reinterpret_cast<const char*>(vector.data()), reinterpret_cast<char*>(pairs.data()), blocks);
    for (std::int64_t i = 0; i < elements; ++i) {
      const auto sum = static_cast<std::size_t>(i / blocks.length * 2 * blocks.length + i % blocks.length);
      CHECK((pairs[sum] == vector[static_cast<std::size_t>(i)] &&
             pairs[sum + static_cast<std::size_t>(blocks.length)] == pairs[sum]));
    }
    CHECK(std::ranges::find(pairs, 0) == pairs.end());  // the padding has elements, too
    compose::project(reinterpret_cast<const char*>(pairs.data()), reinterpret_cast<char*>(back.data()), blocks, 0,
                     blocks.count());
    CHECK(back == vector);
  }
}
