"""The demo album: eight small pieces with known tempo, key, beats and cuts."""

import random
from dataclasses import dataclass

import synthesizer as s

ALBUM, ARTIST, YEAR = "The Lamp Room", "Fourier & Daughters", 2024
LEAD_IN = 0.25  # seconds before the first beat of every piece

_MAJOR, _MINOR = (0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10)


@dataclass
class Piece:
    """A piece of music: one file, or several that follow each other without a gap."""

    name: str
    titles: tuple
    genre: str
    bpm: float
    key: str
    bars: int
    render: object  # a function of (Piece, Mix, random.Random) without a result
    tail: float = 2.5  # seconds after the last bar
    cuts: tuple = ()  # bars at which the next file starts
    fade: tuple | None = None  # start and end of the fade-out in seconds
    beats_per_bar: int = 4

    @property
    def beat(self):
        return 60 / self.bpm

    @property
    def seconds(self):
        return LEAD_IN + self.bars * self.beats_per_bar * self.beat + self.tail

    def time(self, bar, beat=0.0):
        """Returns the time of a beat of a bar, in seconds from the start."""
        return LEAD_IN + (bar * self.beats_per_bar + beat) * self.beat

    def make(self, path):
        """Renders the piece to a WAV file."""
        mix = s.Mix(self.seconds)
        self.render(self, mix, random.Random(self.name))
        if self.fade:
            mix.fade_out(*self.fade)
            # Reverb would continue after the fade's end, so this piece has none.
            mix.master(path, effects=())
        else:
            mix.master(path)


def _scale(root, steps, low, high):
    return [n for n in range(low, high) if (n - root) % 12 in steps]


