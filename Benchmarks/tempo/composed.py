#!/usr/bin/env python3
"""Composes rule-based music of known tempo for training only, of kinds that are rare in the corpus.

    composed.py CACHE COUNT

Each piece is generated from a seed: metre, tempo, chords, and layers (drums, bass, accompaniment, melody) with patterns
for each; about half have no drums. Rhythms with an ambiguous beat are deliberately frequent: 3-3-2 and longer variants,
dotted figures, arpeggios of three in a binary metre, shuffles, half-time drums, off-beats, pads and legato lines with
soft attacks. Writes CACHE/pieces/composed-N.mp3 and CACHE/composed.json; creates only missing files.
"""

import json
import os
import random
import subprocess
import sys

import mido

import corpus

SECONDS = 40
TICKS = 480
FONTS = [
    corpus.SOUND_FONT, corpus.SOUND_FONT, corpus.OTHER_SOUND_FONT, "/usr/share/sounds/sf2/OPL-3_FM_128M.sf2",
    "/usr/share/sounds/sf3/MuseScore_General_Lite.sf3",
]
# Programs (General MIDI, from 0) by the attack of their notes.
STRUCK = [0, 0, 1, 4, 5, 6, 8, 10, 11, 12, 13, 24, 25, 26, 27, 28, 45, 46, 80, 81, 104, 106]
SUSTAINED = [16, 19, 21, 29, 30, 48, 49, 50, 51, 52, 56, 60, 61, 62, 63, 64, 68, 71, 73, 75, 80, 81, 82]
SOFT = [44, 48, 49, 50, 52, 54, 88, 89, 90, 91, 92, 94, 95]
LEGATO = [40, 41, 42, 48, 52, 53, 60, 65, 66, 68, 70, 71, 72, 73, 74, 75, 77, 78, 79]
BASSES = [32, 33, 33, 34, 35, 36, 38, 39, 42, 43, 58]
KICK, SNARE, CLAP, RIM, CLOSED, OPEN, RIDE, SHAKER, CONGA, COWBELL, TOM = 36, 38, 39, 37, 42, 46, 51, 70, 63, 56, 45

