// SPDX-License-Identifier: MIT
// mpigraft report
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "config/analysis/prediction.hpp"
#include "config/command/command.hpp"
#include "config/command/output.hpp"
#include "config/command/programs.hpp"
#include "config/report/report.hpp"
#include "config/table/size.hpp"
#include "config/table/suggest.hpp"
#include "config/table/table_file.hpp"

namespace mpigraft::command {

namespace {

namespace files = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* footer =
    R"(USING.md, Read a report, explains rows and columns (libmpigraft(7), FILES). A report names the user, the hosts
and the command of its job.

saving: for the 10 rows with the most time, the time that the model's fastest algorithm would have saved. The rank with
the shortest time stands for the cost of the calls. The machine is the table's, so the figure is only as good as that.
The model knows one kind of link, and a report does not say which ranks share a node. So node-aware algorithms
(hierarchical, lane, smp_tree) are never the fastest here, and calls that ran one have no saving. Measure them with
`mpigraft tune --from REPORT`.)";

struct Options {
  std::vector<std::string> files;
  bool json = false;
  std::string html;  // a file, or empty
};

constexpr std::size_t modelled_rows = 10;
constexpr double worth_telling = 0.05;  // of the time spent; the model is no nearer to the truth

/// The model's view of the calls of a row.
struct Saving {
  std::size_t row;                    // of the report
  std::string_view best;              // algorithm
  double best_seconds, seconds;       // predicted, of a call; spent in all calls at the rank that was shortest in them
  std::optional<double> ran_seconds;  // of a call, predicted; none for native and node-aware ones
  double saved;                       // of `seconds`
};

/// The files that jobs have written under this name (shim/observe/files.hpp).
std::vector<std::string> files_of(const std::string& name) {
  std::vector<std::string> found = report::files_of(name, {report::part_mark, report::job_mark});
  if (found.size() > 1 && !table::exists(name)) found.erase(found.begin());
  return found;
}

/// Any user of a site's folder of reports may have put a pipe there, or a link to a device. Other files than regular
/// ones are read only if the user has named them in /dev, such as /dev/stdin.
std::optional<report::JobReport> read_report(const std::string& file) {
  const auto [origin, text, problem] = table::read_regular(file, {report::max_report_bytes}, file.starts_with("/dev/"));
  if (!problem.empty()) {
    fail("cannot read " + problem + "; MPIGRAFT_REPORT=FILE.json makes a report");
    return {};
  }
  if (text.starts_with('@')) {
    fail(file + ": a report as text; MPIGRAFT_REPORT=FILE.json makes one to read here");
    return {};
  }
  report::ParsedReport parsed = report::parse_report(text);
  if (parsed.problem.empty()) return std::move(parsed.report);
  fail(file + parsed.problem);
  return {};
}

/// Merges the parts of each job, then the jobs, in the order of their files. A rank has one part of a job, so its
/// second one under a name is of another job. Leaves out what cannot be read, and then sets `status`. Returns nothing
/// if no file can be read.
std::optional<report::JobReport> read_all(const std::vector<std::string>& names, int& status) {
  std::vector<report::JobReport> jobs;
  std::map<std::pair<std::string, std::int64_t>, int> parts;  // of a rank under a name, so far
  std::map<std::pair<std::string, int>, std::size_t> places;  // in `jobs`
  std::set<files::path> known;                                // files; "job.json*" names some twice
  for (const std::string& argument : names)
    for (const std::string& file : files_of(argument)) {
      if (std::error_code none; !known.insert(files::weakly_canonical(file, none)).second) continue;
      std::optional<report::JobReport> report = read_report(file);
      if (!report) {
        status = found_problems;
        continue;
      }
      const std::size_t mark = file.rfind(report::part_mark);
      const std::string name = file.substr(0, mark);
      std::size_t place = jobs.size();
      if (mark != file.npos)
        place = places.try_emplace({name, parts[{name, report->first_rank}]++}, place).first->second;
      if (place == jobs.size())
        jobs.push_back(*std::move(report));
      else
        report::merge(jobs[place], *report);
    }
  if (jobs.empty()) return {};
  for (std::size_t i = 1; i < jobs.size(); ++i) report::add_job(jobs[0], std::move(jobs[i]));
  report::sort_rows(jobs[0]);
  return std::move(jobs[0]);
}

/// Ten rows of more ranks would take the model minutes.
constexpr std::int64_t most_modelled_ranks = 1 << 12;

/// True if the model can price such a call soon. A report may contain any numbers.
bool priceable(std::int64_t ranks, std::int64_t bytes) {
  return 1 < ranks && ranks <= most_modelled_ranks && 0 < bytes && bytes <= std::int64_t{1} << 40;
}

double seconds(std::int64_t ns) { return static_cast<double>(ns) / 1e9; }

/// True if a table could have chosen otherwise. Other reasons for native calls are beyond it.
bool open_to_choice(const report::ReportRow& row) {
  return row.ran != "native" || row.reason == "no rule matches" || row.reason == "MPIGRAFT_FORCE" ||
         row.reason.starts_with("rule at ");
}

/// The saving in the calls of a row. The rank that was shortest in them waited least for others, so its time is nearest
/// to what the calls cost.
Saving saving_of(std::size_t index, const report::ReportRow& row, analysis::Predictor& predictor) {
  const analysis::Cell cell =
      predictor.predict(row.collective, static_cast<int>(row.ranks), row.total_bytes / row.calls);
  const analysis::Prediction& best = cell.predictions.front();
  const double calls = static_cast<double>(row.calls), spent = calls * seconds(row.times.least_call);
  Saving saving{index, best.algorithm, best.seconds, spent, {}, 0};
  const auto ran = std::ranges::find(cell.predictions, row.ran, &analysis::Prediction::algorithm);
  if (ran != cell.predictions.end() && ran->seconds != analysis::not_priced) {
    saving.ran_seconds = ran->seconds;
    saving.saved = spent * (1 - best.seconds / ran->seconds);
  } else if (row.ran == "native" && open_to_choice(row)) {
    saving.saved = std::max(0.0, spent - calls * best.seconds);
  }
  if (saving.saved < worth_telling * spent) saving.saved = 0;
  return saving;
}

/// Those of the first rows: a report has the most time first.
std::vector<Saving> savings_of(const report::JobReport& report) {
  analysis::Predictor predictor(report.machine);
  std::vector<Saving> savings;
  std::size_t modelled = 0;
  for (std::size_t i = 0; i < report.rows.size() && modelled < modelled_rows; ++i) {
    const report::ReportRow& row = report.rows[i];
    if (row.calls <= 0 || row.nonblocking || !priceable(row.ranks, row.total_bytes / row.calls)) continue;
    ++modelled;
    const Saving saving = saving_of(i, row, predictor);
    if (saving.best_seconds != analysis::not_priced) savings.push_back(saving);
  }
  return savings;
}

std::string line_of(const Saving& saving, const report::ReportRow& row) {
  return "@ estimate: " + std::string(name_of(row.collective)) + ", " + std::to_string(row.ranks) + " ranks, " +
         std::to_string(row.total_bytes / row.calls) + " bytes: " + std::string(saving.best) + " instead of " +
         row.ran + table::formatted(" could save %.3g of %.3g s", saving.saved, saving.seconds) +
         (row.program.empty() ? "" : " in " + table::printable(row.program)) + '\n';
}

std::string as_text(const report::JobReport& report, const std::vector<Saving>& savings) {
  std::string text = report::text_of(report);
  std::string lines;
  for (const Saving& saving : savings)
    if (saving.saved > 0) lines += line_of(saving, report.rows[saving.row]);
  if (!lines.empty())
    text += "@ estimates of one rank's time, by the model for " + table::describe(report.machine) +
            "; `mpigraft compare` measures\n";
  return text + lines;
}

ordered_json as_json(const report::JobReport& report, const std::vector<Saving>& savings) {
  ordered_json document = ordered_json::parse(report::json_of(report));
  for (const Saving& saving : savings) {
    ordered_json ran;
    if (saving.ran_seconds) ran = *saving.ran_seconds;
    document["rows"][saving.row]["model"] = {
        {"best", saving.best}, {"best_s", saving.best_seconds}, {"ran_s", ran}, {"saving_s", saving.saved}};
  }
  return document;
}

int show_reports(const Options& options) {
  int status = ok;
  const std::optional<report::JobReport> merged = read_all(options.files, status);
  if (!merged) return cannot_run;
  const std::vector<Saving> savings = savings_of(*merged);
  ordered_json document = as_json(*merged, savings);
  if (options.json) return print(document, status);
  if (options.html.empty()) return print(as_text(*merged, savings), status);
  for (const CollectiveInfo& info : collectives)
    document["collectives"].push_back({{"name", info.name}, {"function", info.function}});
  document["notes"] = report::notes_of(*merged);
  const int made = make_page("report", document.dump(), options.html);
  return made == ok ? status : made;
}

}  // namespace

Action add_report(CLI::App& verb) {
  auto options = std::make_shared<Options>();
  verb.add_option("FILE", options->files,
                  "Reports; the files of their parts, and of spawned and simultaneous jobs, are read, too")
      ->required();
  auto* json = verb.add_flag("--json", options->json, "Print JSON");
  add_word(verb, "--html", options->html, "Write the report into this file as one self-contained page")->excludes(json);
  end_help(verb, R"(
  mpigraft report job.json
  mpigraft report --html jobs.html first_job.json second_job.json)",
           footer);
  return [options] { return show_reports(*options); };
}

}  // namespace mpigraft::command
