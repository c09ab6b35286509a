// SPDX-License-Identifier: MIT
// `loads WORD...` knows nothing of MPI. It loads each FILE for itself alone and calls its use(), calls it again at the
// end, and closes a file for -FILE. A file that lies where one was closed is told.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct loaded {
  const char* file;
  void* handle;
  const char* base;
  int (*use)(void);
};

static int use(const struct loaded* one) {
  const int wrong = one->use();
  if (wrong) printf("%s: WRONG %d\n", strrchr(one->file, '/') + 1, wrong);
  return wrong != 0;
}

static int load(struct loaded* one, const char* file) {
  Dl_info info;
  one->file = file;
  one->handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (one->handle) *(void**)&one->use = dlsym(one->handle, "use");
  if (!one->handle || !one->use || !dladdr(*(void**)&one->use, &info)) return puts(dlerror()), 1;
  one->base = info.dli_fbase;
  return use(one);
}

/// Leaves no room above the place of a closed file, so that the next one is loaded there.
static void fill_above(const char* closed) {
  for (;;) {
    char* const page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page > closed + (1 << 20) && page != MAP_FAILED) continue;
    munmap(page, 4096);
    return;
  }
}

int main(int argc, char** argv) {
  struct loaded all[20] = {0};
  const char* closed = NULL;  // where it was; it was larger than others are
  int wrong = 0, (*end)(void) = NULL, n = 0;
  for (char** word = argv + 1; word < argv + argc; ++word) {
    if (**word != '-') {
      wrong += load(&all[n], *word);
      if (closed && all[n].base >= closed && all[n].base < closed + (1 << 20))
        fputs("in a closed one's place\n", stderr);
      if (!end && all[n].handle && dlsym(all[n].handle, "end")) *(void**)&end = dlsym(all[n].handle, "end");
      ++n;
    }
    for (int i = 0; **word == '-' && i < n; ++i)
      if (strcmp(all[i].file, *word + 1) == 0)
        closed = all[i].base, dlclose(all[i].handle), all[i].use = NULL, fill_above(closed);
  }
  for (int i = 0; i < n; ++i)
    if (all[i].use) wrong += use(&all[i]);
  if (end) wrong += end();
  const char* const verdict = wrong ? "WRONG\n" : "all right\n";
  return write(1, verdict, strlen(verdict)) < 0 || wrong != 0;
}
