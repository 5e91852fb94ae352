"""Creates the music to serve, and the copy of its segments for nginx."""

import subprocess
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path

TRACKS = 6
SECONDS = 240


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
    subprocess.run([project / ".build/release/analyze-cli", music, "--data", folder / "data", "--quiet"], check=True)
    return Library(list(range(1, TRACKS + 1)),
                   f"{TRACKS} tracks of {SECONDS} s, half at 128 kbit/s, half at V0; all segments in turn.")


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


def copy_segments(base, key, paths, folder):
    """Stores the same bytes as files for a static file server."""
    for path in paths:
        file = Path(f"{folder}/files{path.split('?')[0]}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(fetch(base, key, path))
