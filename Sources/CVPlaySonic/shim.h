#ifndef CVPLAY_SONIC_SHIM_H
#define CVPLAY_SONIC_SHIM_H

#include <sonic.h>

#endif
