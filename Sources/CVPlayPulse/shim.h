#ifndef CVPLAY_PULSE_SHIM_H
#define CVPLAY_PULSE_SHIM_H

#include <pulse/pulseaudio.h>

// Swift does not see macros that name enumerators.
static inline pa_sample_format_t cvplay_pulse_native_float(void) { return PA_SAMPLE_FLOAT32NE; }

#endif
