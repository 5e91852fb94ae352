#!/usr/bin/env python3
"""Learns the space of the sonic descriptors and writes SonicProjection+Trained.swift.

    train.py CACHE OUTPUT

A linear discriminant analysis tells pieces apart by their halves: within a class are the two halves of one piece, the
classes are the pieces of the tuning half. The scatter within is regularised; coordinates are scaled so that a half
deviates by about 1, and the best 48 are kept. Music: the tuning halves of this benchmark and of Benchmarks/tempo, and
its scores.
"""

import json
import os
import sys

import numpy as np

import features

DIMENSION = 48
REGULARISATION = 0.3
UNIT = 1e-4
BANDS_PER_ROW_PER_SECOND = 30


def tuning_names(cache):
    corpus = json.load(open(os.path.join(cache, "corpus.json")))
    names = {piece["name"] + ".mp3" for piece in corpus if piece["half"] == "tune"}
    tempo = os.path.join(os.path.dirname(cache), "tempo")
    known = json.load(open(os.path.join(tempo, "corpus.json")))
    held_out = {piece["name"] for piece in known if piece["half"] != "tune"}
    for name in sorted(os.listdir(os.path.join(tempo, "pieces"))):
        stem = name.removesuffix(".mp3")
        is_variant = stem.endswith("-nodrums") or stem.endswith("-othersounds")
        is_known = any(piece["name"] == stem for piece in known)
        if name.endswith(".mp3") and not is_variant and stem not in held_out and (is_known or stem.startswith("score-")):
            names.add("tempo/" + name)
    return names


def learn(halves, whole):
    mean, scale = whole.mean(0), 1 / (whole.std(0) + 1e-6)
    halves, whole = (halves - mean) * scale, (whole - mean) * scale
    inner = halves - halves.mean(1, keepdims=True)
    within = np.einsum("nki,nkj->ij", inner, inner) / len(halves) + REGULARISATION * np.eye(len(mean))
    values, vectors = np.linalg.eigh(within)
    whitening = vectors / np.sqrt(values)
    ratios, axes = np.linalg.eigh(whitening.T @ np.cov(whole.T) @ whitening)
    best = np.argsort(-ratios)[:DIMENSION]
    return mean, scale, whitening @ axes[:, best]


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
    names = tuning_names(cache)
    halves, whole, activity = [], [], []
    for data, prefix in [("data-pieces", ""), ("data-tempo", "tempo/")]:
        for path, rows in features.spectra(os.path.join(cache, data)):
            if prefix + path not in names:
                continue
            parts = [features.features(part) for part in [rows, rows[:len(rows) // 2], rows[len(rows) // 2:]]]
            if all(part is not None for part in parts):
                whole.append(parts[0])
                halves.append(parts[1:])
                activity.append(parts[0][features.RISES] * BANDS_PER_ROW_PER_SECOND)
    mean, scale, weights = learn(np.array(halves), np.array(whole))
    print(f"{len(whole)} pieces; median activity {np.median(activity):.1f} dB/s; largest weight {abs(weights).max():.2f}")
    assert abs(weights).max() < 32767 * UNIT
    with open(output, "w") as file:
        file.write(f"""// Written by Benchmarks/similarity/train.py from {len(whole)} pieces.

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
