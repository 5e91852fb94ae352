#!/usr/bin/env python3
"""Computes features in the style of bliss for each piece and its halves: CACHE/baseline.json.

Tempo, zero-crossing rate, means and deviations of spectral centroid, roll-off, flatness and level, and ten features of
intervals and triads in the chroma: the twenty of bliss-rs 0.6 (src/song.rs), written anew from its documentation. The
tempo is that of analyze-cli. Not the same code, so its figures are not those of bliss.
"""

import json
import os
import sqlite3
import subprocess
import sys

import numpy as np

RATE = 22050
# Pairs and triads of pitch classes: minor second to tritone, then major, minor, diminished and augmented triads.
TEMPLATES = [[0, step] for step in range(1, 7)] + [[0, 4, 7], [0, 3, 7], [0, 3, 6], [0, 4, 8]]


def decode(path):
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-ac", "1", "-ar", str(RATE), "-f", "f32le", "-"],
                         capture_output=True, check=True).stdout
    return np.frombuffer(raw, np.float32)


def magnitudes(sound, size, hop):
    count = max(1, (len(sound) - size) // hop + 1)
    sound = np.pad(sound, (0, max(0, size - len(sound))))
    window = np.hanning(size).astype(np.float32)
    return np.concatenate([
        np.abs(np.fft.rfft(np.lib.stride_tricks.sliding_window_view(sound, size)[start:start + 512 * hop:hop] * window))
        for start in range(0, count * hop, 512 * hop)])


def timbre(sound):
    spectrum = magnitudes(sound, 512, 256) + 1e-10
    hertz = np.fft.rfftfreq(512, 1 / RATE)
    centroid = (spectrum * hertz).sum(1) / spectrum.sum(1)
    rolloff = hertz[(np.cumsum(spectrum ** 2, 1) >= 0.95 * (spectrum ** 2).sum(1, keepdims=True)).argmax(1)]
    flatness = np.exp(np.log(spectrum).mean(1)) / spectrum.mean(1)
    blocks = sound[:len(sound) // 1024 * 1024].reshape(-1, 1024)
    level = 20 * np.log10(np.sqrt((blocks ** 2).mean(1)) + 1e-5)
    crossings = (np.diff(np.signbit(sound)) != 0).mean()
    parts = [(part.mean(), part.std()) for part in [centroid, rolloff, flatness, level]]
    return [crossings] + [float(value) for pair in parts for value in pair]


def harmony(sound):
    spectrum = magnitudes(sound, 8192, 2205)
    hertz = np.fft.rfftfreq(8192, 1 / RATE)
    used = (hertz > 60) & (hertz < 5000)
    pitch = np.round(12 * np.log2(hertz[used] / 440)).astype(int) % 12
    chroma = np.stack([(spectrum[:, used][:, pitch == tone] ** 2).sum(1) for tone in range(12)], 1)
    chroma = chroma / (chroma.sum(1, keepdims=True) + 1e-9)
    values = []
    for template in TEMPLATES:
        product = np.prod([np.roll(chroma, -step, 1) for step in template], 0) ** (1 / len(template))
        values.append(float(product.sum(1).mean()))
    return values


def main():
    cache = sys.argv[1]
    target = os.path.join(cache, "baseline.json")
    known = json.load(open(target)) if os.path.exists(target) else {}
    for kind in ["pieces", "first", "second"]:
        library = sqlite3.connect(f"file:{cache}/data-{kind}/library.sqlite?mode=ro", uri=True)
        tempi = dict(library.execute("SELECT relative_path, bpm FROM tracks JOIN analyses USING (audio_hash)"))
        values = known.setdefault(kind, {})
        for name in sorted(tempi):
            if name not in values:
                sound = decode(os.path.join(cache, kind, name))
                values[name] = [tempi[name] or 0] + [float(value) for value in timbre(sound) + harmony(sound)]
        json.dump(known, open(target, "w"))


main()
