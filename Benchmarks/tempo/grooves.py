#!/usr/bin/env python3
"""Composes accompaniments in common styles with known beats and bars, for training only.

    grooves.py CACHE COUNT

Each piece is generated from a seed: a style with its drums, bass and chords, whose strongest onsets are often off the beat (ska,
reggae, tumbao, off-beat bass of dance music) or not on the first beat of the bar (backbeat, one drop, half-time); with random
levels, sounds, missing parts, fills, crashes and melodies; about a third has no drums. Writes CACHE/pieces/groove-N.mp3 and
CACHE/grooves.json; creates only missing files.
"""

import json
import os
import random
import sys

from composed import (BASSES, CHORDS, CLAP, CLOSED, CONGA, COWBELL, KICK, LEGATO, OPEN, RIDE, RIM, SECONDS, SHAKER, SNARE, SOFT,
                      STRUCK, SUSTAINED, Piece, render)

CRASH, PEDAL, BASS, CHORD = 49, 44, "bass", "chord"

# Style: steps per beat, beats per bar, range of the tempo, patterns by drum, BASS or CHORD over one or more bars: "x" a stroke,
# "o" a softer one, "." nothing. Digits are the notes of a bass (0 root, 5 fifth, 8 octave).
STYLES = {
    "ska": (4, 4, 110, 180, {KICK: "x...x...x...x...", SNARE: "....x.......x...", CLOSED: "..x...x...x...x.",
                             BASS: "0...5...8...5...", CHORD: "..x...x...x...x."}),
    "ska, double": (4, 4, 75, 110, {KICK: "x.......x.......", RIM: "....x.......x...", CLOSED: "x.x.x.x.x.x.x.x.",
                                    BASS: "0.0.5.5.8.8.5.5.", CHORD: ".x.x.x.x.x.x.x.x"}),
    "reggae": (4, 4, 62, 92, {KICK: "........x.......", RIM: "........x.......", CLOSED: "x.x.x.x.x.x.x.x.",
                              BASS: "0.....0.5.....8.", CHORD: "....x.......x..."}),
    "reggae, skank": (4, 4, 120, 175, {KICK: "........x.......", SNARE: "........x.......", CLOSED: "x...x...x...x...",
                                       BASS: "0...0.......5.0.", CHORD: "..x...x...x...x."}),
    "steppers": (4, 4, 68, 92, {KICK: "x...x...x...x...", RIM: "x..x..x...x..x..", CLOSED: "..x...x...x...x.",
                                BASS: "..0.0.5...0.8...", CHORD: "..x...x...x...x."}),
    "rock": (4, 4, 85, 175, {KICK: "x.......x.......", SNARE: "....x.......x...", CLOSED: "x.x.x.x.x.x.x.x.",
                             BASS: "0.0.0.0.0.0.0.0.", CHORD: "x.......x......."}),
    "rock, syncopated": (4, 4, 80, 150, {KICK: "x..x......x.....", SNARE: "....x.......x...", CLOSED: "x.x.x.x.x.x.x.x.",
                                         BASS: "0..0......0.....", CHORD: "x..x..x...x....."}),
    "anticipation": (4, 4, 80, 160, {KICK: "x......xx.....x.", SNARE: "....x.......x...", CLOSED: "x.x.x.x.x.x.x.x.",
                                     BASS: "0......00.....0.", CHORD: "x.....x.......x."}),
    "pushed": (4, 4, 90, 150, {KICK: "x.....x.x.....x.", SNARE: "....x.......x...", RIDE: "x.x.x.x.x.x.x.x.",
                               BASS: "0.....0.0.....0.", CHORD: "......x.......x."}),
    "gallop": (4, 4, 90, 190, {KICK: "x.xxx.xxx.xxx.xx", SNARE: "....x.......x...", CLOSED: "x...x...x...x...",
                               BASS: "0.000.000.000.00", CHORD: "x...............x..............."}),
    "punk": (4, 4, 150, 205, {KICK: "x...x...x...x...", SNARE: "..x...x...x...x.", CLOSED: "x.x.x.x.x.x.x.x.",
                              BASS: "0.0.0.0.0.0.0.0.", CHORD: "x.x.x.x.x.x.x.x."}),
    "blast": (4, 4, 80, 120, {KICK: "x.x.x.x.x.x.x.x.", SNARE: ".x.x.x.x.x.x.x.x", CLOSED: "x.x.x.x.x.x.x.x.",
                              BASS: "0000000000000000", CHORD: "x.......x......."}),
    "half-time": (4, 4, 110, 180, {KICK: "x.........x.....", SNARE: "........x.......", CLOSED: "x.x.x.x.x.x.x.x.",
                                   BASS: "0.........0.....", CHORD: "x..............."}),
    "disco": (4, 4, 105, 135, {KICK: "x...x...x...x...", CLAP: "....x.......x...", OPEN: "..x...x...x...x.",
                               BASS: "0.8.0.8.0.8.0.8.", CHORD: "..x...x...x...x."}),
    "trance": (4, 4, 120, 150, {KICK: "x...x...x...x...", OPEN: "..x...x...x...x.", CLAP: "....x.......x...",
                                BASS: "..0...0...0...0.", CHORD: "x..x..x..x..x.x."}),
    "rolling bass": (4, 4, 120, 150, {KICK: "x...x...x...x...", CLOSED: "..x...x...x...x.", BASS: ".000.000.000.000",
                                      CHORD: "x..x..x...x..x.."}),
    "house": (4, 4, 112, 132, {KICK: "x...x...x...x...", CLAP: "....x.......x...", OPEN: "..x...x...x...x.",
                               BASS: "0..0..0...0..5..", CHORD: "...x..x....x..x."}),
    "breakbeat": (4, 4, 90, 180, {KICK: "x.x.......xx....", SNARE: "....x..o.o..x..o", CLOSED: "x.x.x.x.x.x.x.x.",
                                  BASS: "0.....0...5.....", CHORD: "x..............."}),
    "drum and bass": (4, 4, 155, 180, {KICK: "x.........x.....", SNARE: "....x.......x...", CLOSED: "x.xxx.xxx.xxx.xx",
                                       BASS: "0...............5...........8...", CHORD: "x..............................."}),
    "funk": (4, 4, 85, 125, {KICK: "x.x.......x..x..", SNARE: "....x..o.o..x..o", CLOSED: "xxxxxxxxxxxxxxxx",
                             BASS: "0.....8.00.5..8.", CHORD: "..x..x....x..x.."}),
    "tumbao": (4, 4, 90, 200, {CONGA: "x.xxx.xox.xxx.xo", COWBELL: "x...x.x.x...x.x.", BASS: "......5.....8...",
                               CHORD: "x..x..x.x.x..x.x"}),
    "bossa": (4, 4, 110, 170, {KICK: "x.....xx.....xx.", RIM: "x..x..x...x..x..", CLOSED: "xxxxxxxxxxxxxxxx",
                               BASS: "0.....55......05", CHORD: "x..x..x...x..x.."}),
    "samba": (4, 4, 90, 130, {KICK: "o.o.x.o.o.o.x.o.", SHAKER: "xooxxooxxooxxoox", RIM: "x.x..x.xx.x..x.x",
                              BASS: "0..05..50..05..5", CHORD: "..x..x..x.x..x.."}),
    "train": (4, 4, 90, 140, {SNARE: "oxxoxxooxoxxoxxo", KICK: "x...x...x...x...", BASS: "0.......5.......", CHORD: "....x.......x..."}),
    "country": (4, 4, 90, 180, {KICK: "x.......x.......", SNARE: "....x.......x...", CLOSED: "x.x.x.x.x.x.x.x.",
                                BASS: "0.......5.......", CHORD: "....x.x.....x.x."}),
    "polka": (4, 2, 90, 150, {KICK: "x...x...", SNARE: "..x...x.", BASS: "0...5...", CHORD: "..x...x."}),
    "march": (4, 2, 90, 130, {KICK: "x...x...", SNARE: "..x.x.xx", BASS: "0...5...", CHORD: "..x...x."}),
    "oompah": (4, 4, 100, 200, {KICK: "x.......x.......", SNARE: "....x.......x...", BASS: "0.......5.......",
                               CHORD: "....x.......x..."}),
    "waltz": (4, 3, 80, 200, {KICK: "x...........", CLOSED: "....x...x...", BASS: "0...........5...........", CHORD: "....x...x..."}),
    "waltz, busy": (4, 3, 80, 170, {KICK: "x.....x.....", SNARE: "....x...x...", RIDE: "x.x.x.x.x.x.",
                                    BASS: "0.....5.0...", CHORD: "x.x.x.x.x.x."}),
    "waltz, jazz": (3, 3, 90, 180, {RIDE: "x..x.xx..", PEDAL: "...x.....", KICK: "x.....o..", BASS: "0..5..8..", CHORD: "x....x..."}),
    "waltz, rock": (4, 3, 80, 160, {KICK: "x...........", SNARE: "........x...", CLOSED: "x.x.x.x.x.x.", BASS: "0.0.0.0.0.0.",
                                    CHORD: "x..........."}),
    "minuet": (4, 3, 90, 170, {BASS: "0...5...8...", CHORD: "x...........", SHAKER: "x...x...x..."}),
    "sarabande": (4, 3, 60, 100, {KICK: "x...x.......", BASS: "0...5.......", CHORD: "x...x.....x."}),
    "six-eight": (3, 2, 50, 90, {KICK: "x.....", SNARE: "...x..", CLOSED: "xxxxxx", BASS: "0..5..", CHORD: "x.xx.x"}),
    "jig": (3, 2, 90, 150, {KICK: "x..x..", CLOSED: "x.xx.x", BASS: "0..5..", CHORD: "..x..x"}),
    "tarantella": (3, 2, 110, 170, {KICK: "x.....", SNARE: "...x..", SHAKER: "xxxxxx", BASS: "0..5..", CHORD: "..x..x"}),
    "doo-wop": (3, 4, 55, 95, {KICK: "x.....x.....", SNARE: "...x.....x..", RIDE: "xxxxxxxxxxxx", BASS: "0.....0.5...",
                               CHORD: "xxxxxxxxxxxx"}),
    "shuffle": (3, 4, 80, 170, {KICK: "x.....x.....", SNARE: "...x.....x..", RIDE: "x.xx.xx.xx.x", BASS: "0.05.58.85.5",
                                CHORD: "..x..x..x..x"}),
    "swing": (3, 4, 90, 200, {RIDE: "x..x.xx..x.x", PEDAL: "...x.....x..", KICK: "o..o..o..o..", BASS: "0..5..8..5..",
                              CHORD: "x....x.....x"}),
    "ternary reggae": (3, 4, 65, 95, {KICK: "......x.....", RIM: "......x.....", CLOSED: "x.xx.xx.xx.x", BASS: "0....05.....",
                                      CHORD: "..x..x..x..x"}),
    "ballad": (4, 4, 55, 85, {KICK: "x.......x.x.....", SNARE: "....x.......x...", CLOSED: "xoxoxoxoxoxoxoxo",
                              BASS: "0......00.......", CHORD: "x...x...x...x..."}),
    "arpeggio": (4, 4, 65, 150, {CLOSED: "x...x...x...x...", BASS: "0...............", CHORD: "xxxxxxxxxxxxxxxx"}),
    "organ": (4, 4, 70, 140, {BASS: "0...5...8...5...", CHORD: "x.......x......."}),
    "six-four": (4, 6, 90, 170, {KICK: "x...........x...........", SNARE: "........x...........x...", CLOSED: "x.x.x.x.x.x.x.x.x.x.x.x.",
                                 BASS: "0...........5...8.......", CHORD: "x......................."}),
}
# Sequences of chords by the degree of the scale.
SEQUENCES = [(0, 3, 4, 0), (0, 4, 5, 3), (5, 3, 0, 4), (0, 5, 3, 4), (0, 3), (0, 4), (0, 6, 5, 4), (0, 0, 3, 0, 4, 3, 0, 4), (1, 4, 0, 0),
             (0, 2, 3, 4), (0,), (0, 0, 0, 0, 3, 3, 0, 0)]
