// SPDX-License-Identifier: MIT
#include "shim/compose/pairs.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <optional>
#include <vector>

#include "shim/abi/functions.hpp"
#include "shim/base/own_objects.hpp"

namespace mpigraft::compose {
namespace {

/// One of the two operators, on the type of the elements.
struct Half {
  explicit Half(const abi::Call& call) : op(call.op), type(call.type), kernel(call.kernel) {}
  abi::Op op;
  abi::Type type;
  abi::Kernel kernel;  // null: MPI_Reduce_local combines

  /// upper := lower (op) upper.
  void combine(const char* lower, char* upper, std::int64_t count) const {
    if (kernel)
      kernel(lower, upper, upper, count);
    else
      abi::reduce_local(lower, upper, static_cast<int>(count), type, op);
  }
};

struct Entry {
  abi::Type pairs;
  Half times, plus;
  std::int64_t length, half;  // elements of a block, and their bytes

  bool is_for(const Operators& operators, const Blocks& blocks) const {
    return times.type == operators.times.type && times.op == operators.times.op && plus.op == operators.plus.op &&
           length == blocks.length;
  }
};

/// The facts that the operator needs, found by the type of pairs, because MPI passes it nothing but that type.
struct Entries {
  std::mutex mutex;
  std::vector<Entry> all;
};
Entries& entries() { return base::of_process<Entries>(); }

/// Frees the types in MPI_Finalize, because MPICH reports types that were not freed.
void forget(abi::Comm, void*) {
  const std::lock_guard lock(entries().mutex);
  for (Entry& entry : entries().all) abi::type_free(entry.pairs);
  entries().all.clear();
}

/// upper := lower <(+),(x)> upper, for one block.
void join(const Entry& entry, const char* lower, char* upper) {
  const char *sum = lower, *product = lower + entry.half;
  entry.times.combine(product, upper, entry.length);
  entry.plus.combine(sum, upper, entry.length);
  entry.times.combine(product, upper + entry.half, entry.length);
}

/// The operator <(+),(x)> as an MPI_User_function (MPI-4.0, 6.9.5). `type` is the address of the handle of a type of
/// pairs.
void operator_on_pairs(void* lower, void* upper, int* count, void* type) {
  std::optional<Entry> found;
  {
    const std::lock_guard lock(entries().mutex);
    const auto entry = std::ranges::find(entries().all, abi::type_at(type), &Entry::pairs);
    if (entry != entries().all.end()) found = *entry;
  }
  if (!found) return;
  for (std::int64_t block = 0; block < *count; ++block) {
    const std::int64_t at = 2 * block * found->half;
    join(*found, static_cast<const char*>(lower) + at, static_cast<char*>(upper) + at);
  }
}

char* copy(const char* from, char* to, std::int64_t bytes) {
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
  return to + bytes;
}

}  // namespace

Blocks::Blocks(std::int64_t elements_, std::int64_t element_bytes, std::int64_t number)
    : elements(elements_), size(element_bytes) {
  constexpr std::int64_t one_block = 32, longest = 1024;
  const auto most = static_cast<std::uint64_t>(std::max<std::int64_t>(1, longest / size));
  const auto fitting = static_cast<std::uint64_t>(std::max<std::int64_t>(1, elements / number));
  length = static_cast<std::int64_t>(std::bit_floor(std::min(most, fitting)));
  if (elements <= one_block && elements * size <= longest && number <= fewest_blocks) length = elements;
}

PairType::PairType(const Operators& operators, const Blocks& blocks) : kept_(abi::is_builtin(operators.times.type)) {
  const std::lock_guard lock(entries().mutex);
  auto& all = entries().all;
  const auto known = std::ranges::find_if(all, [&](const Entry& entry) { return entry.is_for(operators, blocks); });
  if (kept_ && known != all.end()) {
    handle_ = known->pairs;
    return;
  }
  static constinit abi::Key key({forget});
  static bool looks_at_end = false;
  if (!std::exchange(looks_at_end, true)) abi::comm_set_attr(abi::comm_self, key, nullptr);
  handle_ = abi::type_repeated(static_cast<int>(2 * blocks.length), operators.times.type);
  all.push_back({handle_, Half(operators.times), Half(operators.plus), blocks.length, blocks.bytes() / 2});
}

PairType::~PairType() {
  if (kept_) return;
  const std::lock_guard lock(entries().mutex);
  std::erase_if(entries().all, [&](const Entry& entry) { return entry.pairs == handle_; });
  abi::type_free(handle_);
}

abi::Op PairType::op() const {
  static const abi::Op on_kept = abi::own_operators.on_kept = abi::op_create(operator_on_pairs);
  static const abi::Op on_others = abi::own_operators.on_others = abi::op_create(operator_on_pairs);
  return kept_ ? on_kept : on_others;
}

void pair(const char* from, char* pairs, const Blocks& blocks) {
  const std::int64_t whole = blocks.elements / blocks.length, half = blocks.bytes() / 2;
  for (std::int64_t block = 0; block < whole; ++block, from += half) pairs = copy(from, copy(from, pairs, half), half);
  const std::int64_t rest = blocks.elements - whole * blocks.length;
  for (int which = 0; which < 2 && rest > 0; ++which) {
    pairs = copy(from, pairs, rest * blocks.size);
    for (std::int64_t i = rest; i < blocks.length; ++i) pairs = copy(from, pairs, blocks.size);
  }
}

void project(const char* pairs, char* to, const Blocks& blocks, std::int64_t first, std::int64_t count) {
  for (std::int64_t block = first; block < first + count; ++block, pairs += blocks.bytes()) {
    const std::int64_t elements = std::min(blocks.length, blocks.elements - block * blocks.length);
    to = copy(pairs, to, elements * blocks.size);
  }
}

}  // namespace mpigraft::compose
