"""Generates the data folder of a library of a million tracks: names, measurements and listening data, without audio.

Sizes follow real collections: tracks per artist and uses of a word or genre fall off by a power law, most albums have
8 to 14 tracks, years crowd towards the present, and about a quarter of the names are not in plain Latin letters.
"""

import itertools
import random
import re
import sqlite3
import struct
import unicodedata
from bisect import bisect
from pathlib import Path

WORDS = 50_000
MAIN_GENRES = """Rock Pop Electronic Jazz Classical Hip-Hop Folk Metal Ambient Soul Country Blues Punk House Techno Reggae
Funk Soundtrack Latin Indie""".split()
SUFFIXES = ["Revival", "Fusion", "Core", "Wave", "Step", "Roots", "Noir", "Choral", "Minimal", "Psychedelic"]
LETTERS = {
    "latin": ("bcdfghjklmnprstvwz", "aeiou", ["", "", "n", "r", "s"]),
    "accents": ("bcčdđfghjklłmnñprsštvzž", "aáâäæeéêiíoóöøuúü", ["", "", "n", "r", "ß"]),
    "cyrillic": ("бвгджзклмнпрстфхцчш", "аеиоуыэюя", ["", "", "н", "р", "с"]),
    "greek": ("βγδζθκλμνξπρστφχψ", "αεηιουω", ["", "", "ν", "ς"]),
    "kana": ("かきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわ", "", []),
    "hangul": ("가나다라마바사아자차카타파하고노도로모보소오조초코토포호구누두루무부수우주추쿠투푸후", "", []),
    "han": ("日月火水木金土山川田人口車門女子大小中上下天空花夜星海風雪春夏秋冬光影夢心愛歌東西南北青白赤黒", "", []),
    "arabic": ("بتثجحخدذرزسشصضطظعغفقكلمنهوي", "اوي", ["", "", "ن"]),
}
SCRIPTS = ["latin", "accents", "cyrillic", "greek", "kana", "hangul", "han", "arabic"]
SHARES = [74, 8, 6, 2, 4, 2, 3, 1]
VARIOUS = "Various Artists"
VALUES = """
UPDATE albums SET (track_count, first_year, shown_artist_id) =
    (SELECT count(*), min(year), coalesce(albums.artist_id, CASE WHEN min(artist_id) = max(artist_id) THEN min(artist_id) END)
        FROM tracks WHERE album_id = albums.id);
UPDATE albums SET artist_sort = coalesce((SELECT name_sort FROM artists WHERE id = shown_artist_id), '');
UPDATE artists SET track_count = (SELECT count(*) FROM tracks WHERE artist_id = artists.id),
    album_count = (SELECT count(*) FROM albums WHERE shown_artist_id = artists.id);
INSERT INTO album_genres (genre, album_id, track_count) SELECT min(genre), album_id, count(*) FROM tracks
    GROUP BY genre COLLATE NOCASE, album_id;
INSERT INTO album_credits (album_id, album, artist, album_artist, track_count)
    SELECT album_id, album, artist, coalesce(album_artist, ''), count(*) FROM tracks GROUP BY 1, 2, 3, 4;
INSERT INTO catalogue_changes (track_id) SELECT id FROM tracks
"""


class Zipf:
    """Draws numbers below a limit, number n with a probability proportional to 1 / (n + 1) ^ exponent."""

    def __init__(self, chance, limit, exponent=1.0):
        self.chance = chance
        self.sums = list(itertools.accumulate((n + 1) ** -exponent for n in range(limit)))

    def __call__(self):
        return min(len(self.sums) - 1, bisect(self.sums, self.chance.random() * self.sums[-1]))