MAJOR, MINOR = (0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10)


class Groove(Piece):
    """An accompaniment in one of the styles."""

    def __init__(self, seed):
        self.random = random.Random(f"groove {seed}")
        choose = self.random
        self.metre = list(STYLES)[seed % len(STYLES)]
        self.steps, self.bar, slowest, fastest, self.parts = STYLES[self.metre]
        self.bpm = slowest * (fastest / slowest) ** choose.random()
        if choose.random() < 0.6:
            self.bpm = round(self.bpm)
        self.drums = choose.random() < 0.65 and any(isinstance(part, int) for part in self.parts)
        self.swing = choose.uniform(0.08, 0.3) if self.steps == 4 and choose.random() < 0.12 else 0
        self.accent = choose.choice([0, 0, 0.1, 0.25])
        self.jitter = choose.choice([0, 0, 0.003, 0.008, 0.014])
        self.dense = self.bpm < 110
        # Beats before the first bar.
        self.upbeat = choose.choice([0, 0, 0, 1, 2, self.bar - 1])
        self.notes, self.programs = [], {}
        self.compose()

    def compose(self):
        choose = self.random
        scale, key = choose.choice([MAJOR, MINOR]), choose.randrange(12)
        levels = {part: choose.uniform(50, 115) for part in self.parts}
        kept = {part for part in self.parts if choose.random() < 0.85} or set(self.parts)
        if not self.drums:
            kept = {part for part in kept if not isinstance(part, int)} or {BASS, CHORD}
        patterns = {part: self.varied(self.parts[part]) for part in kept}
        self.programs[0], self.programs[1] = choose.choice(BASSES), choose.choice(STRUCK + SUSTAINED[:6])
        self.programs[2] = choose.choice(LEGATO + STRUCK)
        self.programs[3] = choose.choice(SOFT)
        melody, pad = choose.random() < 0.55, choose.random() < 0.3
        sections = [choose.choice(SEQUENCES) for _ in range(choose.choice([1, 2]))]
        per_chord = self.bar * choose.choices([1, 2, 0.5 if self.bar % 2 == 0 else 1], [6, 2, 1])[0]
        length = choose.choice([4, 8, 8, 16]) * self.bar
        beat, turn, total = float(self.upbeat), 0, SECONDS * self.bpm / 60 + 4
        if self.upbeat:
            self.lead_in(scale, key)
        crash, fill = choose.random() < 0.5, choose.random() < 0.5
        motif = self.line_rhythm(choose.choice([1, 2, 4]) * self.bar)
        while beat < total:
            # Parts enter and rest with the sections.
            playing = {part for part in patterns if choose.random() < 0.88} or set(patterns)
            for part in playing:
                self.play(part, patterns[part], beat, length, levels[part], scale, key, sections[turn % len(sections)], per_chord)
            if pad:
                self.play_pad(beat, length, scale, key, sections[turn % len(sections)], per_chord)
            if melody and choose.random() < 0.8:
                self.play_melody(motif, beat, length, scale, key)
            if self.drums and crash:
                self.add(beat, 1, 9, CRASH, 100)
            if self.drums and fill:
                for i in range(self.steps if choose.random() < 0.5 else 2 * self.steps):
                    self.add(beat + length - (1 + i) / self.steps, 0.2, 9, choose.choice([SNARE, 41, 43, 45, 47]), 85 + choose.randrange(30))
            beat += length
            turn += 1

    def varied(self, pattern):
        """Returns a pattern with a few strokes added or removed."""
        choose = self.random
        amount = choose.choice([0, 0, 0.04, 0.1])
        return "".join("." if stroke != "." and choose.random() < amount else "o" if stroke == "." and choose.random() < amount / 2
                       else stroke for stroke in pattern)

    def lead_in(self, scale, key):
        """Adds notes before the first bar: a melody or sticks."""
        choose = self.random
        sticks = self.drums and choose.random() < 0.5
        for i in range(self.upbeat * (1 if sticks else 2)):
            beat = i / (1 if sticks else 2)
            if sticks:
                self.add(beat, 0.2, 9, choose.choice([RIM, CLOSED, SNARE]), 80)
            else:
                self.add(beat, 0.45, 2, 60 + key % 12 + choose.choice(scale), 85)

    def chord_at(self, beat, scale, key, sequence, per_chord):
        degree = sequence[int(beat // per_chord) % len(sequence)]
        tones = [scale[(degree + step) % 7] + 12 * ((degree + step) // 7) for step in (0, 2, 4)]
        return [key + tone for tone in tones]

    def play(self, part, pattern, start, length, level, scale, key, sequence, per_chord):
        count = int(length * self.steps)
        strokes = [i for i in range(count) if pattern[i % len(pattern)] != "."]
        for number, i in enumerate(strokes):
            stroke, t = pattern[i % len(pattern)], i / self.steps
            gap = ((strokes[number + 1] if number + 1 < len(strokes) else count) - i) / self.steps
            velocity = self.strength(t, level * (0.6 if stroke == "o" else 1))
            # A stroke off the beat that is followed by a rest anticipates the next chord.
            chord = self.chord_at(t + (0.5 if gap > 0.75 and t % 1 >= 0.5 else 0), scale, key, sequence, per_chord)
            if part == BASS:
                interval = {"5": 7, "8": 12}.get(stroke, 0)
                self.add(start + t, min(gap, 4) * 0.9, 0, 33 + (chord[0] + 3) % 12 + interval, velocity)
            elif part == CHORD:
                if self.metre == "arpeggio":
                    self.add(start + t, gap * 1.5, 1, 55 + chord[i % 3] % 12 + 12 * (i % 4 == 3), velocity)
                    continue
                for tone in chord:
                    self.add(start + t, min(gap, 4) * (0.4 if gap < 0.6 else 0.85), 1, 55 + tone % 12, velocity)
            else:
                self.add(start + t, 0.2, 9, part, velocity)

    def play_pad(self, start, length, scale, key, sequence, per_chord):
        t = 0.0
        while t < length:
            for tone in self.chord_at(t, scale, key, sequence, per_chord):
                self.add(start + t, per_chord * 0.98, 3, 55 + tone % 12, 60)
            t += per_chord

    def play_melody(self, motif, start, length, scale, key):
        choose = self.random
        degree, period = choose.randrange(7), motif[-1][0] + motif[-1][1] if motif else length
        t = 0.0
        while t < length and motif:
            for offset, gap in motif:
                degree = max(-2, min(11, degree + choose.choice([-2, -1, -1, 0, 1, 1, 2])))
                if t + offset < length:
                    self.add(start + t + offset, gap * 0.9, 2, 66 + key % 12 - 6 + scale[degree % 7] + 12 * (degree // 7), self.strength(offset, 85))
            t += max(1, round(period / self.bar)) * self.bar


def main():
    cache, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    os.makedirs(os.path.join(cache, "pieces"), exist_ok=True)
    pieces = []
    for seed in range(count):
        piece = Groove(seed)
        name = f"groove-{seed}"
        removed = render(piece.midi(), name, cache)
        if removed is not None:
            kind = f"groove {piece.bar}, {'with' if piece.drums else 'no'} drums"
            pieces.append({"name": name, "group": name, "kind": kind, "style": piece.metre, "bpm": piece.bpm, "half": "training",
                           "first_beat": -removed, "beats_per_bar": piece.bar, "first_bar": piece.upbeat})
    with open(os.path.join(cache, "grooves.json"), "w") as out:
        json.dump(pieces, out, indent=1)


if __name__ == "__main__":
    main()
