#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "CVPlayCLI.h"

static int write_end = -1;
static long grace;                          // milliseconds
static volatile sig_atomic_t ending = 0;    // the first ending signal

void cvplay_die_by_signal(int signal_number) {
  // The QUIT key of a player asks for an end, not for hundreds of megabytes of core file.
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  signal(signal_number, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal_number);
  sigprocmask(SIG_UNBLOCK, &one, 0);
  kill(getpid(), signal_number);
  _exit(128 + signal_number);
}

static void grace_is_over(int signal_number) {
  (void)signal_number;
  cvplay_terminal_restore();
  cvplay_die_by_signal(ending);
}

static void caught(int signal_number) {
  int error = errno;
  if (signal_number != SIGTSTP && signal_number != SIGCONT && signal_number != SIGWINCH && ending == 0) {
    ending = signal_number;
    struct itimerval once = {.it_value = {grace / 1000, grace % 1000 * 1000}};
    setitimer(ITIMER_REAL, &once, 0);
  }
  unsigned char byte = (unsigned char)signal_number;
  ssize_t written = write(write_end, &byte, 1);
  (void)written;  // a full pipe already wakes the reader
  errno = error;
}

int cvplay_catch_signals(int grace_ms) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  write_end = ends[1];
  grace = grace_ms;

  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigfillset(&action.sa_mask);

  action.sa_handler = SIG_IGN;
  const int ignored[] = {SIGPIPE, SIGTTIN, SIGTTOU, SIGXFSZ};
  for (unsigned i = 0; i < sizeof ignored / sizeof *ignored; i++) sigaction(ignored[i], &action, 0);

  action.sa_handler = grace_is_over;
  sigaction(SIGALRM, &action, 0);

  action.sa_handler = caught;
  const int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
  for (unsigned i = 0; i < sizeof handled / sizeof *handled; i++) {
    struct sigaction before;
    if (sigaction(handled[i], 0, &before) == 0 && before.sa_handler == SIG_IGN && handled[i] != SIGCONT) continue;
    sigaction(handled[i], &action, 0);
  }
  return ends[0];
}
