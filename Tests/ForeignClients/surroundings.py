"""A made library, a host that serves it, and other programs, for the checks with foreign clients."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SONGS = [
    # File, title, artist, album, genre, year, number, pitch in Hz.
    ("a/1.mp3", "First light", "Anna Äther", "Morning", "Jazz", 1999, 1, 220),
    ("a/2.mp3", "Second thoughts", "Anna Äther", "Morning", "Jazz", 1999, 2, 277),
    ("b/1.mp3", "Third rail", "Anna Äther", "Evening", "Jazz", 2004, 1, 330),
    ("c/1.mp3", "Fourth wall", "Beta & Sons", "Numbers <1>", "Rock", 2010, 1, 392),
    ("c/2.mp3", "Fifth wheel", "Beta & Sons", "Numbers <1>", "Rock", 2010, 2, 440),
    ("c/3.mp3", "Sixth sense", "Beta & Sons", "Numbers <1>", "Rock", 2010, 3, 494),
]
SECONDS = 3


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait(what, condition, seconds=60):
    """Waits until a condition is true, and returns its value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"timeout: {what}")
        time.sleep(0.1)


def make_music(folder):
    for file, title, artist, album, genre, year, number, pitch in SONGS:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        tags = {"title": title, "artist": artist, "album_artist": artist, "album": album, "genre": genre,
                "date": str(year), "track": str(number)}
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"sine=frequency={pitch}:duration={SECONDS}", "-ac", "2",
             "-b:a", "160k"] + [word for key, value in tags.items() for word in ("-metadata", f"{key}={value}")] + [path],
            check=True)
        # A file that was just written is left alone until it is complete.
        os.utime(path, (1_700_000_000, 1_700_000_000))


class Program:
    """A running program with its output in a file; it ends with the check."""

    running = []

    def __init__(self, command, log, **options):
        self.log = Path(log)
        self.process = subprocess.Popen(
            [str(word) for word in command], stdout=self.log.open("wb"), stderr=subprocess.STDOUT, start_new_session=True,
            **options)
        Program.running.append(self)

    @property
    def output(self):
        return self.log.read_text(errors="replace")

    def end(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()

    @classmethod
    def end_all(cls):
        for program in reversed(cls.running):
            program.end()
        cls.running = []


def desktop(folder):
    """Starts a virtual screen, and returns the environment of a program that uses it and keeps its files in a folder."""
    for name in ["config", "data", "cache", "run"]:
        (folder / name).mkdir(parents=True)
    (folder / "run").chmod(0o700)
    screen, screen_end = os.pipe()
    display = Program(
        ["Xvfb", "-displayfd", str(screen_end), "-screen", "0", "1280x900x24"], folder / "xvfb.log", pass_fds=[screen_end])
    os.close(screen_end)
    number = os.read(screen, 16).decode().strip()
    assert number, display.output
    return dict(
        os.environ, DISPLAY=f":{number}", HOME=str(folder), XDG_CONFIG_HOME=str(folder / "config"),
        XDG_DATA_HOME=str(folder / "data"), XDG_CACHE_HOME=str(folder / "cache"), XDG_RUNTIME_DIR=str(folder / "run"),
        QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1", LIBGL_ALWAYS_SOFTWARE="1", LANG="C.UTF-8")


class Server:
    """A Subsonic server with a user."""

    def __init__(self, base, user, password):
        self.base, self.user, self.password = base, user, password

    def address(self, endpoint, *parameters):
        query = urllib.parse.urlencode(
            [("u", self.user), ("p", self.password), ("v", "1.12.0"), ("c", "check"), ("f", "json"), *parameters])
        return f"{self.base}/rest/{endpoint}.view?{query}"

    def bytes(self, endpoint, *parameters):
        with urllib.request.urlopen(self.address(endpoint, *parameters), timeout=60) as response:
            return response.read()

    def ask(self, endpoint, *parameters):
        return json.loads(self.bytes(endpoint, *parameters))["subsonic-response"]


class Host(Server):
    """The host under test, with the made library and an app password."""

    def __init__(self, folder, programs):
        music, data = folder / "music", folder / "data"
        make_music(music)
        self.program = Program(
            [programs / "stream-host", "serve", "--music", music, "--data", data, "--port", "0"], folder / "host.log")
        port = wait("the host's start", lambda: re.search(r"http://127\.0\.0\.1:(\d+)", self.program.output))
        password = subprocess.run(
            [programs / "stream-host", "account", "app-password", "add", "check", "--data", data], check=True, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.strip()
        super().__init__(f"http://127.0.0.1:{port[1]}", "owner", password)
        self.port, self.music = int(port[1]), music
        wait("the analysis", lambda: len(self.songs()) == len(SONGS) and all("trackGain" in song["replayGain"] for song in self.songs()))

    def songs(self):
        return self.ask("search3", ("query", ""), ("songCount", "100"))["searchResult3"]["song"]

    def add_album(self, artist, album, seconds):
        """Adds an album with a cover while the host is running. `seconds` are the lengths of its songs by title."""
        (self.music / "d").mkdir()
        for number, (title, length) in enumerate(seconds.items(), 1):
            path = self.music / "d" / f"{number}.mp3"
            subprocess.run(
                ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"sine=frequency=523:duration={length}", "-f", "lavfi", "-i",
                 "color=c=orange:s=300x300:r=1:d=1", "-map", "0:a", "-map", "1:v", "-frames:v", "1", "-c:v", "mjpeg",
                 "-disposition:v", "attached_pic", "-b:a", "128k", "-metadata", f"title={title}", "-metadata",
                 f"artist={artist}", "-metadata", f"album={album}", "-metadata", f"track={number}", path],
                check=True)
            os.utime(path, (1_700_000_000, 1_700_000_000))

        def is_analysed():
            return sum(song["artist"] == artist and song.get("bitRate", 0) > 0 for song in self.songs()) == len(seconds)

        wait("the new album", is_analysed)

    def called(self):
        """The endpoints that the log names, with their numbers of calls."""
        counts = {}
        for name in re.findall(r"/rest/([A-Za-z0-9]+)", self.program.output):
            counts[name] = counts.get(name, 0) + 1
        return counts


def have(*programs):
    """Returns the programs that are missing."""
    return [program for program in programs if not shutil.which(program)]
