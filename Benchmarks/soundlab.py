"""A private PulseAudio whose sink is a pipe clocked by the system, and programs that play on it, measured."""

import array
import fcntl
import os
import pty
import shutil
import signal
import subprocess
import tempfile
import termios
import threading
import time

RATE = 48_000
FRAME_BYTES = 4


class SoundLab:
    """Use as a context. All that the sink plays is read at once, so that nothing waits for us."""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="vplay-bench-")
        self.lock = threading.Lock()
        self.bytes = bytearray()
        self.stamps = []  # (when a read returned, frames by then)
        os.mkdir(f"{self.folder}/pulse", 0o700)
        self.environment = {
            **os.environ,
            "HOME": self.folder,
            "XDG_RUNTIME_DIR": self.folder,
            "PULSE_SERVER": f"unix:{self.folder}/pulse/native",
            "SDL_AUDIODRIVER": "pulse",
        }
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "PULSE_LATENCY_MSEC", "PULSE_SINK"):
            self.environment.pop(name, None)
        script = f"{self.folder}/lab.pa"
        with open(script, "w") as file:
            file.write(
                "load-module module-stream-restore restore_device=false\n"
                "load-module module-role-cork\n"
                f"load-module module-pipe-sink sink_name=lab file={self.folder}/fifo format=s16le "
                f"rate={RATE} channels=2 use_system_clock_for_timing=yes\n"
                "set-default-sink lab\n"
                "load-module module-native-protocol-unix "
                f"socket={self.folder}/pulse/native auth-anonymous=1\n"
            )
        log = open(f"{self.folder}/log", "w")
        self.server = subprocess.Popen(
            ["pulseaudio", "-n", "-F", script, "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        limit = time.monotonic() + 15
        while not os.path.exists(f"{self.folder}/pulse/native"):
            if time.monotonic() > limit or self.server.poll() is not None:
                self.__exit__()
                raise SystemExit("bench: pulseaudio did not start")
            time.sleep(0.02)
        self.fifo = os.open(f"{self.folder}/fifo", os.O_RDONLY)
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.kill()
        self.server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _read(self):
        while block := os.read(self.fifo, 65536):
            with self.lock:
                self.bytes += block
                self.stamps.append((time.monotonic(), len(self.bytes) // FRAME_BYTES))

    def forget(self):
        """Begins a new capture."""
        with self.lock:
            self.bytes = bytearray()
            self.stamps = []

    def samples(self):
        """The left channel so far, and when its frame 0 was played: by the blocks that were read soonest."""
        with self.lock:
            data, stamps = bytes(self.bytes), list(self.stamps)
        data = data[: len(data) // FRAME_BYTES * FRAME_BYTES]
        if not stamps:
            return array.array("h"), time.monotonic()
        starts, before = [], 0
        for when, frames in stamps:
            starts.append(when - before / RATE)
            before = frames
        starts.sort()
        return array.array("h", data)[::2], starts[len(starts) // 20]

    def server_wakeups(self):
        return wakeups(self.server.pid)

    # Programs

    def run(self, command, environment=None, limit=60.0, until_sound=False):
        """Plays to the end, or to the first sound; what that took."""
        self.forget()
        server_before = self.server_wakeups()
        start = time.monotonic()
        process = subprocess.Popen(
            command, env={**self.environment, **(environment or {})}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        timer = threading.Timer(limit, process.kill)
        timer.start()
        if until_sound:
            while is_running(process.pid) and not self._has_sound():
                time.sleep(0.02)
            os.kill(process.pid, signal.SIGKILL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        timer.cancel()
        samples, zero = self.samples()
        first = next((index for index, value in enumerate(samples) if value), None)
        return {
            "status": status,
            "start_ms": None if first is None else (zero + first / RATE - start) * 1000,
            "cpu_s": usage.ru_utime + usage.ru_stime,
            "wakeups": usage.ru_nvcsw,
            "server_wakeups": self.server_wakeups() - server_before,
            "memory_mb": usage.ru_maxrss / 1024,
        }

    def _has_sound(self):
        with self.lock:
            return any(self.bytes)

    def keys(self, command, keys, gap=1.0, environment=None):
        """Types keys on a pseudo-terminal, `gap` seconds apart; when each was sent, and the capture."""
        self.forget()
        main, far = pty.openpty()
        process = subprocess.Popen(
            command, env={**self.environment, "TERM": "xterm", **(environment or {})}, stdin=far, stdout=far,
            stderr=far, start_new_session=True, cwd=self.folder,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(far)
        threading.Thread(target=drain, args=(main,), daemon=True).start()
        while process.poll() is None and not self._has_sound():
            time.sleep(0.02)
        sent = []
        for key in keys:
            # Off the rhythm of the sink's blocks.
            time.sleep(gap + 0.013 * (len(sent) % 5))
            sent.append(time.monotonic())
            os.write(main, key.encode())
        time.sleep(gap)
        process.kill()
        process.wait()
        return sent, *self.samples()


def is_running(pid):
    """Without taking its end from who waits for it."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None


def drain(descriptor):
    try:
        while os.read(descriptor, 65536):
            pass
    except OSError:
        pass  # Nobody holds the terminal open any more.
    os.close(descriptor)


def wakeups(pid):
    """Voluntary context switches of all threads so far."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{thread}/status") as file:
                total += next(int(line.split()[1]) for line in file if line.startswith("voluntary_ctxt"))
        except (OSError, StopIteration):
            continue
    return total
