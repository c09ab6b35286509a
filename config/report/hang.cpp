// SPDX-License-Identifier: MIT
#include "config/report/hang.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace mpigraft::report {
namespace {

constexpr std::size_t most_lines = 16;  // of one kind; jobs may be large

using Inside = std::map<std::int64_t, TraceEntry>;  // by rank of MPI_COMM_WORLD

/// One call, as all ranks of a communicator number it.
struct CallKey {
  std::string comm;
  std::int64_t call;
  auto operator<=>(const CallKey&) const = default;
};

bool waits(const TraceEntry& entry) { return entry.number > 0 && entry.left == 0; }

/// The function, whatever the width of its counts.
std::string_view function_of(const TraceEntry& entry) {
  std::string_view name = text_of(entry.function);
  if (name.ends_with("_c")) name.remove_suffix(2);
  return name;
}

/// The known messages of a call, but those to or from MPI_PROC_NULL, which wait for nobody.
std::vector<TraceMessage> awaited_messages(const TraceEntry& entry) {
  const auto known = std::min<std::ptrdiff_t>(entry.operations, traced_messages);
  std::vector<TraceMessage> messages(entry.messages.begin(), entry.messages.begin() + known);
  std::erase_if(messages, [](const TraceMessage& message) { return message.peer == no_rank; });
  return messages;
}

/// The latest entry of a rank that `holds` is true of.
template <class F>
const TraceEntry* latest(const TraceFile& file, F holds) {
  const TraceEntry* found = nullptr;
  for (const TraceEntry& entry : file.entries)
    if (entry.number > 0 && holds(entry) && (!found || entry.number > found->number)) found = &entry;
  return found;
}

/// The explanation of one job, line by line.
class Explainer {
 public:
  explicit Explainer(const Traces& traces) : traces_(traces) {
    for (const auto& [rank, file] : traces) {
      last_poll_ = std::max(last_poll_, file.polled);
      for (const TraceEntry& entry : file.entries) {
        if (entry.number > 0 && !entry.comm.world_order)
          world_ranks_.try_emplace({entry.comm.name, entry.comm.rank}, rank);
        if (!waits(entry)) continue;
        if (entry.together != Together::nobody)
          together_[{std::string(text_of(entry.comm.name)), entry.call}][rank] = entry;
        else if (const auto found = alone_.emplace(rank, entry).first; found->second.number < entry.number)
          found->second = entry;
      }
    }
  }

  Hang explain() {
    text_ = "ranks with a trace: " + std::to_string(traces_.size()) + " of " +
            std::to_string(traces_.begin()->second.size) + '\n';
    for (const auto& [key, inside] : together_) describe(key, inside);
    std::size_t lines = 0;
    for (const auto& [rank, entry] : alone_)
      if (++lines <= most_lines) tell_alone(rank, entry);
    tell_rest("ranks in calls of their own", lines);
    tell_cycles();
    const bool any_waits = !together_.empty() || !alone_.empty();
    if (any_waits)
      tell_others();
    else
      text_ += "no rank waits in a call that mpigraft sees\n";
    return {std::move(text_), any_waits};
  }

 private:
  void describe(const CallKey& key, const Inside& inside) {
    const TraceEntry& seen = inside.begin()->second;
    text_ += communicator_of(seen) + " of " + std::to_string(seen.comm.size) + " ranks, call " +
             std::to_string(key.call) + '\n';
    std::map<std::string, std::vector<std::int64_t>> groups;  // the ranks by their calls in words
    std::map<std::string, std::int64_t> since;
    for (const auto& [rank, entry] : inside) {
      const std::string words = words_of(entry);
      groups[words].push_back(rank);
      const auto earliest = since.emplace(words, entry.entered).first;
      earliest->second = std::min(earliest->second, entry.entered);
    }
    for (const auto& [words, who] : groups)
      text_ += "  waiting in " + words + ", since " + clock_of(since[words]) + ": " + listed(who) + '\n';
    tell_differences(key, inside);
    tell_missing(key, inside);
  }

