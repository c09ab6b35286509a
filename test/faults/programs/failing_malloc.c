// SPDX-License-Identifier: MIT
// Preloaded before libmpigraft.so: on rank FAULT_RANK, the FAULT_MALLOC-th allocation that libmpigraft.so asks for
// fails, and with FAULT_ALL all later ones too. Those of MPI and of the program never fail: what they do then is not
// mpigraft's.
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void* __libc_malloc(size_t bytes);
extern void* __libc_calloc(size_t n, size_t bytes);
extern void* __libc_realloc(void* memory, size_t bytes);
extern void* __libc_memalign(size_t alignment, size_t bytes);

static uintptr_t begin, end;  // of libmpigraft.so
static long failing;
static int all_later;
static atomic_long asked;

static int find(struct dl_phdr_info* info, size_t size, void* none) {
  (void)size, (void)none;
  if (strstr(info->dlpi_name, "libmpigraft.so") == NULL) return 0;
  begin = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const uintptr_t to = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    if (info->dlpi_phdr[i].p_type == PT_LOAD && to > end) end = to;
  }
  return 1;
}

__attribute__((constructor)) static void prepare(void) {
  const char *rank = getenv("PMI_RANK"), *victim = getenv("FAULT_RANK"), *number = getenv("FAULT_MALLOC");
  if (rank == NULL || victim == NULL || number == NULL || strcmp(rank, victim) != 0) return;
  all_later = getenv("FAULT_ALL") != NULL;
  failing = atol(number);
  dl_iterate_phdr(find, NULL);
}

static int fails(void* caller) {
  const uintptr_t at = (uintptr_t)caller;
  if (at < begin || at >= end) return 0;
  const long number = ++asked;
  if (number < failing || (number > failing && !all_later)) return 0;
  static const char text[] = "fault: an allocation fails\n";
  if (number == failing && write(STDERR_FILENO, text, sizeof text - 1) < 0) abort();
  errno = ENOMEM;
  return 1;
}

#define CALLER __builtin_return_address(0)

void* malloc(size_t bytes) { return fails(CALLER) ? NULL : __libc_malloc(bytes); }
void* calloc(size_t n, size_t bytes) { return fails(CALLER) ? NULL : __libc_calloc(n, bytes); }
void* realloc(void* memory, size_t bytes) { return fails(CALLER) ? NULL : __libc_realloc(memory, bytes); }
void* aligned_alloc(size_t alignment, size_t bytes) { return fails(CALLER) ? NULL : __libc_memalign(alignment, bytes); }
