// SPDX-License-Identifier: MIT
#include "shim/bench/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <memory>
#include <sstream>

#include "algorithms/catalogue.hpp"
#include "config/command/help.hpp"
#include "config/table/choice.hpp"
#include "config/table/size.hpp"
#include "config/table/suggest.hpp"
#include "shim/base/version.hpp"

namespace mpigraft::bench {
namespace {

constexpr const char* footer = R"(Examples:
  mpiexec -n 8 mpigraft-bench --algorithms all
  mpiexec -n 8 mpigraft-bench --collectives scan --bytes 8,64K --algorithms scan/two_tree@64K --json -

A cell is a collective and a number of bytes. For each cell the arms are timed interleaved, in random order: the native
call twice (arms native and null), the call as a preloaded program would run it (default), and the algorithms that
--algorithms names. The time of a repetition is that of its slowest rank. The ratio is native's median time over the
arm's. An arm is marked faster or slower if the 95 % interval of its median lies outside those of native and null.

The results of all arms are compared with native's, bit for bit. Doubles are whole numbers, whose sums are exact in any
order. Calls below 10 us are timed in batches, which throughput can flatter.

With --nonblocking, calls are begun and then waited for, also natively.

With --mixed, there are no cells: the ranks make all these calls in random order, a few of each at a time, and now and
then one of them comes late. With MPIGRAFT_LEARN the job ends as soon as everything is learned, otherwise after --time
seconds, and makes sequences, too: single calls of up to eight kinds of similar sizes. The figures are
means of the slowest rank without its slowest eighth. scan:8 is a sum, scan:8:matrix has a user operator.

With --back-to-back, a repetition is a row of 10 to 1000 calls without a barrier between them, as many as all arms make
in about 0.1 s. Its time is that of one call. A rank that waits for nobody can run ahead of the others.

Exit codes: 0 success, 1 wrong results, 2 usage.)";

/// The options as written; `Options` holds what they mean.
struct Words {
  std::vector<std::string> collectives{collective_names.begin(), collective_names.end()};
  std::vector<std::string> bytes{"8", "8K", "80K"};
  std::vector<std::string> algorithms{"default"};
  std::string type = "int64", op = "sum";
  std::optional<std::size_t> least;
  std::optional<double> seconds;
  std::vector<std::string> mixed;
  bool quick = false, nonblocking = false;

