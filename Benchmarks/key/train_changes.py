#!/usr/bin/env python3
"""Fits the model of key changes to the tuning half, and writes its weights as Swift source.

    train_changes.py CACHE OUT.swift

A conditional random field over the 24 keys (Lafferty and others 2001), one step per two frames (1 s): a step's score of a key is a
weighted sum of its pitch classes, its bass and its chords as seen from the tonic, the keys of a mode sharing their weights; each
change of key costs a constant. Sections are those of the likeliest path. A section's confidence is the logistic function of the
evidence for its key, fitted to sections from cross-validation whose folds keep joined pieces together.
"""

import hashlib
import json
import os
import sys

import numpy as np
from scipy.optimize import minimize

STEP, VECTORS = 2, 4
PENALTIES = (1, 3, 10)
FOLDS = 4
# A boundary is right within so many seconds.
TOLERANCE = 6.0
# The lowest confidence of a section.
LEAST_CONFIDENCE = 0.5


def features(path):
    """Returns steps × 48: as KeySectionModel.features."""
    raw = np.fromfile(path, np.uint8).reshape(-1, 13)
    chroma = raw[:, :12].astype(float)
    centred = chroma - chroma.mean(axis=1, keepdims=True)
    norm = np.sqrt((centred ** 2).sum(axis=1, keepdims=True))
    scaled = centred / np.where(norm > 0, norm, 1)
    bass = (raw[:, 12:] == np.arange(1, 13)).astype(float)
    outer = scaled + np.roll(scaled, -7, axis=1)
    scale = 8 / 1.5
    chords = np.exp(scale * np.concatenate([outer + np.roll(scaled, -4, axis=1), outer + np.roll(scaled, -3, axis=1)], axis=1))
    chords /= chords.sum(axis=1, keepdims=True)
    chords[norm[:, 0] == 0] = 0
    frames = np.concatenate([scaled, bass, chords], axis=1)
    count = len(frames) // STEP
    return frames[:count * STEP].reshape(count, STEP, -1).sum(axis=1)


def load(cache):
    """Returns the pieces of the tuning half."""
    first, distance = json.load(open(os.path.join(cache, "seconds.json")))
    pieces = [p for p in json.load(open(os.path.join(cache, "changes.json"))) if p["half"] == "tune"]
    for piece in pieces:
        piece["x"] = features(os.path.join(cache, "curves", piece["name"] + ".u8"))
        piece["step"] = STEP * distance
        piece["times"] = first + distance * (np.arange(len(piece["x"])) * STEP + (STEP - 1) / 2)
        piece["y"] = np.array([[k for start, k in starts(piece) if start <= t or start == 0][-1] for t in piece["times"]])
    return pieces


def starts(piece):
    return [(start, tonic + 12 * (mode == "minor")) for start, tonic, mode in piece["sections"]]


def rolled(x):
    """Returns ... × 12 tonics × 48."""
    parts = x.reshape(*x.shape[:-1], VECTORS, 12)
    return np.stack([np.roll(parts, -tonic, axis=-1).reshape(x.shape) for tonic in range(12)], axis=-2)


def emissions(x, model):
    """Returns ... × 24 scores of the keys."""
    found = np.einsum("...td,md->...mt", rolled(x), model[:2 * 48].reshape(2, 48))
    found[..., 1, :] += model[96]
    return found.reshape(*found.shape[:-2], 24)


def padded(pieces):
    longest = max(len(p["x"]) for p in pieces)
    x = np.zeros((len(pieces), longest, 48))
    y, mask = np.zeros((len(pieces), longest), int), np.zeros((len(pieces), longest), bool)
    for row, piece in enumerate(pieces):
        count = len(piece["x"])
        x[row, :count], y[row, :count], mask[row, :count] = piece["x"], piece["y"], True
    return x, y, mask


def log_sum(values, axis):
    top = values.max(axis=axis, keepdims=True)
    return np.squeeze(top, axis) + np.log(np.exp(values - top).sum(axis=axis))


