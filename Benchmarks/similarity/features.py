"""The statistics of Sources/Analyzer/Similarity, computed a second time with NumPy from stored spectra.

To check the analyzer's descriptors. The order of the columns is that of SonicFeatures.vector.
"""

import sqlite3

import numpy as np

BANDS, COEFFICIENTS, GROUPS, OCTAVES = 30, 16, 6, 6
WINDOW, HOP = 128, 64
# Column of the mean rise of all bands in dB per row.
RISES = 3 * COEFFICIENTS + 6 + GROUPS * OCTAVES
COUNT = RISES + 2 + GROUPS + 2
COSINES = np.array([[np.cos(np.pi * k * (b + 0.5) / BANDS) for b in range(BANDS)] for k in range(COEFFICIENTS + 1)])
COSINES *= np.sqrt(2 / BANDS)
HANN = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)


def spectra(data):
    """Yields (path, rows) of all tracks of a data folder."""
    library = sqlite3.connect(f"file:{data}/library.sqlite?mode=ro", uri=True)
    frames = sqlite3.connect(f"file:{data}/visualizer.sqlite?mode=ro", uri=True)
    for path, digest in library.execute("SELECT relative_path, audio_hash FROM tracks ORDER BY relative_path"):
        row = frames.execute("SELECT levels FROM frames WHERE audio_hash = ?", (digest,)).fetchone()
        if row:
            yield path, np.frombuffer(row[0], np.uint8).reshape(-1, 64)


def select(levels, peaks):
    """Returns the rows that count: all sound, and up to a second of each silence between."""
    sounding = peaks > -60
    chosen, silence = [], 0
    for row, is_sound in enumerate(sounding):
        if is_sound:
            if chosen:
                chosen += [None] * min(silence, 30)
            chosen.append(row)
            silence = 0
        else:
            silence += 1
    return chosen


def features(rows):
    """Returns the vector of a track, or nothing for less than a second of sound."""
    levels = (-90 + rows[:, :2 * BANDS].astype(np.float64) * (90 / 255)).reshape(-1, BANDS, 2).mean(2)
    peaks = levels.max(1)
    chosen = select(levels, peaks)
    sound = [row for row in chosen if row is not None]
    if len(sound) < 30:
        return None
    timbre = np.maximum(levels[sound], (peaks[sound] - 50)[:, None]) @ COSINES.T[:, 1:]
    deviation = timbre.std(0)
    pairs = np.triu_indices(4, 1)
    covariance = np.cov(timbre[:, :4].T, bias=True)[pairs]
    covariance /= np.outer(deviation[:4] + 1, deviation[:4] + 1)[pairs]
    relative = np.full((len(chosen), BANDS), -40.0)
    recent = None
    for place, row in enumerate(chosen):
        if row is None:
            recent -= 0.02
            continue
        recent = peaks[row] if recent is None else max(peaks[row], recent - 0.02)
        relative[place] = np.maximum(levels[row] - recent, -40)
    groups = relative.reshape(-1, GROUPS, BANDS // GROUPS).mean(2)
    rises = np.maximum(np.diff(relative, axis=0), 0).reshape(-1, GROUPS, BANDS // GROUPS).mean(2)
    total = rises.mean(1)
    mean_level = groups.mean(1)
    sounding = np.array([row is not None for row in chosen])
    return np.concatenate([
        timbre.mean(0), deviation, np.abs(np.diff(timbre, axis=0)).mean(0), covariance, fluctuation(groups).ravel(),
        [total.mean(), total.std()], np.log(rises.mean(0) + 0.1), [mean_level.std(), mean_level[sounding].mean()]])


def fluctuation(groups):
    if len(groups) < WINDOW:
        groups = np.vstack([groups, np.repeat(groups[-1:], WINDOW - len(groups), 0)])
    powers = []
    for start in range(0, len(groups) - WINDOW + 1, HOP):
        part = groups[start:start + WINDOW]
        spectrum = np.abs(np.fft.rfft((part - part.mean(0)) * HANN[:, None], axis=0)) ** 2 / (WINDOW * WINDOW * 3 / 16)
        powers.append([spectrum[1 << octave:2 << octave].sum(0) for octave in range(OCTAVES)])
    return np.log(np.mean(powers, 0) + 0.3)
