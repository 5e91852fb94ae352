#!/usr/bin/env python3
"""Compares the stored descriptors with those computed from the stored spectra by NumPy: the coordinates that describe the spectra.

    check.py DATA_FOLDER
"""

import re
import sqlite3
import sys

import numpy as np

import features


def table(name, path="Sources/Analyzer/Similarity/SonicProjection+Trained.swift"):
    text = open(path).read()
    body = re.search(rf"static let {name}: \[\w+\] = \[(.*?)\]", text, re.S).group(1)
    return np.array([float(value) for value in body.replace("\n", " ").split(",") if value.strip()])


def stored(data):
    """Returns the descriptors of a data folder by path."""
    library = sqlite3.connect(f"file:{data}/library.sqlite?mode=ro", uri=True)
    found = {}
    for path, blob in library.execute(
            "SELECT relative_path, descriptor FROM tracks JOIN analyses USING (audio_hash) WHERE descriptor IS NOT NULL"):
        found[path] = np.frombuffer(blob, "<i2", offset=1) / 1024
    return found


def main():
    data = sys.argv[1]
    means, scales = table("means"), table("scales")
    weights = table("tenThousandths").reshape(len(means), -1) * 1e-4
    # Tones and rhythm, whose statistics come after those of the spectra, have coordinates of their own.
    of_spectra = ~weights[features.COUNT:].any(0)
    means, scales, weights = means[:features.COUNT], scales[:features.COUNT], weights[:features.COUNT, of_spectra]
    descriptors = stored(data)
    worst = 0
    for path, rows in features.spectra(data):
        vector = features.features(rows)
        if vector is None:
            assert path not in descriptors, path
            continue
        worst = max(worst, abs((vector - means) * scales @ weights - descriptors[path][of_spectra]).max())
    print(f"{len(descriptors)} descriptors, {of_spectra.sum()} coordinates; largest difference: {worst:.4f}")


if __name__ == "__main__":
    main()
