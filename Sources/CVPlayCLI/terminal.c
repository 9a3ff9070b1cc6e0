#define _GNU_SOURCE
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <wchar.h>

#include "CVPlayCLI.h"

static struct termios saved;
static volatile sig_atomic_t taken = -1;  // the descriptor whose settings `saved` holds

int cvplay_terminal_take(int descriptor) {
  if (taken >= 0) return 0;
  if (tcgetattr(descriptor, &saved) != 0) return -1;
  struct termios keys = saved;
  keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
  keys.c_cc[VMIN] = 1;
  keys.c_cc[VTIME] = 0;
  taken = descriptor;
  if (tcsetattr(descriptor, TCSANOW, &keys) == 0) return 0;
  taken = -1;
  return -1;
}

void cvplay_terminal_restore(void) {
  int descriptor = taken;
  if (descriptor < 0) return;
  taken = -1;
  tcsetattr(descriptor, TCSANOW, &saved);
}

void cvplay_terminal_continue(int is_in_foreground) {
  int descriptor = taken;
  if (descriptor < 0) return;
  struct termios now;
  if (is_in_foreground && tcgetattr(descriptor, &now) == 0 && (now.c_lflag & (ICANON | ECHO)) == 0) return;
  taken = -1;
  if (is_in_foreground) cvplay_terminal_take(descriptor);
}

int cvplay_terminal_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int cvplay_character_columns(uint32_t character) {
  return wcwidth((wchar_t)character);
}

int cvplay_open_event_counter(void) {
  return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}
