#!/usr/bin/env python3
"""Learns the space of the sonic descriptors and writes SonicProjection+Trained.swift.

    train.py CACHE OUTPUT

Statistics of spectra, tones and rhythm are each reduced by a linear discriminant analysis that tells pieces apart by their
halves: within a class are the two halves of one piece, the classes are the pieces. To the scatter within are added what moves when the
first ten seconds are cut off, for the spectra a tenth of the scatter within soundtracks, and a regularisation. Coordinates of the spectra are scaled so
that a half deviates by about 1; those of tones and rhythm count less, since they tell pieces apart better than kinds of music. Music:
the tuning half of this benchmark, and that for training alone.
"""

import json
import os
import sys

import numpy as np

import features

REGULARISATION = 0.3
CUT_WEIGHT = 10
UNIT = 1e-4
BANDS_PER_ROW_PER_SECOND = 30
# Of each group: number of statistics, coordinates, weight, and share of the scatter within soundtracks.
GROUPS = [("spectra", 100, 30, 1, 0.1), ("tones", 57, 10, 0.6, 0), ("rhythm", 36, 8, 0.5, 0)]
FEWEST_PIECES = 4


def samples(cache):
    """Returns (soundtracks, pieces × parts × statistics, number of pieces of the tuning half, which come first)."""
    corpus = json.load(open(os.path.join(cache, "corpus.json")))
    albums = {piece["name"]: piece["album"] for piece in corpus if piece["half"] == "tune"}
    chosen = [("pieces", name, album) for name, album in sorted(albums.items())]
    for file in sorted(os.listdir(os.path.join(cache, "statistics", "training"))):
        name = file.removesuffix(".f32")
        chosen.append(("training", name, name.split("--")[0]))
    found, parts, tuned = [], [], 0
    for kind, name, album in chosen:
        path = os.path.join(cache, "statistics", kind, name + ".f32")
        if os.path.exists(path):
            found.append(album)
            tuned += kind == "pieces"
            parts.append(np.fromfile(path, np.float32).reshape(4, -1).astype(np.float64))
    return np.array(found), np.array(parts), tuned


def learn(albums, parts, dimension, soundtrack_share):
    """Returns means, scales and weights of the coordinates, the best first."""
    mean, scale = parts[:, 0].mean(0), 1 / (parts[:, 0].std(0) + 1e-6)
    whole, first, second, cut = np.moveaxis((parts - mean) * scale, 1, 0)
    halves = (first - second) / 2
    within = 2 * halves.T @ halves / len(halves) + REGULARISATION * np.eye(len(mean))
    within += CUT_WEIGHT * (cut - whole).T @ (cut - whole) / len(whole)
    inside = [whole[albums == album] for album in sorted(set(albums))]
    inside = [pieces - pieces.mean(0) for pieces in inside if len(pieces) >= FEWEST_PIECES]
    scatter = sum(pieces.T @ pieces for pieces in inside) / sum(len(pieces) - 1 for pieces in inside)
    within += soundtrack_share * scatter
    values, vectors = np.linalg.eigh(within)
    whitening = vectors / np.sqrt(values)
    ratios, axes = np.linalg.eigh(whitening.T @ np.cov(whole.T) @ whitening)
    return mean, scale, whitening @ axes[:, np.argsort(-ratios)[:dimension]]


def table(values, width=112):
    lines, line = [], "       "
    for value in values:
        text = f" {value},"
        if len(line) + len(text) > width:
            lines.append(line)
            line = "       "
        line += text
    return "\n".join(lines + [line])


def main():
    cache, output = sys.argv[1:]
    albums, parts, tuned = samples(cache)
    means, scales, blocks, start = [], [], [], 0
    for _, count, dimension, weight, share in GROUPS:
        mean, scale, block = learn(albums, parts[:, :, start:start + count], dimension, share)
        means.append(mean)
        scales.append(scale)
        blocks.append(np.pad(weight * block, ((start, parts.shape[2] - start - count), (0, 0))))
        start += count
    mean, scale, weights = np.concatenate(means), np.concatenate(scales), np.hstack(blocks)
    # The search gives up by the first coordinates: those that vary most.
    weights = weights[:, np.argsort(-((parts[:, 0] - mean) * scale @ weights).var(0))]
    activity = np.median(parts[:tuned, 0, features.RISES]) * BANDS_PER_ROW_PER_SECOND
    print(f"{len(parts)} pieces of {len(set(albums))} soundtracks; median activity {activity:.1f} dB/s; "
          f"largest weight {abs(weights).max():.2f}")
    assert abs(weights).max() < 32767 * UNIT
    with open(output, "w") as file:
        file.write(f"""// Written by Benchmarks/similarity/train.py from {len(parts)} pieces.

extension SonicProjection {{
    /// Means of the statistics.
    static let means: [Float] = [
{table([f"{value:.6g}" for value in mean])}
    ]

    /// Reciprocals of their standard deviations.
    static let scales: [Float] = [
{table([f"{value:.6g}" for value in scale])}
    ]

    /// For each statistic its weights in the coordinates, in units of 1/10,000.
    static let tenThousandths: [Int16] = [
{table([str(int(round(value / UNIT))) for value in weights.ravel()])}
    ]
}}
""")


main()
