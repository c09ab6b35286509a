// SPDX-License-Identifier: MIT
// 2^31 + 16 bytes, and as many elements: three GiB a rank.
#include "check.h"

static const int64_t length = (INT64_C(1) << 31) + 16;

static unsigned char byte(int r, int64_t i) { return (unsigned char)(i ^ i >> 8 ^ i >> 16 ^ i >> 24 ^ r * 29); }

int main(int argc, char** argv) {
  start(&argc, &argv);
  unsigned char* bytes = filled((size_t)length);
  const int root = size - 1;
  int64_t wrong = 0;
  for (int64_t i = 0; rank == root && i < length; ++i) bytes[i] = byte(root, i);
  MPI_Bcast_c(bytes, length, MPI_UNSIGNED_CHAR, root, MPI_COMM_WORLD);
  for (int64_t i = 0; i < length; ++i) wrong += bytes[i] != byte(root, i);
  expect(wrong == 0, "broadcast");
  for (int64_t i = 0; i < length; ++i) bytes[i] = byte(rank, i);
  MPI_Scan_c(MPI_IN_PLACE, bytes, length, MPI_UNSIGNED_CHAR, MPI_BXOR, MPI_COMM_WORLD);
  for (int64_t i = 0; i < length; ++i) {
    unsigned char want = 0;
    for (int r = 0; r <= rank; ++r) want ^= byte(r, i);
    wrong += bytes[i] != want;
  }
  expect(wrong == 0, "scan");
  end_section("2^31 + 16 bytes");
  free(bytes);
  return finish();
}
