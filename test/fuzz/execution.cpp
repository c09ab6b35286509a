// SPDX-License-Identifier: MIT
#include <cstring>
#include <numeric>
#include <optional>

#include "test/fuzz/case.hpp"

namespace mpigraft::fuzz {
namespace {

/// All that the program's operator knows of the call that it works for.
struct Current {
  const Kind* kind = nullptr;
  const Layout* layout = nullptr;
  bool other_type = false;
} current;

void combine(void* in, void* inout, std::int64_t n, MPI_Datatype type) {
  current.other_type |= type != current.layout->type();
  const std::size_t size = current.kind->size;
  for (std::int64_t i = 0; i < n; ++i)
    for (const std::int64_t offset : current.layout->offsets()) {
      const std::int64_t at = i * current.layout->extent() + offset;
      std::uint64_t lower, upper;  // aligned
      std::memcpy(&lower, abi::moved(in, at), size), std::memcpy(&upper, abi::moved(inout, at), size);
      current.kind->join(&lower, &upper, 1);
      std::memcpy(abi::moved(inout, at), &upper, size);
    }
}
void combine_int(void* in, void* inout, int* n, MPI_Datatype* type) { combine(in, inout, *n, *type); }
[[maybe_unused]] void combine_count(void* in, void* inout, MPI_Count* n, MPI_Datatype* type) {
  combine(in, inout, *n, *type);
}

class Operator {
 public:
  explicit Operator(const Case& c) : op_(c.kind->op) {
    if (op_ != MPI_OP_NULL || !c.facts().combines()) return;
    owned_ = true;
#if MPI_VERSION >= 4
    if (c.number % 2)
      MPI_Op_create_c(combine_count, c.commutes, &op_);
    else
#endif
      MPI_Op_create(combine_int, c.commutes, &op_);
  }
  ~Operator() {
    if (owned_) MPI_Op_free(&op_);
  }
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;
  operator MPI_Op() const { return op_; }

 private:
  MPI_Op op_;
  bool owned_ = false;
};

/// The type and count by which a rank describes its elements.
struct Words {
  Layout layout;
  std::int64_t count;
};

/// Another description of `units` of the case for this rank; empty: the one that others use.
std::optional<Words> reword(const Case& c, std::int64_t units, Random& random) {
  switch (random.below(4)) {
    case 0:
      return Words{Layout(*c.kind), units};
    case 1:
      if (units > 0 || draws_empty_elements) return Words{Layout::row(*c.kind, units), 1};
      return {};
    case 2:
      return {};
    default:
      Layout drawn = Layout::draw(random, *c.kind, units, c.bare);
      if (drawn.units() == 0 || units % drawn.units() != 0) return {};
      const std::int64_t count = units / drawn.units();
      return Words{std::move(drawn), count};
  }
}

/// Where each rank's part begins among the received elements, and the number of elements that there is room for.
std::vector<std::int64_t> draw_places(const Case& c, Random& random) {
  if (c.equal_parts || c.facts().result.length == Length::part) return c.firsts;
  std::vector<std::int64_t> order(static_cast<std::size_t>(c.p)), places(order.size() + 1);
  std::iota(order.begin(), order.end(), 0);
  if (random.percent(50)) random.shuffle(order);
  const std::int64_t gaps = random.percent(50) ? most_gaps : 0;
  for (const std::int64_t rank : order) {
    places[static_cast<std::size_t>(rank)] = places.back() + random.between(0, gaps);
    places.back() = places[static_cast<std::size_t>(rank)] + c.part(static_cast<int>(rank));
  }
  return places;
}

std::vector<std::int64_t> places_of_elements(const Case& c, const std::vector<std::int64_t>& places) {
  std::vector<std::int64_t> all;
  for (int rank = 0; rank < c.p; ++rank)
    for (std::int64_t i = 0; i < c.part(rank); ++i) all.push_back(places[static_cast<std::size_t>(rank)] + i);
  return all;
}

class Execution {
 public:
  /// `words` describe an input that is a part.
  Execution(const Case& c, const std::optional<Words>& words, int rank, Random& random)
      : c_(c),
        rank_(rank),
        in_place_(takes_in_place(c.row(), rank, c.root) && !c.bare && random.percent(25)),
        long_form_(random.percent(30)),
        // not on the first rank of an exclusive scan: MPICH looks at its buffer, too
        null_(!c.bare && !in_place_ && !receives() && c.facts().result.holders == Holders::root_only &&
              random.percent(50)),
        op_(c),
        places_(c.facts().has_parts() ? draw_places(c, random) : std::vector<std::int64_t>{}),
        send_(*c.kind, words ? words->layout : c.layout, words ? words->count : count_of(c.facts().input)),
        recv_(received()) {
    send_.write(c.operand(rank));
    if (holds_input()) recv_.write(c.input(rank));
    if (places_.empty()) return;
    cut_.emplace(rank, c.firsts, places_);
    if (c.equal_parts) cut_->each = c.part(rank);
    if (words) cut_->count = words->count, cut_->input = words->layout.type();
  }

