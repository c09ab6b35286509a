// SPDX-License-Identifier: MIT
// Knows nothing of MPI: `opens_plugin FILE` loads a plugin that does, for itself alone, uses it and unloads it.
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>

static void* function(void* plugin, const char* name) {
  void* found = dlsym(plugin, name);
  if (found == NULL) fprintf(stderr, "%s\n", dlerror());
  return found;
}

int main(int argc, char** argv) {
  void* plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (plugin == NULL) return 2;
  int (*start)(void), (*sum)(const int64_t*, int64_t*), (*finish)(void);
  *(void**)&start = function(plugin, "plugin_start");
  *(void**)&sum = function(plugin, "plugin_sum");
  *(void**)&finish = function(plugin, "plugin_finish");
  const int rank = start();
  const int64_t mine = rank + 1, want = mine * (mine + 1) / 2;
  int64_t all = 0;
  const int right = sum(&mine, &all) == 0 && all == want;
  if (rank == 0) printf("sum %s\n", right ? "ok" : "WRONG");
  const int code = finish();
  dlclose(plugin);
  if (rank == 0) printf("plugin closed\n");
  return right ? code : 1;
}