  /// Compares the calls of the ranks that wait with one another, and with those of ranks that have left this call.
  void tell_differences(const CallKey& key, const Inside& inside) {
    const TraceEntry* const first = &inside.begin()->second;
    bool other_function = false;
    std::set<std::string> differing;
    std::map<std::string, std::vector<std::int64_t>> completed;  // the ranks by their calls in words
    const auto compare = [&](const TraceEntry& entry) {
      const std::string words = differences(*first, entry);
      other_function = other_function || words == "function";
      if (!words.empty() && words != "function") differing.insert(words);
      return !words.empty();
    };
    for (const auto& [rank, entry] : inside) compare(entry);
    for (const auto& [rank, file] : traces_) {
      const TraceEntry* const through = latest(file, [&](const TraceEntry& e) {
        return e.left != 0 && e.call == key.call && e.together != Together::nobody && text_of(e.comm.name) == key.comm;
      });
      if (through && !inside.contains(rank) && compare(*through)) completed[words_of(*through)].push_back(rank);
    }
    for (const auto& [words, who] : completed) text_ += "  completed " + words + ": " + listed(who) + '\n';
    if (other_function) text_ += "  the ranks call different functions there, so no call can end\n";
    for (const std::string& words : differing)
      text_ += "  ranks differ in " + words + ", which must be the same at all ranks\n";
  }

  void tell_missing(const CallKey& key, const Inside& inside) {
    const TraceEntry& seen = inside.begin()->second;
    std::set<std::int32_t> here;
    for (const auto& [rank, entry] : inside) here.insert(entry.comm.rank);
    std::size_t missing = 0;
    for (std::int32_t comm_rank = 0; comm_rank < seen.comm.size; ++comm_rank) {
      if (here.contains(comm_rank)) continue;
      const auto rank = world_rank(seen, comm_rank);
      const TraceEntry* const last = rank ? last_there(*rank, seen) : nullptr;
      if (last && last->call >= key.call) continue;  // it has left this call
      if (rank) told_.insert(*rank);
      if (++missing > most_lines) continue;
      text_ += may_have_left(rank, seen) ? "  perhaps missing: rank " : "  missing: rank ";
      text_ += rank ? std::to_string(*rank) + ", which " + calls_there(*rank, seen) + '\n'
                    : std::to_string(comm_rank) + " of that communicator\n";
    }
    tell_rest("  missing", missing);
  }

  /// True if the trace of a rank, which may be unknown, is too short to tell whether the rank has left a call.
  bool may_have_left(std::optional<std::int64_t> rank, const TraceEntry& seen) const {
    return std::ranges::any_of(traces_, [&](const auto& trace) {
      const bool is_full = static_cast<std::size_t>(trace.second.made) > traced_calls;
      return is_full && trace.first == rank.value_or(trace.first) && !last_there(trace.first, seen);
    });
  }

  void tell_alone(std::int64_t rank, const TraceEntry& entry) {
    text_ += "rank " + std::to_string(rank) + " waits in " + words_of(entry);
    if (entry.comm.name[0] != '\0' && text_of(entry.comm.name) != "MPI_COMM_WORLD")
      text_ += ", " + communicator_of(entry);
    text_ += ", since " + clock_of(entry.entered) + '\n';
    const auto peer = awaited(entry);
    if (!peer || alone_.contains(*peer)) return;
    told_.insert(*peer);
    text_ += "  rank " + std::to_string(*peer) + " " + whereabouts(*peer) + '\n';
  }

  /// Tells of the ranks that wait in no call and are not told of yet: one of them may be the cause.
  void tell_others() {
    std::size_t lines = 0;
    for (const auto& [rank, file] : traces_)
      if (!told_.contains(rank) && !latest(file, waits) && ++lines <= most_lines)
        text_ += "rank " + std::to_string(rank) + " " + whereabouts(rank) + '\n';
    tell_rest("ranks that wait in no call", lines);
  }

  void tell_rest(std::string_view of, std::size_t lines) {
    if (lines > most_lines) text_ += std::string(of) + ": " + std::to_string(lines - most_lines) + " more\n";
  }

  /// The one rank that a call waits for. Empty unless all its messages are known and no other rank can end it.
  std::optional<std::int64_t> awaited(const TraceEntry& entry) const {
    std::optional<std::int64_t> peer;
    if (static_cast<std::size_t>(entry.operations) > traced_messages) return {};
    for (const TraceMessage& message : awaited_messages(entry)) {
      if (message.sent < 0 || message.peer < 0) return {};
      const auto rank = message.of_world ? std::optional<std::int64_t>(message.peer) : world_rank(entry, message.peer);
      if (!rank || (peer && *peer != *rank)) return {};
      peer = rank;
    }
    return peer;
  }

  /// True if one sends and the other receives: they are about to go on, or their tags or communicators differ, which is
  /// told.
  bool is_pair(std::int64_t a, std::int64_t b) {
    const std::vector<TraceMessage> of_a = awaited_messages(alone_[a]), of_b = awaited_messages(alone_[b]);
    if (of_a.size() != 1 || of_b.size() != 1 || of_a[0].sent == of_b[0].sent) return false;
    const std::int32_t tag = of_a[0].tag, other = of_b[0].tag;
    const bool same_tag = tag == other || tag == any || other == any;
    const bool same_comm = alone_[a].comm.name == alone_[b].comm.name;
    if (!same_tag || !same_comm)
      text_ += "ranks " + listed({std::min(a, b), std::max(a, b)}) + ": one sends, the other receives, and their " +
               (same_tag ? "communicators" : "tags") + " differ\n";
    return true;
  }

