"""Composes music in a known key from the progressions of popular music: chords, bass, melody, and drums in two of three pieces."""

import random

from midi import FAMILIES, Piece

# Chords as (degree in semitones above the tonic, kind). Every loop begins on its tonic, and the piece ends there.
MAJ, MIN, SEVENTH = (0, 4, 7), (0, 3, 7), (0, 4, 7, 10)
LOOPS = {
    "major": [
        ((0, MAJ), (7, MAJ), (9, MIN), (5, MAJ)), ((0, MAJ), (9, MIN), (5, MAJ), (7, MAJ)), ((0, MAJ), (5, MAJ), (7, MAJ), (0, MAJ)),
        ((0, MAJ), (5, MAJ), (0, MAJ), (7, SEVENTH)), ((0, MAJ), (4, MIN), (5, MAJ), (7, MAJ)), ((0, MAJ), (2, MIN), (5, MAJ), (7, MAJ)),
        ((0, MAJ), (10, MAJ), (5, MAJ), (0, MAJ)), ((0, MAJ), (9, MIN), (2, MIN), (7, SEVENTH)), ((0, MAJ), (5, MAJ), (9, MIN), (7, MAJ)),
        ((0, MAJ), (7, MAJ), (5, MAJ), (5, MAJ)), ((0, MAJ), (0, SEVENTH), (5, MAJ), (5, MIN)),
    ],
    "minor": [
        ((0, MIN), (8, MAJ), (3, MAJ), (10, MAJ)), ((0, MIN), (10, MAJ), (8, MAJ), (10, MAJ)), ((0, MIN), (10, MAJ), (8, MAJ), (7, SEVENTH)),
        ((0, MIN), (5, MIN), (7, MAJ), (0, MIN)), ((0, MIN), (5, MIN), (0, MIN), (7, SEVENTH)), ((0, MIN), (3, MAJ), (10, MAJ), (5, MIN)),
        ((0, MIN), (5, MIN), (8, MAJ), (10, MAJ)), ((0, MIN), (7, MIN), (5, MIN), (0, MIN)), ((0, MIN), (8, MAJ), (5, MIN), (7, MAJ)),
        ((0, MIN), (0, MIN), (8, MAJ), (10, MAJ)), ((0, MIN), (10, MAJ), (5, MIN), (5, MIN)), ((0, MIN), (3, MAJ), (8, MAJ), (7, SEVENTH)),
    ],
}
SCALES = {"major": (0, 2, 4, 5, 7, 9, 11), "minor": (0, 2, 3, 5, 7, 8, 10)}
BASSES, LEADS = [32, 33, 34, 36, 38, 39, 43], [73, 65, 80, 81, 26, 30, 40, 4, 11]
RHYTHMS = [(0,), (0, 2), (0, 1, 2, 3), (0.5, 1.5, 2.5, 3.5), (0, 1.5, 3), (0, 0.75, 1.5, 2.5, 3.25)]
KICK, SNARE, HAT = 36, 38, 42


def piece(seed):
    """Returns (Piece, tonic, mode); both modes are equally frequent."""
    mode = ("major", "minor")[seed % 2]
    name = f"composed-{seed}"
    choose = random.Random(name)
    made = Piece(name, choose)
    loops = LOOPS[mode]
    verse, chorus = choose.choice(loops), choose.choice(loops)
    beat = 60 / choose.uniform(70, 160)
    bars = max(8, int(choose.uniform(30, 60) / (4 * beat)) // 4 * 4)
    pad, bass, lead = choose.choice(FAMILIES["composed"]), choose.choice(BASSES), choose.choice(LEADS)
    made.programs = {0: pad, 1: bass, 2: lead}
    drums, melody, arpeggio = choose.random() < 0.67, choose.random() < 0.8, choose.random() < 0.5
    chord_rhythm, bass_rhythm = choose.choice(RHYTHMS), choose.choice(RHYTHMS)
    scale = [n for n in range(60, 85) if n % 12 in SCALES[mode]]
    note = choose.choice(scale[5:9])
    for bar in range(bars + 1):
        root, kind = (chorus if bar // 8 % 2 else verse)[bar % 4] if bar < bars else (0, MIN if mode == "minor" else MAJ)
        at = bar * 4 * beat
        tones = [n for n in range(50, 70) if (n - root) % 12 in kind][:len(kind) + 1]
        if bar == bars:
            chord_rhythm = bass_rhythm = (0,)
        for step, position in enumerate(chord_rhythm):
            length = ((chord_rhythm + (4,))[step + 1] - position) * beat
            for i, tone in enumerate(tones):
                delay = i * min(0.25 * beat, length / 4) if arpeggio else 0
                made.notes.append((at + position * beat + delay, length * 0.95, 0, tone, choose.randint(60, 80)))
        for step, position in enumerate(bass_rhythm):
            length = ((bass_rhythm + (4,))[step + 1] - position) * beat
            pitch = 36 + (root + 4) % 12 - 4 + (7 if step % 4 == 3 and choose.random() < 0.3 else 0)
            made.notes.append((at + position * beat, length * 0.8, 1, pitch, choose.randint(75, 95)))
        if melody and bar < bars and bar % 8 >= choose.choice((0, 0, 2)):
            position = 0.0
            while position < 4:
                length = min(4 - position, choose.choice((0.5, 0.5, 1, 1, 1.5, 2)))
                # The leading tone over the dominant.
                allowed = [n for n in scale if not (mode == "minor" and kind in (MAJ, SEVENTH) and root == 7 and n % 12 == 10)]
                pool = [n for n in allowed if (n - root) % 12 in kind] if position in (0.0, 2.0) else allowed
                note = min(pool, key=lambda n: abs(n - note) + choose.random() * 5)
                if choose.random() > 0.15:
                    made.notes.append((at + position * beat, length * beat * 0.9, 2, note, choose.randint(70, 100)))
                position += length
        if drums and bar < bars:
            made.programs[9] = 0
            for half in range(8):
                made.notes.append((at + half * beat / 2, 0.1, 9, HAT, choose.randint(50, 75)))
            for hit, drum in ((0, KICK), (1, SNARE), (2, KICK), (3, SNARE)):
                made.notes.append((at + hit * beat, 0.1, 9, drum, choose.randint(85, 110)))
    return made, 0, mode
