#ifndef CVPLAY_CLI_H
#define CVPLAY_CLI_H

// What Swift's Glibc module does not show (getopt_long, wcwidth, eventfd), and signal handlers, which must not be Swift.
#include <getopt.h>
#include <stdint.h>
#include <termios.h>

// One step of getopt_long. Its variables are global: one thread at a time.
struct cvplay_option {
  int result;            // as getopt_long returns it: -1 at the end, '?' unknown, ':' value missing
  int index;             // of the long option found, else -1
  int next;              // optind
  int character;         // optopt
  const char *argument;  // optarg
};

// `restart` makes it start at the first argument of a new vector.
struct cvplay_option cvplay_next_option(
    int argc, char *const *argv, const struct option *options, int restart);

// Catches INT, TERM, HUP, QUIT (each unless ignored by who started us: nohup, a shell's `&`), TSTP, CONT and WINCH;
// ignores PIPE, TTIN, TTOU and XFSZ. Returns a descriptor from which each signal caught is read as one byte, or -1 and errno.
//
// From the first ending signal on the process has `grace_ms` to end by itself; then it is ended by that signal, and the
// terminal given back first. Interrupted system calls are not restarted.
int cvplay_catch_signals(int grace_ms);

// Ends the process by `signal`'s own action, with no core file.
void cvplay_die_by_signal(int signal) __attribute__((noreturn));

// Keys one by one, unechoed, signals from the terminal left on. What was set before is kept for cvplay_terminal_restore.
// Returns 0, or -1 and errno. Only for the process group in the foreground.
int cvplay_terminal_take(int descriptor);

// Gives the terminal back as it was; nothing when it was not taken. Safe in a signal handler.
void cvplay_terminal_restore(void);

// After a stop before which it was not given back: in the foreground it is taken again if somebody else has set it since;
// in the background it is left as it is now. Nothing when it was not taken.
void cvplay_terminal_continue(int is_in_foreground);

// The terminal's width in columns, or 0.
int cvplay_terminal_columns(int descriptor);

// The columns that a Unicode character takes in the locale's character type, or -1.
int cvplay_character_columns(uint32_t character);

// A non-blocking event counter, or -1 and errno.
int cvplay_open_event_counter(void);

#endif
