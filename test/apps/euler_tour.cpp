// SPDX-License-Identifier: MIT
// Euler tour of a tree whose vertices are spread over the ranks, and all that it tells (Huang 2007, chapter VI.B):
// parents, preorder and postorder numbers, levels, sizes of subtrees. At first the tour is a linked list of arcs.
// Pointer jumping ranks it (Wyllie 1979), the arcs move to their places, and one scan over them gives everything.
#include "app.hpp"

namespace {

/// Vertices that each vertex is joined to; the tour leaves them in this order.
using Tree = std::vector<std::vector<long>>;

/// One direction of an edge. Arcs have numbers in the order of the vertices that they leave.
struct Arc {
  long from, to, reverse = -1;
};

/// The place of an arc in the linked list: the arc that the pointer is at (-1 at the end), and how far that is.
struct Link {
  long next = -1, distance = 0;
};

/// Vertex of the rooted tree. The root is its own parent, and a subtree counts its root. `deepest` is the lowest level
/// of the vertices up to this one in preorder.
struct Vertex {
  long parent, preorder, postorder, level, size, deepest;
  bool operator==(const Vertex&) const = default;
};

/// A stretch of the tour: its arcs away from the root and towards it, and how much deeper than its beginning it gets.
struct Stretch {
  long down = 0, up = 0, deepest = 0;
};

Stretch join(const Stretch& lower, const Stretch& higher) {
  return {lower.down + higher.down, lower.up + higher.up,
          std::max(lower.deepest, lower.down - lower.up + higher.deepest)};
}

Tree random_tree(const std::string& shape, long vertices, std::mt19937_64 next) {
  std::vector<long> names(vertices);
  std::iota(names.begin(), names.end(), 0);
  std::ranges::shuffle(names, next);
  Tree tree(vertices);
  for (long v = 1; v < vertices; ++v) {
    const long u = shape == "path" ? v - 1 : shape == "star" ? 0 : static_cast<long>(next() % v);
    tree[names[u]].push_back(names[v]);
    tree[names[v]].push_back(names[u]);
  }
  return tree;
}

/// The arcs of one rank, which are those that leave its vertices.
struct Arcs {
  std::vector<Arc> own;
  app::Blocks blocks;
};

Arcs arcs_of(const app::Blocks& vertices, const Tree& own) {
  std::vector<Arc> arcs;
  for (std::size_t i = 0; i < own.size(); ++i)
    for (const long to : own[i]) arcs.push_back({vertices.first() + static_cast<long>(i), to});
  const long count = static_cast<long>(arcs.size());
  std::vector<long> starts(app::ranks() + 1);
  MPI_Allgather(&count, 1, MPI_LONG, &starts[1], 1, MPI_LONG, MPI_COMM_WORLD);
  std::inclusive_scan(starts.begin(), starts.end(), starts.begin());
  return {arcs, app::Blocks(starts)};
}

/// Links the arcs: the arc to v is followed by the one that leaves v next after its reverse. The rank that has v knows
/// both, and tells the arc's owner. The circuit is cut before the root's first arc.
std::vector<Link> linked(const app::Blocks& vertices, Arcs& arcs, long root) {
  struct Message {
    long from, to, reverse, next;
  };
  std::vector<std::vector<Message>> to(app::ranks());
  for (std::size_t i = 0, first = 0; i < arcs.own.size(); ++i) {
    const Arc& arc = arcs.own[i];
    if (arc.from != arcs.own[first].from) first = i;
    const bool is_last = i + 1 == arcs.own.size() || arcs.own[i + 1].from != arc.from;
    const long next = arcs.blocks.first() + static_cast<long>(is_last ? first : i + 1);
    to[vertices.owner(arc.to)].push_back(
        {arc.to, arc.from, arcs.blocks.first() + static_cast<long>(i), is_last && arc.from == root ? -1 : next});
  }
  std::map<std::pair<long, long>, std::size_t> index;
  for (std::size_t i = 0; i < arcs.own.size(); ++i) index[{arcs.own[i].from, arcs.own[i].to}] = i;
  std::vector<Link> links(arcs.own.size());
  const auto arrived = app::exchange(to);
  for (const Message& message : arrived.items) {
    const std::size_t i = index.at({message.from, message.to});
    arcs.own[i].reverse = message.reverse;
    links[i] = {message.next, message.next < 0 ? 0 : 1};
  }
  return links;
}

/// Pointer jumping: each round doubles the distances, until all pointers are at the end of the list.
std::vector<Link> ranked(const app::Blocks& blocks, std::vector<Link> links) {
  while (true) {
    std::vector<long> asked;
    for (const Link& link : links)
      if (link.next >= 0) asked.push_back(link.next);
    if (app::sum_of_all(static_cast<long>(asked.size())) == 0) return links;
    const auto answers = app::ask(blocks, asked, [&](long number) { return links[number - blocks.first()]; });
    auto answer = answers.begin();
    for (Link& link : links)
      if (link.next >= 0) {
        link = {answer->next, link.distance + answer->distance};
        ++answer;
      }
  }
}

/// An arc on the tour. It leads away from the root if it comes before its reverse.
struct Step {
  Arc arc;
  long is_down;
};

/// The tour as a sequence: each rank's part, with even numbers of arcs.
std::vector<Step> tour(const Arcs& arcs, const std::vector<Link>& links) {
  const long count = app::sum_of_all(static_cast<long>(links.size()));
  std::vector<long> places, reverses;
  for (const Link& link : links) places.push_back(count - 1 - link.distance);
  for (const Arc& arc : arcs.own) reverses.push_back(arc.reverse);
  const auto theirs =
      app::ask(arcs.blocks, reverses, [&](long number) { return places[number - arcs.blocks.first()]; });
  std::vector<Step> steps;
  for (std::size_t i = 0; i < places.size(); ++i) steps.push_back({arcs.own[i], places[i] < theirs[i]});
  return app::place(app::Blocks(count), steps, places).items;
}

/// Scans the tour, and tells the owner of each vertex how the tour stands when it comes there and when it leaves.
std::vector<Vertex> rooted(const app::Blocks& vertices, const std::vector<Step>& steps, long root, long all) {
  struct Message {
    long vertex, parent, is_down;
    Stretch at;
  };
  const app::Type<Stretch> type;
  const app::Operator<Stretch, join> op(false);
  const auto of = [](const Step& step) { return step.is_down ? Stretch{1, 0, 1} : Stretch{0, 1, 0}; };
  Stretch own;
  for (const Step& step : steps) own = join(own, of(step));
  Stretch at = app::before<Stretch>({own}, type, op, Stretch()).front();
  std::vector<std::vector<Message>> to(app::ranks());
  for (const Step& step : steps) {
    at = join(at, of(step));
    const long child = step.is_down ? step.arc.to : step.arc.from, parent = step.is_down ? step.arc.from : step.arc.to;
    to[vertices.owner(child)].push_back({child, parent, step.is_down, at});
  }
  std::vector<Vertex> own_vertices(vertices.count(), Vertex{root, 0, all - 1, 0, all, 0});
  const auto arrived = app::exchange(to);  // in the order of the tour
  for (const auto& [child, parent, is_down, stretch] : arrived.items) {
    Vertex& vertex = own_vertices[child - vertices.first()];
    if (is_down) {
      vertex = {parent, stretch.down, 0, stretch.down - stretch.up, 0, stretch.deepest};
    } else {
      vertex.postorder = stretch.up - 1;
      vertex.size = stretch.down - vertex.preorder + 1;
    }
  }
  return own_vertices;
}

/// Depth-first search that leaves each vertex in the order of the tour.
std::vector<Vertex> sequentially(const Tree& tree, long root) {
  struct Visit {
    long vertex;
    std::size_t next, left;
  };
  std::vector<Vertex> vertices(tree.size());
  std::vector<Visit> path{{root, 0, tree[root].size()}};
  long preorder = 0, postorder = 0, deepest = 0;
  vertices[root] = {root, 0, 0, 0, 0, 0};
  while (!path.empty()) {
    auto& [v, next, left] = path.back();
    if (left == 0) {
      vertices[v].postorder = postorder++;
      vertices[v].size = preorder - vertices[v].preorder + 1;
      path.pop_back();
      continue;
    }
    const long u = tree[v][next], level = vertices[v].level + 1;
    next = (next + 1) % tree[v].size();
    --left;
    deepest = std::max(deepest, level);
    vertices[u] = {v, ++preorder, 0, level, 0, deepest};
    const std::size_t back = std::ranges::find(tree[u], v) - tree[u].begin();
    path.push_back({u, (back + 1) % tree[u].size(), tree[u].size() - 1});
  }
  return vertices;
}

}  // namespace

int main(int argc, char** argv) {
  app::Run run(argc, argv, "euler_tour", {{"size", {"1000"}}, {"steps", {"1"}}, {"shape", {"random", "path", "star"}}});
  const long all = std::max(1L, run.number("size")), root = static_cast<long>(run.random(1)() % all);
  const Tree tree = random_tree(run.word("shape"), all, run.random());
  const std::vector<Vertex> expected = sequentially(tree, root);
  const app::Blocks vertices = run.blocks(all);
  const Tree own = vertices.own(tree);
  const auto step = [&](long) {
    Arcs arcs = arcs_of(vertices, own);
    const std::vector<Link> links = ranked(arcs.blocks, linked(vertices, arcs, root));
    return app::Part<Vertex>{vertices.first(), rooted(vertices, tour(arcs, links), root, all)};
  };
  return run.judge(
      step, [&](long) -> const auto& { return expected; });
}
