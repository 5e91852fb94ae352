#!/usr/bin/env python3
"""Trains the network that chooses the phase of the beats and writes it as Swift.

The network scores six shifts of the tracked beats; a softmax over them gives probabilities, and training minimises their
cross-entropy with the shifts that are right: those whose F-measure is within 0.1 of the best. Trained at the true tempo on
the same music as the tempo model (see train.py), where the true beats are known. Each piece also appears in halves,
without kick and bass, without cymbals, and at other tempi. Evaluated by cross-validation over folds of works. The held-out
half is not used.

    phase.py CACHE OUT.swift
"""

import collections
import glob
import json
import os
import sys

import numpy as np

from report import f_measure
from train import CLICKS, COMPOSED, FOLDS, SCORE, folds_of, logistic_fit, swift_constant

# In steps of a twelfth of a beat, as in BeatPhase.
SHIFTS, STEPS = [0, 6, 3, 9, 4, 8], 12
GROUPS = 4
# Values of a band group: the mean of each step and the deviation of two.
GROUP = STEPS + 2
HIDDEN, DRAWS, BATCH, RATE, DECAY, DROPPED = 8, 1200, 32, 3e-3, 0.1, 0.15
PARTITIONS = 4


def moved(beats, shift):
    """Returns beats moved later by a number of steps, like BeatTimeline.move(by:)."""
    fraction, periods = shift / STEPS, np.diff(beats)
    if shift == 0:
        return beats
    return np.concatenate([[beats[0] - (1 - fraction) * periods[0]], beats[:-1] + fraction * periods,
                           [beats[-1] + fraction * periods[-1]]])


def load(cache):
    """Returns the pieces with the features of their views (the whole first), the F-measure of each shift and weights."""
    listed = lambda name: json.load(open(os.path.join(cache, name)))
    tracked, true = listed("phase.json"), {n: v["beats"] for n, v in listed("beats.json").items()}
    pieces = [dict(p, work=1) for p in listed("corpus.json") if p["half"] in ("tune", "training")]
    pieces += [dict(p, work=COMPOSED) for p in listed("composed.json")]
    pieces += [dict(p, work=SCORE) for p in listed("scores.json")]
    for path in glob.glob(os.path.join(cache, "phase", "clicks-*.f32")):
        name = os.path.splitext(os.path.basename(path))[0]
        pieces.append({"name": name, "group": name, "kind": "clicks", "half": "training", "bpm": float(name.split("-")[1]),
                       "work": CLICKS})
    known = []
    for piece in pieces:
        name = piece["name"]
        if name not in tracked:
            continue
        beats = np.array(tracked[name])
        if piece["kind"] == "clicks":
            truth = beats
        elif "first_beat" in piece:
            truth = piece["first_beat"] + np.arange(1000) * 60 / piece["bpm"]
            truth = truth[(truth >= 0) & (truth <= beats[-1] + 0.5)]
        else:
            truth = true.get(name, [])
        if len(truth) == 0:
            continue
        piece["scores"] = np.array([f_measure(moved(beats, shift), truth) for shift in SHIFTS])
        if piece["scores"].max() < 0.5 and piece["half"] != "tune":
            continue
        views = np.fromfile(os.path.join(cache, "phase", name + ".f32"), "<f4").reshape(3, len(SHIFTS), -1)
        right = piece["scores"] >= piece["scores"].max() - 0.1
        known.append(dict(piece, views=with_variants(views), target=right / right.sum()))
    counts = collections.Counter(p["group"] for p in known)
    for piece in known:
        piece["weight"] = piece["work"] / counts[piece["group"]]
    return known


def with_variants(views):
    """Adds views without one of two band groups and at a slower and a faster tempo."""
    variants = list(views)
    for group in (0, 2):
        view = views[0].copy()
        view[:, group * GROUP:(group + 1) * GROUP] = 0
        variants.append(view)
    for octaves in (-0.08, 0.08):
        view = views[0].copy()
        view[:, -1] += octaves
        variants.append(view)
    return np.array(variants)