  void call(Case& c, MPI_Comm comm, bool bottom) {
    const bool derived = c.facts().in_place == InPlace::in_buffer || (in_place_ && c.kind->op == MPI_OP_NULL);
    if (bottom && derived && c.layout.units() > 0) {
      c.layout.make_absolute(recv_.element_0());
      bottom_ = true;
    }
    current = {c.kind, &c.layout, false};
    const std::int64_t count = c.equal_parts ? c.part(rank_) : c.count;
    const arguments all{send(), recv(), count, c.layout.type(), op_, c.root, comm};
    const int form = (long_form_ ? large_form : plain_form) | (c.nonblocking ? nonblocking_form : 0);
    error_ = call_to_end(c.row(), form, &all, cut_ ? &*cut_ : nullptr);
  }

  std::string verdict() const {
    if (error_ != MPI_SUCCESS) return error_text();
    if (current.other_type) return "the operator was called with a datatype that is not the call's";
    const Values input = c_.operand(rank_);
    if (const std::string text = send_.difference(&input); !text.empty()) return "send buffer: " + text;
    Values right = receives() ? c_.result(rank_) : input;
    if (left_behind())
      right.insert(right.end(), input.begin() + static_cast<std::ptrdiff_t>(right.size()), input.end());
    const std::string text = recv_.difference(receives() || holds_input() ? &right : nullptr);
    return text.empty() ? text : "receive buffer: " + text;
  }

 private:
  bool holds_input() const { return in_place_ || input_in_result(c_.row(), rank_, c_.root); }
  bool receives() const { return has_result(c_.row(), rank_, c_.root); }
  std::string error_text() const {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(error_, text, &length);
    return "MPI error: " + std::string(text);
  }

  std::int64_t count_of(const Operand& operand) const {
    return operand.length == Length::part ? c_.part(rank_) : c_.count;
  }
  /// True if a part of the input in place stays behind the result.
  bool left_behind() const { return in_place_ && c_.facts().result.length == Length::part; }
  Image received() const {
    if (c_.facts().sources == Sources::of_owner)
      return {*c_.kind, c_.layout, places_of_elements(c_, places_), places_.back()};
    return {*c_.kind, c_.layout, left_behind() ? c_.count : count_of(c_.facts().result)};
  }

  const void* send() { return in_place_ ? MPI_IN_PLACE : send_.element_0(); }
  void* recv() { return bottom_ ? MPI_BOTTOM : null_ ? nullptr : recv_.element_0(); }

  const Case& c_;
  const int rank_;
  const bool in_place_, long_form_, null_;
  bool bottom_ = false;
  const Operator op_;
  const std::vector<std::int64_t> places_;  // of the parts
  std::optional<test::Cut> cut_;
  Image send_, recv_;
  int error_ = MPI_SUCCESS;
};

}  // namespace

std::string execute(Case c, MPI_Comm comm, int rank) {
  Random random{c.seed, static_cast<std::uint64_t>(c.number), 5, static_cast<std::uint64_t>(rank)};
  const bool own_part = c.facts().input.length == Length::part;
  std::optional<Words> words;
  // MPICH 4.0.2 itself hangs where one rank gathers elements of no bytes and another no elements
  if (c.mixed && (!own_part || c.units() > 0))
    words = reword(c, own_part ? c.part(rank) * c.layout.units() : c.units(), random);
  if (words && !own_part) {
    c.layout = std::move(words->layout), c.count = words->count;
    words.reset();
  }
  Execution execution(c, words, rank, random);
  execution.call(c, comm, random.percent(5));
  const std::string wrong = execution.verdict();
  return wrong.empty() ? wrong : wrong + " (here " + std::to_string(c.count) + " x " + c.layout.text() + ')';
}

}  // namespace mpigraft::fuzz
