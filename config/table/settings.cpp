// SPDX-License-Identifier: MIT
#include "config/table/settings.hpp"

#include <algorithm>
#include <tuple>

#include "config/table/choice.hpp"
#include "config/table/size.hpp"
#include "config/table/suggest.hpp"

namespace mpigraft::table {

namespace {

/// MIN-MAX, MIN-, -MAX, or one number.
std::optional<Range> parse_range(std::string_view text, std::optional<std::int64_t> (*parse)(std::string_view)) {
  const std::size_t dash = text.find('-');
  const std::string_view least = text.substr(0, dash), most = dash == text.npos ? least : text.substr(dash + 1);
  Range range;
  if (least.empty() && most.empty()) return {};
  if (!least.empty()) range.min = parse(least).value_or(-1);
  if (!most.empty()) range.max = parse(most).value_or(-1);
  return range.min >= 0 && range.min <= range.max ? std::optional(range) : std::nullopt;
}

class SettingsReader {
 public:
  SettingsReader(const char* (*get)(const char*), const SiteSettings& site) : get_(get), site_(site) {}

  Settings read() && {
    out_.disable = one_of(value("MPIGRAFT_DISABLE")) == "1";
    if (out_.disable) return std::move(out_);
    out_.errors.insert(out_.errors.end(), site_.errors.begin(), site_.errors.end());
    out_.enabled = site_.enabled;
    const std::string_view verbose = one_of(value("MPIGRAFT_VERBOSE"));
    out_.verbose = verbose.empty() ? 0 : verbose[0] - '0';
    std::tie(out_.report, out_.report_sites) = file_and_option(value("MPIGRAFT_REPORT"), ",sites");
    if (!out_.enabled) return std::move(out_);
    out_.table = decisive_value("MPIGRAFT_TABLE");
    std::tie(out_.learn, out_.learn_float) = file_and_option(decisive_value("MPIGRAFT_LEARN"), ",float");
    if (const std::string_view force = decisive_value("MPIGRAFT_FORCE"); !force.empty())
      for (const std::string_view entry : parts_of(force, ',')) read_forced(entry);
    out_.trace = value("MPIGRAFT_TRACE");
    out_.timeout = seconds(value("MPIGRAFT_TIMEOUT"), 0);
    out_.answer = seconds(value("MPIGRAFT_ANSWER"), out_.answer);
    out_.check = one_of(value("MPIGRAFT_CHECK")) == "1";
    read_signal(value("MPIGRAFT_SIGNAL"));
    read_places(decisive_value("MPIGRAFT_NODES"));
    const std::string_view reproducible = one_of(decisive_value("MPIGRAFT_REPRODUCIBLE"));
    out_.fixed_order = reproducible == "order";
    out_.float_native = reproducible == "native";
    const std::string_view shared = one_of(decisive_value("MPIGRAFT_SHARED"));
    out_.shared = shared != "0";
    if (shared == "no-cma") out_.single_copy = SingleCopy::never;
    if (shared == "ptracer") out_.single_copy = SingleCopy::ptracer;
    out_.mpich_abi = one_of(value("MPIGRAFT_ABI")) == "mpich";
    const std::string_view waiting = one_of(value("MPIGRAFT_WAIT"));
    if (waiting == "native") out_.waiting = Waiting::native;
    if (waiting == "patient") out_.waiting = Waiting::patient;
    out_.verify =
        positive(decisive_value("MPIGRAFT_VERIFY"), 0, "calls", "write 1 for every call, 100 for every 100th");
    return std::move(out_);
  }

 private:
  std::string_view value(std::string_view name) {
    name_ = name;
    const Setting found = setting(name, get_(name.data()), site_);  // the names are literals
    source_ = found.source;
    if (found.overruled)
      out_.notes.push_back(printable(std::string(name) + ": " + site_.origin + " fixes it" +
                                     (found.value.empty() ? "" : " to " + in_quotes(found.value)) +
                                     "; the job's value is not used"));
    return found.value;
  }

  std::string_view decisive_value(std::string_view name) {
    const std::string_view text = value(name);
    out_.decisive.append(name).append("=").append(text) += '\0';
    return text;
  }

  /// The text, which is one of the words that the variable takes, or ""; any other text is an error.
  std::string_view one_of(std::string_view text) {
    const auto words = parts_of(std::ranges::find(variables, name_, &Variable::name)->values, '|');
    if (text.empty() || std::ranges::find(words, text) != words.end()) return text;
    std::string all = joined(words);
    if (const std::size_t last = all.rfind(", "); last != all.npos) all.replace(last, 2, " or ");
    error(in_quotes(text) + " is not known", "write " + all + ", or unset it");
    return {};
  }

  /// COLLECTIVE=ALGORITHM[@OPTION]...[:BYTES], or native, for all collectives, or strict.
  void read_forced(std::string_view entry) {
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
    const std::optional<Range> bytes = colon == value.npos ? Range{} : parse_range(value.substr(colon + 1), parse_size);
    if (!bytes)
      return error(in_quotes(value.substr(colon + 1)) + " is not a range of bytes", "write 64K-, -8K or 8K-64K");
    const auto composition = find_composition(key);
    const auto collective = find_collective(key);
    if (!composition && !collective) return error("unknown collective " + in_quotes(key), suggestion(key, call_names));
    const Resolved resolved = composition ? resolve_variant(*composition, chosen) : resolve_choice(*collective, chosen);
    if (!resolved.problem.empty()) return error(resolved.problem, resolved.hint);
    if (colon != value.npos && (composition || !info_of(*collective).moves_data()))
      return error(in_quotes(entry) + " has a range of bytes", "only collectives that carry data take one");
    const auto is_there = [&](const Forced& earlier) { return earlier.bytes.contains(*bytes); };
    if (composition ? out_.force_variant[static_cast<std::size_t>(*composition)].has_value()
                    : std::ranges::any_of(out_.force[static_cast<std::size_t>(*collective)], is_there))
      return error(in_quotes(entry) + " is the second entry for " + std::string(key), "keep one of them");
    if (composition)
      out_.force_variant[static_cast<std::size_t>(*composition)] = resolved.variant;
    else
      out_.force[static_cast<std::size_t>(*collective)].push_back({resolved.choice, *bytes});
  }