class Names:
    """Invents names of words of one script."""

    def __init__(self, chance):
        self.chance = chance
        self.words = {}
        for script, share in zip(SCRIPTS, SHARES):
            count = max(500, WORDS * share // 100)
            self.words[script] = (self._words(script, count), Zipf(chance, count, 0.85))

    def _words(self, script, count):
        first, vowels, ends = LETTERS[script]
        made = set()
        while len(made) < count:
            if vowels:
                made.add("".join(
                    self.chance.choice(first) + self.chance.choice(vowels) + self.chance.choice(ends)
                    for _ in range(self.chance.choice([1, 2, 2, 3, 3, 4]))))
            else:
                made.add("".join(self.chance.choice(first) for _ in range(self.chance.choice([2, 2, 3, 4]))))
        words = sorted(made)
        self.chance.shuffle(words)
        return words

    def script(self):
        return self.chance.choices(SCRIPTS, SHARES)[0]

    def __call__(self, script, lengths):
        words, draw = self.words[script]
        return " ".join(words[draw()].capitalize() for _ in range(self.chance.choice(lengths)))


def key(name):
    """Returns the host's sort key, for the characters that occur here."""
    text = name.lower()
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not 0x300 <= ord(c) <= 0x36F and c not in "\u3099\u309a")
        for letter, plain in [("ß", "ss"), ("æ", "ae"), ("ø", "o"), ("đ", "d"), ("ł", "l")]:
            text = text.replace(letter, plain)
    return re.sub(r"\d+", lambda found: chr(47 + len(found[0])) + found[0], text)


class Insertion:
    """Collects the rows of one table and inserts them in groups."""

    def __init__(self, database, table):
        self.database, self.table, self.rows, self.statement = database, table, [], None

    def add(self, row):
        if self.statement is None:
            self.statement = (f"INSERT INTO {self.table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})")
        self.rows.append(tuple(row.values()))
        if len(self.rows) >= 10_000:
            self.flush()

    def flush(self):
        self.database.executemany(self.statement, self.rows)
        self.rows = []


class Sounds:
    """Draws sonic descriptors: those of an artist's tracks are near each other.

    The coordinates are 16-bit integers in units of 1/1024 after a byte with the version (SonicDescriptor).
    """

    DRAWN = 4_000  # centres and deviations, of which each track has one of both
    CENTRE, DEVIATION = 1_800, 900

    def __init__(self, chance, example):
        self.chance, self.version = chance, example[:1]
        self.count = (len(example) - 1) // 2
        self.form = struct.Struct(f"<{self.count}h")
        self.centres, self.deviations = ([self._draw(width) for _ in range(self.DRAWN)] for width in (self.CENTRE, self.DEVIATION))

    def _draw(self, width):
        return [max(-16_000, min(16_000, round(self.chance.gauss(0, width)))) for _ in range(self.count)]

    def __call__(self, artist):
        centre, deviation = self.centres[artist % self.DRAWN], self.chance.choice(self.deviations)
        return self.version + self.form.pack(*map(int.__add__, centre, deviation))


