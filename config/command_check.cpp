// SPDX-License-Identifier: MIT
// mpigraft check
#include <nlohmann/json.hpp>

#include "config/command.hpp"
#include "config/figures.hpp"
#include "config/output.hpp"
#include "config/table_file.hpp"

namespace mpigraft {

namespace {

nlohmann::ordered_json document_of(const std::string& path, const ParsedTable& parsed) {
  auto findings = nlohmann::ordered_json::array();
  for (const Finding& finding : parsed.findings)
    findings.push_back({{"pointer", finding.pointer},
                        {"line", finding.line},
                        {"column", finding.column},
                        {"message", finding.message},
                        {"hint", finding.hint}});
  return {{"file", path}, {"rules", parsed.table.rules.size()}, {"findings", findings}};
}

}  // namespace

int check(const std::string& path, bool json) {
  const TableFile file = read_table(path);
  if (!file.error.empty()) return fail(file.error);
  const ParsedTable parsed = parse_table(file.text);
  const int status = parsed.findings.empty() ? ok : found_problems;
  if (json) return print(document_of(path, parsed), status);
  std::string text;
  for (const Finding& finding : parsed.findings) text += describe(path, finding) + '\n';
  if (text.empty())
    text = path + ": ok, rules: " + std::to_string(parsed.table.rules.size()) +
           ", machine: " + describe(parsed.table.machine) + '\n';
  return print(text, status);
}

}  // namespace mpigraft