  /// FILE, and whether the option follows it.
  std::pair<std::string, bool> file_and_option(std::string_view text, std::string_view option) {
    const bool chosen = text.ends_with(option);
    if (chosen) text.remove_suffix(option.size());
    if (chosen && text.empty()) error(in_quotes(option) + " names no file", "write FILE.json" + std::string(option));
    const std::size_t comma = text.rfind(',');
    const std::string_view before = text.substr(0, comma);
    if (!chosen && comma != text.npos && (text.starts_with("stderr,") || before.ends_with(".json")))
      error(in_quotes(text.substr(comma)) + " is not known behind " + in_quotes(before),
            "write " + std::string(option) + ", or nothing");
    return {std::string(text), chosen};
  }

  /// [NODES][/CACHE GROUPS], both groups of ranks.
  void read_places(std::string_view text) {
    const std::size_t slash = text.find('/');
    read_groups(text.substr(0, slash), out_.nodes);
    if (slash == text.npos) return;
    const std::string_view cache_groups = text.substr(slash + 1);
    if (cache_groups.empty()) return error(in_quotes(text) + " names no cache groups", "write 4/2, or /0 for none");
    if (cache_groups == "0")  // one cache group for all ranks
      out_.cache_groups.ranges = {{0, unlimited}};
    else
      read_groups(cache_groups, out_.cache_groups);
  }

  /// N, the number of ranks per group, or A-B,C-D,..., the ranks of each group.
  void read_groups(std::string_view text, SimulatedGroups& groups) {
    if (text.find_first_of("-,") != text.npos) return read_ranges(text, groups);
    groups.each = positive(text, 0, "ranks", "write 4, or ranges such as 0-3,4-7");
  }

  void read_ranges(std::string_view text, SimulatedGroups& groups) {
    for (const std::string_view part : parts_of(text, ',')) {
      const auto range = parse_range(part, parse_count);
      if (range && !part.starts_with('-') && !part.ends_with('-'))
        groups.ranges.push_back(*range);
      else
        error(in_quotes(part) + " is not a range of ranks", "write FIRST-LAST with FIRST <= LAST, or one rank");
    }
    std::vector<Range> sorted = groups.ranges;
    std::ranges::sort(sorted, {}, &Range::min);
    const auto overlap = std::ranges::adjacent_find(sorted, [](Range a, Range b) { return b.min <= a.max; });
    if (overlap != sorted.end())
      error("rank " + std::to_string(overlap[1].min) + " lies in two ranges", "write ranges that do not overlap");
  }

  void read_signal(std::string_view text) {
    const std::string_view name = one_of(text.starts_with("SIG") && text != "SIG" ? text.substr(3) : text);
    for (const SignalName& signal : signals)
      if (signal.name == name) out_.signal = signal.number;
  }

  std::int64_t positive(std::string_view text, std::int64_t unset, std::string_view what, const std::string& remedy) {
    if (text.empty()) return unset;
    const std::int64_t given = parse_count(text).value_or(0);
    if (given == 0) error(in_quotes(text).append(" is not a number of ").append(what), remedy);
    return given;
  }

  std::int64_t seconds(std::string_view text, std::int64_t unset) {
    constexpr std::int64_t for_ever = 1'000'000'000;  // in ns, too, it fits into 64 bits
    return std::min(positive(text, unset, "seconds", "write 60 for a minute"), for_ever);
  }

  void error(std::string problem, const std::string& remedy) {
    const std::string where = source_ == Setting::Source::site ? site_.origin + ": " : "";
    out_.errors.push_back(printable(where + std::string(name_) + ": " + std::move(problem) + "; " + remedy));
  }

  const char* (*get_)(const char*);
  const SiteSettings& site_;
  std::string_view name_;        // the variable that is being read
  Setting::Source source_ = {};  // who has set it
  Settings out_;
};

}  // namespace

std::int64_t SimulatedGroups::of(std::int64_t world_rank) const {
  if (each > 0) return world_rank / each;
  const auto found = std::ranges::find_if(ranges, [=](Range range) { return range.contains(world_rank); });
  return found == ranges.end() ? -1 : found - ranges.begin();
}

Settings read_settings(const char* (*get)(const char*), const SiteSettings& site) {
  return SettingsReader(get, site).read();
}

std::vector<std::string> unknown_variables(const char* const* environment) {
  std::vector<std::string> problems;
  for (; environment && *environment; ++environment) {  // null after clearenv()
    const std::string_view entry = *environment;
    const std::string_view name = entry.substr(0, entry.find('='));
    if (!name.starts_with("MPIGRAFT_") || std::ranges::find(variable_names, name) != variable_names.end()) continue;
    problems.push_back(printable(std::string(name) + ": unknown variable; " +
                                 did_you_mean(name, variable_names, "`mpigraft env` shows the variables")));
  }
  return problems;
}

}  // namespace mpigraft::table
