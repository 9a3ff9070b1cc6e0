#ifndef CVPLAY_MPRIS_H
#define CVPLAY_MPRIS_H

#include <stdint.h>

struct sd_bus;
struct sd_bus_message;

// What the object's tables call: on the thread that processes the bus, with the context it was added with. A negative
// errno is the caller's error.
typedef struct cvplay_mpris_handlers {
  void *context;
  // A method was called; its arguments are read from `call`. The empty reply is sent here.
  int (*call)(void *context, const char *interface, const char *member, struct sd_bus_message *call);
  // A property is asked for; its value is appended to `reply`.
  int (*get)(void *context, const char *interface, const char *property, struct sd_bus_message *reply);
  // A property is set; its value is read from `value`.
  int (*set)(void *context, const char *interface, const char *property, struct sd_bus_message *value);
} cvplay_mpris_handlers;

// Adds /org/mpris/MediaPlayer2 with its two interfaces (MPRIS D-Bus Interface Specification 2.2). `handlers` stays
// valid as long as the bus. 0, or a negative errno.
int cvplay_mpris_add(struct sd_bus *bus, const cvplay_mpris_handlers *handlers);

// Sends the player's Seeked signal. 0 or more, or a negative errno.
int cvplay_mpris_emit_seeked(struct sd_bus *bus, int64_t position_us);

#endif
