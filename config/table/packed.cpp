// SPDX-License-Identifier: MIT
#include "config/table/packed.hpp"

#include <array>
#include <type_traits>

#include "config/table/digest.hpp"

namespace mpigraft::table {

namespace {

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Appends fields to bytes, or takes the same fields off them. Once these are too few, all fields stay as they are.
template <bool takes>
class Archive {
  template <class T>
  using Of = std::conditional_t<takes, T, const T>;

 public:
  std::conditional_t<takes, std::string_view, std::string> bytes = {};
  bool enough = true;

  void operator()(auto&... all) { (pass(all), ...); }

 private:
  std::string_view next(std::size_t n) {
    enough = enough && n <= bytes.size();
    if (!enough) return {};
    const std::string_view taken = bytes.substr(0, n);
    bytes.remove_prefix(n);
    return taken;
  }
  template <class T>
  requires Plain<std::remove_const_t<T>>
  void pass(T& value) {
    if constexpr (takes)
      next(sizeof value).copy(reinterpret_cast<char*>(&value), sizeof value);
    else
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  std::size_t pass_size(std::size_t size) {
    auto n = static_cast<std::uint32_t>(size);
    pass(n);
    return n;
  }
  void pass(Of<std::string>& text) {
    const std::size_t n = pass_size(text.size());
    if constexpr (takes)
      text = next(n);
    else
      bytes += text;
  }
  void pass(auto& optional) {
    bool given = optional.has_value();
    pass(given);
    if constexpr (takes)
      if (given) optional.emplace();
    if (given) pass(*optional);
  }
  void pass(Of<std::vector<Rule>>& rules) {
    const std::size_t n = pass_size(rules.size());
    for (std::size_t i = 0; i < n && enough; ++i) {
      if constexpr (takes) rules.emplace_back();
      fields(*this, rules[i]);
    }
  }
};

/// The fields of a rule, in their order. Most bounds are those of Range{}: they are left out.
void fields(auto& archive, auto& rule) {
  const std::array bounds{&rule.ranks.min, &rule.ranks.max, &rule.nodes.min,          &rule.nodes.max,
                          &rule.bytes.min, &rule.bytes.max, &rule.ranks_per_node.min, &rule.ranks_per_node.max};
  const std::array usual{Range{}.min, Range{}.max};
  unsigned char given = 0;
  for (std::size_t i = 0; i < bounds.size(); ++i)
    given |= static_cast<unsigned char>((*bounds[i] != usual[i % 2]) << i);
  archive(given);
  for (std::size_t i = 0; i < bounds.size(); ++i)
    if (given >> i & 1) archive(*bounds[i]);
  archive(rule.oversubscribed, rule.line, rule.note, rule.collective, rule.op, rule.choice.algorithm,
          rule.choice.segment, rule.choice.ports, rule.choice.barrier, rule.composition, rule.variant);
}

void fields_of_table(auto& archive, auto& shared) {
  auto& table = shared.table;
  archive(shared.origin, shared.error, table.schema, table.site, table.note, table.required.mpi, table.required.host,
          table.machine.latency, table.machine.per_byte, table.machine.combine_per_byte, table.scratch, table.rules);
}

}  // namespace

void drop_notes(Table& table) {
  table.note.clear();
  for (Rule& rule : table.rules) rule.note.clear();
}

std::string packed(const SharedTable& table) {
  Archive<false> archive;
  fields_of_table(archive, table);
  const std::uint64_t sum = digest(archive.bytes.data(), archive.bytes.size());
  archive(sum);
  return std::move(archive.bytes);
}

std::optional<SharedTable> unpacked(std::string_view bytes) {
  SharedTable table;
  std::uint64_t expected = 0;
  if (bytes.size() < sizeof expected) return {};
  const std::string_view content = bytes.substr(0, bytes.size() - sizeof expected);
  Archive<true>{bytes.substr(content.size())}(expected);
  if (digest(content.data(), content.size()) != expected) return {};
  Archive<true> archive{content};
  fields_of_table(archive, table);
  return archive.enough && archive.bytes.empty() ? std::optional(std::move(table)) : std::nullopt;
}

}  // namespace mpigraft::table
