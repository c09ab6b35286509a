// SPDX-License-Identifier: MIT
// Linear recurrences x' = a x + b and polynomials as scans and reductions of functions (Gorlatch, Lengauer 1997,
// related work), modulo a prime, so that every order of combining gives the same bits. Composition is not commutative.
#include "app.hpp"

using Number = std::uint64_t;

namespace {

constexpr Number prime = 4294967291;  // the largest below 2^32: products fit

Number add(Number a, Number b) { return (a + b) % prime; }
Number multiply(Number a, Number b) { return a * b % prime; }

/// The function x -> a x + b.
struct Function {
  Number a = 1, b = 0;
  Number operator()(Number x) const { return add(multiply(a, x), b); }
};

Function then(const Function& lower, const Function& higher) { return {multiply(higher.a, lower.a), higher(lower.b)}; }

Number power(Number x, long exponent) {
  Number result = 1;
  for (; exponent > 0; exponent /= 2, x = multiply(x, x))
    if (exponent % 2 == 1) result = multiply(result, x);
  return result;
}

/// Horner's rule.
Number value_at(Number x, const std::vector<Number>& coefficients, Number value = 0) {
  for (const Number c : coefficients) value = Function{x, c}(value);
  return value;
}

/// All x that follow from the first one, each on the rank that has its function.
std::vector<Number> iterate(Number x, const std::vector<Function>& functions) {
  const app::Type<Function> type;
  const app::Operator<Function, then> op(false);
  const Function own = std::accumulate(functions.begin(), functions.end(), Function(), then);
  x = app::before<Function>({own}, type, op, Function()).front()(x);
  std::vector<Number> all;
  for (const Function& next : functions) all.push_back(x = next(x));
  return all;
}

/// Values of a polynomial at many points, at the root: a rank's coefficients are a function of the value so far.
std::vector<Number> by_reduction(const std::vector<Number>& points, const std::vector<Number>& coefficients, int root,
                                 MPI_Comm) {
  const app::Type<Function> type;
  const app::Operator<Function, then> op(false);
  std::vector<Function> own, all(points.size());
  for (const Number x : points)
    own.push_back({power(x, static_cast<long>(coefficients.size())), value_at(x, coefficients)});
  MPI_Reduce(own.data(), all.data(), static_cast<int>(points.size()), type, op, root, MPI_COMM_WORLD);
  std::vector<Number> values;
  for (const Function& function : all) values.push_back(function(0));
  return values;
}

/// The same by a scan of powers and a sum. The last rank has the lowest powers, so it is the first one of the scan.
std::vector<Number> by_scan_and_reduction(const std::vector<Number>& points, const std::vector<Number>& coefficients,
                                          int root, MPI_Comm reversed) {
  const app::Type<Number> type;
  const app::Operator<Number, multiply> times(true);
  const app::Operator<Number, add> plus(true);
  const int count = static_cast<int>(points.size());
  std::vector<Number> own, below(points.size(), 1), values(points.size());
  for (const Number x : points) own.push_back(power(x, static_cast<long>(coefficients.size())));
  MPI_Exscan(own.data(), below.data(), count, type, times, reversed);
  if (app::rank() + 1 == app::ranks()) std::ranges::fill(below, 1);
  for (std::size_t i = 0; i < points.size(); ++i) own[i] = multiply(value_at(points[i], coefficients), below[i]);
  MPI_Reduce(own.data(), values.data(), count, type, plus, root, MPI_COMM_WORLD);
  return values;
}

int judge_recurrence(app::Run& run) {
  std::vector<Function> functions(run.number("size"));
  std::vector<Number> expected;
  auto next = run.random();
  const Number start = next() % prime;
  for (Function& function : functions) function = {next() % prime, next() % prime};
  for (Number x = start; const Function& function : functions) expected.push_back(x = function(x));
  const app::Blocks blocks = run.blocks(run.number("size"));
  const std::vector<Function> part = blocks.own(functions);
  const auto step = [&](long) { return app::Part<Number>{blocks.first(), iterate(start, part)}; };
  return run.judge(step, expected);
}

int judge_polynomial(app::Run& run) {
  std::vector<Number> coefficients(run.number("size")), points(run.number("points")), expected;
  auto next = run.random();
  for (auto* numbers : {&coefficients, &points}) std::ranges::generate(*numbers, [&] { return next() % prime; });
  for (const Number x : points) expected.push_back(value_at(x, coefficients));
  const std::vector<Number> part = run.blocks(run.number("size")).own(coefficients);
  const auto evaluate = run.word("method") == "horner" ? by_reduction : by_scan_and_reduction;
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -app::rank(), &reversed);
  const auto step = [&](long k) {
    const int root = static_cast<int>(k % app::ranks());
    const std::vector<Number> values = evaluate(points, part, root, reversed);
    return app::Part<Number>{0, app::rank() == root ? values : std::vector<Number>()};
  };
  return run.judge(step, expected);
}

}  // namespace

int main(int argc, char** argv) {
  app::Run run(
      argc, argv, "recurrences",
      {{"size", {"10000"}}, {"steps", {"10"}}, {"points", {"50"}}, {"method", {"recurrence", "horner", "powers"}}});
  return run.word("method") == "recurrence" ? judge_recurrence(run) : judge_polynomial(run);
}
