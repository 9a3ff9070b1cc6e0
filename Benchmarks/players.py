"""The players that are compared: how each plays one file, sound only, on PulseAudio, and ends."""

import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
OURS = os.path.join(os.path.dirname(HERE), ".build", "release", "vplay")

COMMANDS = {
    "vplay": [OURS],
    "VLC": ["vlc", "-I", "dummy", "--no-video", "--aout", "pulse", "--play-and-exit", "--quiet"],
    "mpv": ["mpv", "--no-config", "--no-video", "--no-terminal", "--ao=pulse"],
    "ffplay": ["ffplay", "-nodisp", "-autoexit", "-loglevel", "quiet"],
    "gst-play": ["gst-play-1.0", "--no-interactive", "-q", "--audiosink=pulsesink", "--videosink=fakesink"],
    "paplay": ["paplay"],
}
ON_A_TERMINAL = {
    "vplay": [OURS],
    "mpv": ["mpv", "--no-config", "--no-video", "--ao=pulse"],
}
# What it cannot play.
REFUSED = {"paplay": {"m4a", "mp3"}}


def installed():
    """The players that are here, and why the others are not."""
    found, missing = {}, {}
    for name, command in COMMANDS.items():
        if os.path.isabs(command[0]) and not os.path.exists(command[0]):
            missing[name] = "not built: make build"
        elif shutil.which(command[0]) is None:
            missing[name] = f"{command[0]} is not installed"
        else:
            found[name] = command
    if "VLC" in found and os.geteuid() == 0 and shutil.which("cc") is None:
        missing["VLC"] = "it refuses to run as root, and there is no C compiler to tell it otherwise"
        del found["VLC"]
    return found, missing


def environment(name, folder):
    """VLC will not run as root: it is told that it does not."""
    if name != "VLC" or os.geteuid() != 0:
        return {}
    library = os.path.join(folder, "notroot.so")
    if not os.path.exists(library):
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library], check=True,
            input=b"unsigned geteuid(void) { return 1000; }\n")
    return {"LD_PRELOAD": library}
