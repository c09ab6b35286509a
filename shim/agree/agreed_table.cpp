// SPDX-License-Identifier: MIT
#include "shim/agree/agreed_table.hpp"

#include <mutex>

#include "config/table/requirements.hpp"
#include "config/table/table_file.hpp"
#include "shim/abi/library.hpp"
#include "shim/base/host.hpp"
#include "shim/base/process.hpp"

namespace mpigraft::agree {
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

std::string summary(const std::string& origin, const std::vector<table::Finding>& findings) {
  std::string text;
  for (std::size_t i = 0; i < findings.size() && i < shown_findings; ++i)
    text.append(i ? "\n  " : "").append(table::describe(origin, findings[i]));
  if (findings.size() > shown_findings)
    text += "\n  and " + std::to_string(findings.size() - shown_findings) + " more: mpigraft check " + origin;
  return text;
}

table::Surroundings here() { return table::surroundings_here(abi::library_version().data()); }

table::Interface interface_here() { return table::interface_of(abi::library_version().data()); }

/// Makes `agreed` the known table of this process.
std::shared_ptr<const AgreedTable> keep(std::shared_ptr<AgreedTable> agreed) {
  for (const std::string* part : {&agreed->origin, &agreed->error, &agreed->text})
    agreed->digest = table::digest(part->data(), part->size(), agreed->digest + 1);
  const std::lock_guard lock(cache().mutex);
  cache().table = agreed;
  return agreed;
}

std::shared_ptr<AgreedTable> table_of(table::TableFile file) {
  auto agreed = std::make_shared<AgreedTable>();
  agreed->path = base::settings().table;
  agreed->origin = std::move(file.origin);
  agreed->error = std::move(file.error);
  agreed->text = std::move(file.text);
  if (!agreed->error.empty()) return agreed;
  table::ParsedTable parsed = table::parse_table(agreed->text);
  agreed->error = summary(agreed->origin, parsed.findings);
  agreed->table = std::move(parsed.table);
  return agreed;
}

}  // namespace

std::shared_ptr<const AgreedTable> known_table() {
  const std::lock_guard lock(cache().mutex);
  const auto& table = cache().table;
  return table && table->path == base::settings().table ? table : nullptr;
}

std::shared_ptr<const AgreedTable> load_table() {
  const std::string path = table::path_from_environment(base::settings());
  auto agreed = table_of(table::read_table_file(path, table::site_table_path(), interface_here()));
  if (!agreed->error.empty() || !agreed->table.required.any()) return keep(std::move(agreed));
  std::string problem = table::why_not_in_force(agreed->origin, agreed->table.required, here());
  if (problem.empty()) return keep(std::move(agreed));
  auto embedded = table_of(table::embedded_table(interface_here()));
  embedded->notice = std::move(problem);
  return keep(std::move(embedded));
}

std::shared_ptr<const AgreedTable> keep_table(std::string origin, std::string error, std::string text) {
  return keep(table_of({std::move(origin), std::move(text), std::move(error)}));
}

}  // namespace mpigraft::agree
