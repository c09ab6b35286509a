// SPDX-License-Identifier: MIT
// mpigraft check
#include <algorithm>
#include <nlohmann/json.hpp>

#include "config/analysis/lint.hpp"
#include "config/command/command.hpp"
#include "config/command/output.hpp"
#include "config/table/size.hpp"
#include "config/table/table_file.hpp"

namespace mpigraft::command {

namespace {

nlohmann::ordered_json document_of(const std::string& path, const table::ParsedTable& parsed) {
  auto findings = nlohmann::ordered_json::array();
  for (const table::Finding& finding : parsed.findings)
    findings.push_back({{"severity", name_of(finding.severity)},
                        {"pointer", finding.pointer},
                        {"line", finding.line},
                        {"column", finding.column},
                        {"message", finding.message},
                        {"hint", finding.hint}});
  return {{"file", path}, {"rules", parsed.table.rules.size()}, {"findings", findings}};
}

std::string text_of(const std::string& path, const table::ParsedTable& parsed, bool usable) {
  std::string text;
  for (const table::Finding& finding : parsed.findings) text += table::describe(path, finding) + '\n';
  if (!usable) return text;
  text += path + ": ok, rules: " + std::to_string(parsed.table.rules.size());
  if (parsed.table.required.any()) text += ", requires: " + table::describe(parsed.table.required);
  return text + ", machine: " + table::describe(parsed.table.machine) + '\n';
}

}  // namespace

int check(const CheckOptions& options) {
  const table::TableFile file = table::read_table(options.file);
  if (!file.error.empty()) return fail(file.error);
  const table::ParsedTable parsed = analysis::check_table(file.text);
  const auto any = [&](table::Severity severity) {
    return std::ranges::find(parsed.findings, severity, &table::Finding::severity) != parsed.findings.end();
  };
  const bool usable = !any(table::Severity::error);
  const int status = usable && !(options.strict && any(table::Severity::warning)) ? ok : found_problems;
  if (options.json) return print(document_of(options.file, parsed), status);
  return print(text_of(options.file, parsed, usable), status);
}

}  // namespace mpigraft::command
