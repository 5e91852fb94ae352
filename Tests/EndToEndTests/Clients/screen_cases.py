"""The player's full screen in a real terminal.

usage: screen_cases.py FOLDER_OF_PROGRAMS CASE
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

from host_process import end_with_parent, until

ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"


class Screen:
    """stream-player in its own terminal."""

    def __init__(self, program, *words, rows=24, columns=80):
        self.text = ""
        # The terminal stays open for inspection after the program has ended.
        self.main, self.device = pty.openpty()
        self.resize(rows, columns)
        self.before = termios.tcgetattr(self.device)

        def own_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            end_with_parent()

        self.process = subprocess.Popen([program, *words], stdin=self.device, stdout=self.device, stderr=self.device,
                                        preexec_fn=own_terminal, env={**os.environ, "TERM": "xterm"})

    def resize(self, rows, columns):
        fcntl.ioctl(self.main, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))

    def read(self):
        while select.select([self.main], [], [], 0)[0]:
            self.text += os.read(self.main, 65536).decode(errors="replace")
        return self.text

    def page(self):
        """Returns the lines of the last complete page."""
        pages = self.read().split("\x1b[H")
        whole = [page for page in pages if page.endswith("\x1b[J")]
        return re.sub(r"\x1b\[[?0-9]*[A-Za-z]", "", whole[-1]).split("\r\n") if whole else []

    def shows(self, text, what):
        until(lambda: any(text in line for line in self.page()), f"{what}: {text!r} in {self.page()}")

    def press(self, keys):
        os.write(self.main, keys.encode())

    def ends(self, status):
        assert self.process.wait(60) == status, self.process.returncode
        self.read()
        assert self.text.count(ENTER) == 1 and self.text.count(LEAVE) == 1, self.text[-500:]
        assert self.text.rindex(SHOW) > self.text.rindex("\x1b[H"), "the cursor is visible again"
        assert termios.tcgetattr(self.device) == self.before, "the terminal is restored"


def make(folder):
    paths = []
    for number in (1, 2, 3):
        wave, path = f"{folder}/{number}.wav", f"{folder}/Song {number}.mp3"
        subprocess.run(["sox", "-n", "-r", "44100", "-c", "2", wave, "synth", "120", "sine", str(300 * number)], check=True)
        subprocess.run(["lame", "--quiet", "-b", "64", wave, path], check=True)
        paths.append(path)
    return paths


def keys(program, folder):
    """Each key does what the page says; the page fits, even after the window was resized."""
    screen = Screen(program, "play", *make(folder), "--output", "null", "--folder", folder)
    screen.shows("playing", "it plays")
    screen.shows("\u25b6 1. Song 1", "the queue")
    assert HIDE in screen.text
    raw = termios.tcgetattr(screen.device)
    assert not raw[3] & (termios.ICANON | termios.ECHO)
    screen.press(" ")
    screen.shows("paused", "space pauses")
    screen.press(" ")
    screen.shows("playing", "and resumes")
    screen.press("n")
    screen.shows("\u25b6 2. Song 2", "n skips to the next track")
    screen.press("p")
    screen.shows("\u25b6 1. Song 1", "p goes back")
    screen.shows("volume 100 %", "the volume")
    screen.press("\x1b[B\x1b[B")
    screen.shows("volume 90 %", "down lowers the volume")
    screen.press("\x1b[A")
    screen.shows("volume 95 %", "up raises it")
    screen.press("\x1b[C\x1b[C\x1b[C\x1b[C\x1b[C\x1b[C")
    until(lambda: any(re.search(r" 1:\d\d \[", line) for line in screen.page()), "right seeks forward by ten seconds")
    screen.press("\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D")
    until(lambda: any(re.search(r" 0:\d\d \[", line) for line in screen.page()), "left seeks back")
    for rows, columns in ((12, 40), (50, 132), (24, 80)):
        screen.resize(rows, columns)
        # A text of the former size may happen to have this width: the whole page has to fit.
        until(
            lambda: any(len(line) in (columns - 1, columns) for line in screen.page())
            and len(screen.page()) <= rows and all(len(line) <= columns for line in screen.page()),
            f"it is {columns} wide and {rows} high",
        )
    screen.press("q")
    screen.ends(0)


def interrupted(program, folder):
    """Ctrl-C, SIGTERM and a closed terminal end it, and restore the terminal."""
    files = make(folder)
    screen = Screen(program, "play", *files, "--output", "null", "--folder", folder)
    screen.shows("playing", "it plays")
    screen.press("\x03")
    screen.ends(0)
    screen = Screen(program, "play", *files, "--output", "null", "--folder", folder)
    screen.shows("playing", "it plays")
    screen.process.send_signal(signal.SIGTERM)
    screen.ends(0)


def failed(program, folder):
    """An error stays on screen until the user has read it."""
    with open(f"{folder}/text.mp3", "w") as file:
        file.write("no music" * 100)
    screen = Screen(program, "play", f"{folder}/text.mp3", "--output", "null", "--folder", folder)
    screen.shows("not MP3 audio", "the error is shown")
    time.sleep(0.5)
    assert screen.process.poll() is None
    screen.press("q")
    screen.ends(1)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        globals()[sys.argv[2]](os.path.join(sys.argv[1], "stream-player"), place)
