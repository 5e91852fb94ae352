#!/usr/bin/env python3
"""Composes accompaniments in the styles of the MMA package's library, with known beats and bars.

    accompaniments.py CACHE COUNT

MMA (Musical MIDI Accompaniment) plays chords in about 270 styles that musicians wrote: rock, pop, jazz, Latin, country, marches, waltzes.
Each piece is generated from a seed: a style, sequences of chords, sections of the style's variants with its fills and introduction, a
tempo that suits its name; some have an upbeat, a melody, or no drums. Every fourth style is held out; styles that pieces of the corpus
use are left out. Writes CACHE/pieces/style-N.mp3 and CACHE/styles.json; creates only missing files.
"""

import collections
import glob
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import mido

from composed import LEGATO, SECONDS, STRUCK, render
from grooves import MAJOR, MINOR

# Styles whose grooves the corpus plays, and those that are no music.
LEFT_OUT = {"softrock", "slowbolero", "bolero", "rhumba", "jazzrhumba", "none"}
NAMES = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"]
MAJOR_CHORDS = ["", "m", "m", "", "7", "m", "dim"]
MINOR_CHORDS = ["m", "dim", "", "m", "m", "", "7"]
SEQUENCES = [
    (0, 3, 4, 0), (0, 5, 3, 4), (0, 4, 5, 3), (5, 3, 0, 4), (0, 3), (0, 4), (1, 4, 0, 0), (0, 0, 3, 0, 4, 3, 0, 4), (3, 4, 2, 5), (0,),
    (0, 0, 0, 0, 3, 3, 0, 0, 4, 3, 0, 4), (0, 5, 1, 4), (2, 5, 1, 4), (0, 2, 3, 4), (0, 6, 5, 4), (0, 0, 4, 4, 5, 5, 3, 4),
]


class Style:
    """A file of the library: its name, the beats of its bars, and the grooves that it defines, by use."""

    def __init__(self, path):
        text = open(path, encoding="latin1").read()
        self.library, self.name = os.path.basename(os.path.dirname(path)), os.path.splitext(os.path.basename(path))[0]
        time = re.search(r"^\s*Time\s+(\d)(?:/(\d))?", text, re.MULTILINE | re.IGNORECASE)
        self.beats = int(time.group(1)) if time else 0
        self.grooves = collections.defaultdict(list)
        for name, comment in re.findall(r"^\s*DefGroove\s+(\S+)(.*)", text, re.MULTILINE | re.IGNORECASE):
            lower = name.lower()
            use = next((use for use in ("intro", "end", "fill") if use in lower), "main")
            bars = re.search(r"(\d+) bar", comment)
            self.grooves[use].append((name, int(bars.group(1)) if bars else 0))

    @property
    def tempi(self):
        """The range of the tempo by the words of the name."""
        if re.search("slow|ballad|ambient|hymn|lullaby|triphop", self.name):
            return 58, 100
        if re.search("fast|quick|bebop|polka|merengue|samba|rave|dixie|vienes", self.name):
            return 125, 210
        if re.search("techno|trance|house|dance|disco", self.name):
            return 110, 150
        return 78, 178


def styles(cache):
    """Returns the usable styles, in an order that is random but always the same."""
    used = {re.sub("^mma-", "", p["group"]) for p in json.load(open(os.path.join(cache, "corpus.json")))}
    found = [Style(path) for path in glob.glob(os.path.join(cache, "packages/mma/usr/share/mma/lib/*/*.mma"))]
    found = [s for s in found if s.beats in (3, 4) and s.grooves["main"] and s.name not in LEFT_OUT | used
             and not s.name.startswith("metronome")]
    return sorted(found, key=lambda s: hashlib.sha256(f"{s.library}/{s.name}".encode()).digest())


