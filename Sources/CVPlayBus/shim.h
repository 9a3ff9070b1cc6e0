#ifndef CVPLAY_BUS_SHIM_H
#define CVPLAY_BUS_SHIM_H

#include <systemd/sd-bus.h>

#endif
