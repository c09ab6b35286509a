// SPDX-License-Identifier: MIT
#include "shim/memory/single_copy.hpp"

#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstddef>

#include "shim/base/log.hpp"
#include "shim/base/process.hpp"

namespace mpigraft::memory {
namespace {

/// MPIGRAFT_SHARED decides; `never` without memory for the settings.
table::SingleCopy permitted() {
  table::SingleCopy asked = table::SingleCopy::never;
  base::ignore_bad_alloc([&] { asked = base::settings().single_copy; });
  return asked;
}

std::uint64_t random_word() {
  std::uint64_t word = 0;
  return getrandom(&word, sizeof word, GRND_NONBLOCK) == sizeof word ? word : 0;
}

}  // namespace

RemoteAddress remote_address_of(const char* address) { return {.process = getpid(), .address = address}; }

bool read_memory(const RemoteAddress& from, char* into, std::int64_t bytes) {
  for (std::int64_t done = 0; done < bytes;) {
    const auto left = static_cast<std::size_t>(bytes - done);
    const iovec here{into + done, left}, there{const_cast<char*>(from.address) + done, left};
    const ssize_t read = process_vm_readv(from.process, &here, 1, &there, 1, 0);
    if (read <= 0) return false;
    done += read;
  }
  return true;
}

Sample sample_of_this_process() {
  if (permitted() == table::SingleCopy::never) return {};
  if (permitted() == table::SingleCopy::ptracer) prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  static const std::uint64_t word = random_word();
  return {.at = remote_address_of(reinterpret_cast<const char*>(&word)), .word = word};
}

bool can_read(const Sample& theirs) {
  if (sample_of_this_process().word == 0 || theirs.word == 0) return false;
  std::uint64_t word = 0;
  return read_memory(theirs.at, reinterpret_cast<char*>(&word), sizeof word) && word == theirs.word;
}

}  // namespace mpigraft::memory
