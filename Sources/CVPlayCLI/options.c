#include "CVPlayCLI.h"

struct cvplay_option cvplay_next_option(
    int argc, char *const *argv, const struct option *options, int restart) {
  struct cvplay_option found = {.index = -1};
  opterr = 0;
  if (restart) optind = 0;
  optarg = 0;
  optopt = 0;
  found.result = getopt_long(argc, argv, ":", options, &found.index);
  found.next = optind;
  found.character = optopt;
  found.argument = optarg;
  return found;
}
