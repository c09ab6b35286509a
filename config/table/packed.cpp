// SPDX-License-Identifier: MIT
#include "config/table/packed.hpp"

#include <array>
#include <type_traits>

#include "config/table/digest.hpp"

namespace mpigraft::table {

namespace {

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Appends fields to the bytes.
class Packer {
 public:
  template <class... Fields>
  void operator()(const Fields&... all) {
    (add(all), ...);
  }
  std::string bytes() && { return std::move(bytes_); }
  std::uint64_t digest() const { return table::digest(bytes_.data(), bytes_.size()); }

 private:
  template <Plain T>
  void add(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void add(const std::string& text) {
    add(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
  }
  template <Plain T>
  void add(const std::optional<T>& value) {
    add(value.has_value());
    if (value) add(*value);
  }
  void add(const std::vector<Rule>& rules);

  std::string bytes_;
};

/// Takes the same fields off the bytes. Once these are too few, all fields stay as they are.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}
  template <class... Fields>
  void operator()(Fields&... all) {
    (take(all), ...);
  }
  bool enough() const { return enough_; }
  bool at_end() const { return enough_ && rest_.empty(); }

 private:
  std::string_view next(std::size_t n) {
    enough_ = enough_ && n <= rest_.size();
    if (!enough_) return {};
    const std::string_view bytes = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return bytes;
  }
  template <Plain T>
  void take(T& value) {
    next(sizeof value).copy(reinterpret_cast<char*>(&value), sizeof value);
  }
  void take(std::string& text) {
    std::uint32_t n = 0;
    take(n);
    text = next(n);
  }
  template <Plain T>
  void take(std::optional<T>& value) {
    bool given = false;
    take(given);
    if (given) take(value.emplace());
  }
  void take(std::vector<Rule>& rules);

  std::string_view rest_;
  bool enough_ = true;
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

void Packer::add(const std::vector<Rule>& rules) {
  add(static_cast<std::uint32_t>(rules.size()));
  for (const Rule& rule : rules) fields(*this, rule);
}

void Unpacker::take(std::vector<Rule>& rules) {
  std::uint32_t n = 0;
  for (take(n); n > 0 && enough_; --n) fields(*this, rules.emplace_back());
}

}  // namespace

std::string packed(const SharedTable& table) {
  Packer packer;
  fields_of_table(packer, table);
  packer(packer.digest());
  return std::move(packer).bytes();
}

std::optional<SharedTable> unpacked(std::string_view bytes) {
  SharedTable table;
  std::uint64_t expected = 0;
  if (bytes.size() < sizeof expected) return {};
  const std::string_view content = bytes.substr(0, bytes.size() - sizeof expected);
  Unpacker{bytes.substr(content.size())}(expected);
  if (digest(content.data(), content.size()) != expected) return {};
  Unpacker unpacker(content);
  fields_of_table(unpacker, table);
  return unpacker.at_end() ? std::optional(std::move(table)) : std::nullopt;
}

}  // namespace mpigraft::table
