"""The programs run like a user runs them, and helpers for clients."""
import contextlib
import copy
import ctypes
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

from websocket_client import CLOSE, TIMEOUT, PING, PONG, TEXT, Client

VERSION = 1


def until(condition, what, seconds=TIMEOUT):
    """Waits until a condition holds, and returns its value."""
    end = time.monotonic() + seconds
    while True:
        result = condition()
        if result:
            return result
        assert time.monotonic() < end, f"timed out waiting until {what}"
        time.sleep(0.05)


def end_with_parent():
    """Kills the child process started here when this process ends for any reason."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Library:
    """A music folder with a separate data folder."""

    def __init__(self, programs, folder):
        self.programs = programs
        self.music, self.data = f"{folder}/music", f"{folder}/data"
        os.makedirs(self.music, exist_ok=True)

    def with_own_data(self, name):
        """The same music with another data folder, since a data folder serves only one host."""
        other = copy.copy(self)
        other.data = f"{self.data}-{name}"
        return other

    def program(self, name):
        return f"{self.programs}/{name}"

    def make(self, name, seconds=30, frequency=440, options=("-b", "128")):
        """Writes a track: two beating tones, so that no two segments are the same."""
        path = f"{self.music}/{name}"
        wave = f"{path}.wav"
        subprocess.run(["sox", "-n", "-r", "44100", "-c", "2", wave, "synth", str(seconds), "sine", str(frequency),
                        "sine", str(frequency * 1.013), "vol", "0.3"], check=True)
        subprocess.run(["lame", "--quiet", *options, "--tt", name, "--ta", "Tester", wave, path], check=True)
        os.remove(wave)
        return path

    def analyse(self):
        return subprocess.run([self.program("analyze-cli"), self.music, "--data", self.data, "--quiet"], check=True)

    def run(self, *arguments, **options):
        """Runs stream-host to completion."""
        return subprocess.run([self.program("stream-host"), *arguments], capture_output=True, text=True,
                              timeout=TIMEOUT, **options)

    def key(self):
        return self.run("key", "show", "--data", self.data).stdout.strip()


class Host:
    """A running stream-host."""

    def __init__(self, library, *options, port=0, environment=None):
        self.library = library
        self.errors = tempfile.TemporaryFile("w+")
        self.output = tempfile.NamedTemporaryFile("w+")
        self.process = subprocess.Popen(
            [library.program("stream-host"), "serve", "--music", library.music, "--data", library.data, "--port",
             str(port), "--quiet", *options], stdout=self.output, stderr=self.errors, preexec_fn=end_with_parent,
            env={**os.environ, **(environment or {})})
        match = until(lambda: re.search(r"listening on https?://(\S+):(\d+)", self.said()) or self.has_ended(),
                      "the host listens")
        assert match is not True, self.complaints()
        self.port = int(match[2])
        self.key = library.key()

    def has_ended(self):
        return self.process.poll() is not None

    def said(self):
        with open(self.output.name) as file:
            return file.read()

    def complaints(self):
        self.errors.seek(0)
        return self.errors.read()

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(TIMEOUT) == 0, self.complaints()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def get(self, path, **options):
        return get(self.port, path, self.key, **options)

    def json(self, path):
        return json.loads(self.get(path)[1])

    def clients(self):
        return self.json("/clients")["clients"]

    def track(self, title):
        """Returns the ID of a track, looked up like a client: in a copy of the library."""
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/library.sqlite"
            with open(path, "wb") as file:
                file.write(self.get("/db")[1])
            with contextlib.closing(sqlite3.connect(path)) as database:
                row = database.execute("SELECT id FROM tracks WHERE title = ?", (title,)).fetchone()
                return row and row[0]

    def remote(self, port=None, name="test 1.0"):
        return Remote(port or self.port, self.key, name)


def get(port, path, key=None, fields=None, timeout=TIMEOUT, method="GET", body=None):
    """Returns status, content and headers of a response."""
    headers = {**({"Authorization": f"Bearer {key}"} if key else {}), **(fields or {})}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers, method=method, data=body)
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.status, answer.read(), answer.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read(), error.headers


class Remote:
    """A client on the remote channel: reads on its own thread, and answers pings unless it is frozen."""

    def __init__(self, port, key, name="test 1.0"):
        self.client = Client(port, "/ws", [f"Authorization: Bearer {key}"])
        self.client.send(TEXT, json.dumps({"protocol_version": VERSION, "app_version": name}).encode())
        self.events, self.closed, self.pings = [], None, 0
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()
        until(lambda: self.events, "the handshake is answered")
        self.handshake = self.events.pop(0)

    def read(self):
        try:
            while True:
                opcode, payload = self.client.message()
                if opcode == PING:
                    self.pings += 1
                    self.client.send(PONG, payload)
                elif opcode == CLOSE:
                    self.closed = struct.unpack(">H", payload[:2])[0] if payload else 1005
                    return
                elif opcode == TEXT:
                    self.events.append(json.loads(payload))
        except (EOFError, OSError):
            self.closed = self.closed or 1006

    def command(self, command):
        """Sends a command, and returns the event that answers it."""
        count = len(self.events)
        self.client.send(TEXT, json.dumps(command).encode())
        until(lambda: len(self.events) > count, f"{command} is answered")
        return self.events[count]

    def hear(self, name):
        return until(lambda: [event for event in self.events if name in event], f"{name} is received")[-1]

    def close(self):
        self.client.send(CLOSE, struct.pack(">H", 1000))
        self.thread.join(TIMEOUT)


class CuttingProxy:
    """A proxy between a client and the host that cuts the network: by closing connections, or silently."""

    def __init__(self, target):
        self.target = target
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.flows = threading.Event()
        self.flows.set()
        self.refuses = False
        self.pairs = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            if self.refuses:
                reset(client)
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                reset(client)
                continue
            self.pairs.append((client, server))
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self.forward, args=(source, sink), daemon=True).start()

    def forward(self, source, sink):
        try:
            while data := source.recv(16_384):
                self.flows.wait()
                sink.sendall(data)
            self.flows.wait()
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def cut(self):
        """Closes all connections and refuses new ones."""
        self.refuses = True
        for pair in self.pairs:
            for end in pair:
                reset(end)
        self.pairs = []

    def freeze(self):
        """Stops forwarding without closing connections."""
        self.flows.clear()

    def restore(self):
        self.refuses = False
        self.flows.set()


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    # Another thread may be blocked reading: only this wakes it.
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()


class PlayerError(Exception):
    pass


class Player:
    """An HLS player according to RFC 8216, which buffers and retries while the network is away."""

    def __init__(self, port, key, track, patience=60, timeout=3):
        self.port, self.key, self.track = port, key, track
        self.patience, self.timeout = patience, timeout
        self.retries = 0
        self.durations, self.addresses = [], []
        self.load()

    def fetch(self, path):
        """Returns content, retrying for as long as the player's patience lasts; received parts are kept."""
        end = time.monotonic() + self.patience
        while True:
            try:
                status, content, _ = get(self.port, path, self.key, timeout=self.timeout)
            except (OSError, EOFError, urllib.error.URLError, http_error()) as error:
                if time.monotonic() > end:
                    raise PlayerError(f"The host cannot be reached: {error}") from error
                self.retries += 1
                time.sleep(0.1)
                continue
            if status == 401:
                raise PlayerError(f"The key is wrong: {json.loads(content)['error']['message']}")
            if status != 200:
                raise PlayerError(f"{path}: {status}")
            return content

    def load(self):
        lines = self.fetch(f"/tracks/{self.track}/stream.m3u8").decode().splitlines()
        assert lines[0] == "#EXTM3U" and lines[-1] == "#EXT-X-ENDLIST", lines
        self.target = int(next(line for line in lines if line.startswith("#EXT-X-TARGETDURATION")).split(":")[1])
        for line, following in zip(lines, lines[1:]):
            if line.startswith("#EXTINF:"):
                duration = float(line[8:].split(",")[0])
                assert round(duration) <= self.target
                self.durations.append(duration)
                self.addresses.append(f"/tracks/{self.track}/{following}")
        assert self.addresses

    def segment(self, index):
        """Returns the frames of a segment, without the timestamp tag."""
        content = self.fetch(self.addresses[index])
        assert content[:3] == b"ID3" and b"com.apple.streaming.transportStreamTimestamp" in content[:73]
        return content[73:]

    def at(self, position):
        """Returns the segment at a position, and its start time."""
        start = 0.0
        for index, duration in enumerate(self.durations):
            if position < start + duration:
                return index, start
            start += duration
        raise PlayerError("There is nothing at that position.")


def http_error():
    import http.client
    return http.client.HTTPException


def decode(frames, channels=2):
    """Decodes MP3 frames with an independent decoder."""
    return subprocess.run(["ffmpeg", "-v", "error", "-f", "mp3", "-i", "-", "-f", "s16le", "-"], input=frames,
                          stdout=subprocess.PIPE, check=True).stdout


@contextlib.contextmanager
def library(programs):
    folder = tempfile.mkdtemp(prefix="test-")
    try:
        yield Library(programs, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