  bool names(std::string_view algorithm) const { return std::ranges::find(algorithms, algorithm) != algorithms.end(); }
};

std::string check_size(const std::string& text) {
  return table::parse_size(text) ? "" : table::in_quotes(text) + " is not a size; write 8, 64K or 1M";
}

std::vector<std::pair<Composition, Variant>> variants_of_compositions() {
  std::vector<std::pair<Composition, Variant>> found;
  for (std::size_t i = 0; i < composition_count; ++i)
    for (const Variant variant : all_variants)
      if (compositions[i].has(variant)) found.emplace_back(static_cast<Composition>(i), variant);
  return found;
}

std::string check_algorithm(const std::string& words) {
  const std::string name = words.substr(0, words.find('@'));
  for (const auto& [composition, variant] : variants_of_compositions())
    if (words == words_of(composition, variant)) return "";
  std::vector<std::string_view> known{"default", "all"};
  for (const Listed& entry : listed) known.push_back(entry.name);
  if (std::ranges::find(known, name) == known.end())
    return table::in_quotes(name) + " is not an algorithm; " +
           table::did_you_mean(name, known, "`mpigraft list` shows them");
  const auto collective = table::find_collective(name.substr(0, name.find('/')));
  if (!collective) return words == name ? "" : table::in_quotes(name) + " takes no @";
  const table::Resolved resolved = table::resolve_choice(*collective, words);
  return resolved.problem.empty() ? "" : resolved.problem + "; " + resolved.hint;
}

/// The native call twice, then the arms that are named, each once, in the order of `mpigraft list`.
std::vector<Arm> arms_of(const Words& words) {
  const int form = words.nonblocking ? nonblocking_form : plain_form;
  const auto names = [&, all = words.names("all")](std::string_view arm) { return all || words.names(arm); };
  std::vector<Arm> arms{{"native", native_form | form}, {"null", native_form | form}};
  const auto add = [&](table::Choice choice) { arms.push_back({words_of(choice), form, choice}); };
  if (names("default")) arms.push_back({"default", form});
  for (int i = 0; i < static_cast<int>(listed.size()); ++i) {
    const auto& [name, info] = listed[static_cast<std::size_t>(i)];
    if (names(name)) add({i});
    for (const std::string& told : words.algorithms)
      if (told.starts_with(std::string(name) + '@')) add(table::resolve_choice(info->collective, told).choice);
  }
  for (const auto& variant : variants_of_compositions())
    if (const std::string name = words_of(variant.first, variant.second); names(name))
      arms.push_back({name, form, {}, variant});
  return arms;
}

void add_what(CLI::App& app, Words& words) {
  app.add_option("--collectives", words.collectives,
                 "Collectives to call, or compositions, which are measured by a sum and a maximum: scan_reduce, "
                 "scan_allreduce, scan_scan")
      ->delimiter(',')
      ->check(CLI::IsMember(std::vector<std::string>(table::call_names.begin(), table::call_names.end())))
      ->capture_default_str();
  app.add_option(
         "--bytes", words.bytes,
         "Sizes of one rank's data, of the whole vector for reduce_scatter and allgather, rounded up to whole elements")
      ->delimiter(',')
      ->check(check_size)
      ->type_name("BYTES")
      ->capture_default_str();
  app.add_option("--algorithms", words.algorithms,
                 "default, all, or names as in `mpigraft list`, with options as in MPIGRAFT_FORCE: scan/two_tree@64K")
      ->delimiter(',')
      ->check(check_algorithm)
      ->type_name("ALGORITHM")
      ->capture_default_str();
  app.add_option("--type", words.type, "Type of the elements")
      ->check(CLI::IsMember({"int64", "double"}))
      ->capture_default_str();
  app.add_option("--op", words.op, "Operator; matrix: products of 2x2 matrices, a user operator that does not commute")
      ->check(CLI::IsMember({"sum", "max", "bxor", "matrix"}))
      ->capture_default_str();
  app.add_flag("--nonblocking", words.nonblocking, "Begin nonblocking calls, and wait for them");
}

void add_how(CLI::App& app, Words& words, Options& options) {
  app.add_option("--min-reps", words.least, "Least number of repetitions of a cell (default: 20; quick: 8)")
      ->check(CLI::Range(fewest_values, std::size_t{1'000'000}))
      ->type_name("NUMBER");
  app.add_option("--time", words.seconds, "Seconds to spend on a cell (default: 2; quick: 0.3)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("SECONDS");
  app.add_flag("--quick", words.quick, "Measure briefly, for a first look");
  auto* mixed = app.add_option("--mixed", words.mixed, "Calls of a job, in place of cells: scan:8,bcast:64K")
                    ->delimiter(',')
                    ->type_name("CALL:BYTES[:OP]");
  app.add_flag("--back-to-back", options.limits.back_to_back, "Time rows of calls instead of one call at a time");
  app.add_option("--json", options.json, "File for the figures and where they come from; - is standard output")
      ->type_name("FILE");
  for (const char* const of_cells : {"--collectives", "--bytes", "--algorithms", "--type", "--op", "--nonblocking",
                                     "--min-reps", "--back-to-back", "--json"})
    mixed->excludes(app.get_option(of_cells));
}

/// REQUIRES: `name` is that of a collective or of a composition.
Problem problem_of(const std::string& name, std::int64_t bytes, const Kind& kind) {
  const std::int64_t count = bytes / kind.element_bytes() + (bytes % kind.element_bytes() != 0);
  if (count > std::numeric_limits<int>::max())
    throw CLI::ValidationError("--bytes", table::format_size(bytes) + " is more than the count of a call can hold");
  const auto composition = table::find_composition(name);
  const Collective collective = composition ? info_of(*composition).second : *table::find_collective(name);
  return {collective, kind, static_cast<int>(count), composition};
}

/// "scan:64K:matrix"
Problem problem_of(const std::string& words) {
  std::istringstream text(words);
  std::string name, bytes, op = "sum";
  std::getline(text, name, ':'), std::getline(text, bytes, ':'), std::getline(text, op, ':');
  const std::optional<std::int64_t> size = table::parse_size(bytes);
  const bool known = table::find_composition(name) || table::find_collective(name);
  if (!size || !known || (op != "sum" && (op != "matrix" || table::find_composition(name))))
    throw CLI::ValidationError("--mixed", table::in_quotes(words) + " is not a call; write scan:8 or scan:64K:matrix");
  return problem_of(name, *size, make_kind("int64", op));
}

/// Adds the problems of a collective or a composition if there is an arm to measure for it.
void add_problems(const Words& words, const std::string& name, const Kind& kind, Options& options) {
  const Problem empty = problem_of(name, 0, kind);
  if (std::ranges::none_of(options.arms, [&](const Arm& arm) { return !arm.is_native() && arm.is_for(empty); })) return;
  if (empty.composition && kind.op != "sum")
    throw CLI::ValidationError("--op", "compositions are measured by a sum and a maximum");
  if (empty.composition && words.nonblocking) throw CLI::ValidationError("--nonblocking", "compositions block");
  for (const std::string& bytes : info_of(empty.collective).moves_data() ? words.bytes : std::vector<std::string>{"0"})
    options.problems.push_back(problem_of(name, *table::parse_size(bytes), kind));
}

void understand(const Words& words, Options& options) {
  if (words.op == "matrix" && words.type == "double")
    throw CLI::ValidationError("--op", "matrices are of int64: their products are exact");
  if (words.op == "bxor" && words.type == "double") throw CLI::ValidationError("--op", "bxor is of int64");
  const std::size_t least = words.least.value_or(words.quick ? 8 : 20);
  options.limits = {.least = least,
                    .most = std::max(least, std::size_t{words.quick ? 200u : 1000u}),
                    .seconds = words.seconds.value_or(words.quick ? 0.3 : 2),
                    .back_to_back = options.limits.back_to_back};
  options.arms = arms_of(words);
  options.mixed = !words.mixed.empty();
  for (const std::string& call : words.mixed) options.problems.push_back(problem_of(call));
  if (options.mixed) return;
  const Kind kind = make_kind(words.type, words.op);
  for (const std::string& name : words.collectives) add_problems(words, name, kind, options);
  if (options.problems.empty()) throw CLI::ValidationError("--algorithms", "none is of these collectives");
}

}  // namespace

std::optional<int> parse(int argc, char** argv, int rank, Options& options) {
  CLI::App app("mpigraft-bench: collective algorithms against the MPI library's own", "mpigraft-bench");
  Words words;
  app.set_version_flag("--version", std::string("mpigraft-bench ") + base::version);
  app.footer(footer);
  app.formatter(std::make_shared<command::HelpFormat>());
  add_what(app, words);
  add_how(app, words, options);
  try {
    app.parse(argc, argv);
    understand(words, options);
  } catch (const CLI::ParseError& error) {
    std::ostringstream nobody;
    const int code = rank == 0 ? app.exit(error) : app.exit(error, nobody, nobody);
    return code == 0 ? exit_ok : exit_usage;
  }
  return {};
}

}  // namespace mpigraft::bench
