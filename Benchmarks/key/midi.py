"""Plays notes as MIDI: tempo, instruments, transposition and tuning are drawn from a generator seeded by the piece's name."""

import io
import random

import mido

TICKS = 480
# Programs (General MIDI, from 0).
KEYS, PLUCKED, STRINGS = [0, 0, 1, 4, 5, 6, 11, 16, 19], [24, 25, 26, 27, 45, 46, 104, 105], [40, 42, 48, 49, 50, 51]
WINDS, VOICES, SYNTHETIC = [56, 60, 61, 65, 66, 68, 71, 73, 74, 75, 79], [52, 53, 54], [80, 81, 82, 88, 89, 90, 95]
FAMILIES = {
    "song": KEYS + PLUCKED + STRINGS + WINDS + VOICES, "tune": KEYS + PLUCKED + STRINGS + WINDS,
    "chorale": [0, 6, 16, 19, 19, 48, 49, 52, 52, 53, 61, 68, 71], "classical": [0, 0, 6, 19, 40, 48, 48, 49, 68, 71],
    "composed": KEYS + PLUCKED + STRINGS + SYNTHETIC,
}
# Range of the tempo in quarters per minute, and seconds of music at most.
TEMPI = {"song": (80, 150), "tune": (100, 180), "chorale": (60, 105), "classical": (80, 150)}
LONGEST = {"song": 60, "tune": 60, "chorale": 75, "classical": 90}
# Melodies shorter than this many seconds are played twice.
SHORT = 25


class Piece:
    """Notes in seconds as (start, length, channel, pitch, velocity), not yet transposed, and how to play them."""

    def __init__(self, name, choose):
        self.name, self.notes, self.programs = name, [], {}
        self.shift = choose.randint(-5, 6)
        # Half of the pieces are tuned to A = 440 Hz.
        self.cents = choose.choice([0, round(choose.uniform(-30, 30), 1)])

    @classmethod
    def of_score(cls, name, kind, notes):
        """Plays a score from its beginning, for as long as pieces of that kind may be."""
        choose = random.Random(name)
        piece = cls(name, choose)
        beat = 60 / choose.uniform(*TEMPI[kind])
        first, end = notes[0][0], max(start + length for start, length, _, _ in notes)
        rounds = 2 if kind in ("song", "tune") and (end - first) * beat < SHORT else 1
        parts = sorted({part for _, _, part, _ in notes})
        channels = {part: (index % 15) + (index % 15 >= 9) for index, part in enumerate(parts)}
        shared, hold = choose.choice(FAMILIES[kind]), choose.choice([0.7, 0.9, 1.0])
        uniform = choose.random() < 0.6
        piece.programs = {channels[p]: shared if uniform else choose.choice(FAMILIES[kind]) for p in parts}
        jitter, octave = choose.choice([0, 0.005, 0.015]), choose.choice([0, 0, -12]) if kind in ("song", "tune") else 0
        for turn in range(rounds):
            for start, length, part, pitch in notes:
                second = (start - first + turn * (end - first)) * beat
                if second < LONGEST[kind]:
                    piece.notes.append((max(0, second + choose.gauss(0, jitter)), max(0.08, length * beat * hold), channels[part],
                                        pitch + octave, int(min(115, max(40, choose.gauss(82, 8))))))
        return piece

    def midi(self):
        """Returns a MIDI file with the transposition applied and the tuning as pitch bend."""
        file = mido.MidiFile(type=0, ticks_per_beat=TICKS)
        track = mido.MidiTrack()
        file.tracks.append(track)
        # The range of a bend is two semitones by default.
        bend = round(self.cents / 200 * 8192)
        for channel, program in sorted(self.programs.items()):
            track.append(mido.Message("program_change", channel=channel, program=program))
            if channel != 9:
                track.append(mido.Message("pitchwheel", channel=channel, pitch=bend))
        events = []
        for start, length, channel, pitch, velocity in self.notes:
            note = pitch if channel == 9 else min(120, max(12, pitch + self.shift))
            events.append((start, 1, channel, note, velocity))
            events.append((start + length, 0, channel, note, 0))
        previous = 0
        for second, on, channel, note, velocity in sorted(events):
            tick = round((0.1 + second) * 2 * TICKS)
            track.append(mido.Message("note_on", channel=channel, note=note, velocity=velocity if on else 0, time=tick - previous))
            previous = tick
        out = io.BytesIO()
        file.save(file=out)
        return out.getvalue()
