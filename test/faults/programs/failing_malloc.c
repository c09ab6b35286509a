// SPDX-License-Identifier: MIT
// Preloaded before libmpigraft.so: on rank FAULT_RANK, the FAULT_MALLOC-th allocation that libmpigraft.so asks for
// fails, and with FAULT_ALL all later ones too.
#define _GNU_SOURCE
#include <stdatomic.h>
#include <unistd.h>

#include "../../preload/programs/allocations.h"

static long failing;
static int all_later;
static atomic_long asked;

__attribute__((constructor)) static void prepare(void) {
  const char *rank = getenv("PMI_RANK"), *victim = getenv("FAULT_RANK"), *number = getenv("FAULT_MALLOC");
  if (rank == NULL || victim == NULL || number == NULL || strcmp(rank, victim) != 0) return;
  all_later = getenv("FAULT_ALL") != NULL;
  failing = atol(number);
  looks_at_allocations = 1;
}

static int refuses(size_t bytes) {
  (void)bytes;
  static const char text[] = "fault: an allocation fails\n";
  const long number = ++asked;
  if (number == failing && write(STDERR_FILENO, text, sizeof text - 1) < 0) abort();
  return number == failing || (number > failing && all_later);
}
