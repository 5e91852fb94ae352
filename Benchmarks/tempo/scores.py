#!/usr/bin/env python3
"""Plays scores of the music21 corpus at random tempi, for training only: written music without drums.

    scores.py CACHE

String quartets, chorales, songs, piano pieces and dance tunes whose time signature states the beat; the tempo is drawn
from a range with a playable note rate. Writes CACHE/pieces/score-*.mp3 and CACHE/scores.json; creates only missing
files.
"""

import collections
import json
import math
import os
import random
import re
import sys

from music21 import converter
from music21 import corpus as library

from composed import LEGATO, SECONDS, SOFT, STRUCK, SUSTAINED, render, write

# The number of scores per folder; long ones give several excerpts.
SHARES = {
    "beethoven": 12, "mozart": 16, "haydn": 9, "schumann_robert": 6, "schumann_clara": 4, "corelli": 1, "joplin": 1,
    "leadSheet": 2, "handel": 1, "weber": 1, "cpebach": 1, "schubert": 1, "beach": 1, "chopin": 1, "verdi": 1,
    "liliuokalani": 1, "johnson_j_r": 1, "ryansMammoth": 60, "bach": 40,
}
# The total limit, which cuts off the last folder.
EXCERPTS = 174


def scores():
    """Yields (name, score) of the chosen files; a file with several tunes gives up to ten."""
    choose = random.Random(1)
    paths = sorted(str(path) for path in library.getCorePaths())
    for folder, count in SHARES.items():
        inside = [p for p in paths if f"/{folder}/" in p and p.endswith((".mxl", ".xml", ".abc", ".musicxml"))]
        for path in choose.sample(inside, min(count, len(inside))):
            name = re.sub(r"[^A-Za-z0-9]+", "_", os.path.splitext(path.split(f"/{folder}/")[1])[0])
            try:
                parsed = converter.parse(path)
                tunes = list(parsed.scores)[:10] if parsed.classSet and "Opus" in parsed.classes else [parsed]
                for number, tune in enumerate(tunes):
                    yield f"{folder}-{name}-{number}", tune
            except Exception as error:  # an unreadable score is skipped
                print(f"{path}: {error}", file=sys.stderr)


def notes_of(score):
    """Returns the (start, length, part, pitch) of the notes in beats, the number of parts, the beats of a bar and the first
    beat of a bar, or None if the metre is unclear."""
    signatures = {s.ratioString for s in score.recurse().getElementsByClass("TimeSignature")}
    if len(signatures) != 1:
        return None
    signature = next(iter(score.recurse().getElementsByClass("TimeSignature")))
    if signature.ratioString not in ("2/4", "3/4", "4/4", "2/2", "6/8", "9/8", "12/8"):
        return None
    beat = float(signature.beatDuration.quarterLength)
    parts = list(score.parts) or [score]
    # A piece may start with an incomplete bar: most bars start on a beat.
    bars = collections.Counter(
        round(float(bar.offset) / beat % 1, 3) % 1 for bar in parts[0].getElementsByClass("Measure"))
    if not bars:
        return None
    shift, count = bars.most_common(1)[0]
    if count < 0.95 * sum(bars.values()) - 1:
        return None
    notes = []
    for number, part in enumerate(parts):
        for element in part.stripTies().flatten().notes:
            if element.quarterLength > 0 and "ChordSymbol" not in element.classes:
                for pitch in element.pitches:
                    notes.append((float(element.offset) / beat - shift, float(element.quarterLength) / beat, number, pitch.midi))
    length = round(float(signature.barDuration.quarterLength) / beat)
    starts = collections.Counter(
        round(float(bar.offset) / beat - shift) % length for bar in parts[0].getElementsByClass("Measure"))
    return sorted(notes), len(parts), length, starts.most_common(1)[0][0]


def play(notes, parts, choose):
    """Returns (bpm, MIDI, time of a beat, number of that beat) of an excerpt at a tempo with 1.5 to 9 notes per second, or None."""
    starts = sorted({n[0] for n in notes})
    if len(starts) < 40:
        return None
    for _ in range(50):
        bpm = 112 * 2 ** choose.gauss(0, 0.45)
        needed = SECONDS * bpm / 60
        if not 50 <= bpm <= 210 or starts[-1] - starts[0] < 0.6 * needed:
            continue
        origin = choose.uniform(starts[0], max(starts[0], starts[-1] - needed))
        inside = [s for s in starts if origin <= s < origin + needed]
        rate = len(inside) / min(SECONDS, (starts[-1] - origin) * 60 / bpm)
        if 1.5 <= rate <= 9:
            break
    else:
        return None
    family = choose.choice([[0], STRUCK, SOFT, SUSTAINED, LEGATO, LEGATO, [48, 49, 40, 42], [19, 52, 73]])
    shared = choose.random() < 0.4
    first = choose.choice(family)
    programs = {part if part < 9 else part + 1: first if shared else choose.choice(family) for part in range(min(parts, 15))}
    shift, hold = choose.randint(-4, 4), choose.choice([0.7, 0.9, 1.0])
    jitter = choose.choice([0, 0.004, 0.008, 0.015])
    events = []
    for start, length, part, pitch in notes:
        if origin <= start < origin + needed and part < 15:
            channel = part if part < 9 else part + 1
            second = max(0, 0.2 + (start - origin) * 60 / bpm + choose.gauss(0, jitter))
            velocity = int(min(120, max(30, 80 + (8 if start % 1 < 1e-6 else 0) + choose.gauss(0, 5))))
            events.append((second, 1, channel, min(115, max(12, pitch + shift)), velocity))
            events.append((second + max(0.05, length * hold * 60 / bpm), 0, channel, min(115, max(12, pitch + shift)), 0))
    return bpm, write(events, programs), 0.2 + (math.ceil(origin) - origin) * 60 / bpm, math.ceil(origin)


def main():
    cache = os.path.abspath(sys.argv[1])
    os.makedirs(os.path.join(cache, "pieces"), exist_ok=True)
    pieces = []
    for name, score in scores():
        try:
            read = notes_of(score)
        except Exception as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        if read is None:
            continue
        if len(pieces) >= EXCERPTS:
            break
        choose = random.Random(name)
        excerpts = 3 if len(read[0]) > 1500 else 1
        for excerpt in range(excerpts):
            played = play(*read[:2], choose)
            if played is None:
                continue
            piece = f"score-{name}-{excerpt}"
            removed = render(played[1], piece, cache)
            if removed is not None:
                pieces.append({"name": piece, "group": f"score-{name}", "kind": "score", "bpm": played[0], "half": "training",
                               "first_beat": played[2] - removed, "beats_per_bar": read[2],
                               "first_bar": (read[3] - played[3]) % read[2]})
        with open(os.path.join(cache, "scores.json"), "w") as out:
            json.dump(pieces, out, indent=1)


if __name__ == "__main__":
    main()
