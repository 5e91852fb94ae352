#!/usr/bin/env python3
"""Creates the corpus of the similarity benchmark: soundtracks of games from Debian packages, encoded as MP3.

Each piece is up to 150 s of a file, in CACHE/pieces/NAME.mp3. CACHE/corpus.json states its album, the artist in its
tags, its work and its half. Also cuts both halves of every piece and its rest after 10 s, without encoding again, and
encodes every third piece again at 128 kbit/s. Creates only missing files.

    corpus.py CACHE             the pieces
    corpus.py CACHE training    also the music for training alone, in CACHE/training
"""

import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

PIECE_SECONDS = 150
MINIMUM_SECONDS = 45
TRIM_SECONDS = 10
PACKAGES = [
    "singularity-music", "wesnoth-1.16-music", "warzone2100-music", "xmoto-data", "lincity-ng-data",
    "extremetuxracer-data", "asc-music", "pushover-data", "fillets-ng-data", "marsshooter-data",
    "colobot-common-sounds", "hedgewars-data", "flare-game", "supertux-data", "unknown-horizons", "megaglest-data",
    "widelands-data",
]
# Packages of other games, for training alone.
TRAINING_PACKAGES = [
    "supertuxkart-data", "naev-data", "btanks-data", "freedroidrpg-data", "frozen-bubble-data", "freedink-data", "pingus-data",
    "ardentryst", "warmux-data", "caveexpress-data", "endless-sky-data", "zaz-data", "tuxfootball", "enigma-data",
    "scorched3d-data", "lordsawar-data", "ri-li-data", "lugaru-data", "parsec47-data", "noiz2sa-data", "mu-cade-data",
    "a7xpg-data", "rrootage-data", "titanion-data", "tumiki-fighters-data", "bomberclone-data", "pax-britannica-data",
    "open-invaders-data", "biniax2-data", "tecnoballz-data", "fretsonfire-songs-muldjord", "fretsonfire-songs-sectoid",
    "redeclipse-data", "berusky2-data",
]
# The number of pieces from one of them.
MOST_TRAINING_PIECES = 40
SOUNDS = ["*.ogg", "*.mp3", "*.flac", "*.opus"]
TRACKER_MUSIC = ["*.wav", "*.xm", "*.mod", "*.s3m", "*.it"]
# Folders of effects and speech.
NOT_MUSIC = ["sounds", "soundfx", "speech", "sound"]
NOT_TRAINING_MUSIC = ["sfx", "effects", "voice", "voices", "speech"]


