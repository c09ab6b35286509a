// SPDX-License-Identifier: MIT
#include "shim/agreed_table.hpp"

#include <mutex>

#include "config/table_file.hpp"
#include "shim/host.hpp"
#include "shim/process.hpp"

namespace mpigraft {
namespace {

constexpr std::size_t shown_findings = 3;

struct Cache {
  std::mutex mutex;
  std::shared_ptr<const AgreedTable> table;
};
Cache& cache() {
  static Cache& one = *new Cache;
  return one;
}

std::string summary(const std::string& origin, const std::vector<Finding>& findings) {
  std::string text;
  for (std::size_t i = 0; i < findings.size() && i < shown_findings; ++i)
    text.append(i ? "\n  " : "").append(describe(origin, findings[i]));
  if (findings.size() > shown_findings)
    text += "\n  and " + std::to_string(findings.size() - shown_findings) + " more: mpigraft check " + origin;
  return text;
}

}  // namespace

std::shared_ptr<const AgreedTable> known_table() {
  const std::lock_guard lock(cache().mutex);
  const auto& table = cache().table;
  return table && table->path == settings().table ? table : nullptr;
}

std::shared_ptr<const AgreedTable> load_table() {
  TableFile file = read_table_file(settings().table);
  return keep_table(std::move(file.origin), std::move(file.error), std::move(file.text));
}

std::shared_ptr<const AgreedTable> keep_table(std::string origin, std::string error, std::string text) {
  auto agreed = std::make_shared<AgreedTable>();
  agreed->path = settings().table;
  agreed->origin = std::move(origin);
  agreed->text = std::move(text);
  agreed->error = std::move(error);
  if (agreed->error.empty()) {
    ParsedTable parsed = parse_table(agreed->text);
    agreed->error = summary(agreed->origin, parsed.findings);
    agreed->table = std::move(parsed.table);
  }
  for (const std::string* part : {&agreed->origin, &agreed->error, &agreed->text})
    agreed->digest = digest(part->data(), part->size(), agreed->digest + 1);
  const std::lock_guard lock(cache().mutex);
  cache().table = agreed;
  return agreed;
}

}  // namespace mpigraft
