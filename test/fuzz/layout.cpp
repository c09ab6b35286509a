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

std::vector<std::int64_t> Layout::rows(std::int64_t n, std::int64_t length, std::int64_t stride,
                                       std::int64_t first) const {
  std::vector<std::int64_t> at;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < length; ++j) at.push_back(first + i * stride + j * extent_);
  return at;
}

void Layout::contiguous(std::int64_t n) {
  MPI_Datatype made;
  MPI_Type_contiguous(static_cast<int>(n), type_, &made);
  become(made, rows(1, n, 0), listed_as("contiguous", {n}));
}

void Layout::vector(std::int64_t n, std::int64_t length, std::int64_t stride) {
  MPI_Datatype made;
  MPI_Type_vector(static_cast<int>(n), static_cast<int>(length), static_cast<int>(stride), type_, &made);
  become(made, rows(n, length, stride * extent_), listed_as("vector", {n, length, stride}));
}

/// Units from high addresses to low ones.
void Layout::backwards(std::int64_t n, std::int64_t gap) {
  MPI_Datatype made;
  MPI_Type_create_hvector(static_cast<int>(n), 1, -(extent_ + gap), type_, &made);
  become(made, rows(n, 1, -(extent_ + gap)), listed_as("hvector", {n, 1, -(extent_ + gap)}));
}

void Layout::indexed(const std::vector<int>& places) {
  std::vector<std::int64_t> at;
  for (const int place : places) at.push_back(place * extent_);
  MPI_Datatype made;
  MPI_Type_create_indexed_block(static_cast<int>(places.size()), 1, places.data(), type_, &made);
  become(made, at, listed_as("indexed_block", {places.front(), places.back()}));
}

void Layout::structure(Random& random) {
  const int lengths[] = {static_cast<int>(random.between(1, 2)), 1};
  const MPI_Aint gap = random.between(0, 9), places[] = {random.between(-5, 5), places[0] + lengths[0] * extent_ + gap};
  const MPI_Datatype parts[] = {type_, type_};
  std::vector<std::int64_t> at = rows(1, lengths[0], 0, places[0]);
  at.push_back(places[1]);
  MPI_Datatype made;
  MPI_Type_create_struct(2, lengths, places, parts, &made);
  become(made, at, listed_as("struct", {lengths[0], places[0], places[1]}));
}

/// Rows 1 and 2, columns 1 and 2 of 3 x 4.
void Layout::subarray() {
  const int sizes[] = {3, 4}, parts[] = {2, 2}, starts[] = {1, 1};
  MPI_Datatype made;
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, type_, &made);
  become(made, rows(2, 2, 4 * extent_, 5 * extent_), " subarray(3x4)");
}

void Layout::resized(std::int64_t lb, std::int64_t extent) {
  MPI_Datatype made;
  MPI_Type_create_resized(type_, lb, extent, &made);
  become(made, {0}, listed_as("resized", {lb, extent}));
}

/// Adds unused bytes around an element; direction -1: the next element lies before it.
void Layout::padded(std::int64_t below, std::int64_t above, int direction) {
  const std::int64_t lb = lowest() - below;
  resized(lb, direction * (highest() + above - lb));
}

/// A column of a matrix of two rows: elements lie between the parts of others.
void Layout::interleaved(std::int64_t count) {
  const std::int64_t step = extent_;
  vector(2, 1, count);
  resized(0, step);
}

void Layout::nest(Random& random) {
#ifdef OPEN_MPI  // 4.1.4 natively packs types wrongly whose elements descend, or overlap once they are repeated
  constexpr int shapes = 2;
#else
  constexpr int shapes = 8;
#endif
  switch (random.below(shapes)) {
    case 0:
      return contiguous(random.between(1, 4));
    case 1: {
      const std::int64_t length = random.between(1, 2);
      return vector(random.between(1, 3), length, random.between(length, length + 2));
    }
    case 2:
      return backwards(random.between(2, 3), random.between(0, 3));
    case 3: {
      std::vector<int> places{-1, 0, 2, 5};
      random.shuffle(places);
      places.resize(static_cast<std::size_t>(random.between(1, 4)));
      return indexed(places);
    }
    case 4:
      return structure(random);
    case 5:
      return subarray();
    case 6:
      return padded(random.between(0, 9), random.between(0, 9), 1);
    default:
      MPI_Datatype made;
      MPI_Type_dup(type_, &made);
      return become(made, {0}, " dup");
  }
}

Layout Layout::draw(Random& random, const Kind& kind, std::int64_t count, bool bare) {
  Layout layout(kind);
  if (random.percent(20)) return layout;
  for (auto depth = random.between(1, 3); depth > 0 && 4 * layout.units() <= most_units; --depth) layout.nest(random);
  if (random.percent(2) && draws_empty_elements) layout.contiguous(0);
  if (bare) return layout;
  if (random.percent(8))
    layout.padded(random.between(0, 9), random.between(0, 9), -1);
  else if (random.percent(8) && layout.units() > 0)
    layout.interleaved(std::max<std::int64_t>(count, 1));
  return layout;
}

Layout Layout::row(const Kind& kind, std::int64_t n) {
  Layout layout(kind);
  layout.contiguous(n);
  return layout;
}

void Layout::make_absolute(const char* element_0) {
  const MPI_Aint place = reinterpret_cast<MPI_Aint>(element_0);
  MPI_Datatype made;
  MPI_Type_create_hindexed_block(1, 1, &place, type_, &made);
  become(made, {place}, " at its absolute address");
}

}  // namespace mpigraft::fuzz
