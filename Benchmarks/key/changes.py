#!/usr/bin/env python3
"""Creates the corpus of key changes: pieces with and without them, rendered and encoded to MP3.

    changes.py CACHE [JOBS]

Pieces of corpus.py are played after each other, the second one transposed to a related key, to the same key, or not at all:
medleys of songs or of dance tunes, pairs of chorales, and songs composed by rule whose second half is in another key. Scores
whose key signature changes are played as they are. Writes CACHE/pieces/NAME.mp3 and CACHE/changes.json; creates only missing files.
"""

import collections
import glob
import json
import multiprocessing
import os
import random
import sys

import music21

import composed
import corpus
from midi import FAMILIES, LONGEST, TEMPI, Piece

# Pieces of each mode that are read per kind, and pieces that are made of them.
READ = {"song": 30, "tune": 24, "chorale": 24}
MADE = {"composed": 168, "song": 72, "tune": 72, "chorale": 72}
# Long pieces without a change, for the held-out half only, and the pieces that each is made of.
STEADY, STEADY_PARTS = 12, 4
# How far the second key is from the first in semitones, and whether the mode changes; from a major key.
STEPS = [(1, False), (2, False), (3, False), (7, False), (5, False), (4, False), (9, True), (0, True)]
# Seconds of a score with changes of its key signature, and of each of its keys, at least.
LONGEST_SCORE, SHORTEST_KEY = 240, 12
# Quarters per minute of scores with changes.
TEMPO = 110
LONGEST["written"], TEMPI["written"], FAMILIES["written"] = LONGEST_SCORE, (TEMPO, TEMPO), FAMILIES["classical"]


class Source:
    """A piece in one key: its notes in seconds, with the time at which its last bar or note begins."""

    def __init__(self, piece, group, kind, tonic, mode):
        self.piece, self.group, self.kind, self.tonic, self.mode = piece, group, kind, tonic, mode

    @property
    def end(self):
        return max(start + length for start, length, *_ in self.piece.notes)

    @property
    def last_start(self):
        return max(start for start, _, channel, *_ in self.piece.notes if channel != 9)


def read(kind):
    """Returns the Sources of a kind."""
    if kind == "composed":
        return [Source(piece, piece.name, kind, tonic, mode)
                for piece, tonic, mode in (composed.piece(1000 + seed) for seed in range(80))]
    corpus.CHORALES, corpus.SONGS, corpus.TUNES = READ["chorale"], READ["song"], READ["tune"]
    found = {"song": corpus.songs, "tune": corpus.tunes, "chorale": corpus.chorales, "classical": corpus.movements}[kind]()
    return [Source(Piece.of_score(name, kind, notes), group, kind, *key) for name, group, _, key, notes in found]


def joined(name, first, second, tonic, choose):
    """Returns two pieces after each other as (Piece, sections), the second one transposed so that its tonic is `tonic`.

    The second one has the instruments of the first. In half of the composed pieces the first ends without its final chord.
    """
    made = Piece(name, choose)
    made.programs = {**second.piece.programs, **first.piece.programs}
    is_cut = first.kind == "composed" and choose.random() < 0.5
    change = first.last_start if is_cut else first.end
    change += choose.choice((0, 0, 0.5, 1)) if first.kind != "composed" else 0
    # The same tempo in composed pieces, whose beats are known from their drums or chords.
    made.notes = [note for note in first.piece.notes if not is_cut or note[0] < change - 0.01]
    move = (tonic - second.tonic + 5) % 12 - 5
    made.notes += [(start + change, length, channel, pitch + (move if channel != 9 else 0), velocity)
                   for start, length, channel, pitch, velocity in second.piece.notes]
    return made, [(0, first.tonic, first.mode), (change, tonic, second.mode)]


