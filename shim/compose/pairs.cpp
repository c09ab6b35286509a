// SPDX-License-Identifier: MIT
#include "shim/compose/pairs.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <optional>
#include <vector>

#include "shim/abi/functions.hpp"

namespace mpigraft::compose {
namespace {

/// One of the two operators, on one of the halves of pairs.
struct Half {
  explicit Half(const abi::Call& call) : op(call.op), type(call.type), kernel(call.kernel) {}
  abi::Op op;
  abi::Type type;
  abi::Kernel kernel;  // null: by MPI_Reduce_local

  /// upper := lower (op) upper.
  void combine(const char* lower, char* upper, std::int64_t count) const {
    if (kernel)
      kernel(lower, upper, upper, count);
    else
      abi::reduce_local(lower, upper, static_cast<int>(count), type, op);
  }
};

struct Entry {
  Entry(const Operators& operators, abi::Type type_of_pairs)
      : pairs(type_of_pairs), times(operators.times), plus(operators.plus), size(operators.times.datatype.size) {}
  abi::Type pairs;
  Half times, plus;
  std::int64_t size;  // of a half

  bool is_for(const Operators& operators) const {
    return times.type == operators.times.type && times.op == operators.times.op && plus.op == operators.plus.op;
  }
};

/// All that the operator knows: MPI tells it nothing but the type.
struct Entries {
  std::mutex mutex;
  std::vector<Entry> all;
};
Entries& entries() {
  static Entries& one = *new Entries;
  return one;
}

template <class Element>
void spread(const char* from, char* to, std::int64_t count, std::int64_t from_step, std::int64_t to_step, Element) {
  for (std::int64_t i = 0; i < count; ++i, from += from_step, to += to_step) std::memcpy(to, from, sizeof(Element));
}

/// Called in MPI_Finalize: MPICH tells of types that are left.
void forget(void*) {
  const std::lock_guard lock(entries().mutex);
  for (Entry& entry : entries().all) abi::type_free(entry.pairs);
  entries().all.clear();
}

/// Copies elements of `size` bytes, from one to the next so many bytes on.
void copy(const char* from, std::int64_t from_step, char* to, std::int64_t to_step, std::int64_t count,
          std::int64_t size) {
  switch (size) {
    case 4:
      return spread(from, to, count, from_step, to_step, std::uint32_t{});
    case 8:
      return spread(from, to, count, from_step, to_step, std::uint64_t{});
    default:
      for (; count > 0; --count, from += from_step, to += to_step)
        std::memcpy(to, from, static_cast<std::size_t>(size));
  }
}

/// Both halves of some pairs, each in memory of its own, as operators take them.
class Halves {
 public:
  Halves(char* memory, std::int64_t count, std::int64_t size)
      : sums(memory), products(memory + count * size), count_(count), size_(size) {}
  void read(const char* pairs) {
    copy(pairs, 2 * size_, sums, size_, count_, size_);
    copy(pairs + size_, 2 * size_, products, size_, count_, size_);
  }
  void write(char* pairs) const {
    copy(sums, size_, pairs, 2 * size_, count_, size_);
    copy(products, size_, pairs + size_, 2 * size_, count_, size_);
  }
  char *sums, *products;

 private:
  std::int64_t count_, size_;
};

/// upper := lower <(+),(x)> upper; `memory` holds four vectors of so many elements.
void join(const Entry& entry, const char* lower, char* upper, std::int64_t count, char* memory) {
  Halves a(memory, count, entry.size), b(memory + 2 * count * entry.size, count, entry.size);
  a.read(lower);
  b.read(upper);
  entry.times.combine(a.products, b.sums, count);
  entry.plus.combine(a.sums, b.sums, count);
  entry.times.combine(a.products, b.products, count);
  b.write(upper);
}

/// In blocks that stay in the nearest cache.
void apply(const Entry& entry, const char* lower, char* upper, std::int64_t pairs) {
  alignas(64) std::array<char, 4 * longest_half> memory;
  const std::int64_t block = longest_half / entry.size;
  for (std::int64_t done = 0; done < pairs; done += block) {
    const std::int64_t from = 2 * done * entry.size;
    join(entry, lower + from, upper + from, std::min(block, pairs - done), memory.data());
  }
}

/// An MPI_User_function. MPI passes the type of the call.
void operator_on_pairs(void* lower, void* upper, int* count, void* type) {
  std::optional<Entry> found;
  {
    const std::lock_guard lock(entries().mutex);
    const auto entry = std::ranges::find(entries().all, abi::type_at(type), &Entry::pairs);
    if (entry != entries().all.end()) found = *entry;
  }
  if (found) apply(*found, static_cast<const char*>(lower), static_cast<char*>(upper), *count);
}

}  // namespace

PairType::PairType(const Operators& operators) : kept_(abi::is_builtin(operators.times.type)) {
  const std::lock_guard lock(entries().mutex);
  auto& all = entries().all;
  const auto known = std::ranges::find_if(all, [&](const Entry& entry) { return entry.is_for(operators); });
  if (kept_ && known != all.end()) {
    handle_ = known->pairs;
    return;
  }
  static std::once_flag once;
  std::call_once(once, [] { abi::comm_set_attr(abi::comm_self, abi::comm_create_keyval(forget), nullptr); });
  handle_ = abi::type_twice(operators.times.type);
  all.push_back(Entry(operators, handle_));
}

PairType::~PairType() {
  if (kept_) return;
  const std::lock_guard lock(entries().mutex);
  std::erase_if(entries().all, [&](const Entry& entry) { return entry.pairs == handle_; });
  abi::type_free(handle_);
}

abi::Op pair_operator() {
  static const abi::Op made = abi::own_op = abi::op_create(operator_on_pairs);
  return made;
}

void pair(const char* from, char* pairs, std::int64_t count, std::int64_t size) {
  copy(from, size, pairs, 2 * size, count, size);
  copy(from, size, pairs + size, 2 * size, count, size);
}

void project(const char* pairs, char* to, std::int64_t count, std::int64_t size) {
  copy(pairs, 2 * size, to, size, count, size);
}

}  // namespace mpigraft::compose