def _melody(piece, mix, rng, bars, scale, chords, instrument, level, rests=0.25):
    """A four-bar phrase, repeated with another ending: chord tones on the strong beats, steps between them."""
    phrase, note = [], scale[len(scale) // 2]
    for bar in range(4):
        tones = [n for n in scale if (n - chords[bar % len(chords)][0]) % 12 in (0, 3, 4, 7)]
        beat = 0.0
        while beat < piece.beats_per_bar:
            length = rng.choice((0.5, 0.5, 1, 1, 1.5))
            length = min(length, piece.beats_per_bar - beat)
            pool = tones if beat in (0.0, 2.0) else [n for n in scale if abs(n - note) <= 4]
            note = min(pool, key=lambda n: abs(n - note) + rng.random() * 5)
            if beat == 0.0 or rng.random() > rests:
                phrase.append((bar, beat, note, length))
            beat += length
    for start in range(bars.start, bars.stop, 4):
        for bar, beat, note, length in phrase:
            if start + bar < bars.stop:
                mix.add(piece.time(start + bar, beat), instrument(note, length * piece.beat + 0.25), level)


def _chord(root, kind):
    return [root + i for i in {"maj": (0, 4, 7), "min": (0, 3, 7), "maj7": (0, 4, 7, 11),
                               "min7": (0, 3, 7, 10), "7": (0, 4, 7, 10), "add9": (0, 4, 7, 14)}[kind]]  # fmt: skip


def _repeat(piece, mix, bars, choices, ring, fill):
    """Mixes `choices` different bars once each with `fill(bar_mix, choice)`, and plays them in turn.

    `ring` is how long the notes of a bar may sound after its end, in seconds.
    """
    made = {}
    for bar in bars:
        choice = bar % choices
        if choice not in made:
            made[choice] = s.Mix(piece.beats_per_bar * piece.beat + ring)
            fill(made[choice], choice)
        mix.add_mix(piece.time(bar), made[choice])


def _pads(piece, mix, bars, chords, level):
    def fill(bar, choice):
        for note, side in zip(_chord(*chords[choice]), (-0.4, 0.4, -0.1, 0.1)):
            bar.add(0, s.pad(note, piece.beats_per_bar * piece.beat), level, side)

    _repeat(piece, mix, bars, len(chords), 0.7, fill)


def _arpeggio(piece, mix, bars, chords, instrument, level, steps=16, octave=1, length=0.5, pattern=(0, 1, 2, 3)):
    def fill(bar, choice):
        root, kind = chords[choice]
        notes = _chord(root, kind)
        notes = [*notes, root + 12] if len(notes) == 3 else notes
        for step in range(steps):
            note = notes[pattern[step % len(pattern)]] + 12 * octave + (12 if step % 8 == 7 else 0)
            accent = 1.0 if step % 4 == 0 else 0.7
            time = step * piece.beats_per_bar / steps * piece.beat
            bar.add(time, instrument(note, length), level * accent, 0.5 if step % 2 else -0.5)

    _repeat(piece, mix, bars, len(chords), length, fill)


def _bass(piece, mix, bars, chords, beats, level, length=0.4):
    def fill(bar, choice):
        root = chords[choice][0]
        low = root - 12 * ((root - 28) // 12)
        for beat, interval in beats:
            bar.add(beat * piece.beat, s.bass(low + interval, length), level)

    _repeat(piece, mix, bars, len(chords), length, fill)


def _drums(piece, mix, bars, kicks=(), snares=(), hats=(), open_hats=(), level=1.0):
    def fill(bar, _):
        for beats, sound, gain, side in (
            (kicks, s.kick(), 1.0, 0), (snares, s.snare(), 0.6, 0),
            (hats, s.hat(), 0.45, 0.3), (open_hats, s.hat(True), 0.3, 0.3),
        ):  # fmt: skip
            for beat in beats:
                bar.add(beat * piece.beat, sound, level * gain, side)

    _repeat(piece, mix, bars, 1, 0.35, fill)


_EIGHTHS = tuple(i / 2 for i in range(8))
_SIXTEENTHS = tuple(i / 4 for i in range(16))


def _harbour(piece, mix, rng):
    chords = ((50, "maj7"), (47, "min7"), (43, "maj7"), (45, "7"))
    _pads(piece, mix, range(piece.bars), chords, 0.16)
    _arpeggio(piece, mix, range(1, piece.bars - 1), chords, s.bell, 0.22, 8, 2, 1.6, (0, 2, 1, 3))
    _bass(piece, mix, range(2, piece.bars), chords, ((0, 0), (2.5, 7)), 0.4, 1.2)
    _melody(piece, mix, rng, range(4, 12), _scale(2, _MAJOR, 69, 86), chords, s.lead, 0.16, 0.45)
    for note in (50, 57, 62, 66):
        mix.add(piece.time(piece.bars), s.pad(note, 1.2, 0.3, 1.2), 0.16)


def _rain(piece, mix, rng):
    chords = ((57, "min"), (53, "maj"), (48, "maj"), (55, "maj"))
    _arpeggio(piece, mix, range(piece.bars), chords, s.pluck, 0.3, 16, 1, 0.4, (0, 2, 1, 2, 3, 2, 1, 2))
    _pads(piece, mix, range(4, piece.bars), chords, 0.1)
    _bass(piece, mix, range(2, piece.bars), chords, tuple((b + 0.5, 0) for b in range(4)), 0.55, 0.3)
    _drums(piece, mix, range(2, 4), kicks=(0, 1, 2, 3))
    _drums(piece, mix, range(4, piece.bars), (0, 1, 2, 3), (1, 3), _EIGHTHS, (0.5, 1.5, 2.5, 3.5))
    _melody(piece, mix, rng, range(8, 20), _scale(9, _MINOR, 69, 89), chords, s.lead, 0.22)
    for note in (57, 60, 64, 69):
        mix.add(piece.time(piece.bars), s.electric_piano(note, 2.4), 0.3)
    mix.echo(piece.beat * 0.75, 0.22)


def _ferry(piece, mix, rng):
    chords = ((53, "min7"), (49, "maj7"), (56, "maj"), (51, "add9"))
    _pads(piece, mix, range(piece.bars), chords, 0.15)
    _arpeggio(piece, mix, range(4, 44), chords, s.pluck, 0.22, 16, 1, 0.35, (0, 1, 2, 3, 2, 1))
    _bass(piece, mix, range(8, 40), chords, ((0, 0), (0.75, 0), (1.5, 0), (2.5, 12), (3.25, 7)), 0.5, 0.35)
    _drums(piece, mix, range(8, 16), (0, 1, 2, 3), hats=_EIGHTHS)
    _drums(piece, mix, range(16, 36), (0, 1, 2, 3), (1, 3), _SIXTEENTHS, (0.5, 1.5, 2.5, 3.5))
    _drums(piece, mix, range(36, 40), (0, 1, 2, 3), hats=_EIGHTHS)
    _melody(piece, mix, rng, range(20, 32), _scale(5, _MINOR, 68, 87), chords, s.lead, 0.2)
    _melody(piece, mix, rng, range(36, 44), _scale(5, _MINOR, 72, 90), chords, s.bell, 0.24, 0.4)
    for note in (53, 60, 65, 68):
        mix.add(piece.time(piece.bars), s.pad(note, 1.5, 0.2, 1.4), 0.15)
    mix.echo(piece.beat * 0.75, 0.25)


def _compass(piece, mix, rng):
    chords = ((55, "maj7"), (52, "min7"), (48, "maj7"), (50, "7"))
    for bar in range(piece.bars):
        root, kind = chords[bar % 4]
        for beat, length in ((0, 1.2), (1.5, 0.5), (2.66, 0.9)):
            for i, note in enumerate(_chord(root, kind)):
                mix.add(piece.time(bar, beat), s.electric_piano(note + 12, length), 0.2, -0.3 + 0.2 * i)
    _bass(piece, mix, range(piece.bars), chords, ((0, 0), (1.66, 0), (2, 7), (3.5, 12)), 0.55, 0.5)
    swung = tuple(b + o for b in range(4) for o in (0, 2 / 3))
    _drums(piece, mix, range(2, piece.bars), (0, 1.66, 2), (1, 3), swung, (3.66,))
    _melody(piece, mix, rng, range(4, 16), _scale(7, _MAJOR, 71, 88), chords, s.bell, 0.26, 0.4)
    for note in (55, 62, 66, 71):
        mix.add(piece.time(piece.bars), s.electric_piano(note, 2.4), 0.25)


def _gulls(piece, mix, rng):
    chords = ((52, "min7"), (52, "min7"), (48, "maj7"), (50, "maj"))
    _pads(piece, mix, range(piece.bars), chords, 0.13)
    _arpeggio(piece, mix, range(0, piece.bars, 2), chords, s.electric_piano, 0.2, 8, 1, 0.7, (0, 2, 3, 1))
    _bass(piece, mix, range(8, piece.bars), chords, ((0, 0), (1.5, 0), (2.5, 0), (3, 12)), 0.6, 0.4)
    _drums(piece, mix, range(4, 8), hats=_EIGHTHS)
    _drums(piece, mix, range(8, piece.bars), (0, 2.5), (1, 3), _EIGHTHS, (3.5,))
    _melody(piece, mix, rng, range(12, 32), _scale(4, _MINOR, 71, 90), chords, s.lead, 0.2, 0.4)
    for note in (52, 59, 64, 67):
        mix.add(piece.time(piece.bars), s.electric_piano(note, 2.4), 0.3)
    mix.echo(piece.beat * 1.5, 0.2)


def _last_light(piece, mix, rng):
    chords = ((48, "maj7"), (45, "min7"), (53, "maj7"), (55, "7"))
    _pads(piece, mix, range(piece.bars), chords, 0.18)
    _arpeggio(piece, mix, range(piece.bars), chords, s.electric_piano, 0.22, 8, 1, 1.4, (0, 1, 2, 3))
    _bass(piece, mix, range(piece.bars), chords, ((0, 0), (2, 0)), 0.4, 1.4)
    _drums(piece, mix, range(2, piece.bars), kicks=(0, 2), hats=(1, 3), level=0.5)
    _melody(piece, mix, rng, range(2, 12), _scale(0, _MAJOR, 67, 84), chords, s.bell, 0.26, 0.4)


PIECES = (
    Piece("harbour", ("Harbour at Six",), "Ambient", 84, "D major", 12, _harbour),
    Piece("rain", ("Tin Roof Rain",), "House", 120, "A minor", 20, _rain),
    Piece("ferry", ("Night Ferry I: Cast Off", "Night Ferry II: Open Water", "Night Ferry III: Landfall"),
          "Trance", 128, "F minor", 48, _ferry, cuts=(16, 32)),
    Piece("compass", ("Paper Compass",), "Hip-Hop", 96, "G major", 16, _compass),
    Piece("gulls", ("Gulls over Slate",), "Drum & Bass", 174, "E minor", 32, _gulls),
    Piece("last", ("Last Light",), "Ambient", 72, "C major", 12, _last_light, tail=1.0, fade=(26.0, 40.0)),
)  # fmt: skip