def posteriors(scores, mask, cost):
    """Returns (pieces × steps × 24 posteriors, the log of the partition sums, the expected numbers of changes)."""
    count, length, _ = scores.shape
    stay, change = 1.0, np.exp(-cost)
    def move(p):  # p: pieces × 24, linear
        return change * p.sum(axis=1, keepdims=True) + (stay - change) * p
    forward, norms = np.zeros_like(scores), np.zeros((count, length))
    shifted = np.exp(scores - scores.max(axis=2, keepdims=True))
    tops = scores.max(axis=2)
    state = np.ones((count, 24))
    for t in range(length):
        new = (shifted[:, t] * (move(state) if t else state))
        norm = new.sum(axis=1)
        active = mask[:, t]
        state = np.where(active[:, None], new / norm[:, None], state)
        norms[:, t] = np.where(active, np.log(norm) + tops[:, t], 0)
        forward[:, t] = state
    backward = np.ones((count, 24))
    found, changes = np.zeros_like(scores), np.zeros(count)
    for t in range(length - 1, -1, -1):
        p = forward[:, t] * backward
        p /= p.sum(axis=1, keepdims=True)
        found[:, t] = p * mask[:, t][:, None]
        if t:
            arrived = shifted[:, t] * backward
            # The joint probability of staying, for the expected number of changes.
            joint_total = (move(forward[:, t - 1]) * arrived).sum(axis=1)
            same = (forward[:, t - 1] * arrived).sum(axis=1)
            changes += np.where(mask[:, t], 1 - same / joint_total, 0)
            back = move(arrived)
            back /= back.sum(axis=1, keepdims=True)
            backward = np.where(mask[:, t][:, None], back, backward)
    return found, norms.sum(axis=1), changes


def fit(pieces, penalty):
    x, y, mask = padded(pieces)
    seen = rolled(x).astype(np.float32)
    rows, steps = np.nonzero(mask)
    truth = np.zeros((*mask.shape, 24))
    truth[rows, steps, y[rows, steps]] = 1
    true_changes = ((y[:, 1:] != y[:, :-1]) & mask[:, 1:]).sum()

    def loss(model):
        scores = np.einsum("ptkd,md->ptmk", seen, model[:96].reshape(2, 48).astype(np.float32)).astype(float)
        scores[:, :, 1] += model[96]
        scores = scores.reshape(*mask.shape, 24)
        p, total, changes = posteriors(scores, mask, model[97])
        value = total.sum() - (scores * truth).sum() + model[97] * true_changes + penalty * (model[:96] ** 2).sum()
        error = (p - truth).reshape(*mask.shape, 2, 12)
        gradient = np.einsum("ptmk,ptkd->md", error.astype(np.float32), seen).astype(float).ravel() + 2 * penalty * model[:96]
        return value, np.concatenate([gradient, [error[:, :, 1].sum(), true_changes - changes.sum()]])

    start = np.zeros(98)
    start[97] = 6
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 150}).x


def path(scores, cost):
    """Returns the likeliest key of each step."""
    best, back = scores[0].copy(), []
    for row in scores[1:]:
        top = best.argmax()
        leave = best[top] - cost
        back.append(np.where(best >= leave, np.arange(24), top))
        best = np.maximum(best, leave) + row
    found = [best.argmax()]
    for came in reversed(back):
        found.append(came[found[-1]])
    return np.array(found[::-1])


def sections(scores, cost, calibration=None):
    """Returns (first step, key, lead) of the sections of one piece; with a calibration only clear ones, as KeySectionModel does."""
    found = path(scores, cost)
    edges = [0, *(np.nonzero(np.diff(found))[0] + 1)]
    found = [(edge, found[edge]) for edge in edges]
    while True:
        leads = [lead(scores[a:b].sum(axis=0), key) for (a, key), b in zip(found, [e for e, _ in found[1:]] + [len(scores)])]
        weakest = int(np.argmin(leads))
        if calibration is None or len(found) == 1 or confidence(leads[weakest], calibration) >= LEAST_CONFIDENCE:
            return [(*section, own) for section, own in zip(found, leads)]
        keys = [key for _, key in found]
        keys[weakest] = keys[weakest - 1] if weakest else keys[1]
        found = [(edge, key) for n, ((edge, _), key) in enumerate(zip(found, keys)) if n == 0 or key != keys[n - 1]]


