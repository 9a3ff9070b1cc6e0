#ifndef CVPLAY_PULSE_SHIM_H
#define CVPLAY_PULSE_SHIM_H

#include <pulse/pulseaudio.h>

#endif
