#!/usr/bin/env python3
"""Trains the network of the tempo model and writes it as Swift.

The network scores each tempo of a grid; a softmax over the grid gives probabilities, and training minimises their
cross-entropy with a narrow bump (1.2 %) around the true tempo (Adam, with weight decay for features and hidden units).
Trained on the tuning half of the corpus and on music outside it: see composed.py and scores.py. Evaluated by
five-fold cross-validation, whose folds keep variants of a work together. The held-out half is not used.

    train.py CACHE OUT.swift
"""

import collections
import glob
import hashlib
import json
import os
import sys

import numpy as np
from scipy.optimize import minimize

CANDIDATES = np.exp(np.linspace(np.log(45), np.log(240), 168))
OCTAVES = np.log2(CANDIDATES / 120)
STEP_OCTAVES = OCTAVES[1] - OCTAVES[0]
TARGET_WIDTH = 0.012
# A listener's preference for the tempo itself: the last features, four of its logarithm, four with the pace of events.
LOGARITHMS, PACES = 4, 4
# The weight of a work, relative to 1 in the corpus: a click track, a composed piece, a score.
CLICKS, COMPOSED, SCORE = 0.2, 0.15, 0.3
HIDDEN, EPOCHS, DRAWS, BATCH, RATE, DECAY, DROPPED = 16, 20, 900, 24, 3e-3, 1e-2, 0.1
# For training, each piece is sped up or slowed down by at most this many grid steps (1 %).
REACH = 12
FOLDS, PARTITIONS = 5, 2


def accuracy(estimate, truth):
    close = lambda factor: abs(estimate / (truth * factor) - 1) <= 0.04
    return close(1), any(close(f) for f in (1, 2, 3, 1 / 2, 1 / 3))


def load(cache):
    """Returns the training pieces with features, target and weight. `half` is "tune" for those that are evaluated."""
    listed = lambda name: json.load(open(os.path.join(cache, name)))
    music = [p for p in listed("corpus.json") if p["half"] in ("tune", "training")]
    # The halves of a piece are two additional samples of its tempo.
    music += [dict(p, name=p["name"] + part, half="training") for p in music for part in ("+1", "+2")]
    pieces = [dict(p, work=1) for p in music]
    pieces += [dict(p, work=COMPOSED) for p in listed("composed.json")]
    pieces += [dict(p, work=SCORE) for p in listed("scores.json")]
    for path in sorted(glob.glob(os.path.join(cache, "features", "clicks-*[0-9].f32"))):
        name = os.path.splitext(os.path.basename(path))[0]
        if "+" not in name:
            bpm = float(name.split("-")[1])
            pieces.append({"name": name, "group": name, "kind": "clicks", "half": "training", "bpm": bpm, "work": CLICKS})
    views = collections.Counter(p["group"] for p in pieces)
    for piece in pieces:
        raw = np.fromfile(os.path.join(cache, "features", piece["name"] + ".f32"), "<f4")
        piece["features"] = raw.reshape(len(CANDIDATES), -1)
        bump = np.exp(-0.5 * (np.log(CANDIDATES / piece["bpm"]) / TARGET_WIDTH) ** 2)
        piece["target"] = (bump / bump.sum()).astype("f")
        piece["weight"] = piece["work"] / views[piece["group"]]
    return pieces


def sped_up(piece, steps):
    """Returns features and target at 1.01^`steps` times the speed, by moving them to other candidates.

    Only the preference for the tempo itself stays with the candidate; the pace of events grows with the tempo.
    """
    source = np.arange(len(CANDIDATES)) - steps
    valid = (source >= 0) & (source < len(CANDIDATES))
    source = source.clip(0, len(CANDIDATES) - 1)
    target = np.where(valid, piece["target"][source], 0)
    if target.sum() < 0.5:
        return piece["features"], piece["target"]
    features = piece["features"].copy()
    seen = features.shape[1] - LOGARITHMS - PACES
    features[:, :seen] = piece["features"][source, :seen]
    features[:, -PACES:] += (steps * STEP_OCTAVES * OCTAVES)[:, None]
    return features, target / target.sum()


