"""A small synthesizer: notes from wavetables, mixed into a stereo buffer. Standard library only.

For speed, every note is generated once and then mixed in repeatedly, repeated bars are mixed once, and mixing
adds whole slices. Minutes of music then take seconds in plain Python.
"""

import functools
import math
import random
import subprocess
from array import array
from itertools import accumulate, chain, repeat
from operator import mul

RATE = 44100
_TABLE = 4096


def pitch(midi):
    """Returns the frequency of a MIDI note in Hz (A4, 69, is 440 Hz)."""
    return 440 * 2 ** ((midi - 69) / 12)


@functools.cache
def _table(harmonics):
    """Returns one period of the sum of (number, amplitude) harmonics, peak 1."""
    period = [
        sum(a * math.sin(2 * math.pi * h * i / _TABLE) for h, a in harmonics) for i in range(_TABLE)
    ]
    peak = max(map(abs, period))
    return array("d", (x / peak for x in period))


def _tone(harmonics, frequency, count):
    """Returns a steady tone, repeating the few periods that best fill a whole number of samples."""
    audible = tuple((h, a) for h, a in harmonics if h * frequency < 16000)
    table, mask = _table(audible or harmonics[:1]), _TABLE - 1
    period = RATE / frequency
    # Within 60 periods, there is always a fit to a small fraction of a cent.
    periods = min(range(20, 60), key=lambda p: abs(p * period - round(p * period)) / p)
    length = round(periods * period)
    step = periods * _TABLE / length
    cycle = [table[int(i * step) & mask] for i in range(length)]
    return (cycle * (count // length + 1))[:count]


def _decay(seconds, count):
    """Returns an exponential that falls to 1/e in `seconds`."""
    factor = math.exp(-1 / (seconds * RATE))
    return accumulate(chain([1.0], repeat(factor, count - 1)), mul)


def _shaped(samples, attack, release):
    """Applies linear ramps at both ends, in seconds, so that notes start and end without a click."""
    rise, fall = max(1, int(attack * RATE)), max(1, int(release * RATE))
    count = len(samples)
    for i in range(min(rise, count)):
        samples[i] *= i / rise
    for i in range(min(fall, count)):
        samples[count - 1 - i] *= i / fall
    return array("d", samples)


def _count(seconds):
    return int(seconds * RATE)


# The instruments: (MIDI note, seconds) to samples. A pair of arrays is left and right.


@functools.cache
def electric_piano(note, seconds):
    n, f = _count(seconds), pitch(note)
    body = _tone(((1, 1.0), (2, 0.18), (3, 0.05)), f, n)
    tine = _tone(((1, 0.2), (4, 0.5), (7, 0.3), (14, 0.1)), f, n)
    mixed = [b * x + t * y * 0.35 for b, x, t, y in zip(body, _decay(0.9, n), tine, _decay(0.14, n))]
    return _shaped(mixed, 0.003, 0.05)


@functools.cache
def pluck(note, seconds):
    n, f = _count(seconds), pitch(note)
    dark = _tone(((1, 1.0), (2, 0.4), (3, 0.2)), f, n)
    bright = _tone(tuple((h, 1 / h) for h in range(1, 15)), f, n)
    mixed = [d * x + b * y * 0.7 for d, x, b, y in zip(dark, _decay(0.28, n), bright, _decay(0.07, n))]
    return _shaped(mixed, 0.002, 0.03)


@functools.cache
def bass(note, seconds):
    n, f = _count(seconds), pitch(note)
    low = _tone(((1, 1.0), (2, 0.45), (3, 0.25), (4, 0.12), (5, 0.08)), f, n)
    return _shaped([x * e for x, e in zip(low, _decay(0.8, n))], 0.006, 0.04)


@functools.cache
def bell(note, seconds):
    n, f = _count(seconds), pitch(note)
    # The partials of a struck bar.
    sound = [0.0] * n
    for ratio, level, ring in ((1, 1.0, 0.9), (2.756, 0.4, 0.4), (5.404, 0.16, 0.2)):
        if f * ratio < 16000:
            partial = _tone(((1, 1.0),), f * ratio, n)
            sound = [s + level * p * e for s, p, e in zip(sound, partial, _decay(ring, n))]
    return _shaped(sound, 0.002, 0.1)


@functools.cache
def pad(note, seconds, attack=0.5, release=0.7):
    n, f = _count(seconds + release), pitch(note)
    harmonics = ((1, 1.0), (2, 0.5), (3, 0.28), (4, 0.14), (5, 0.1), (6, 0.05))
    sides, straight = [], _tone(harmonics, f, n)
    for cents in (-5, 5):
        detuned = _tone(harmonics, f * 2 ** (cents / 1200), n)
        sides.append(_shaped([0.5 * (a + b) for a, b in zip(detuned, straight)], attack, release))
    return tuple(sides)


@functools.cache
def lead(note, seconds):
    n, f = _count(seconds), pitch(note)
    table = _table(((1, 1.0), (2, 0.25), (3, 0.3), (5, 0.1)))
    step, mask, wobble = f * _TABLE / RATE, _TABLE - 1, 2 * math.pi * 5.2 / RATE
    depth = 0.004 * f * _TABLE / (2 * math.pi * 5.2)  # 0.4 % of vibrato
    late = _count(0.18)  # vibrato starts after the note
    sound = [
        table[int(i * step + (depth * (1 - math.cos(wobble * (i - late))) if i > late else 0)) & mask]
        for i in range(n)
    ]
    return _shaped([x * e for x, e in zip(sound, _decay(1.4, n))], 0.02, 0.08)


@functools.cache
def kick():
    n, sound, phase = _count(0.32), [], 0.0
    for i in range(n):
        t = i / RATE
        phase += 2 * math.pi * (46 + 130 * math.exp(-t / 0.028)) / RATE
        sound.append(math.sin(phase) * math.exp(-t / 0.13))
    return _shaped(sound, 0.0008, 0.03)


@functools.cache
def snare():
    n, noise = _count(0.22), random.Random(11)
    body = _tone(((1, 1.0), (2, 0.4)), 186, n)
    last, sound = 0.0, []
    for b, x, y in zip(body, _decay(0.05, n), _decay(0.075, n)):
        now = noise.uniform(-1, 1)
        sound.append(0.55 * b * x + 0.6 * (now - 0.45 * last) * y)
        last = now
    return _shaped(sound, 0.0008, 0.03)


@functools.cache
def hat(open_=False):
    n, noise = _count(0.28 if open_ else 0.07), random.Random(13)
    white = [noise.uniform(-1, 1) for _ in range(n + 2)]
    # Noise differentiated twice is hiss.
    hiss = (white[i] - 2 * white[i + 1] + white[i + 2] for i in range(n))
    return _shaped([0.25 * h * e for h, e in zip(hiss, _decay(0.09 if open_ else 0.018, n))], 0.0005, 0.01)


_UNIT = 1 << 24  # a level of 1 in a mix: leaves headroom for a sum of 128


def _sum(a, b):
    """Returns the element-wise sum of two arrays of 32-bit integers of equal length.

    Adding them as two huge integers is nine times as fast as a loop. A carry out of a negative element increases
    the next element by one, which is negligible at 24 bits of resolution.
    """
    total = int.from_bytes(a.tobytes(), "little") + int.from_bytes(b.tobytes(), "little")
    size = 4 * len(a)
    return array("i", (total & ((1 << 8 * size) - 1)).to_bytes(size, "little"))


_scaled = {}  # (id of a sound, level): the sound, kept so that its id is not reused, and the scaled sound


def _at_level(sound, level):
    key = id(sound), level
    if key not in _scaled:
        factor = level * _UNIT
        _scaled[key] = sound, array("i", [int(x * factor) for x in sound])
    return _scaled[key][1]


class Mix:
    """A stereo buffer of a given length for mixing notes."""

    def __init__(self, seconds):
        self.count = round(seconds * RATE)
        self.left = array("i", bytes(4 * self.count))
        self.right = array("i", bytes(4 * self.count))

    def add(self, seconds, sound, level=1.0, position=0.0):
        """Mixes in a sound at a given time; position −1 is left, 1 is right."""
        left, right = sound if isinstance(sound, tuple) else (sound, sound)
        self._into(self.left, seconds, _at_level(left, level * math.sqrt((1 - position) / 2)))
        self._into(self.right, seconds, _at_level(right, level * math.sqrt((1 + position) / 2)))

    def add_mix(self, seconds, other):
        """Adds another mix unchanged, so that a repeated bar is mixed only once."""
        self._into(self.left, seconds, other.left)
        self._into(self.right, seconds, other.right)

    def _into(self, side, seconds, sound):
        start = round(seconds * RATE)
        count = min(len(sound), self.count - start)
        if count > 0:
            side[start : start + count] = _sum(side[start : start + count], sound[:count])

    def echo(self, seconds, level):
        """Adds one ping-pong repeat: left to right and right to left."""
        shift = round(seconds * RATE)
        left = array("i", [int(x * level * 0.8) for x in self.right[:-shift]])
        right = array("i", [int(x * level) for x in self.left[:-shift]])
        self._into(self.left, seconds, left)
        self._into(self.right, seconds, right)

    def fade_out(self, start, end):
        """Fades linearly from full level at `start` to silence at `end`, in seconds."""
        first, last = round(start * RATE), round(end * RATE)
        for side in (self.left, self.right):
            for i in range(first, min(last, self.count)):
                side[i] = int(side[i] * (last - i) / (last - first))
            for i in range(last, self.count):
                side[i] = 0

    def master(self, path, effects=("reverb", "24", "40", "70")):
        """Writes a 16-bit WAV file with its peak at −1 dBFS, using sox for reverb and level."""
        # sox clips input above 1.
        scale = 0.5 / max(1, max(map(abs, self.left)), max(map(abs, self.right)))
        interleaved = array("f", bytes(8 * self.count))
        interleaved[0::2] = array("f", [x * scale for x in self.left])
        interleaved[1::2] = array("f", [x * scale for x in self.right])
        subprocess.run(
            ["sox", "-R", "-t", "f32", "-r", str(RATE), "-c", "2", "-", "-b", "16", str(path),
             "gain", "-n", "-10", *effects, "gain", "-n", "-1"],
            input=interleaved.tobytes(), check=True,
        )  # fmt: skip
