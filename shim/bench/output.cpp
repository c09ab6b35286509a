// SPDX-License-Identifier: MIT
#include "shim/bench/output.hpp"

#include <chrono>
#include <cstdio>

#include "config/table/size.hpp"
#include "shim/base/version.hpp"

namespace mpigraft::bench {
namespace {

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string microseconds(double us) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", us < 100 ? 2 : us < 10'000 ? 1 : 0, us);
  return text;
}

/// The name of an arm. One that is no algorithm's name tells what it ran.
std::string label(const Measured& arm) {
  const bool tells = arm.ran.algorithm == arm.arm || arm.ran.reason == "PMPI";
  return tells ? arm.arm : arm.arm + " = " + arm.ran.algorithm;
}

void print(const Cell& cell, const Measured& arm) {
  const std::string verdict(arm.agrees() ? name_of(arm.verdict) : "WRONG");
  const std::string batch = cell.calls > 1 ? " x " + std::to_string(cell.calls) : "";
  std::printf("%-14s %6s  %-38s %9s %9s  [%9s,%9s] %8.2f %-6s %5zu%s\n", cell.problem.name().data(),
              table::format_size(cell.problem.bytes()).c_str(), label(arm).c_str(),
              microseconds(arm.us.minimum).c_str(), microseconds(arm.us.median).c_str(),
              microseconds(arm.us.low).c_str(), microseconds(arm.us.high).c_str(), arm.ratio, verdict.c_str(),
              cell.repetitions, batch.c_str());
}

}  // namespace

void print_header(const Provenance& from, const Kind& kind) {
  std::printf("mpigraft %s, %s, %s: %d ranks on %lld cores, load %.1f, %s\n%s %s\n\n", base::version, from.date.c_str(),
              from.host.c_str(), from.ranks, static_cast<long long>(from.cores), from.load, from.mpi.c_str(),
              kind.type.c_str(), kind.op.c_str());
  std::printf("%-14s %6s  %-38s %9s %9s  [%19s] %8s %-6s %s\n", "collective", "bytes", "arm", "min us", "median us",
              "95 % interval", "ratio", "", "reps x calls");
}

void print(const Cell& cell) {
  for (const Measured& arm : cell.arms) print(cell, arm);
  std::printf("\n");
  std::fflush(stdout);
}

void print_differences(const Cell& cell) {
  for (const Measured& arm : cell.arms)
    if (!arm.agrees())
      std::fprintf(stderr, "mpigraft-bench: wrong result: %s of %s bytes, %s: rank %d differs from native\n",
                   cell.problem.name().data(), table::format_size(cell.problem.bytes()).c_str(), label(arm).c_str(),
                   arm.differing_rank);
}

Progress::Progress(std::size_t cells, bool shown) : cells_(cells), shown_(shown), start_(now_seconds()) {}

void Progress::before(const Problem& problem) {
  const double used = now_seconds() - start_;
  const auto left =
      done_ == 0 ? 0 : static_cast<long>(used / static_cast<double>(done_) * static_cast<double>(cells_ - done_) + 0.5);
  ++done_;
  if (!shown_) return;
  std::fprintf(stderr, "\r\033[Kcell %zu of %zu: %s %s", done_, cells_, problem.name().data(),
               table::format_size(problem.bytes()).c_str());
  if (done_ > 1) std::fprintf(stderr, ", %ld:%02ld left", left / 60, left % 60);
  std::fflush(stderr);
}

void Progress::clear() const {
  if (shown_) std::fprintf(stderr, "\r\033[K");
}

}  // namespace mpigraft::bench