class Network:
    """Like TempoNetwork: direct · x + outputs · tanh(hidden x + offsets)."""

    def __init__(self, pieces, mean, deviation, seed=0):
        random = np.random.default_rng(seed)
        count = len(mean)
        parts = {
            "hidden": random.normal(0, 1 / np.sqrt(count), (count, HIDDEN)), "offsets": np.zeros(HIDDEN),
            "outputs": random.normal(0, 0.5 / np.sqrt(HIDDEN), HIDDEN), "direct": np.zeros(count)}
        parts = {name: part.astype("f") for name, part in parts.items()}
        moments = {name: (np.zeros_like(part), np.zeros_like(part)) for name, part in parts.items()}
        chances = np.array([p["weight"] for p in pieces])
        chances /= chances.sum()
        steps = EPOCHS * (DRAWS // BATCH)
        for step in range(1, steps + 1):
            drawn = [sped_up(pieces[i], int(random.integers(-REACH, REACH + 1)))
                     for i in random.choice(len(pieces), BATCH, p=chances)]
            # Every second candidate is sufficient for training, with half the work.
            first = [int(random.integers(2)) for _ in drawn]
            x = np.array([features[o::2] for o, (features, _) in zip(first, drawn)])
            target = np.array([t[o::2] / max(t[o::2].sum(), 1e-6) for o, (_, t) in zip(first, drawn)])
            x = ((x - mean) / deviation).reshape(-1, count)
            x *= (random.random(count) >= DROPPED).astype("f") / np.float32(1 - DROPPED)
            active = np.tanh(x @ parts["hidden"] + parts["offsets"])
            scores = (active @ parts["outputs"] + x @ parts["direct"]).reshape(len(drawn), -1)
            chance = np.exp(scores - scores.max(axis=1, keepdims=True))
            chance /= chance.sum(axis=1, keepdims=True)
            error = ((chance - target) / len(drawn)).ravel().astype("f")
            inner = np.outer(error, parts["outputs"]) * (1 - active * active)
            gradients = {"hidden": x.T @ inner, "offsets": inner.sum(axis=0), "outputs": active.T @ error, "direct": x.T @ error}
            rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            for name, gradient in gradients.items():
                first_moment, second_moment = moments[name]
                first_moment += 0.1 * (gradient - first_moment)
                second_moment += 0.01 * (gradient**2 - second_moment)
                move = first_moment / (1 - 0.9**step) / (np.sqrt(second_moment / (1 - 0.99**step)) + 1e-8)
                if name != "offsets":
                    move = move + DECAY * parts[name]
                parts[name] = (parts[name] - rate * move).astype("f")
        # For raw features, without normalisation by mean and deviation.
        self.hidden = parts["hidden"] / deviation[:, None]
        self.offsets = parts["offsets"] - (mean / deviation) @ parts["hidden"]
        self.outputs = parts["outputs"]
        self.direct = parts["direct"] / deviation

    def scores(self, features):
        return np.tanh(features @ self.hidden + self.offsets) @ self.outputs + features @ self.direct

    def choose(self, piece):
        """Returns the most probable neighbourhood of ±4 candidates, like TempoModel."""
        scores = self.scores(piece["features"])
        probabilities = np.exp(scores - scores.max())
        probabilities /= probabilities.sum()
        padded = np.concatenate([np.zeros(4), probabilities, np.zeros(4)])
        masses = np.convolve(padded, np.ones(9), "valid")
        best = np.lexsort((probabilities, masses))[-1]
        near = range(max(0, best - 4), min(len(CANDIDATES), best + 5))
        likelihood = piece["target"] @ np.log(probabilities + 1e-30)
        return CANDIDATES[max(near, key=lambda i: probabilities[i])], masses[best], likelihood


def folds_of(pieces, partition):
    """Returns a fold for each group, with those of the tuning half spread evenly."""
    tuning = sorted({p["group"] for p in pieces if p["half"] == "tune"})
    np.random.default_rng(partition).shuffle(tuning)
    folds = {group: index % FOLDS for index, group in enumerate(tuning)}
    for group in {p["group"] for p in pieces} - set(folds):
        folds[group] = int(hashlib.sha256(f"{partition}{group}".encode()).hexdigest(), 16) % FOLDS
    return folds


def cross_validate(pieces, mean, deviation):
    """Returns (name, truth, estimate, probability) of the tuning half; prints accuracy by kind and its spread over the folds."""
    chosen, by_kind, by_fold = [], collections.defaultdict(list), []
    for partition in range(PARTITIONS):
        folds = folds_of(pieces, partition)
        for fold in range(FOLDS):
            network = Network([p for p in pieces if folds[p["group"]] != fold], mean, deviation)
            results = []
            for piece in pieces:
                if folds[piece["group"]] != fold or (piece["half"] != "tune" and piece["work"] == 1):
                    continue
                bpm, probability, likelihood = network.choose(piece)
                row = (*accuracy(bpm, piece["bpm"]), likelihood)
                by_kind[piece["kind"]].append(row)
                if piece["half"] == "tune":
                    by_kind["tuning half"].append(row)
                    results.append(row[:2])
                    chosen.append((piece["name"], piece["bpm"], bpm, probability))
            by_fold.append(100 * np.mean(results, axis=0))
    for kind, rows in sorted(by_kind.items()):
        first, second, likelihood = np.mean(rows, axis=0)
        print(f"{kind}: {100 * first:.1f}/{100 * second:.1f} of {len(rows) // PARTITIONS}, log-likelihood {likelihood:.3f}")
    print(f"deviation between the folds: {np.std(by_fold, axis=0).round(1)}", flush=True)
    return chosen


def calibrate(chosen):
    """Returns slope and offset of a logistic curve from the model's probability to the probability of being correct.

    Fitted to the cross-validated estimates, so that it includes the model's overconfidence for new music.
    """
    return logistic_fit([(probability, accuracy(bpm, truth)[0]) for _, truth, bpm, probability in chosen])


def logistic_fit(answers):
    """Returns slope and offset of a logistic curve from the logit of a probability to that of being right, fitted to answers."""
    probabilities = np.array([probability for probability, _ in answers]).clip(1e-6, 1 - 1e-6)
    right = np.array([is_right for _, is_right in answers], float)
    logits = np.log(probabilities / (1 - probabilities))

    def loss(parameters):
        chance = 1 / (1 + np.exp(-(parameters[0] * logits + parameters[1])))
        return -np.mean(right * np.log(chance) + (1 - right) * np.log(1 - chance)) + 1e-3 * parameters @ parameters

    return minimize(loss, np.array([1.0, 0.0])).x


def swift_constant(name, network):
    """Returns the declaration of a TempoNetwork with the weights of a network."""
    def rows(values):
        return "".join("            " + ", ".join(f"{v:.3g}" for v in values[i:i + 10]) + ",\n" for i in range(0, len(values), 10))

    return (f"    static let {name} = TempoNetwork(\n"
            f"        direct: [\n{rows(network.direct)}        ],\n"
            f"        hidden: [\n{rows(network.hidden.T.ravel())}        ],\n"
            f"        offsets: [\n{rows(network.offsets)}        ],\n"
            f"        outputs: [\n{rows(network.outputs)}        ])\n")


def write_swift(network, calibration, path, pieces):
    counts = collections.Counter("tune" if p["half"] == "tune" else p["work"] for p in pieces)
    with open(path, "w") as out:
        out.write(
            "extension TempoNetwork {\n"
            "    /// Weights trained by Benchmarks/tempo/train.py, for features in the order of ``TempoModel/features(of:)``.\n"
            "    ///\n"
            f"    /// Trained on {counts['tune']} pieces whose project files state the tempo (the tuning half of the corpus described in "
            "Benchmarks/tempo),\n"
            f"    /// {counts[COMPOSED]} rule-composed pieces and {counts[SCORE]} score excerpts.\n"
            f"{swift_constant('trained', network)}}}\n\n"
            "extension TempoModel {\n"
            "    /// The probability of being right is the logistic function of `slope` · logit(probability) + `offset`, fitted to answers\n"
            "    /// for pieces not in the training set (cross-validation).\n"
            f"    static let calibration = (slope: {calibration[0]:.3f}, offset: {calibration[1]:.3f})\n}}\n")


def main():
    cache, target = sys.argv[1:3]
    pieces = load(cache)
    stacked = np.concatenate([p["features"] for p in pieces])
    mean, deviation = stacked.mean(axis=0), stacked.std(axis=0) + np.float32(1e-6)
    chosen = cross_validate(pieces, mean, deviation)
    for name, truth, bpm, probability in sorted(chosen):
        if not accuracy(bpm, truth)[0]:
            print(f"  cross-validation error: {name}: {truth:g} estimated as {bpm:.1f} (p {probability:.2f})")
    calibration = calibrate(chosen)
    print(f"confidence: slope {calibration[0]:.3f}, offset {calibration[1]:.3f}")
    network = Network(pieces, mean, deviation)
    own = [accuracy(network.choose(p)[0], p["bpm"]) for p in pieces if p["half"] == "tune"]
    print(f"on the tuning pieces: {100 * np.mean(own, axis=0).round(3)}")
    write_swift(network, calibration, target, pieces)


if __name__ == "__main__":
    main()