# Drums of one bar, by step: "." nothing, "x" a stroke, "o" a softer one.
BINARY_DRUMS = [
    {KICK: "x.......x.......", SNARE: "....x.......x...", CLOSED: "x.o.x.o.x.o.x.o."},
    {KICK: "x.....x.x.......", SNARE: "....x.......x...", CLOSED: "xoxoxoxoxoxoxoxo"},
    {KICK: "x.....x...x.....", SNARE: "....x.......x..o", CLOSED: "x.x.x.x.x.x.x.x."},
    {KICK: "x..x..x...x..x..", SNARE: "....x..o.o..x...", CLOSED: "xxxxxxxxxxxxxxxx"},
    {KICK: "x...x...x...x...", CLAP: "....x.......x...", OPEN: "..x...x...x...x."},
    {KICK: "x...x...x...x...", CLOSED: "oxoxoxoxoxoxoxox"},
    {KICK: "x...x...x...x..."},
    {KICK: "x.......x.x.....", SNARE: "........x.......", CLOSED: "x...x...x...x..."},
    {KICK: "x.x.......x.....", SNARE: "........x.......", RIDE: "x.x.x.x.x.x.x.x."},
    {KICK: "x.........x.....", SNARE: "....x.......x...", RIDE: "x.x.x.x.x.x.x.x."},
    {KICK: "x...x...x...x...", SNARE: "..x...x...x...x.", CLOSED: "x.x.x.x.x.x.x.x."},
    {KICK: "x...x...x...x...", SNARE: "...x..x....x..x.", SHAKER: "x.x.x.x.x.x.x.x."},
    {KICK: "x.....x.x.....x.", RIM: "x..x..x...x..x..", CLOSED: "x.x.x.x.x.x.x.x."},
    {KICK: "x.....x.x.....x.", RIM: "..x.x...x..x..x.", SHAKER: "xoxoxoxoxoxoxoxo"},
    {KICK: "x.....x.x.....x.", SNARE: "....x.......x...", COWBELL: "x.x.xx.xx.x.xx.x"},
    {CONGA: "..x...xx..x...xx", SHAKER: "xoxoxoxoxoxoxoxo", KICK: "x..x....x..x...."},
    {SNARE: "x.oxx.oxx.oxx.ox", KICK: "x.......x......."},
    {TOM: "x..x..x.x..x..x.", KICK: "x...x...x...x..."},
    {KICK: "x..x..x.", CLOSED: "x.x.x.x.", SNARE: "....x..."},
    {SHAKER: "xoxoxoxoxoxoxoxo"},
    {CLOSED: "x...x...x...x..."},
]
TERNARY_DRUMS = [
    {KICK: "x.....x.....", SNARE: "...x.....x..", CLOSED: "x.ox.ox.ox.o"},
    {KICK: "x....xx.....", SNARE: "...x.....x..", RIDE: "x..x.xx..x.x"},
    {RIDE: "x..x.xx..x.x", CLOSED: "...x.....x..", KICK: "o..o..o..o.."},
    {KICK: "x..x..x..x..", CLOSED: "..x..x..x..x"},
    {KICK: "x....xx.....", SNARE: "......x.....", CLOSED: "x.xx.xx.xx.x"},
    {KICK: "x.....x.....", SNARE: "...x.....x..", CLOSED: "xxxxxxxxxxxx"},
]
TRIPLE_DRUMS = [
    {KICK: "x...........", SNARE: "....x...x..."},
    {KICK: "x...........", CLOSED: "x...x...x...", SNARE: "........x..."},
    {KICK: "x.....x.....", SNARE: "....x...x...", RIDE: "x.x.x.x.x.x."},
]
COMPOUND_DRUMS = [
    {KICK: "x.....", SNARE: "...x..", CLOSED: "xxxxxx"},
    {KICK: "x....x", SNARE: "...x..", RIDE: "x.xx.x"},
    {KICK: "x..x..", CLOSED: "x.xx.x"},
]
# Rhythms of an accompaniment, in sixteenths of a bar of four beats (or two).
BINARY_RHYTHMS = [
    "x.......x.......", "x...x...x...x...", "x.x.x.x.x.x.x.x.", "xxxxxxxxxxxxxxxx", "x...............", "..x...x...x...x.",
    "x.xxx.xxx.xxx.xx", "x..xx..xx..xx..x",
]
CROSS_RHYTHMS = [
    "x..x..x.", "x..x..x.x..x..x.", "x.....x.....x...", "x..x..x..x..x...", "x..x..x..x..x.x.", "x.....x.........",
    "x..x............", "x..x..x...x.x...", "x..x...x..x.x...", "x..x..x..x..x..x..x..x..x..x.x.x", "..x..x..x..x..x.",
    "x..x..x..x..", "x...x..x..x...x.", "x.....x...x.....", "x.x..x.x..x.x...", "..x..x.x..x..x.x", "x...xx.xx..x.xx.",
]
TERNARY_RHYTHMS = [
    "x..x..x..x..", "xxxxxxxxxxxx", "x.xx.xx.xx.x", "x.....x.....", "x...........", "..x..x..x..x", "x.x.x.x.x.x.", "x..x.xx..x.x",
]
TRIPLE_RHYTHMS = ["x...........", "....x...x...", "x...x...x...", "x.x.x.x.x.x.", "x.....x.....", "x.....x...x.", "xxxxxxxxxxxx", "x..x..x..x.."]
COMPOUND_RHYTHMS = ["x..x..", "xxxxxx", "x.xx.x", "x.....", "x.x.x.", "x....x", "x..xxx"]
CHORDS = [(0, 4, 7), (0, 3, 7), (0, 4, 7, 11), (0, 3, 7, 10), (0, 4, 7, 10), (0, 5, 7), (0, 7, 12)]


