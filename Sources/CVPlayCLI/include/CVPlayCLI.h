#ifndef CVPLAY_CLI_H
#define CVPLAY_CLI_H

// getopt_long, which Swift's Glibc module does not show.
#include <getopt.h>

#endif
