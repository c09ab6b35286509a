// SPDX-License-Identifier: MIT
// Preloaded: each rank is on a host of its own by the host's name.
#include <stdio.h>
#include <stdlib.h>

static int rank(void) {
  const char* text = getenv("PMI_RANK");
  if (!text) text = getenv("OMPI_COMM_WORLD_RANK");
  return text ? atoi(text) : 0;
}

int gethostname(char* name, size_t length) {
  snprintf(name, length, "host-%d", rank());
  return 0;
}
