#include "mpris.h"

#include <systemd/sd-bus.h>

static const char path[] = "/org/mpris/MediaPlayer2";
static const char root_interface[] = "org.mpris.MediaPlayer2";
static const char player_interface[] = "org.mpris.MediaPlayer2.Player";

static int on_call(sd_bus_message *call, void *userdata, sd_bus_error *error) {
  (void)error;
  const cvplay_mpris_handlers *handlers = userdata;
  int status = handlers->call(handlers->context, sd_bus_message_get_interface(call), sd_bus_message_get_member(call), call);
  return status < 0 ? status : sd_bus_reply_method_return(call, "");
}

static int on_get(sd_bus *bus, const char *object, const char *interface, const char *property,
                  sd_bus_message *reply, void *userdata, sd_bus_error *error) {
  (void)bus, (void)object, (void)error;
  const cvplay_mpris_handlers *handlers = userdata;
  return handlers->get(handlers->context, interface, property, reply);
}

static int on_set(sd_bus *bus, const char *object, const char *interface, const char *property,
                  sd_bus_message *value, void *userdata, sd_bus_error *error) {
  (void)bus, (void)object, (void)error;
  const cvplay_mpris_handlers *handlers = userdata;
  return handlers->set(handlers->context, interface, property, value);
}

#define METHOD(name) SD_BUS_METHOD(name, "", "", on_call, SD_BUS_VTABLE_UNPRIVILEGED)
#define READ(name, type, flags) SD_BUS_PROPERTY(name, type, on_get, 0, flags)
#define WRITE(name, type) \
  SD_BUS_WRITABLE_PROPERTY(name, type, on_get, on_set, 0, SD_BUS_VTABLE_UNPRIVILEGED | SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE)

static const sd_bus_vtable root_table[] = {
    SD_BUS_VTABLE_START(0),
    METHOD("Raise"),
    METHOD("Quit"),
    READ("CanQuit", "b", SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    READ("CanRaise", "b", SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    READ("HasTrackList", "b", SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    READ("Identity", "s", SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    READ("DesktopEntry", "s", SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    READ("SupportedUriSchemes", "as", SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    READ("SupportedMimeTypes", "as", SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    SD_BUS_VTABLE_END,
};

static const sd_bus_vtable player_table[] = {
    SD_BUS_VTABLE_START(0),
    METHOD("Next"),
    METHOD("Previous"),
    METHOD("Pause"),
    METHOD("PlayPause"),
    METHOD("Stop"),
    METHOD("Play"),
    SD_BUS_METHOD_WITH_NAMES("Seek", "x", SD_BUS_PARAM(Offset), "", "", on_call, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD_WITH_NAMES("SetPosition", "ox", SD_BUS_PARAM(TrackId) SD_BUS_PARAM(Position), "", "", on_call,
                             SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD_WITH_NAMES("OpenUri", "s", SD_BUS_PARAM(Uri), "", "", on_call, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_SIGNAL_WITH_NAMES("Seeked", "x", SD_BUS_PARAM(Position), 0),
    READ("PlaybackStatus", "s", SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    WRITE("LoopStatus", "s"),
    WRITE("Rate", "d"),
    WRITE("Shuffle", "b"),
    READ("Metadata", "a{sv}", SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    WRITE("Volume", "d"),
    READ("Position", "x", 0),
    READ("MinimumRate", "d", SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    READ("MaximumRate", "d", SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    READ("CanGoNext", "b", SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    READ("CanGoPrevious", "b", SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    READ("CanPlay", "b", SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    READ("CanPause", "b", SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    READ("CanSeek", "b", SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    READ("CanControl", "b", 0),
    SD_BUS_VTABLE_END,
};

int cvplay_mpris_add(struct sd_bus *bus, const cvplay_mpris_handlers *handlers) {
  int status = sd_bus_add_object_vtable(bus, NULL, path, root_interface, root_table, (void *)handlers);
  if (status < 0) return status;
  status = sd_bus_add_object_vtable(bus, NULL, path, player_interface, player_table, (void *)handlers);
  return status < 0 ? status : 0;
}

int cvplay_mpris_emit_seeked(struct sd_bus *bus, int64_t position_us) {
  return sd_bus_emit_signal(bus, path, player_interface, "Seeked", "x", position_us);
}