def lead(total, key):
    """Returns by how much a section's key leads the best other key."""
    return total[key] - np.delete(total, key).max()


def confidence(own, calibration):
    return 1 / (1 + np.exp(-(calibration[0] * np.log(max(own, 1)) + calibration[1])))


def is_right(piece, found, number):
    """Returns whether a section's key is right, for most of its steps, and starts there."""
    step, key, _ = found[number]
    end = found[number + 1][0] if number + 1 < len(found) else len(piece["y"])
    is_key = (piece["y"][step:end] == key).mean() > 0.5
    begins = piece["times"][step] - piece["step"] / 2
    return is_key and (number == 0 or any(abs(start - begins) <= TOLERANCE and own == key for start, own in starts(piece)[1:]))


def calibrate(pieces):
    """Returns (slope, offset) of the logistic function of the logarithm of the lead, from sections of pieces with several."""
    rows = []
    for piece in pieces:
        found = sections(piece["scores"], piece["cost"])
        rows += [(np.log(max(own, 1)), is_right(piece, found, n)) for n, (_, _, own) in enumerate(found) if len(found) > 1]
    x, right = np.array(rows, float).T

    def loss(c):
        z = c[0] * x + c[1]
        return np.logaddexp(0, z).sum() - (right * z).sum() + 0.01 * c[0] ** 2
    print(f"{len(right)} sections, {100 * right.mean():.0f} % right")
    return minimize(loss, np.zeros(2)).x


def summary(pieces, calibration):
    true, right, false, hours = 0, 0, 0, 0
    for piece in pieces:
        found = sections(piece["scores"], piece["cost"], calibration)
        good = sum(is_right(piece, found, n) for n in range(1, len(found)))
        true, right, false = true + len(piece["sections"]) - 1, right + good, false + len(found) - 1 - good
        hours += piece["seconds"] / 3600
    return f"{right} of {true} changes, {false} false in {hours:.1f} h"


def write_swift(model, calibration, count, path):
    rows = lambda values: "".join("            " + ", ".join(f"{v:.3g}" for v in row) + ",\n" for row in values.reshape(-1, 12))
    major, minor = model[:96].reshape(2, -1)
    with open(path, "w") as out:
        out.write(
            "extension KeySectionModel {\n"
            f"    /// Fitted by Benchmarks/key/train_changes.py to the {count} pieces of the tuning half.\n"
            "    ///\n"
            "    /// One row per vector of a step, starting from the tonic: pitch classes, bass, major chords, minor chords.\n"
            "    static let trained = KeySectionModel(\n        weights: KeyWeights(\n"
            f"        major: [\n{rows(major)}        ],\n        minor: [\n{rows(minor)}        ],\n"
            f"        minorOffset: {model[96]:.3g}),\n        changeCost: {model[97]:.3g},\n"
            f"        confidenceSlope: {calibration[0]:.3g}, confidenceOffset: {calibration[1]:.3g})\n}}\n")


def main():
    cache, target = sys.argv[1:3]
    tune = load(cache)
    folds = [int(hashlib.sha256(p["name"].encode()).hexdigest(), 16) % FOLDS for p in tune]
    best = None
    for penalty in PENALTIES:
        for fold in range(FOLDS):
            model = fit([p for p, f in zip(tune, folds) if f != fold], penalty)
            for p in (p for p, f in zip(tune, folds) if f == fold):
                p["scores"], p["cost"] = emissions(p["x"], model), model[97]
        right = np.concatenate([path(p["scores"], p["cost"]) == p["y"] for p in tune]).mean()
        calibration = calibrate(tune)
        print(f"penalty {penalty}: {100 * right:.1f} % of the steps right, cost {model[97]:.1f}; {summary(tune, None)}; "
              f"clear ones: {summary(tune, calibration)}")
        if best is None or right > best[0]:
            best = right, penalty, calibration
    write_swift(fit(tune, best[1]), best[2], len(tune), target)


if __name__ == "__main__":
    main()
