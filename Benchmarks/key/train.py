#!/usr/bin/env python3
"""Fits the key model to the tuning half of the corpus and the pieces composed for training, and writes its weights as Swift source.

    train.py CACHE OUT.swift

Multinomial logistic regression over the 24 keys; the twelve keys of a mode share their weights, which makes every piece an
example in all transpositions. Each piece is used twice, whole and without its beginning and end, so that the model does not
depend on these. Major and minor have the same total weight, and a composed piece counts half of a score. The
strength of the regularisation is chosen, and the sharpness of the probabilities fitted, on pieces left out in five-fold
cross-validation, whose folds keep works together. The held-out half is not used.
"""

import hashlib
import json
import os
import sys

import numpy as np
from scipy.optimize import minimize, minimize_scalar

from report import mirex

PENALTIES = (0.1, 0.3, 1, 3, 10)
FOLDS, PARTITIONS = 5, 3
COMPOSED_WEIGHT, CUT_WEIGHT = 0.5, 0.5


def load(cache):
    listed = [p for p in json.load(open(os.path.join(cache, "corpus.json"))) if p["half"] != "report"]
    pieces = [dict(p, cut=cut) for cut in ("", "+cut") for p in listed]
    x = []
    for piece in pieces:
        vectors = np.fromfile(os.path.join(cache, "features", piece["name"] + piece["cut"] + ".f32"), "<f4").reshape(-1, 12)
        # Seen from each tonic: tonics × features.
        x.append([np.roll(vectors, -tonic, axis=1).ravel() for tonic in range(12)])
    y = np.array([p["tonic"] + 12 * (p["mode"] == "minor") for p in pieces])
    weights = np.array([(COMPOSED_WEIGHT if p["kind"] == "composed" else 1) * (CUT_WEIGHT if p["cut"] else 1) for p in pieces])
    for mode in ("major", "minor"):
        own = np.array([p["mode"] == mode for p in pieces])
        weights[own] *= len(pieces) / 2 / weights[own].sum()
    return pieces, np.array(x), y, weights


def scores(x, model):
    """Returns pieces × 24 scores."""
    found = np.einsum("ntd,md->nmt", x, model[:-1].reshape(2, -1))
    found[:, 1] += model[-1]
    return found.reshape(len(x), 24)


def softmax(found):
    found = np.exp(found - found.max(axis=1, keepdims=True))
    return found / found.sum(axis=1, keepdims=True)


def fit(x, y, weights, penalty):
    """Returns the weights for major keys, for minor keys, and the offset of minor keys."""
    rows = np.arange(len(y))

    def loss(model):
        chances = softmax(scores(x, model))
        error = chances.copy()
        error[rows, y] -= 1
        error = (error * weights[:, None]).reshape(-1, 2, 12)
        gradient = np.einsum("nmt,ntd->md", error, x).ravel() + 2 * penalty * model[:-1]
        value = -(weights * np.log(chances[rows, y] + 1e-30)).sum() + penalty * (model[:-1] ** 2).sum()
        return value, np.append(gradient, error[:, 1].sum())

    return minimize(loss, np.zeros(2 * x.shape[2] + 1), jac=True, method="L-BFGS-B", options={"maxiter": 400}).x


def cross_validate(pieces, x, y, weights, penalty):
    """Returns partitions × pieces × 24 scores from models that have not seen the piece's work."""
    found = np.zeros((PARTITIONS, len(y), 24))
    for partition in range(PARTITIONS):
        folds = np.array([int(hashlib.sha256(f"{partition}{p['group']}".encode()).hexdigest(), 16) % FOLDS for p in pieces])
        for fold in range(FOLDS):
            test = folds == fold
            found[partition, test] = scores(x[test], fit(x[~test], y[~test], weights[~test], penalty))
    return found


def summary(pieces, found, cut):
    """Returns (major, minor, MIREX) in per cent for scores, whole or cut, means over the partitions."""
    rows = []
    for partition in found:
        best = partition.argmax(axis=1)
        points = np.array([mirex(p, {"tonic": b % 12, "mode": ("major", "minor")[b // 12]}) for p, b in zip(pieces, best)])
        written = np.array([p["kind"] != "composed" and p["cut"] == cut for p in pieces])
        minor = np.array([p["mode"] == "minor" for p in pieces])
        rows.append([(points[written & ~minor] == 1).mean(), (points[written & minor] == 1).mean(), points[written].mean()])
    return 100 * np.mean(rows, axis=0)


def write_swift(model, sharpness, count, path):
    rows = lambda values: "".join("            " + ", ".join(f"{v:.3g}" for v in row) + ",\n" for row in values.reshape(-1, 12))
    major, minor = model[:-1].reshape(2, -1)
    with open(path, "w") as out:
        out.write(
            "extension KeyModel {\n"
            f"    /// Fitted by Benchmarks/key/train.py to {count} pieces, none of them from the held-out half.\n"
            "    ///\n"
            "    /// One row per vector of ``KeyEvidence/vectors``, starting from the tonic.\n"
            "    static let trained = KeyModel(\n        weights: KeyWeights(\n"
            f"        major: [\n{rows(major)}        ],\n        minor: [\n{rows(minor)}        ],\n"
            f"        minorOffset: {model[-1]:.3g}),\n        sharpness: {sharpness:.3g})\n}}\n")


def main():
    cache, target = sys.argv[1:3]
    pieces, x, y, weights = load(cache)
    best = None
    for penalty in PENALTIES:
        found = cross_validate(pieces, x, y, weights, penalty)
        chances = softmax(found.reshape(-1, 24))[np.arange(PARTITIONS * len(y)), np.tile(y, PARTITIONS)]
        likelihood = np.log(chances + 1e-30).mean()
        print(f"penalty {penalty}: log-likelihood {likelihood:.3f}", *(
            f"{name}: major %.1f, minor %.1f, MIREX %.1f" % tuple(summary(pieces, found, cut))
            for name, cut in (("whole", ""), ("cut", "+cut"))), sep="; ")
        if best is None or likelihood > best[0]:
            best = likelihood, penalty, found
    _, penalty, found = best
    whole = np.array([not p["cut"] and p["kind"] != "composed" for p in pieces])
    found, truth = found[:, whole], np.tile(y[whole], PARTITIONS)
    sharpness = minimize_scalar(
        lambda s: -np.log(softmax(s * found.reshape(-1, 24))[np.arange(len(truth)), truth] + 1e-30).mean(),
        bounds=(0.2, 3), method="bounded").x
    print(f"penalty {penalty}, sharpness {sharpness:.2f}")
    write_swift(fit(x, y, weights, penalty), sharpness, len(pieces) // 2, target)


if __name__ == "__main__":
    main()
