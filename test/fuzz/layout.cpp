// SPDX-License-Identifier: MIT
#include "test/fuzz/layout.hpp"

#include <algorithm>

namespace mpigraft::fuzz {
namespace {

constexpr std::int64_t most_units = 12;

std::string listed_as(const char* name, std::initializer_list<std::int64_t> numbers) {
  std::string text = std::string(" ") + name + "(";
  for (const std::int64_t n : numbers) text += (text.back() == '(' ? "" : ",") + std::to_string(n);
  return text + ")";
}

/// The first bytes of `n` rows of `length` elements. A row begins `stride` bytes after the one before.
std::vector<std::int64_t> rows(const Layout& of, std::int64_t n, std::int64_t length, std::int64_t stride,
                               std::int64_t first = 0) {
  std::vector<std::int64_t> at;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < length; ++j) at.push_back(first + i * stride + j * of.extent());
  return at;
}

void contiguous(Layout& layout, std::int64_t n) {
  MPI_Datatype made;
  MPI_Type_contiguous(static_cast<int>(n), layout.type(), &made);
  layout.become(made, rows(layout, 1, n, 0), listed_as("contiguous", {n}));
}

void vector(Layout& layout, std::int64_t n, std::int64_t length, std::int64_t stride) {
  MPI_Datatype made;
  MPI_Type_vector(static_cast<int>(n), static_cast<int>(length), static_cast<int>(stride), layout.type(), &made);
  layout.become(made, rows(layout, n, length, stride * layout.extent()), listed_as("vector", {n, length, stride}));
}

/// Units from high addresses to low ones.
void backwards(Layout& layout, std::int64_t n, std::int64_t gap) {
  MPI_Datatype made;
  MPI_Type_create_hvector(static_cast<int>(n), 1, -(layout.extent() + gap), layout.type(), &made);
  layout.become(made, rows(layout, n, 1, -(layout.extent() + gap)),
                listed_as("hvector", {n, 1, -(layout.extent() + gap)}));
}

void indexed(Layout& layout, const std::vector<int>& places) {
  std::vector<std::int64_t> at;
  for (const int place : places) at.push_back(place * layout.extent());
  MPI_Datatype made;
  MPI_Type_create_indexed_block(static_cast<int>(places.size()), 1, places.data(), layout.type(), &made);
  layout.become(made, at, listed_as("indexed_block", {places.front(), places.back()}));
}

void structure(Layout& layout, Random& random) {
  const int lengths[] = {static_cast<int>(random.between(1, 2)), 1};
  const MPI_Aint gap = random.between(0, 9),
                 places[] = {random.between(-5, 5), places[0] + lengths[0] * layout.extent() + gap};
  const MPI_Datatype parts[] = {layout.type(), layout.type()};
  std::vector<std::int64_t> at = rows(layout, 1, lengths[0], 0, places[0]);
  at.push_back(places[1]);
  MPI_Datatype made;
  MPI_Type_create_struct(2, lengths, places, parts, &made);
  layout.become(made, at, listed_as("struct", {lengths[0], places[0], places[1]}));
}

/// Rows 1 and 2, columns 1 and 2 of 3 x 4.
void subarray(Layout& layout) {
  const int sizes[] = {3, 4}, parts[] = {2, 2}, starts[] = {1, 1};
  MPI_Datatype made;
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, layout.type(), &made);
  layout.become(made, rows(layout, 2, 2, 4 * layout.extent(), 5 * layout.extent()), " subarray(3x4)");
}

void resized(Layout& layout, std::int64_t lb, std::int64_t extent) {
  MPI_Datatype made;
  MPI_Type_create_resized(layout.type(), lb, extent, &made);
  layout.become(made, {0}, listed_as("resized", {lb, extent}));
}

/// Adds unused bytes around an element; direction -1: the next element lies before it.
void padded(Layout& layout, std::int64_t below, std::int64_t above, int direction) {
  const std::int64_t lb = layout.lowest() - below;
  resized(layout, lb, direction * (layout.highest() + above - lb));
}

/// A column of a matrix of two rows: elements lie between the parts of others.
void interleaved(Layout& layout, std::int64_t count) {
  const std::int64_t step = layout.extent();
  vector(layout, 2, 1, count);
  resized(layout, 0, step);
}

void nest(Layout& layout, Random& random) {
#ifdef OPEN_MPI  // 4.1.4 natively packs types wrongly whose elements descend, or overlap once they are repeated
  constexpr int shapes = 2;
#else
  constexpr int shapes = 8;
#endif
  switch (random.below(shapes)) {
    case 0:
      return contiguous(layout, random.between(1, 4));
    case 1: {
      const std::int64_t length = random.between(1, 2);
      return vector(layout, random.between(1, 3), length, random.between(length, length + 2));
    }
    case 2:
      return backwards(layout, random.between(2, 3), random.between(0, 3));
    case 3: {
      std::vector<int> places{-1, 0, 2, 5};
      random.shuffle(places);
      places.resize(static_cast<std::size_t>(random.between(1, 4)));
      return indexed(layout, places);
    }
    case 4:
      return structure(layout, random);
    case 5:
      return subarray(layout);
    case 6:
      return padded(layout, random.between(0, 9), random.between(0, 9), 1);
    default:
      MPI_Datatype made;
      MPI_Type_dup(layout.type(), &made);
      return layout.become(made, {0}, " dup");
  }
}

}  // namespace

Layout::Layout(const Kind& kind)
    : width_(static_cast<std::int64_t>(kind.size)), type_(kind.type), extent_(width_), text_(kind.type_name) {}

std::int64_t Layout::lowest() const { return offsets_.empty() ? 0 : std::ranges::min(offsets_); }
std::int64_t Layout::highest() const { return offsets_.empty() ? 0 : std::ranges::max(offsets_) + width_; }

void Layout::become(MPI_Datatype made, const std::vector<std::int64_t>& at, const std::string& text) {
  MPI_Type_commit(&made);
  owned_ = {new MPI_Datatype(made), [](MPI_Datatype* type) {
              MPI_Type_free(type);
              delete type;
            }};
  std::vector<std::int64_t> all;
  for (const std::int64_t start : at)
    for (const std::int64_t offset : offsets_) all.push_back(start + offset);
  MPI_Aint lb = 0, extent = 0;
  MPI_Type_get_extent(made, &lb, &extent);
  type_ = made, offsets_ = std::move(all), extent_ = extent, text_ += text;
}

Layout Layout::draw(Random& random, const Kind& kind, std::int64_t count, bool bare) {
  Layout layout(kind);
  if (random.percent(20)) return layout;
  for (auto depth = random.between(1, 3); depth > 0 && 4 * layout.units() <= most_units; --depth) nest(layout, random);
  if (random.percent(2) && draws_empty_elements) contiguous(layout, 0);
  if (bare) return layout;
  if (random.percent(8))
    padded(layout, random.between(0, 9), random.between(0, 9), -1);
  else if (random.percent(8) && layout.units() > 0)
    interleaved(layout, std::max<std::int64_t>(count, 1));
  return layout;
}

Layout Layout::row(const Kind& kind, std::int64_t n) {
  Layout layout(kind);
  contiguous(layout, n);
  return layout;
}

void Layout::make_absolute(const char* element_0) {
  const MPI_Aint place = reinterpret_cast<MPI_Aint>(element_0);
  MPI_Datatype made;
  MPI_Type_create_hindexed_block(1, 1, &place, type_, &made);
  become(made, {place}, " at its absolute address");
}

}  // namespace mpigraft::fuzz
