"""Generates the measurement signals (tones, clicks and silences) as 16-bit PCM and writes WAV files."""

import math
import wave
from array import array

FULL_SCALE = 32767


class Signal:
    """Mono 16-bit samples that grow by appending; written as mono or as identical left and right."""

    def __init__(self, rate=44100):
        self.rate = rate
        self.samples = array("h")

    @property
    def seconds(self):
        return len(self.samples) / self.rate

    def silence(self, seconds):
        """Appends digital silence."""
        self.samples.extend(array("h", bytes(2 * round(seconds * self.rate))))
        return self

    def tone(self, seconds, dbfs, hz=1000.0, phase_degrees=0.0, ramp=0.0):
        """Appends a sine whose peak is at `dbfs`, with linear ramps of `ramp` seconds at both ends."""
        count, peak = round(seconds * self.rate), FULL_SCALE * 10 ** (dbfs / 20)
        step, phase = 2 * math.pi * hz / self.rate, math.radians(phase_degrees)
        period = self.rate / hz
        if ramp == 0 and period * 10 == int(period * 10):
            # Ten periods are a whole number of samples, so they are calculated once.
            cycle = array("h", [round(peak * math.sin(phase + step * i)) for i in range(int(period * 10))])
            made = (cycle * (count // len(cycle) + 1))[:count]
        else:
            made = array("h", [round(peak * math.sin(phase + step * i)) for i in range(count)])
            edge = round(ramp * self.rate)
            for i in range(edge):
                made[i] = round(made[i] * i / edge)
                made[count - 1 - i] = round(made[count - 1 - i] * i / edge)
        self.samples.extend(made)
        return self

    def fading_tone(self, seconds, dbfs, hz=1000.0):
        """Appends a sine whose amplitude falls linearly from `dbfs` to silence."""
        count, peak = round(seconds * self.rate), FULL_SCALE * 10 ** (dbfs / 20)
        step = 2 * math.pi * hz / self.rate
        self.samples.extend(
            array("h", [round(peak * (1 - i / count) * math.sin(step * i)) for i in range(count)])
        )
        return self

    def clicks(self, seconds, bpm, first):
        """Appends clicks of 6 ms, each starting at the sample nearest to its beat, the first at `first` seconds."""
        made = array("h", bytes(2 * round(seconds * self.rate)))
        length = round(0.006 * self.rate)
        click = [
            round(FULL_SCALE * 0.7 * math.sin(2 * math.pi * 2000 * i / self.rate) * (1 - i / length) ** 2)
            for i in range(length)
        ]
        beat = 0
        while (start := round((first + beat * 60 / bpm) * self.rate)) + length <= len(made):
            made[start : start + length] = array("h", click)
            beat += 1
        self.samples.extend(made)
        return self

    def write(self, path, channels=2):
        """Writes a WAV file; two channels are identical."""
        data = self.samples
        if channels == 2:
            data = array("h", bytes(4 * len(self.samples)))
            data[0::2] = self.samples
            data[1::2] = self.samples
        with wave.open(str(path), "wb") as out:
            out.setnchannels(channels)
            out.setsampwidth(2)
            out.setframerate(self.rate)
            out.writeframes(data.tobytes())


def read(path):
    """Returns the rate, channel count and interleaved samples of a 16-bit WAV file."""
    with wave.open(str(path), "rb") as source:
        samples = array("h")
        samples.frombytes(source.readframes(source.getnframes()))
        return source.getframerate(), source.getnchannels(), samples


def write(path, rate, channels, samples):
    """Writes interleaved 16-bit samples."""
    with wave.open(str(path), "wb") as out:
        out.setnchannels(channels)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(samples.tobytes())
