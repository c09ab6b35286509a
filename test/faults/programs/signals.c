// SPDX-License-Identifier: MIT
// Signals amid collectives: `signals storm MICROSECONDS` interrupts every rank so often; `signals NUMBER RANK` sends
// that signal to that rank; `signals polite RANK` sends SIGTERM to a rank that catches it and ends the program by a
// broadcast; `signals forever` waits for a signal from outside.
#include <signal.h>
#include <sys/time.h>

#include "attempts.h"

static volatile sig_atomic_t alarms, asked_to_end;
static int number;

static void on_alarm(int ignored) {
  (void)ignored;
  ++alarms;
  if (number != 0) raise(number);
}

static void on_term(int ignored) {
  (void)ignored;
  asked_to_end = 1;
}

/// Sets a handler without SA_RESTART: system calls fail with EINTR.
static void handle(int signal_number, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigaction(signal_number, &action, NULL);
}

static void interrupt_every(int microseconds) {
  const struct timeval time = {0, microseconds};
  const struct itimerval timer = {time, time};
  handle(SIGALRM, on_alarm);
  setitimer(ITIMER_REAL, &timer, NULL);
}

static void until_asked(void) {
  for (int64_t end = 0; !end;) {
    attempt(scan, 700, 0, MPI_COMM_WORLD);
    const int64_t mine = asked_to_end;
    MPI_Reduce(&mine, &end, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Bcast(&end, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int storm = strcmp(argv[1], "storm") == 0, polite = strcmp(argv[1], "polite") == 0;
  if (storm) {
    interrupt_every(atoi(argv[2]));
    while (failures == 0 && alarms < 100) attempt_all(MPI_COMM_SELF);  // so that some interrupt the exchange
    for (int i = 0; i < 5; ++i) attempt_all(MPI_COMM_WORLD);
    interrupt_every(0);
  } else {
    handle(SIGTERM, polite ? on_term : SIG_DFL);
    number = polite ? SIGTERM : atoi(argv[1]);
    if (argc > 2 && atoi(argv[2]) == rank) interrupt_every(50000);
    until_asked();
  }
  return conclude();
}