class Library:
    """Writes the rows of artists, albums, tracks and analyses."""

    def __init__(self, database, versions, descriptor, pieces):
        self.chance = random.Random(7)
        self.sounds = Sounds(random.Random(8), descriptor)
        self.names = Names(self.chance)
        self.database, self.versions, self.pieces = database, versions, pieces
        self.genres = MAIN_GENRES + [f"{genre} {suffix}" for suffix in SUFFIXES for genre in MAIN_GENRES]
        self.draw_genre = Zipf(self.chance, len(self.genres), 1.1)
        self.tables = {name: Insertion(database, name) for name in ("artists", "albums", "tracks", "analyses", "analysis_details")}
        self.artists, self.taken, self.albums, self.tracks = [], set(), 0, 0

    def fill(self, count):
        self._add_artist(VARIOUS, "latin")
        for _ in range(max(1, count // 16)):
            script = self.names.script()
            self._add_artist(self.names(script, [1, 2, 2, 2, 3]), script)
        # In random order, since the artists with most albums are not the first to be added.
        draw, order = Zipf(self.chance, len(self.artists) - 1, 0.7), list(range(1, len(self.artists)))
        self.chance.shuffle(order)
        while self.tracks < count:
            self._add_album(order[draw()], count - self.tracks)
        for table in self.tables.values():
            table.flush()

    def _add_artist(self, name, script):
        while name.lower() in self.taken:
            name += f" {len(self.artists)}"
        self.taken.add(name.lower())
        self.artists.append((name, script, self.draw_genre()))
        self.tables["artists"].add({
            "id": len(self.artists), "name": name, "name_key": name.lower(), "name_sort": key(name)})

    def _add_album(self, artist, most):
        chance = self.chance
        name, script, genre = self.artists[artist]
        self.albums += 1
        title = self.names(script, [1, 1, 2, 2, 3, 4])
        is_compilation = chance.random() < 0.03
        length = min(most, chance.choices([1, 2, 5, 9, 10, 11, 12, 13, 14, 16, 20, 36], [6, 4, 8, 10, 14, 14, 16, 8, 8, 6, 4, 2])[0])
        owner = VARIOUS if is_compilation else name
        self.tables["albums"].add({
            "id": self.albums, "album_key": f"{owner}/{title}/{self.albums}", "title": title, "title_sort": key(title),
            # Half of the others have no album artist, so it must be derived from their tracks.
            "artist_id": 1 if is_compilation else artist + 1 if self.albums % 2 else None,
            "is_compilation": int(is_compilation), "is_loudness_current": 1, "integrated_lufs": -9.5,
            "loudness_range_lu": 6, "sample_peak": 0.98, "true_peak": 1.01})
        facts = {
            "title": title, "owner": owner, "is_compilation": is_compilation, "has_artist": self.albums % 2 or is_compilation,
            "year": int(2025 - min(75, chance.expovariate(1 / 18))), "genre": self.genres[genre],
            "added": 1_500_000_000_000 + self.albums * 2_000_000, "cover": int(chance.random() < 0.9)}
        for number in range(1, length + 1):
            if is_compilation:
                artist = chance.randrange(1, len(self.artists))
            self._add_track(number, artist, facts)

    def _add_track(self, number, artist, album):
        chance = self.chance
        self.tracks += 1
        name, script, _ = self.artists[artist]
        title = self.names(script, [1, 2, 2, 3, 3, 4, 5])
        size, modified = self.pieces[self.tracks % len(self.pieces)]
        folder = f"{album['owner']}/{album['title']} [{self.albums}]"
        digest = chance.randbytes(16)
        bpm = min(200, max(50, chance.gauss(118, 26)))
        seconds = min(3_600, max(30, chance.lognormvariate(5.44, 0.4)))
        self.tables["tracks"].add({
            "id": self.tracks, "relative_path": f"{folder}/{number:02} {title}.mp3", "audio_hash": digest,
            "file_size": size, "modified_at_ns": modified, "title": title, "artist": name, "album": album["title"],
            "album_artist": album["owner"] if album["has_artist"] else None, "track_number": number, "disc_number": 1,
            "year": album["year"], "genre": album["genre"], "is_compilation": int(album["is_compilation"]),
            "has_cover": album["cover"], "tag_kinds": 1, "artist_id": artist + 1, "album_id": self.albums,
            "added_at_ms": album["added"] + number, "changed_at_ms": album["added"] + number,
            "duration_sort": seconds, "bpm_sort": bpm,
            "title_sort": key(title), "artist_sort": key(name), "album_sort": key(album["title"])})
        self.tables["analyses"].add({
            "audio_hash": digest, "analyzer_version": self.versions[0], "profile_version": self.versions[1],
            "analyzed_at_ms": 1, "mpeg_version": "1", "sample_rate_hz": 44_100, "channels": 2, "bit_rate_mode": "constant",
            "average_bit_rate_bps": 192_000, "frame_count": 9_000, "samples_per_frame": 1_152, "encoder_delay_samples": 576,
            "encoder_padding_samples": 1_105, "decoded_sample_count": 10_368_000, "sample_count": 10_366_319,
            "duration_seconds": seconds, "skipped_bytes": 0, "resync_count": 0, "remarks": "",
            "integrated_lufs": chance.gauss(-11, 3), "loudness_range_lu": 6, "sample_peak": 0.9, "sample_peak_dbfs": -0.92,
            "true_peak": 0.95, "true_peak_dbtp": -0.45, "cue_in_seconds": 0.1, "cue_out_seconds": seconds - 1,
            "fade_in_end_seconds": 0.2, "fade_out_start_seconds": seconds - 9, "start_next_seconds": seconds - 5,
            "ending": "fade", "bpm": bpm, "bpm_confidence": 0.6, "beat_confidence": 0.6,
            "first_beat_seconds": 0.3, "key_tonic": chance.randrange(12), "key_mode": chance.choice(["major", "minor"]),
            "key_confidence": 0.5, "energy": chance.random(), "danceability": chance.random(), "is_silent": 0,
            "descriptor": self.sounds(artist)})
        # Real ones take about 10 kB, which lists do not read.
        self.tables["analysis_details"].add({"audio_hash": digest, "frame_index": b"\0" * 32})


def fill(path: Path, count: int, pieces, versions, descriptor):
    """Fills an empty library.

    pieces: size and modification time (ns) of the files that the tracks are said to have, by number of the track.
    versions: analysis and profile version of the rows.
    descriptor: an example of a sonic descriptor.
    """
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA foreign_keys = OFF")
    database.execute("PRAGMA synchronous = OFF")
    database.execute("PRAGMA cache_size = -500000")
    database.execute("BEGIN EXCLUSIVE")
    # Indexes and triggers are created again at the end: that takes a fraction of the time.
    saved = database.execute(
        "SELECT name, type, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql NOT NULL").fetchall()
    for name, kind, _ in saved:
        database.execute(f"DROP {kind} {name}")
    Library(database, versions, descriptor, pieces).fill(count)
    for _, kind, sql in saved:
        if kind == "index":
            database.execute(sql)
    # What triggers keep up to date otherwise.
    for sql in VALUES.split(";"):
        database.execute(sql)
    for _, kind, sql in saved:
        if kind == "trigger":
            database.execute(sql)
    for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5%'").fetchall():
        database.execute(f"INSERT INTO {name} ({name}) VALUES ('rebuild')")
    database.execute("UPDATE library_state SET revision = revision + 1")
    database.execute("COMMIT")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def listen(library: Path, listening: Path, tracks=20_000, starred=2_000):
    """Adds stars and plays of the first account."""
    chance = random.Random(3)
    database = sqlite3.connect(listening, isolation_level=None)
    database.execute("ATTACH ? AS library", [str(library)])
    last = database.execute("SELECT max(id) FROM library.tracks").fetchone()[0]
    database.execute("BEGIN")
    for number, track in enumerate(chance.sample(range(1, last + 1), min(tracks, last))):
        time = 1_700_000_000_000 + number * 1_000_000
        is_starred = number < starred
        database.execute(
            """
            INSERT INTO listened (account_id, kind, audio_hash, place, title, artist, album, is_starred, starred_at_ms, rating,
                rated_at_ms, play_count, last_played_at_ms)
            SELECT 1, 'track', audio_hash, relative_path, title, artist, album, ?, ?, ?, ?, ?, ? FROM library.tracks WHERE id = ?
            """,
            [is_starred, time if is_starred else None, chance.randint(1, 5) if number % 10 == 0 else None, time,
             chance.randint(1, 40), time, track])
    for kind, key, place in [("album", "album_key", "albums"), ("artist", "name_key", "artists")]:
        database.execute(
            f"""
            INSERT INTO listened (account_id, kind, audio_hash, place, title, is_starred, starred_at_ms)
            SELECT 1, '{kind}', x'', {key}, {key}, 1, 1700000000000 + id FROM library.{place} WHERE id % 97 = 5 LIMIT 500
            """)
    database.execute(
        "INSERT INTO plays (account_id, listened_id, played_at_ms, seconds_played, client)"
        " SELECT 1, id, last_played_at_ms, 200, 'benchmark' FROM listened WHERE play_count > 0")
    database.execute("COMMIT")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
