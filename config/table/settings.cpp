// SPDX-License-Identifier: MIT
#include "config/table/settings.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <tuple>

#include "config/table/choice.hpp"
#include "config/table/size.hpp"
#include "config/table/suggest.hpp"

namespace mpigraft::table {

namespace {

using Ranks = std::pair<std::int64_t, std::int64_t>;

/// Calls f on every part of `text` between separators.
template <class F>
void for_each_part(std::string_view text, F f, char separator = ',') {
  for (std::size_t end; (end = text.find(separator)) != text.npos; text.remove_prefix(end + 1)) f(text.substr(0, end));
  f(text);
}

class SettingsReader {
 public:
  SettingsReader(const char* (*get)(const char*), const SiteSettings& site) : get_(get), site_(site) {}
  Settings read() &&;

 private:
  std::string_view value(std::string_view name);
  std::string_view decisive_value(std::string_view name);
  std::string_view one_of(std::initializer_list<std::string_view> words, std::string_view text);
  void read_forced(std::string_view entry);
  std::pair<std::string, bool> file_and_option(std::string_view text, std::string_view option);
  void read_places(std::string_view text);
  void read_groups(std::string_view text, SimulatedGroups& groups);
  void read_ranges(std::string_view text, SimulatedGroups& groups);
  void read_signal(std::string_view text);
  std::int64_t positive(std::string_view text, std::int64_t unset, std::string_view what, const std::string& remedy);
  std::int64_t seconds(std::string_view text, std::int64_t unset) {
    return positive(text, unset, "seconds", "write 60 for a minute");
  }
  void error(std::string problem, const std::string& remedy);

