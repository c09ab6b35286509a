// SPDX-License-Identifier: MIT
#include "test/fuzz/execution.hpp"

#include "test/collective_call.hpp"
#include "test/fuzz/random.hpp"

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
  for (std::int64_t i = 0; i < n; ++i)
    for (const std::int64_t offset : current.layout->offsets()) {
      const std::int64_t at = i * current.layout->extent() + offset;
      current.kind->join(static_cast<char*>(in) + at, static_cast<char*>(inout) + at);
    }
}
void combine_int(void* in, void* inout, int* n, MPI_Datatype* type) { combine(in, inout, *n, *type); }
void combine_count(void* in, void* inout, MPI_Count* n, MPI_Datatype* type) { combine(in, inout, *n, *type); }

class Operator {
 public:
  explicit Operator(const Case& c) : op_(c.kind->op) {
    if (op_ != MPI_OP_NULL || !c.facts().combines()) return;
    owned_ = true;
    if (c.number % 2)
      MPI_Op_create_c(combine_count, c.commutes, &op_);
    else
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

/// The same signature in the words of this rank.
void reword(Case& c, Random& own) {
  const std::int64_t units = c.units();
  const auto say = [&](Layout layout, std::int64_t count) { c.layout = std::move(layout), c.count = count; };
  switch (own.below(4)) {
    case 0:
      return say(Layout(*c.kind), units);
    case 1:
      if (units > 0 || draws_empty_elements) say(Layout::row(*c.kind, units), 1);
      return;
    case 2:
      return;  // as the others
    default:
      Layout drawn = Layout::draw(own, *c.kind, units, c.bare);
      if (drawn.units() > 0 && units % drawn.units() == 0) say(std::move(drawn), units / drawn.units());
  }
}

class Execution {
 public:
  Execution(const Case& c, int rank, Random& own)
      : c_(c),
        rank_(rank),
        in_place_(test::takes_in_place(c.facts(), rank, c.root) && !c.bare && own.percent(25)),
        long_form_(own.percent(30)),
        // not on the first rank of an exclusive scan: MPICH looks at its buffer, too
        null_(!c.bare && !in_place_ && !receives() && c.facts().result.holders == Holders::root_only &&
              own.percent(50)),
        op_(c),
        send_(*c.kind, c.layout, c.count),
        recv_(*c.kind, c.layout, c.count) {
    send_.write(c.input(rank));
    if (holds_input()) recv_.write(c.input(rank));
  }

  void call(Case& c, MPI_Comm comm, bool bottom) {
    const bool derived = c.facts().in_place == InPlace::in_buffer || (in_place_ && c.kind->op == MPI_OP_NULL);
    if (bottom && derived && c.layout.units() > 0) {
      c.layout.make_absolute(recv_.element_0());
      bottom_ = true;
    }
    current = {c.kind, &c.layout, false};
    error_ = test::call(long_form_ ? test::grafted_large_entries : test::grafted_entries, c.collective,
                        {send(), recv(), c.count, c.layout.type(), op_, c.root, comm});
  }

  std::string verdict() const {
    if (error_ != MPI_SUCCESS) return error_text();
    if (current.other_type) return "the operator was called with a datatype that is not the call's";
    const Values input = c_.input(rank_);
    if (const std::string text = send_.difference(&input); !text.empty()) return "send buffer: " + text;
    const Values right = receives() ? c_.combined(test::sources_of(c_.facts(), rank_, c_.p, c_.root)) : input;
    const std::string text = recv_.difference(receives() || holds_input() ? &right : nullptr);
    return text.empty() ? text : "receive buffer: " + text;
  }

 private:
  bool holds_input() const { return test::input_in_result(c_.facts(), rank_, c_.root, in_place_); }
  bool receives() const { return c_.facts().has_result(rank_, c_.root); }
  std::string error_text() const {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(error_, text, &length);
    return "MPI error: " + std::string(text);
  }

  const void* send() { return in_place_ ? MPI_IN_PLACE : send_.element_0(); }
  void* recv() { return bottom_ ? MPI_BOTTOM : null_ ? nullptr : recv_.element_0(); }

  const Case& c_;
  const int rank_;
  const bool in_place_, long_form_, null_;
  bool bottom_ = false;
  const Operator op_;
  Image send_, recv_;
  int error_ = MPI_SUCCESS;
};

}  // namespace

std::string execute(Case c, MPI_Comm comm, int rank) {
  Random own{c.seed, static_cast<std::uint64_t>(c.number), 5, static_cast<std::uint64_t>(rank)};
  if (c.mixed) reword(c, own);
  Execution execution(c, rank, own);
  execution.call(c, comm, own.percent(5));
  const std::string wrong = execution.verdict();
  return wrong.empty() ? wrong : wrong + " (here " + std::to_string(c.count) + " x " + c.layout.text() + ')';
}

}  // namespace mpigraft::fuzz