class Accompaniment:
    def __init__(self, style, seed):
        self.random = choose = random.Random(f"accompaniment {seed}")
        self.style = style
        low, high = style.tempi
        self.bpm = round(low * (high / low) ** choose.random())
        self.minor = choose.random() < 0.4
        self.key = choose.randrange(12)
        self.drums = choose.random() < 0.65
        self.upbeat = choose.choice([0, 0, 0, 0, 1, 2, style.beats - 1])
        self.text = "\n".join(self.lines(seed)) + "\n"

    def chord(self, degree):
        scale, kinds = (MINOR, MINOR_CHORDS) if self.minor else (MAJOR, MAJOR_CHORDS)
        kind = kinds[degree]
        if kind in ("", "m") and self.random.random() < 0.25:
            kind += "7" if kind else self.random.choice(["M7", "6", "7"])
        return NAMES[(self.key + scale[degree]) % 12] + kind

    def bar(self, sequence, number):
        first = self.chord(sequence[number % len(sequence)])
        if self.style.beats == 4 and self.random.random() < 0.12:
            return f"{first} / {self.chord(self.random.choice(sequence))}"
        return first

    def lines(self, seed):
        """Yields the lines of the piece in MMA's language."""
        choose, grooves = self.random, self.style.grooves
        yield f"RndSeed {seed}"
        yield f"Tempo {self.bpm}"
        yield f"Use {self.style.library}/{self.style.name}"
        total, number = int(SECONDS * self.bpm / 60 / self.style.beats) + 2, 0
        mains = choose.sample(grooves["main"], min(len(grooves["main"]), 3))
        parts = [(choose.choice(mains), choose.choice(SEQUENCES)) for _ in range(choose.choice([1, 2, 2, 3]))]
        if grooves["intro"] and choose.random() < 0.4:
            name, bars = choose.choice(grooves["intro"])
            yield f"Groove {name}"
            for _ in range(bars or 4):
                yield self.bar(parts[0][1], number)
                number += 1
        length, turn = choose.choice([4, 8, 8, 8, 16]), 0
        fills = choose.random() < 0.6 and grooves["fill"]
        while number < total:
            (name, _), sequence = parts[turn % len(parts)]
            yield f"Groove {name}"
            for bar in range(length):
                if fills and bar == length - 1:
                    yield f"Groove {choose.choice(grooves['fill'])[0]}"
                yield self.bar(sequence, bar)
                number += 1
            turn += 1

    def midi(self, cache):
        """Returns the piece as MIDI with one tempo, or None if MMA fails."""
        home = os.path.abspath(os.path.join(cache, "packages/mma/usr/share/mma"))
        os.makedirs(os.path.join(home, "plugins"), exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            source, target = os.path.join(folder, "piece.mma"), os.path.join(folder, "piece.mid")
            with open(source, "w") as out:
                out.write(self.text)
            done = subprocess.run([sys.executable, os.path.join(home, "../../bin/mma"), "-f", target, source], cwd=folder,
                                  env=dict(os.environ, MMA_HOME=home), capture_output=True, timeout=120)
            if done.returncode or not os.path.exists(target):
                return None
            midi = mido.MidiFile(target, clip=True)
        return self.arranged(midi)

    def arranged(self, midi):
        """Returns the MIDI with the upbeat and melody added and parts removed."""
        choose, beat = self.random, midi.ticks_per_beat
        channels = sorted({m.channel for track in midi.tracks for m in track if m.type == "note_on" and m.velocity})
        pitched = [c for c in channels if c != 9]
        if not pitched:
            return None
        removed = set() if self.drums and 9 in channels else {9}
        self.drums = not removed
        if len(pitched) > 2 and choose.random() < 0.3:
            removed.add(choose.choice(pitched))
        result = mido.MidiFile(type=1, ticks_per_beat=beat)
        for track in midi.tracks:
            kept, passed, moved = mido.MidiTrack(), 0, False
            for message in track:
                passed += message.time
                if message.type == "end_of_track" or getattr(message, "channel", None) in removed:
                    continue
                if message.type == "note_on" and not moved:
                    passed, moved = passed + self.upbeat * beat, True
                kept.append(message.copy(time=passed))
                passed = 0
            result.tracks.append(kept)
        free = [c for c in range(16) if c not in channels and c != 9]
        if free and (self.upbeat or choose.random() < 0.5):
            result.tracks.append(self.melody(beat, free[0], midi.length))
        return result

    def melody(self, beat, channel, seconds):
        """Returns a track with a melody: a rhythm of two or four bars that is repeated with other notes, and the notes of the upbeat."""
        choose, bar = self.random, self.style.beats
        scale = MINOR if self.minor else MAJOR
        period = choose.choice([2, 4]) * bar
        rhythm, position = [], 0.0
        while position < period:
            length = choose.choices([0.5, 1, 1.5, 2, 3], [5, 6, 2, 3, 1])[0]
            if choose.random() > 0.12:
                rhythm.append((position, min(length, period - position)))
            position += length
        events, degree = [], choose.randrange(7)

        def play(start, length):
            nonlocal degree
            degree = max(-2, min(11, degree + choose.choice([-2, -1, -1, 0, 1, 1, 2])))
            note = 62 + self.key % 12 - 6 + scale[degree % 7] + 12 * (degree // 7)
            velocity = max(30, min(120, int(choose.gauss(85 if start % 1 else 92, 6))))
            events.append((round(start * beat), 1, note, velocity))
            events.append((round((start + 0.92 * length) * beat), 0, note, 0))
        for step in range(2 * self.upbeat):
            play(step / 2, 0.5)
        whole = choose.random() < 0.7
        for start in range(self.upbeat, int(seconds * self.bpm / 60) + self.upbeat - period, period):
            if whole or (start - self.upbeat) // (8 * bar) % 2:
                for offset, length in rhythm:
                    play(start + offset, length)
        track, passed = mido.MidiTrack(), 0
        track.append(mido.Message("program_change", channel=channel, program=choose.choice(LEGATO + STRUCK)))
        for tick, on, note, velocity in sorted(events):
            track.append(mido.Message("note_on", channel=channel, note=note, velocity=velocity if on else 0, time=tick - passed))
            passed = tick
        return track


def main():
    cache, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    os.makedirs(os.path.join(cache, "pieces"), exist_ok=True)
    usable, pieces, names = styles(cache), [], []
    for seed in range(count):
        style = usable[seed % len(usable)]
        # The same name in two libraries is mostly the same rhythm.
        held = hashlib.sha256(style.name.encode()).digest()[0] % 4 == 0
        piece, name = Accompaniment(style, seed), f"style-{seed}"
        midi = piece.midi(cache)
        removed = render(midi, name, cache) if midi else None
        if removed is not None:
            pieces.append({
                "name": name, "group": f"style {style.name}", "kind": f"style {style.beats}, {'with' if piece.drums else 'no'} drums",
                "style": f"{style.library}/{style.name}", "bpm": piece.bpm, "half": "report" if held else "training",
                "first_beat": -removed, "beats_per_bar": style.beats, "first_bar": piece.upbeat})
    with open(os.path.join(cache, "styles.json"), "w") as out:
        json.dump(pieces, out, indent=1)
    print(f"{len(pieces)} of {count} pieces in {len(usable)} styles", file=sys.stderr)


if __name__ == "__main__":
    main()