  const char* (*get_)(const char*);
  const SiteSettings& site_;
  std::string_view name_;        // the variable that is being read
  Setting::Source source_ = {};  // who has set it
  Settings out_;
};

Settings SettingsReader::read() && {
  out_.disable = one_of({"0", "1"}, value("MPIGRAFT_DISABLE")) == "1";
  if (out_.disable) return std::move(out_);
  out_.errors.insert(out_.errors.end(), site_.errors.begin(), site_.errors.end());
  out_.enabled = site_.enabled;
  const std::string_view verbose = one_of({"0", "1", "2"}, value("MPIGRAFT_VERBOSE"));
  out_.verbose = verbose.empty() ? 0 : verbose[0] - '0';
  std::tie(out_.report, out_.report_sites) = file_and_option(value("MPIGRAFT_REPORT"), ",sites");
  if (!out_.enabled) return std::move(out_);
  out_.table = decisive_value("MPIGRAFT_TABLE");
  std::tie(out_.learn, out_.learn_float) = file_and_option(decisive_value("MPIGRAFT_LEARN"), ",float");
  if (const std::string_view force = decisive_value("MPIGRAFT_FORCE"); !force.empty())
    for_each_part(force, [this](std::string_view entry) { read_forced(entry); });
  out_.trace = value("MPIGRAFT_TRACE");
  out_.timeout = seconds(value("MPIGRAFT_TIMEOUT"), 0);
  out_.answer = seconds(value("MPIGRAFT_ANSWER"), out_.answer);
  out_.check = one_of({"0", "1"}, value("MPIGRAFT_CHECK")) == "1";
  read_signal(value("MPIGRAFT_SIGNAL"));
  read_places(decisive_value("MPIGRAFT_NODES"));
  const std::string_view reproducible = one_of({"order", "native"}, decisive_value("MPIGRAFT_REPRODUCIBLE"));
  out_.fixed_order = reproducible == "order";
  out_.float_native = reproducible == "native";
  const std::string_view shared = one_of({"0", "1", "no-cma", "ptracer"}, decisive_value("MPIGRAFT_SHARED"));
  out_.shared = shared != "0";
  if (shared == "no-cma") out_.single_copy = SingleCopy::never;
  if (shared == "ptracer") out_.single_copy = SingleCopy::ptracer;
  out_.mpich_abi = one_of({"mpich"}, value("MPIGRAFT_ABI")) == "mpich";
  const std::string_view waiting = one_of({"auto", "native", "patient"}, value("MPIGRAFT_WAIT"));
  if (waiting == "native") out_.waiting = Waiting::native;
  if (waiting == "patient") out_.waiting = Waiting::patient;
  out_.verify = positive(decisive_value("MPIGRAFT_VERIFY"), 0, "calls", "write 1 for every call, 100 for every 100th");
  return std::move(out_);
}

/// The text, which is one of the words that the variable takes, or ""; any other text is an error.
std::string_view SettingsReader::one_of(std::initializer_list<std::string_view> words, std::string_view text) {
  if (text.empty() || std::ranges::find(words, text) != words.end()) return text;
  std::string all;
  for (const std::string_view& word : words)
    all.append(all.empty() ? "" : &word + 1 == words.end() ? " or " : ", ").append(word);
  error(in_quotes(text) + " is not known", "write " + all + ", or unset it");
  return {};
}

void SettingsReader::read_signal(std::string_view text) {
  if (text.empty()) return;
  const std::string_view name = text.starts_with("SIG") ? text.substr(3) : text;
  std::string names;
  for (const SignalName& signal : signals) {
    if (signal.name == name) out_.signal = signal.number;
    names.append(names.empty() ? "" : ", ").append(signal.name);
  }
  if (out_.signal == 0) error(in_quotes(text) + " is not known", "write one of " + names);
}

std::string_view SettingsReader::value(std::string_view name) {
  name_ = name;
  const Setting found = setting(name, get_(name.data()), site_);  // the names are literals
  source_ = found.source;
  if (found.overruled)
    out_.notes.push_back(printable(std::string(name) + ": " + site_.origin + " fixes it" +
                                   (found.value.empty() ? "" : " to " + in_quotes(found.value)) +
                                   "; the job's value is not used"));
  return found.value;
}

std::string_view SettingsReader::decisive_value(std::string_view name) {
  const std::string_view text = value(name);
  out_.decisive.append(name).append("=").append(text) += '\0';
  return text;
}

/// MIN-MAX, MIN-, -MAX, or one size.
std::optional<Range> parse_range(std::string_view text) {
  const std::size_t dash = text.find('-');
  const std::string_view least = text.substr(0, dash), most = dash == text.npos ? least : text.substr(dash + 1);
  Range range;
  if (least.empty() && most.empty()) return {};
  if (!least.empty()) range.min = parse_size(least).value_or(-1);
  if (!most.empty()) range.max = parse_size(most).value_or(-1);
  return range.min >= 0 && range.min <= range.max ? std::optional(range) : std::nullopt;
}

/// COLLECTIVE=ALGORITHM[@OPTION]...[:BYTES], or native, for all collectives, or strict.
void SettingsReader::read_forced(std::string_view entry) {
  if (entry == "strict") {
    out_.strict = true;
    return;
  }
  if (entry == "native") {
    for (auto& forced : out_.force) forced = {Forced{}};
    return;
  }
  const std::size_t equals = entry.find('=');
  if (equals == entry.npos)
    return error(in_quotes(entry) + " is not an entry", "write COLLECTIVE=ALGORITHM, such as exscan=doubling_123");
  const std::string_view key = entry.substr(0, equals), value = entry.substr(equals + 1);
  const std::size_t colon = value.find(':');
  const std::string_view chosen = value.substr(0, colon);
  const std::optional<Range> bytes = colon == value.npos ? Range{} : parse_range(value.substr(colon + 1));
  if (!bytes)
    return error(in_quotes(value.substr(colon + 1)) + " is not a range of bytes", "write 64K-, -8K or 8K-64K");
  const auto twice = [&] {
    error(in_quotes(entry) + " is the second entry for " + std::string(key), "keep one of them");
  };
  if (const auto composition = find_composition(key)) {
    const ResolvedVariant resolved = resolve_variant(*composition, chosen);
    if (!resolved.problem.empty()) return error(resolved.problem, resolved.hint);
    auto& slot = out_.force_variant[static_cast<std::size_t>(*composition)];
    if (slot) return twice();
    if (colon != value.npos) return error(in_quotes(entry) + " has a range of bytes", "only collectives take one");
    slot = resolved.variant;
    return;
  }
  const auto collective = find_collective(key);
  if (!collective) return error("unknown collective " + in_quotes(key), suggestion(key, collective_names));
  const Resolved resolved = resolve_choice(*collective, chosen);
  if (!resolved.problem.empty()) return error(resolved.problem, resolved.hint);
  auto& forced = out_.force[static_cast<std::size_t>(*collective)];
  if (std::ranges::any_of(forced, [&](const Forced& earlier) { return earlier.bytes.contains(*bytes); }))
    return twice();
  forced.push_back({resolved.choice, *bytes});
}

/// [NODES][/CACHE GROUPS], both groups of ranks.
void SettingsReader::read_places(std::string_view text) {
  const std::size_t slash = text.find('/');
  read_groups(text.substr(0, slash), out_.nodes);
  if (slash == text.npos) return;
  const std::string_view cache_groups = text.substr(slash + 1);
  if (cache_groups.empty()) return error(in_quotes(text) + " names no cache groups", "write 4/2, or /0 for none");
  if (cache_groups == "0")  // one cache group for all ranks
    out_.cache_groups.ranges = {{0, std::numeric_limits<std::int64_t>::max()}};
  else
    read_groups(cache_groups, out_.cache_groups);
}

/// N, the number of ranks per group, or A-B,C-D,..., the ranks of each group.
void SettingsReader::read_groups(std::string_view text, SimulatedGroups& groups) {
  if (text.find_first_of("-,") != text.npos) return read_ranges(text, groups);
  groups.each = positive(text, 0, "ranks", "write 4, or ranges such as 0-3,4-7");
}

void SettingsReader::read_ranges(std::string_view text, SimulatedGroups& groups) {
  std::vector<Ranks> ranges;
  for_each_part(text, [&](std::string_view part) {
    const std::size_t dash = part.find('-');
    const auto first = parse_count(part.substr(0, dash));
    const auto last = dash == part.npos ? first : parse_count(part.substr(dash + 1));
    if (!first || !last || *first > *last)
      return error(in_quotes(part) + " is not a range of ranks", "write FIRST-LAST with FIRST <= LAST, or one rank");
    ranges.emplace_back(*first, *last);
  });
  std::vector<Ranks> sorted = ranges;
  std::ranges::sort(sorted);
  const auto overlap = std::ranges::adjacent_find(sorted, [](Ranks a, Ranks b) { return b.first <= a.second; });
  if (overlap != sorted.end())
    return error("rank " + std::to_string(overlap[1].first) + " lies in two ranges",
                 "write ranges that do not overlap");
  groups.ranges = std::move(ranges);
}

/// FILE, and whether the option follows it.
std::pair<std::string, bool> SettingsReader::file_and_option(std::string_view text, std::string_view option) {
  const bool chosen = text.ends_with(option);
  if (chosen) text.remove_suffix(option.size());
  if (chosen && text.empty()) error(in_quotes(option) + " names no file", "write FILE.json" + std::string(option));
  return {std::string(text), chosen};
}

std::int64_t SettingsReader::positive(std::string_view text, std::int64_t unset, std::string_view what,
                                      const std::string& remedy) {
  if (text.empty()) return unset;
  const std::int64_t given = parse_count(text).value_or(0);
  if (given == 0) error(in_quotes(text).append(" is not a number of ").append(what), remedy);
  return given;
}

void SettingsReader::error(std::string problem, const std::string& remedy) {
  const std::string where = source_ == Setting::Source::site ? site_.origin + ": " : "";
  out_.errors.push_back(printable(where + std::string(name_) + ": " + std::move(problem) + "; " + remedy));
}

}  // namespace

std::int64_t SimulatedGroups::of(std::int64_t world_rank) const {
  if (each > 0) return world_rank / each;
  const auto holds = [=](Ranks range) { return range.first <= world_rank && world_rank <= range.second; };
  const auto found = std::ranges::find_if(ranges, holds);
  return found == ranges.end() ? -1 : found - ranges.begin();
}

Settings read_settings(const char* (*get)(const char*), const SiteSettings& site) {
  return SettingsReader(get, site).read();
}

std::vector<std::string> unknown_variables(const char* const* environment) {
  std::vector<std::string> problems;
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const std::string_view name = entry.substr(0, entry.find('='));
    if (!name.starts_with("MPIGRAFT_") || std::ranges::find(variable_names, name) != variable_names.end()) continue;
    const std::string meant = did_you_mean(name, variable_names);
    problems.push_back(printable(std::string(name) + ": unknown variable; " +
                                 (meant.empty() ? "`mpigraft env` shows the variables" : meant)));
  }
  return problems;
}

}  // namespace mpigraft::table