def run(command):
    return subprocess.run(["nice", "-n", "10", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          stdin=subprocess.DEVNULL).returncode == 0


def unpack(cache, names):
    """Downloads packages with music and unpacks their files, without installing them."""
    for package in names:
        target = os.path.join(cache, "packages", package)
        if os.path.isdir(target):
            continue
        os.makedirs(target + ".part", exist_ok=True)
        subprocess.run(["apt-get", "download", "-qq", package], cwd=target + ".part", check=True,
                       stderr=subprocess.DEVNULL)
        deb = glob.glob(os.path.join(target + ".part", "*.deb"))[0]
        subprocess.run(["dpkg-deb", "-x", deb, target + ".part"], check=True)
        os.remove(deb)
        os.rename(target + ".part", target)


def half_of(album):
    """Returns the half of an album by a hash of its name: no album is in both halves.

    The byte of the hash was chosen so that both halves have about as many pieces.
    """
    return "tune" if hashlib.sha256(album.encode()).digest()[6] & 1 else "report"


def work_of(stem):
    """Returns the name that variants of one piece share: the file's name up to a number or a suffix."""
    return re.sub(r"(?i)[-_ ]?(map|main|theme|remix|alt|menu|intro|loop|boss|sprint|v?\d+)$", "", stem) or stem


def described(path):
    text = subprocess.run(
        ["ffprobe", "-v", "error", "-print_format", "json", "-show_entries",
         "format=duration:format_tags:stream=codec_type:stream_tags", path], capture_output=True, text=True).stdout
    facts = json.loads(text or "{}")
    tags = {}
    for part in facts.get("streams", []) + [facts.get("format", {})]:
        tags.update({key.lower(): value for key, value in part.get("tags", {}).items()})
    return float(facts.get("format", {}).get("duration", 0)), tags


def sources(cache, names, patterns, excluded):
    packages = os.path.join(cache, "packages")
    for package in names:
        found = []
        for pattern in patterns:
            found += glob.glob(os.path.join(packages, package, "**", pattern), recursive=True)
        for path in sorted(found):
            if os.path.islink(path) or any(f"/{folder}/" in path for folder in excluded):
                continue
            yield package, path


def make(command, path):
    if not os.path.exists(path):
        temporary = path + ".part.mp3"
        if run([*command, temporary]):
            os.rename(temporary, path)
    return os.path.exists(path)


def cut(source, path, start, seconds):
    span = ["-ss", f"{start:.3f}"] + (["-t", f"{seconds:.3f}"] if seconds else [])
    return make(["ffmpeg", "-y", "-v", "error", *span, "-i", source, "-map", "0:a", "-c", "copy"], path)


def encode(path, target):
    """Encodes the first PIECE_SECONDS of a file; returns whether that worked."""
    return make(["ffmpeg", "-y", "-v", "error", "-i", path, "-map", "0:a", "-t", str(PIECE_SECONDS), "-ac", "2",
                 "-ar", "44100", "-c:a", "libmp3lame", "-q:a", "2", "-map_metadata", "-1"], target)


def make_training(cache):
    """Creates the music for training; a package's files are removed once they are encoded."""
    folder = os.path.join(cache, "training")
    os.makedirs(folder, exist_ok=True)
    seen = set()
    for package in TRAINING_PACKAGES:
        done = os.path.join(folder, package + ".done")
        if os.path.exists(done):
            continue
        unpack(cache, [package])
        count = 0
        for _, path in sources(cache, [package], SOUNDS + TRACKER_MUSIC, NOT_TRAINING_MUSIC):
            if count == MOST_TRAINING_PIECES:
                break
            digest = hashlib.sha256(open(path, "rb").read()).hexdigest()
            # Of Frets on Fire, each instrument is a file.
            is_part = package.startswith("fretsonfire") and os.path.basename(path) not in ("guitar.ogg", "song.ogg")
            if digest in seen or is_part or described(path)[0] < MINIMUM_SECONDS:
                continue
            seen.add(digest)
            stem = os.path.splitext(os.path.basename(path))[0]
            name = re.sub(r"[^A-Za-z0-9_-]+", "_", f"{package}--{stem}")
            count += encode(path, os.path.join(folder, name + ".mp3"))
        print(package, count, flush=True)
        open(done, "w").close()
        shutil.rmtree(os.path.join(cache, "packages", package))


def main():
    cache = sys.argv[1]
    if sys.argv[2:] == ["training"]:
        make_training(cache)
    unpack(cache, PACKAGES)
    folders = {kind: os.path.join(cache, kind) for kind in ["pieces", "first", "second", "trimmed", "low"]}
    for folder in folders.values():
        os.makedirs(folder, exist_ok=True)
    corpus, seen = [], set()
    for package, path in sources(cache, PACKAGES, SOUNDS, NOT_MUSIC):
        digest = hashlib.sha256(open(path, "rb").read()).hexdigest()
        seconds, tags = described(path)
        if digest in seen or seconds < MINIMUM_SECONDS:
            continue
        seen.add(digest)
        stem = os.path.splitext(os.path.basename(path))[0]
        album = re.sub(r"-(data|music|game|common-sounds|1\.16-music)$", "", package)
        name = re.sub(r"[^A-Za-z0-9_-]+", "_", f"{album}--{stem}")
        length = min(seconds, PIECE_SECONDS)
        piece = os.path.join(folders["pieces"], name + ".mp3")
        if not encode(path, piece):
            continue
        cut(piece, os.path.join(folders["first"], name + ".mp3"), 0, length / 2)
        cut(piece, os.path.join(folders["second"], name + ".mp3"), length / 2, None)
        cut(piece, os.path.join(folders["trimmed"], name + ".mp3"), TRIM_SECONDS, None)
        if len(corpus) % 3 == 0:
            make(["ffmpeg", "-y", "-v", "error", "-i", piece, "-c:a", "libmp3lame", "-b:a", "128k"],
                 os.path.join(folders["low"], name + ".mp3"))
        artist = (tags.get("artist") or "").strip()
        corpus.append({"name": name, "album": album, "artist": artist, "work": f"{album}/{work_of(stem.lower())}",
                       "half": half_of(album)})
        json.dump(corpus, open(os.path.join(cache, "corpus.json"), "w"), indent=1)
        print(name, artist, flush=True)


main()
