"""Creates the music to serve, and the copies of its segments for nginx."""

import itertools
import os
import subprocess
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path

TRACKS = 6
SECONDS = 240
# Tracks of the library whose segments are requested once: hard links to the same files, which stay in the page cache.
LINKED_TRACKS = 4000
LISTENERS = 64


@dataclass
class Library:
    track_ids: list
    description: str


def make(project, folder):
    """Creates and analyses a few tracks of four minutes, half at 128 kbit/s, half at V0."""
    music = folder / "music"
    music.mkdir()
    for number in range(TRACKS):
        rate = ["-b", "128"] if number % 2 == 0 else ["-V", "0"]
        sound = subprocess.Popen(
            ["sox", "-n", "-r", "44100", "-c", "2", "-t", "wav", "-", "synth", str(SECONDS), "pluck",
             f"{220 + 37 * number}", "pluck", f"{330 + 29 * number}", "gain", "-6"], stdout=subprocess.PIPE)
        subprocess.run(["lame", "--quiet", *rate, "-", music / f"{number}.mp3"], stdin=sound.stdout, check=True)
        sound.wait()
    analyze(project, folder)
    return Library(list(range(1, TRACKS + 1)),
                   f"{TRACKS} tracks of {SECONDS} s, half at 128 kbit/s, half at V0.")


def link(project, folder, made_in):
    """Creates and analyses a library of many tracks from the files of another one."""
    music = folder / "music"
    music.mkdir(parents=True)
    for number in range(LINKED_TRACKS):
        os.link(made_in / f"music/{number % TRACKS}.mp3", music / f"{number:04}.mp3")
    analyze(project, folder)
    return Library(list(range(1, LINKED_TRACKS + 1)), f"{LINKED_TRACKS} tracks of {SECONDS} s, by {LISTENERS} listeners at a time.")


def analyze(project, folder):
    subprocess.run([project / ".build/release/analyze-cli", folder / "music", "--data", folder / "data", "--quiet"],
                   check=True)


def fetch(base, key, path):
    request = urllib.request.Request(base + path, headers={"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def segment_paths(base, key, track_ids):
    """Returns the paths of all segments as in the playlists."""
    paths = []
    for identifier in track_ids:
        playlist = f"/tracks/{identifier}/stream.m3u8"
        for line in fetch(base, key, playlist).decode().splitlines():
            if line and not line.startswith("#"):
                paths.append(urllib.parse.urljoin(playlist, line))
    return paths


def in_listening_order(paths, track_ids):
    """Returns the paths in the order of groups of listeners, each of whom plays another track."""
    tracks = {str(identifier): [] for identifier in track_ids}
    for path in paths:
        tracks[path.split("/")[2]].append(path)
    every = list(tracks.values())
    groups = [every[start:start + LISTENERS] for start in range(0, len(every), LISTENERS)]
    return [path for group in groups for row in itertools.zip_longest(*group) for path in row if path]


def file_path(path):
    """Returns the address of a segment's copy."""
    return f"/files{path.split('?')[0]}"


def copy_segments(base, key, paths, folder):
    """Stores the same bytes as files for a static file server; segments of equal audio are hard links."""
    copies = {}
    for path in paths:
        file = Path(f"{folder}{file_path(path)}")
        file.parent.mkdir(parents=True, exist_ok=True)
        audio = (Path(path).name, path.split("?")[1])
        if audio in copies:
            os.link(copies[audio], file)
        else:
            file.write_bytes(fetch(base, key, path))
            copies[audio] = file