def pairs(kind, sources):
    """Yields (Piece, group, sections) of a kind: a third single, a sixth of two pieces in one key, half with a change."""
    choose = random.Random("pairs" + kind)
    halves = collections.defaultdict(list)
    for source in sources:
        halves[corpus.half_of(source.group), source.mode].append(source)
    for number in range(MADE[kind]):
        half, mode, plan = ("tune", "report")[number % 2], ("major", "minor")[number // 2 % 2], number // 4 % 6
        if not halves[half, mode]:
            continue
        first = choose.choice(halves[half, mode])
        name = f"{kind}-change-{number}"
        if plan < 2:
            made = Piece(name, choose)
            made.programs, made.notes = first.piece.programs, first.piece.notes
            yield made, half, [(0, first.tonic, first.mode)]
            continue
        step, changes = choose.choice(STEPS) if plan > 2 else (0, False)
        if changes and mode == "minor":
            step = -step
        other = mode if not changes else {"major": "minor", "minor": "major"}[mode]
        # The same song again in another key, as often in popular music, or another piece.
        again = step and not changes and kind == "composed" and choose.random() < 0.6
        second = first if again else choose.choice(halves[half, other] or [first])
        made, sections = joined(name, first, second, (first.tonic + step) % 12, choose)
        yield made, half, sections if step or changes else sections[:1]


def steady(kind, sources):
    """Yields (Piece, half, sections) of long pieces in one key."""
    choose = random.Random("steady" + kind)
    for number in range(STEADY):
        mode = ("major", "minor")[number % 2]
        parts = choose.choices([s for s in sources if corpus.half_of(s.group) == "report" and s.mode == mode], k=STEADY_PARTS)
        whole = parts[0]
        for part in parts[1:]:
            piece, _ = joined(f"{kind}-steady-{number}", whole, part, parts[0].tonic, choose)
            whole = Source(piece, "", kind, parts[0].tonic, mode)
        yield whole.piece, "report", [(0, whole.tonic, mode)]


def changing_scores():
    """Yields (name, group, sections, notes) of scores whose key signature changes; the times are in quarters.

    As in corpus.signature_key, the bass of the final chord under a signature tells its tonic.
    """
    paths = [p for c in corpus.COMPOSERS for p in sorted(glob.glob(f"{corpus.LIBRARY}/{c}/**/*.*", recursive=True))
             if p.endswith((".mxl", ".xml", ".musicxml"))]
    for path in paths:
        if os.path.getsize(path) > 1.5 * corpus.LARGEST and path.endswith(".mxl"):
            continue
        score = corpus.with_timeout(60, lambda: music21.converter.parse(path))
        if score is None or "Opus" in score.classes:
            continue
        part = (list(score.parts) or [score])[0]
        signatures = [(float(s.offset), s.sharps) for s in part.flatten().getElementsByClass("KeySignature")]
        signatures = [s for n, s in enumerate(signatures) if n == 0 or s[1] != signatures[n - 1][1]]
        if len(signatures) < 2:
            continue
        notes = corpus.with_timeout(30, lambda: corpus.notes_of(score))
        sections = notes and sections_of(signatures, notes)
        if sections:
            name = corpus.safe(os.path.splitext(os.path.relpath(path, corpus.LIBRARY))[0])
            yield name, " ".join(os.path.relpath(path, corpus.LIBRARY).split(os.sep)[:2]).split(".")[0], sections, notes


def sections_of(signatures, notes):
    """Returns (start in quarters, tonic, mode) for each signature, or None if a tonic is unclear."""
    sections = []
    for number, (start, sharps) in enumerate(signatures):
        end = signatures[number + 1][0] if number + 1 < len(signatures) else float("inf")
        own = [n for n in notes if start - 0.01 <= n[0] < end - 0.01]
        if not own:
            return None
        final, major = corpus.final_bass(own), sharps * 7 % 12
        if final not in (major, (major + 9) % 12):
            return None
        sections.append((start, final, "major" if final == major else "minor"))
    return sections


def written():
    """Yields (Piece, half, sections) of scores whose key signature changes."""
    for name, group, sections, notes in changing_scores():
        beat = 60 / TEMPO
        piece = Piece.of_score("written-" + name, "written", notes)
        timed = [((start - notes[0][0]) * beat, tonic, mode) for start, tonic, mode in sections]
        end = min(LONGEST_SCORE, max(start + length for start, length, *_ in piece.notes))
        timed = [s for s in timed if s[0] < end - SHORTEST_KEY]
        lengths = [b[0] - a[0] for a, b in zip(timed, timed[1:])]
        if len(timed) > 1 and min(lengths) >= SHORTEST_KEY:
            yield piece, corpus.half_of(group), [(max(0, timed[0][0]), *timed[0][1:])] + timed[1:]


def made(kind):
    """Returns the (Piece, half, sections, kind) of a kind."""
    if kind == "written":
        return [(*found, kind) for found in written()]
    sources = read(kind)
    if kind == "classical":
        return [(s.piece, corpus.half_of(s.group), [(0, s.tonic, s.mode)], kind) for s in sources]
    return [(*found, kind) for found in pairs(kind, sources)] + [(*found, "steady") for found in steady(kind, sources)]


def described(piece, half, sections, kind):
    # The rendering begins with 0.1 s of silence.
    return {"name": piece.name, "kind": kind, "half": half,
            "sections": [[start + (0.1 if start else 0), (tonic + piece.shift) % 12, mode] for start, tonic, mode in sections],
            "seconds": max(start + length for start, length, *_ in piece.notes)}


def main():
    cache, jobs = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    os.makedirs(os.path.join(cache, "pieces"), exist_ok=True)
    listed = os.path.join(cache, "changes.json")
    if os.path.exists(listed):
        return
    found = []
    with multiprocessing.Pool(jobs) as pool:
        pending = []
        for kind_pieces in pool.imap_unordered(made, ["classical", "written", "chorale", "tune", "song", "composed"]):
            for piece, half, sections, kind in kind_pieces:
                found.append(described(piece, half, sections, kind))
                if not os.path.exists(os.path.join(cache, "pieces", piece.name + ".mp3")):
                    pending.append(pool.apply_async(corpus.render, ((cache, piece.name, piece.midi()),)))
            print(f"{len(found)} pieces read", file=sys.stderr, flush=True)
        for job in pending:
            job.wait()
    found = [d for d in found if os.path.exists(os.path.join(cache, "pieces", d["name"] + ".mp3"))]
    with open(listed, "w") as out:
        json.dump(sorted(found, key=lambda d: d["name"]), out, indent=1)
    print(dict(collections.Counter((d["half"], d["kind"], len(d["sections"])) for d in found)), file=sys.stderr)


if __name__ == "__main__":
    main()
