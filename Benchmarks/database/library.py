"""Generates a library of many tracks: analyses a few pieces and copies their rows under other names."""

import random
import shutil
import sqlite3
import subprocess
from pathlib import Path

PIECES = 12
SYLLABLES = "ka lo mi ra ten vis or na du pel sa rin tho mar el qui bo ster".split()


def make(cache: Path, analyze: Path, count: int) -> Path:
    """Returns the data folder of a library of `count` tracks, generating it on first use."""
    data = cache / f"data-{count}"
    if (data / "complete").exists():
        return data
    shutil.rmtree(data, ignore_errors=True)
    music = cache / "music"
    _make_pieces(music)
    subprocess.run([analyze, music, "--data", data, "--quiet", "--dj"], check=True)
    _multiply(data / "library.sqlite", count)
    (data / "complete").touch()
    return data


def _make_pieces(music: Path):
    music.mkdir(parents=True, exist_ok=True)
    for number in range(PIECES):
        target = music / f"piece {number}.mp3"
        if target.exists():
            continue
        seconds = 180 + 15 * number
        # Plucked notes over a beat and noise give realistic onsets, levels and frame lengths.
        bpm = 80 + 7 * number
        wave = subprocess.run(
            ["sox", "-n", "-t", "wav", "-r", "44100", "-c", "2", "-", "synth", f"{60 / bpm:.4f}", "pluck", "A2",
             "pluck", f"C{3 + number % 2}", "synth", f"{60 / bpm:.4f}", "pinknoise", "mix", "gain", "-n", "-6",
             "fade", "q", "0.005", f"{60 / bpm:.4f}", "0.05", "repeat", str(int(seconds * bpm / 60)),
             "tremolo", f"{0.05 + number / 100:.2f}", "60"],
            check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        options = ["-V", "2"] if number % 3 else ["-b", "192"]
        partial = target.with_suffix(".partial")
        subprocess.run(["lame", "--quiet", *options, "-", partial], input=wave, check=True)
        partial.rename(target)


def _name(chance: random.Random, words: int) -> str:
    return " ".join(
        "".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))).capitalize() for _ in range(words))


def _rows(database, table):
    cursor = database.execute(f"SELECT * FROM {table} ORDER BY audio_hash")
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row)) for row in cursor]


def _insert(database, table, row):
    names = ", ".join(row)
    places = ", ".join("?" * len(row))
    database.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", list(row.values()))


def _multiply(path: Path, count: int):
    chance = random.Random(1)
    database = sqlite3.connect(path, isolation_level=None)
    tracks, analyses, details = (_rows(database, table) for table in ("tracks", "analyses", "analysis_details"))
    assert len(tracks) == len(analyses) == len(details) == PIECES
    # Like large collections: 10 tracks per album, 2 albums per artist.
    database.execute("BEGIN IMMEDIATE")
    number = PIECES
    while number < count:
        if number % 20 == PIECES % 20:
            artist = f"{_name(chance, 2)} {number}"
            artist_id = database.execute(
                "INSERT INTO artists (name, name_key) VALUES (?, ?)", [artist, artist.lower()]).lastrowid
        if number % 10 == PIECES % 10:
            album = f"{_name(chance, 3)} {number}"
            album_id = database.execute(
                "INSERT INTO albums (album_key, title, artist_id, is_loudness_current) VALUES (?, ?, ?, 1)",
                [album.lower(), album, artist_id]).lastrowid
        piece = number % PIECES
        audio_hash = chance.randbytes(16)
        title = _name(chance, 3)
        _insert(database, "analyses", analyses[piece] | {"id": None, "audio_hash": audio_hash})
        _insert(database, "analysis_details", details[piece] | {"audio_hash": audio_hash})
        _insert(database, "tracks", tracks[piece] | {
            "id": None, "audio_hash": audio_hash, "title": title, "artist": artist, "album": album,
            "artist_id": artist_id, "album_id": album_id, "track_number": number % 10 + 1,
            "relative_path": f"{artist}/{album}/{number % 10 + 1:02} {title}.mp3", "genre": _name(chance, 1)})
        number += 1
    database.execute("COMMIT")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