class Piece:
    """A randomly generated piece of music; `notes` are (beat, beats, channel, pitch, velocity)."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        choose = self.random
        self.metre = choose.choices(["binary", "ternary", "triple", "compound"], [68, 12, 11, 9])[0]
        # Steps per beat, beats per bar.
        self.steps, self.bar = {"binary": (4, 4), "ternary": (3, 4), "triple": (4, 3), "compound": (3, 2)}[self.metre]
        self.bpm = 0
        while not 50 <= self.bpm <= 210:
            self.bpm = 118 * 2 ** choose.gauss(0, 0.45)
        if choose.random() < 0.6:
            self.bpm = round(self.bpm)
        # The slower the tempo, the more likely are the shortest steps.
        self.dense = choose.random() < max(0.05, min(0.95, (150 - self.bpm) / 70))
        self.drums = choose.random() < 0.5
        # In a shuffle, the second and fourth step of a beat are late.
        self.swing = choose.uniform(0.08, 0.3) if self.metre == "binary" and choose.random() < 0.12 else 0
        self.accent = choose.choice([0, 0, 0.1, 0.25, 0.4])
        self.jitter = choose.choice([0, 0, 0.003, 0.008, 0.014])
        self.notes, self.programs = [], {}
        self.compose()

    def rhythm(self):
        """Returns a random rhythm of the metre as steps with strokes, repeated to a bar or more."""
        choose = self.random
        table = {"binary": BINARY_RHYTHMS, "ternary": TERNARY_RHYTHMS, "triple": TRIPLE_RHYTHMS,
                 "compound": COMPOUND_RHYTHMS}[self.metre]
        if self.metre == "binary" and choose.random() < 0.45:
            table = CROSS_RHYTHMS
        pattern = choose.choice(table)
        if self.metre == "binary" and not self.dense:
            # The same in eighths: a pattern of one bar takes two bars.
            pattern = "".join(step + "." for step in pattern)
        elif choose.random() < 0.15:
            pattern = "".join(step + "." for step in pattern)
        return pattern

    def figure(self, pattern, beats):
        """Returns (beat, beats until the next) of a pattern's strokes over a length, repeating the pattern."""
        times = [i / self.steps for i in range(int(beats * self.steps)) if pattern[i % len(pattern)] != "."]
        return [(t, (times[k + 1] if k + 1 < len(times) else beats) - t) for k, t in enumerate(times)]

    def line_rhythm(self, beats):
        """Returns a melody's rhythm: steps with random lengths of the metre, few across the beat."""
        choose, times, position = self.random, [], 0.0
        binary = [(0.5, 4), (1, 4), (0.25, 3 if self.dense else 0), (1.5, 2), (0.75, 1.5 if self.dense else 0), (2, 1.5), (3, 0.5)]
        ternary = [(1 / 3, 3), (2 / 3, 3), (1, 4), (4 / 3, 0.5), (2, 1.5)]
        lengths, weights = zip(*(binary if self.steps == 4 else ternary))
        while position < beats - 1e-6:
            length = choose.choices(lengths, weights)[0]
            # After an off-beat note, the rhythm usually returns to the beat.
            off = position % 1
            if off > 1e-6 and choose.random() < 0.55:
                length = 1 - off
            length = min(length, beats - position)
            if choose.random() > 0.08:
                times.append((position, length))
            position += length
        return times

    def add(self, beat, beats, channel, pitch, velocity):
        step = round(beat * self.steps) % self.steps
        if self.swing and step % 2 and abs(beat * self.steps - round(beat * self.steps)) < 1e-6:
            beat += self.swing / self.steps
        self.notes.append((beat, beats, channel, max(12, min(115, pitch)), velocity))

    def strength(self, beat, base):
        """Returns a velocity: the bar's first beat is loudest, then the beats, then the rest, scaled by the piece's accents."""
        level = 1.0 if beat % self.bar < 1e-6 else 0.7 if beat % 1 < 1e-6 else 0.3
        return int(max(20, min(127, base * (1 - self.accent * (1 - level)) + self.random.gauss(0, 4))))

    def compose(self):
        choose = self.random
        key = choose.randrange(12)
        scale = choose.choice([(0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10), (0, 2, 3, 5, 7, 9, 10), (0, 3, 5, 7, 10)])
        total = SECONDS * self.bpm / 60 + 4
        kinds = ["bass", "chords", "arpeggio", "melody", "pad"]
        weights = [6, 5, 4, 5, 4]
        count = choose.choices([1, 2, 3, 4], [2, 5, 5, 2])[0] if self.drums else choose.choices([1, 2, 3, 4], [3, 5, 4, 2])[0]
        layers = []
        while len(layers) < count:
            kind = choose.choices(kinds, weights)[0]
            if kind not in layers or choose.random() < 0.3:
                layers.append(kind)
        if not self.drums and set(layers) == {"pad"}:
            layers.append("melody")
        sections = []
        for _ in range(choose.choice([1, 2, 2, 3])):
            # Chords change every bar, every second, every half, or with each beat.
            harmonic = self.bar * choose.choices([1, 2, 0.5, 4], [6, 3, 1.5 if self.bar % 2 == 0 else 0, 1])[0]
            chords = [(choose.choice(scale), choose.choice(CHORDS)) for _ in range(choose.choice([2, 4, 4, 8]))]
            sections.append((harmonic, chords, choose.choice([2, 4, 4])))
        # A layer's pattern is chosen once per section; the sections alternate every eight bars.
        beat, turn = 0.0, 0
        plans = {}
        while beat < total:
            section = turn % len(sections)
            if section not in plans:
                plans[section] = [self.plan(kind, index, key, scale, *sections[section]) for index, kind in enumerate(layers)]
                if self.drums:
                    plans[section].append(self.drum_plan())
            length = 8 * self.bar
            for plan in plans[section]:
                plan(beat, length)
            beat += length
            turn += 1

    def drum_plan(self):
        choose = self.random
        table = {"binary": BINARY_DRUMS, "ternary": TERNARY_DRUMS, "triple": TRIPLE_DRUMS,
                 "compound": COMPOUND_DRUMS}[self.metre]
        kit = choose.choice(table)
        stretch = 1
        if self.metre == "binary" and not self.dense:
            # At most eighths: half as fast as written, or thinned out.
            if choose.random() < 0.35:
                stretch = 2
            else:
                kit = {drum: "".join(c if i % 2 == 0 else "." for i, c in enumerate(p)) for drum, p in kit.items()}
        elif choose.random() < 0.1:
            stretch = 2
        fill = choose.random() < 0.4

        def play(start, length):
            for drum, pattern in kit.items():
                for i in range(int(length * self.steps)):
                    if i % stretch == 0:
                        stroke = pattern[i // stretch % len(pattern)]
                        if stroke != ".":
                            t = i / self.steps
                            base = 105 if stroke == "x" else 70
                            if drum in (CLOSED, RIDE, SHAKER):
                                base -= 20
                            self.add(start + t, 0.2, 9, drum, self.strength(t, base))
            if fill:
                for i in range(self.steps):
                    self.add(start + length - 1 + i / self.steps, 0.2, 9, choose.choice([SNARE, 41, 43, 45, 47]), 95)
        return play

    def plan(self, kind, index, key, scale, harmonic, chords, period):
        """Returns a layer's part in a section, as a function of (start, length) in beats."""
        choose = self.random
        channel = index if index < 9 else index + 1
        programs = {
            "bass": BASSES, "chords": STRUCK + SUSTAINED, "arpeggio": STRUCK + SUSTAINED[:4], "melody": LEGATO + STRUCK,
            "pad": SOFT}[kind]
        if channel not in self.programs:
            self.programs[channel] = choose.choice(programs)
        base = choose.randint(60, 110)
        register = {"bass": 36, "chords": 60, "arpeggio": 60, "melody": 72, "pad": 55}[kind] + choose.choice([-5, 0, 0, 5])
        hold = choose.choice([0.3, 0.6, 0.9, 1.0])

        def chord_at(beat):
            root, tones = chords[int(beat // harmonic) % len(chords)]
            return register + (key + root) % 12, tones

        if kind == "pad":
            def play(start, length):
                t = 0.0
                while t < length:
                    root, tones = chord_at(t)
                    for tone in tones:
                        self.add(start + t, harmonic * 0.98, channel, root + tone, self.strength(t, base))
                    t += harmonic
            return play
        if kind == "bass":
            pattern = self.rhythm()
            moving = choose.choice([(0,), (0,), (0, 7), (0, 12), (0, 7, 12, 7), (0, 4, 7, 9)])

            def play(start, length):
                for number, (t, gap) in enumerate(self.figure(pattern, length)):
                    root, _ = chord_at(t)
                    self.add(start + t, min(gap, 4) * hold, channel, root + moving[number % len(moving)], self.strength(t, base))
            return play
        if kind == "chords":
            pattern = self.rhythm()

            def play(start, length):
                for t, gap in self.figure(pattern, length):
                    root, tones = chord_at(t)
                    for tone in tones:
                        self.add(start + t, min(gap, 4) * hold, channel, root + tone, self.strength(t, base))
            return play
        if kind == "arpeggio":
            # As many notes per repetition as is usual in the metre, or three instead of two and vice versa.
            turn = choose.choice([3, 4, 4, 6, 8, 2, 5])
            shape = [choose.randrange(5) for _ in range(turn)] if choose.random() < 0.5 else \
                (list(range(turn)) if choose.random() < 0.5 else [min(i, turn - i) for i in range(turn)])
            every = 1 if self.steps == 3 or self.dense else 2
            anew = choose.random() < 0.6

            def play(start, length):
                number = 0
                for step in range(0, int(length * self.steps), every):
                    t = step / self.steps
                    if anew and abs(t % harmonic) < 1e-6:
                        number = 0
                    root, tones = chord_at(t)
                    degree = shape[number % turn]
                    pitch = root + tones[degree % len(tones)] + 12 * (degree // len(tones))
                    self.add(start + t, every / self.steps * hold * 1.5, channel, pitch, self.strength(t, base))
                    number += 1
            return play
        motif = self.line_rhythm(period * self.bar)
        walk, degree = [], choose.randrange(len(scale))
        for _ in motif:
            degree += choose.choice([-2, -1, -1, 0, 1, 1, 2])
            walk.append(max(-4, min(9, degree)))
        legato = choose.choice([0.6, 0.95, 1.05])

        def play(start, length):
            t = 0.0
            while t < length:
                for (offset, gap), degree in zip(motif, walk):
                    pitch = register + key % 12 - 6 + scale[degree % len(scale)] + 12 * (degree // len(scale))
                    self.add(start + t + offset, gap * legato, channel, pitch, self.strength(offset, base))
                t += period * self.bar
        return play

    def midi(self):
        choose = self.random
        late = {channel: choose.uniform(0, 0.012) for channel in range(16)}
        events = []
        for beat, beats, channel, pitch, velocity in self.notes:
            seconds = beat * 60 / self.bpm
            if seconds > SECONDS + 2:
                continue
            start = max(0, seconds + (late[channel] if self.jitter else 0) + choose.gauss(0, self.jitter))
            end = start + max(0.05, beats * 60 / self.bpm)
            events.append((start, 1, channel, pitch, velocity))
            events.append((end, 0, channel, pitch, 0))
        return write(events, self.programs)


def write(events, programs):
    """Writes a MIDI file of (second, 1 or 0 for on or off, channel, pitch, velocity) with ticks of 1/960 s."""
    midi = mido.MidiFile(type=0, ticks_per_beat=TICKS)
    track = mido.MidiTrack()
    midi.tracks.append(track)
    for channel, program in programs.items():
        track.append(mido.Message("program_change", channel=channel, program=program))
    previous = 0
    for second, on, channel, pitch, velocity in sorted(events):
        tick = round(second * 2 * TICKS)
        track.append(mido.Message("note_on", channel=channel, note=pitch, velocity=velocity if on else 0, time=tick - previous))
        previous = tick
    return midi


def render(midi, name, cache, seconds=SECONDS):
    """Renders with a sound font and encodes with a setting, both chosen by the name.

    Returns the seconds of silence removed from the beginning, or None if it failed; they are stored next to the piece.
    """
    choose = random.Random(name)
    mp3 = os.path.join(cache, "pieces", name + ".mp3")
    trim = os.path.join(cache, "pieces", name + ".trim")
    if os.path.exists(mp3) and os.path.exists(trim):
        return float(open(trim).read())
    wav = os.path.join(cache, name + ".wav")
    midi.save(wav + ".mid")
    wet = choose.choice(["0", "1"])
    try:
        corpus.run(["fluidsynth", "-ni", "-r", "44100", "-g", "0.5", "-R", wet, "-C", "0", "-T", "wav", "-F", wav,
                    choose.choice(FONTS), wav + ".mid"], seconds=60)
        removed = corpus.removed_silence(wav)
        setting = choose.choice(corpus.LAME_SETTINGS)
        shape = ["-af", f"{corpus.TRIM},volume={choose.uniform(-12, 4):.1f}dB", "-t", str(seconds)]
        decoder = subprocess.Popen(["nice", "-n", "15", "ffmpeg", "-v", "error", "-i", wav, *shape, "-f", "wav", "-"],
                                   stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        subprocess.run(["nice", "-n", "15", "lame", "--quiet", "-q", "7", *setting, "-", mp3 + ".part"], stdin=decoder.stdout, check=True)
        decoder.wait()
        os.rename(mp3 + ".part", mp3)
        with open(trim, "w") as out:
            out.write(f"{removed:.4f}")
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError, FileNotFoundError):
        return None
    finally:
        for path in (wav, wav + ".mid"):
            if os.path.exists(path):
                os.remove(path)
    return removed


def main():
    cache, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    os.makedirs(os.path.join(cache, "pieces"), exist_ok=True)
    pieces = []
    for seed in range(count):
        piece = Piece(seed)
        name = f"composed-{seed}"
        removed = render(piece.midi(), name, cache)
        if removed is not None:
            kind = f"composed {piece.metre}, {'with' if piece.drums else 'no'} drums"
            pieces.append({"name": name, "group": name, "kind": kind, "bpm": piece.bpm, "half": "training",
                           "first_beat": -removed, "beats_per_bar": piece.bar, "first_bar": 0})
    with open(os.path.join(cache, "composed.json"), "w") as out:
        json.dump(pieces, out, indent=1)


if __name__ == "__main__":
    main()