  void tell_cycles() {
    std::map<std::int64_t, std::int64_t> next;
    for (const auto& [rank, entry] : alone_)
      if (const auto peer = awaited(entry); peer && alone_.contains(*peer)) next.emplace(rank, *peer);
    std::set<std::int64_t> done;
    for (const auto& edge : next) {
      std::vector<std::int64_t> path;
      std::int64_t rank = edge.first;
      for (; next.contains(rank) && done.insert(rank).second; rank = next[rank]) path.push_back(rank);
      const auto start = std::ranges::find(path, rank);
      if (start == path.end() || (path.end() - start == 2 && is_pair(rank, next[rank]))) continue;
      std::string cycle;
      for (auto at = start; at != path.end(); ++at) cycle += std::to_string(*at) + " -> ";
      text_ += "a cycle in which each rank waits for the next: " + cycle + std::to_string(rank) + '\n';
    }
  }

  /// The rank of MPI_COMM_WORLD that has a rank in a communicator, as far as the traces tell.
  std::optional<std::int64_t> world_rank(const TraceEntry& seen, std::int32_t comm_rank) const {
    if (seen.comm.world_order) return comm_rank;
    const auto found = world_ranks_.find({seen.comm.name, comm_rank});
    return found == world_ranks_.end() ? std::nullopt : std::optional(found->second);
  }

  /// The last call that a rank has made with others on the communicator of `seen`.
  const TraceEntry* last_there(std::int64_t rank, const TraceEntry& seen) const {
    const auto found = traces_.find(rank);
    if (found == traces_.end()) return nullptr;
    const auto there = [&](const TraceEntry& e) {
      return e.together != Together::nobody && e.comm.name == seen.comm.name;
    };
    return latest(found->second, there);
  }

  std::string calls_there(std::int64_t rank, const TraceEntry& seen) const {
    if (!traces_.contains(rank)) return whereabouts(rank);
    const TraceEntry* const there = last_there(rank, seen);
    const std::string made = there ? std::to_string(there->call) + (there->call == 1 ? " call" : " calls") + " there"
                                   : "no recent call there";
    return "has made " + made + "; it " + whereabouts(rank);
  }

  /// "it waits in ..." or "its last call, ..., ended at ...", and where it is since.
  std::string whereabouts(std::int64_t rank) const {
    const auto found = traces_.find(rank);
    if (found == traces_.end()) return "has made no call that mpigraft sees (a tool may make its calls by PMPI_)";
    const TraceFile& file = found->second;
    const TraceEntry* const last = latest(file, [](const TraceEntry&) { return true; });
    const TraceEntry* const inside = latest(file, waits);
    if (inside) {
      const std::string comm = communicator_of(*inside);
      return "waits in " + words_of(*inside) + (comm.empty() ? "" : ", " + comm);
    }
    std::string text =
        last ? "has ended its last call, " + words_of(*last) + ", at " + clock_of(last->left) : "has made no call yet";
    if (last_poll_ == 0) return text;
    return text + (file.polled + 1 < last_poll_
                       ? ", and has been outside MPI since then"
                       : ", and looks for messages, by MPI_Test or in a call that mpigraft does "
                         "not see");
  }

  const Traces& traces_;
  std::map<std::pair<decltype(TraceComm::name), std::int32_t>, std::int64_t> world_ranks_;  // by communicator and rank
  std::map<CallKey, Inside> together_;
  Inside alone_;                 // the latest where threads wait
  std::int64_t last_poll_ = 0;   // of any rank
  std::set<std::int64_t> told_;  // the ranks that are missing, or that another one waits for
  std::string text_;
};

}  // namespace

std::string differences(const TraceEntry& a, const TraceEntry& b) {
  if (function_of(a) != function_of(b)) return "function";
  std::string text;
  if (a.root != b.root) text += ", root";
  if (text_of(a.op) != text_of(b.op)) text += ", operator";
  const bool alike = a.together == Together::alike && b.together == Together::alike;
  if (alike && a.bytes >= 0 && b.bytes >= 0 && a.bytes != b.bytes) text += ", bytes";
  return text.empty() ? text : text.substr(2);
}

Hang explain_hang(const Traces& traces) { return Explainer(traces).explain(); }

}  // namespace mpigraft::report
