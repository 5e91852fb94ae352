"""Mopidy with Mopidy-Subidy, driven over MPD: browse, search, playlists, play to the end."""

import socket

from surroundings import SECONDS, SONGS, Program, free_port, wait

CONFIGURATION = """
[core]
cache_dir = {folder}/cache
config_dir = {folder}/config
data_dir = {folder}/data
[logging]
verbosity = 1
[audio]
output = audioresample ! audioconvert ! audio/x-raw,format=S16LE,rate=44100,channels=2 ! filesink sync=true location={folder}/sound.raw
[http]
enabled = false
[mpd]
enabled = true
hostname = 127.0.0.1
port = {port}
[file]
enabled = false
[m3u]
enabled = false
[softwaremixer]
enabled = true
[stream]
enabled = false
[subidy]
enabled = true
url = {base}
username = {user}
password = {password}
"""


class MPD:
    """A connection to an MPD server."""

    def __init__(self, port):
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.file = self.connection.makefile("rw", encoding="utf-8", newline="\n")
        assert self.file.readline().startswith("OK MPD")

    def ask(self, *words):
        """Sends a command and returns its lines as pairs."""
        quoted = [words[0]] + ['"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"' for word in words[1:]]
        self.file.write(" ".join(quoted) + "\n")
        self.file.flush()
        lines = []
        while True:
            line = self.file.readline().rstrip("\n")
            if line == "OK":
                return lines
            assert line and not line.startswith("ACK"), (words, line)
            lines.append(tuple(line.split(": ", 1)))

    def values(self, key, *words):
        return [value for name, value in self.ask(*words) if name == key]


def check(host, folder, python):
    folder.mkdir()
    port = free_port()
    configuration = folder / "mopidy.conf"
    configuration.write_text(CONFIGURATION.format(
        folder=folder, port=port, base=host.base, user=host.user, password=host.password))
    program = Program([python, "-m", "mopidy", "--config", configuration], folder / "mopidy.log")

    def connect():
        assert program.process.poll() is None, program.output
        try:
            return MPD(port)
        except (ConnectionError, OSError, AssertionError):
            return None

    mpd = wait("Mopidy's start", connect)
    roots = mpd.values("directory", "lsinfo", "/")
    assert roots, program.output
    artists = mpd.values("directory", "lsinfo", f"{roots[0]}/Artists")
    assert [name.rsplit("/", 1)[1] for name in artists] == ["Anna Äther", "Beta & Sons"], artists
    albums = mpd.values("directory", "lsinfo", artists[1])
    assert [name.rsplit("/", 1)[1] for name in albums] == ["Numbers <1>"], albums
    songs = mpd.ask("lsinfo", albums[0])
    titles = [value for key, value in songs if key == "Title"]
    assert titles == [song[1] for song in SONGS[3:]], titles
    found = mpd.values("Title", "search", "any", "sixth")
    assert found == ["Sixth sense"], found
    found = mpd.values("Title", "search", "artist", "Anna Äther")
    assert len(found) >= 3, found

    created = host.ask("createPlaylist", ("name", "Check"), *[("songId", song["id"]) for song in host.songs()[:2]])
    assert created["status"] == "ok", created
    wait("the playlist", lambda: mpd.values("playlist", "listplaylists") == ["Check"])
    entries = mpd.values("Title", "listplaylistinfo", "Check")
    assert len(entries) == 2, entries

    mpd.ask("clear")
    for file in [value for key, value in songs if key == "file"][:2]:
        mpd.ask("add", file)
    mpd.ask("play")
    wait("the sound", lambda: ("state", "play") in mpd.ask("status"))
    wait("the second song", lambda: ("song", "1") in mpd.ask("status"), 4 * SECONDS + 30)
    wait("the end", lambda: ("state", "stop") in mpd.ask("status"), 4 * SECONDS + 30)
    frames = (folder / "sound.raw").stat().st_size / 4
    # The decoder may keep the encoder's delay and padding.
    assert abs(frames / 44_100 - 2 * SECONDS) < 0.3, frames
    assert "Traceback" not in program.output, program.output
    return f"browsed, searched, read a playlist, played {frames / 44_100:.1f} s of two songs to the end"
