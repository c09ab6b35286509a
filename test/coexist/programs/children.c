// SPDX-License-Identifier: MIT
// Starts other programs between its collectives, in every possible way. They inherit the preload.
#include <sys/wait.h>
#include <unistd.h>

#include "../../preload/programs/check.h"

static void collectives(void) { expect(all_are_right(9, 0, MPI_COMM_WORLD), "collectives"); }

static int code_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void read_from(const char* command, const char* want) {
  char line[100] = "";
  FILE* output = popen(command, "r");
  if (output == NULL || fgets(line, sizeof line, output) == NULL) line[0] = '\0';
  if (output != NULL) pclose(output);
  expect(strcmp(line, want) == 0, command);
}

static void forked(int executes) {
  const pid_t child = fork();
  if (child == 0 && executes) execl("/bin/true", "true", (char*)NULL);
  if (child == 0) _exit(7);
  expect(code_of(child) == (executes ? 0 : 7), "exit code of a fork");
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  collectives();
  expect(system("exit 5") == 5 << 8, "system");
  collectives();
  read_from("echo one | cat 2>&1", "one\n");
  read_from("python3 -c 'print(40 + 2)' 2>&1", "42\n");
  collectives();
  for (int executes = 0; executes < 2; ++executes) forked(executes);
  collectives();
  end_section("between other programs");
  return finish();
}