class Network:
    """Like TempoNetwork: direct · x + outputs · tanh(hidden x + offsets)."""

    def __init__(self, pieces, mean, deviation, seed=0):
        random, count = np.random.default_rng(seed), len(mean)
        parts = {
            "hidden": random.normal(0, 1 / np.sqrt(count), (count, HIDDEN)), "offsets": np.zeros(HIDDEN),
            "outputs": random.normal(0, 0.5 / np.sqrt(HIDDEN), HIDDEN), "direct": np.zeros(count)}
        moments = {name: (np.zeros_like(part), np.zeros_like(part)) for name, part in parts.items()}
        chances = np.array([p["weight"] for p in pieces])
        chances /= chances.sum()
        for step in range(1, DRAWS + 1):
            drawn = [pieces[i] for i in random.choice(len(pieces), BATCH, p=chances)]
            x = np.array([p["views"][random.integers(len(p["views"]))] for p in drawn])
            x = ((x - mean) / deviation).reshape(-1, count) * (random.random(count) >= DROPPED) / (1 - DROPPED)
            target = np.array([p["target"] for p in drawn])
            active = np.tanh(x @ parts["hidden"] + parts["offsets"])
            scores = (active @ parts["outputs"] + x @ parts["direct"]).reshape(len(drawn), -1)
            chance = np.exp(scores - scores.max(axis=1, keepdims=True))
            chance /= chance.sum(axis=1, keepdims=True)
            error = ((chance - target) / len(drawn)).ravel()
            inner = np.outer(error, parts["outputs"]) * (1 - active * active)
            gradients = {"hidden": x.T @ inner, "offsets": inner.sum(axis=0), "outputs": active.T @ error, "direct": x.T @ error}
            rate = RATE * 0.5 * (1 + np.cos(np.pi * step / DRAWS))
            for name, gradient in gradients.items():
                first, second = moments[name]
                first += 0.1 * (gradient - first)
                second += 0.01 * (gradient**2 - second)
                move = first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
                if name != "offsets":
                    move = move + DECAY * parts[name]
                parts[name] = parts[name] - rate * move
        # For raw features, without normalisation by mean and deviation.
        self.hidden = parts["hidden"] / deviation[:, None]
        self.offsets = parts["offsets"] - (mean / deviation) @ parts["hidden"]
        self.outputs = parts["outputs"]
        self.direct = parts["direct"] / deviation

    def probabilities(self, features):
        scores = np.tanh(features @ self.hidden + self.offsets) @ self.outputs + features @ self.direct
        weights = np.exp(scores - scores.max())
        return weights / weights.sum()


def cross_validate(pieces, mean, deviation):
    """Returns (probability, whether on the beat) of the tuning half; prints the share on the beat by kind."""
    chosen, by_kind, wrong = [], collections.defaultdict(list), collections.Counter()
    for partition in range(PARTITIONS):
        folds = folds_of(pieces, partition)
        for fold in range(FOLDS):
            network = Network([p for p in pieces if folds[p["group"]] != fold], mean, deviation, seed=fold)
            for piece in pieces:
                if folds[piece["group"]] != fold or (piece["half"] != "tune" and piece["work"] == 1):
                    continue
                probabilities = network.probabilities(piece["views"][0])
                best = int(probabilities.argmax())
                row = (piece["scores"][best], piece["scores"][0], probabilities @ (piece["target"] > 0))
                by_kind[piece["kind"]].append(row)
                if piece["half"] == "tune":
                    by_kind["tuning half"].append(row)
                    chosen.append((probabilities[best], row[0] >= 0.5))
                    if row[0] < 0.5:
                        wrong[piece["name"], SHIFTS[best], SHIFTS[int(piece["scores"].argmax())]] += 1
    for kind, rows in sorted(by_kind.items()):
        rows = np.array(rows)
        print(f"{kind}: on the beat {100 * np.mean(rows[:, 0] >= 0.5):.1f} % (tracked {100 * np.mean(rows[:, 1] >= 0.5):.1f} %) "
              f"of {len(rows) // PARTITIONS}, mean F {rows[:, 0].mean():.3f}, log-likelihood {np.log(rows[:, 2]).mean():.3f}")
    for (name, shift, right), count in sorted(wrong.items()):
        print(f"  off the beat in {count} of {PARTITIONS} partitions: {name}, moved by {shift} instead of {right}")
    return chosen


def write_swift(network, calibration, path, pieces):
    counts = collections.Counter("tune" if p["half"] == "tune" else p["work"] for p in pieces)
    with open(path, "w") as out:
        out.write(
            "extension TempoNetwork {\n"
            "    /// Weights trained by Benchmarks/tempo/phase.py, for features in the order of\n"
            "    /// ``BeatPhase/features(groups:beatFrames:bpm:)``.\n"
            "    ///\n"
            f"    /// Trained on {counts['tune']} pieces with known beats (the tuning half of the corpus described in Benchmarks/tempo),\n"
            f"    /// {counts[COMPOSED]} rule-composed pieces, {counts[SCORE]} score excerpts and {counts[CLICKS]} click tracks.\n"
            f"{swift_constant('beatPhase', network)}}}\n\n"
            "extension BeatPhase {\n"
            "    /// The probability of being on the beat is the logistic function of `slope` · logit(probability) + `offset`, fitted to\n"
            "    /// answers for pieces not in the training set (cross-validation).\n"
            f"    static let calibration = (slope: {calibration[0]:.3f}, offset: {calibration[1]:.3f})\n}}\n")


def main():
    cache, target = sys.argv[1:3]
    pieces = load(cache)
    stacked = np.concatenate([p["views"][0] for p in pieces])
    mean, deviation = stacked.mean(axis=0), stacked.std(axis=0) + 1e-3
    calibration = logistic_fit(cross_validate(pieces, mean, deviation))
    print(f"confidence: slope {calibration[0]:.3f}, offset {calibration[1]:.3f}")
    write_swift(Network(pieces, mean, deviation), calibration, target, pieces)


if __name__ == "__main__":
    main()
