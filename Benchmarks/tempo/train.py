#!/usr/bin/env python3
"""Learns the coefficients of the tempo model from the tuning half of the corpus and writes them as Swift.

Multinomial logistic regression over the grid of candidate tempi: the target is a narrow bump (1.2 %) around the
truth; features are brought to unit deviation and their weights kept small (ridge). The strength of the ridge is
chosen by five-fold cross-validation within the tuning half, whose folds keep variants of a piece together. The
other half is not looked at.

    train.py CACHE OUT.swift
"""

import glob
import json
import os
import sys

import numpy as np
from scipy.optimize import minimize

CANDIDATES = np.exp(np.linspace(np.log(45), np.log(240), 168))
TARGET_WIDTH = 0.012
STEP_OCTAVES = np.log2(CANDIDATES[1] / CANDIDATES[0])
# Each piece is also learnt from as if played 5 % slower and faster, in steps of the grid.
SPEEDS = (-5, 0, 5)
# Click tracks are easy and many: together they count as about eight pieces.
CLICK_WEIGHT = 0.2


def accuracy(estimate, truth):
    close = lambda factor: abs(estimate / (truth * factor) - 1) <= 0.04
    return close(1), any(close(f) for f in (1, 2, 3, 1 / 2, 1 / 3))


def load(cache, half):
    halves = (half, "training") if half == "tune" else (half,)
    pieces = [p for p in json.load(open(os.path.join(cache, "corpus.json"))) if p["half"] in halves]
    if half == "tune":
        pieces += [dict(p, name=p["name"] + part, half="training") for p in pieces for part in ("+1", "+2")]
        pieces += clicks(cache)
    for piece in pieces:
        raw = np.fromfile(os.path.join(cache, "features", piece["name"] + ".f32"), "<f4")
        piece["features"] = raw.reshape(len(CANDIDATES), -1).astype(float)
        bump = np.exp(-0.5 * (np.log(CANDIDATES / piece["bpm"]) / TARGET_WIDTH) ** 2)
        piece["target"] = bump / bump.sum()
    variants = {}
    for piece in pieces:
        variants.setdefault(piece["group"], []).append(piece)
    for piece in pieces:
        piece["weight"] = (CLICK_WEIGHT if piece["kind"] == "clicks" else 1) / len(variants[piece["group"]])
    return pieces


def clicks(cache):
    """Synthetic click tracks, trained on beside the music so that a bare pulse is taken as it is."""
    pieces = []
    for path in sorted(glob.glob(os.path.join(cache, "features", "clicks-*[0-9].f32"))):
        name = os.path.splitext(os.path.basename(path))[0]
        if "+" in name:
            continue
        pieces.append({"name": name, "group": name, "kind": "clicks", "half": "training", "bpm": float(name.split("-")[1])})
    return pieces


def sped_up(piece, steps):
    """The piece as if played 1.01^`steps` times as fast: what was seen at one candidate is seen at another.

    Only what a listener thinks of the tempo itself (the last eight features) stays with the candidate; the pace of
    events grows with the tempo.
    """
    source = np.arange(len(CANDIDATES)) - steps
    valid = (source >= 0) & (source < len(CANDIDATES))
    features = piece["features"].copy()
    features[:, :-8] = piece["features"][source.clip(0, len(CANDIDATES) - 1), :-8]
    octaves = np.log2(CANDIDATES / 120)
    features[:, -4:] += (steps * STEP_OCTAVES * octaves)[:, None]
    target = np.where(valid, piece["target"][source.clip(0, len(CANDIDATES) - 1)], 0)
    return features, target / target.sum() if target.sum() > 0.5 else None


def fit(pieces, ridge, scale):
    designs, targets, shares = [], [], []
    for piece in pieces:
        for steps in SPEEDS:
            features, target = sped_up(piece, steps)
            if target is not None:
                designs.append(features / scale)
                targets.append(target)
                shares.append(piece["weight"] / len(SPEEDS))
    total = sum(shares)

    def loss(weights):
        value, gradient = 0.0, np.zeros_like(weights)
        for design, target, share in zip(designs, targets, shares):
            scores = design @ weights
            scores -= scores.max()
            probabilities = np.exp(scores)
            norm = probabilities.sum()
            value -= share * (target @ scores - np.log(norm))
            gradient -= share * (design.T @ (target - probabilities / norm))
        return value / total + ridge * weights @ weights, gradient / total + 2 * ridge * weights

    start = np.zeros(designs[0].shape[1])
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x / scale


def choose(piece, weights):
    """As TempoModel does it: the most probable neighbourhood of ±4 candidates."""
    scores = piece["features"] @ weights
    probabilities = np.exp(scores - scores.max())
    probabilities /= probabilities.sum()
    padded = np.concatenate([np.zeros(4), probabilities, np.zeros(4)])
    masses = np.convolve(padded, np.ones(9), "valid")
    best = np.lexsort((probabilities, masses))[-1]
    near = range(max(0, best - 4), min(len(CANDIDATES), best + 5))
    return CANDIDATES[max(near, key=lambda i: probabilities[i])], masses[best]


def score(pieces, weights):
    return 100 * np.mean([accuracy(choose(p, weights)[0], p["bpm"]) for p in pieces], axis=0)


def cross_validate(pieces, ridge, scale, folds=5):
    groups = sorted({p["group"] for p in pieces})
    fold_of = {group: index % folds for index, group in enumerate(groups)}
    results, likelihood, chosen, click_results = [], 0.0, [], []
    for fold in range(folds):
        weights = fit([p for p in pieces if fold_of[p["group"]] != fold], ridge, scale)
        for piece in pieces:
            if fold_of[piece["group"]] == fold:
                bpm, probability = choose(piece, weights)
                if piece["kind"] == "clicks":
                    click_results.append(accuracy(bpm, piece["bpm"])[0])
                    continue
                if piece["half"] != "tune":
                    continue
                results.append(accuracy(bpm, piece["bpm"]))
                chosen.append((piece["name"], piece["bpm"], bpm, probability))
                scores = piece["features"] @ weights
                scores -= scores.max()
                likelihood += piece["target"] @ scores - np.log(np.exp(scores).sum())
    return 100 * np.mean(results, axis=0), likelihood / len(results), chosen, 100 * np.mean(click_results)


def calibrate(chosen):
    """Slope and offset of a logistic curve from the model's probability to the chance that it is right.

    Fitted to the cross-validated answers, so that it knows how much the model overrates itself on new music.
    """
    probabilities = np.array([probability for _, _, _, probability in chosen]).clip(1e-6, 1 - 1e-6)
    right = np.array([accuracy(bpm, truth)[0] for _, truth, bpm, _ in chosen], float)
    logits = np.log(probabilities / (1 - probabilities))

    def loss(parameters):
        chance = 1 / (1 + np.exp(-(parameters[0] * logits + parameters[1])))
        return -np.mean(right * np.log(chance) + (1 - right) * np.log(1 - chance)) + 1e-3 * parameters @ parameters

    return minimize(loss, np.array([1.0, 0.0])).x


def write_swift(weights, calibration, path, count):
    rows = [", ".join(f"{w:.4g}" for w in weights[i:i + 8]) for i in range(0, len(weights), 8)]
    with open(path, "w") as out:
        out.write(
            "extension TempoModel {\n"
            "    /// One coefficient a feature, in the order of ``features(of:)``.\n"
            "    ///\n"
            f"    /// Learnt by Benchmarks/tempo/train.py (ridge multinomial logistic regression) from {count} pieces whose\n"
            "    /// project files state the tempo: the tuning half of the corpus that Benchmarks/tempo describes.\n"
            "    static let coefficients: [Float] = [\n"
            + "".join(f"        {row},\n" for row in rows) + "    ]\n\n"
            "    /// The chance of being right is the logistic function of `slope` · logit(probability) + `offset`: fitted to\n"
            "    /// answers for pieces that the coefficients had not been learnt from (cross-validation).\n"
            f"    static let calibration = (slope: {calibration[0]:.3f}, offset: {calibration[1]:.3f})\n" "}\n")


def main():
    cache, target = sys.argv[1:3]
    pieces = load(cache, "tune")
    stacked = np.concatenate([p["features"] for p in pieces])
    scale = stacked.std(axis=0) + 1e-6
    best = None
    for ridge in (5e-3, 1e-2, 2e-2, 3e-2, 5e-2, 8e-2):
        result, likelihood, chosen, on_clicks = cross_validate(pieces, ridge, scale)
        print(f"ridge {ridge:g}: cross-validated {result.round(1)}, log-likelihood {likelihood:.3f}, clicks {on_clicks:.0f}", flush=True)
        if best is None or likelihood > best[0]:
            best = (likelihood, ridge, chosen)
    weights = fit(pieces, best[1], scale)
    pieces = [p for p in pieces if p["half"] == "tune"]
    print(f"chosen ridge {best[1]:g}; on the {len(pieces)} tuning pieces themselves {score(pieces, weights).round(1)}")
    for name, truth, bpm, probability in best[2]:
        if not accuracy(bpm, truth)[0]:
            print(f"  cross-validated miss: {name}: {truth:g} taken for {bpm:.1f} (p {probability:.2f})")
    calibration = calibrate(best[2])
    print(f"confidence: slope {calibration[0]:.3f}, offset {calibration[1]:.3f}")
    write_swift(weights, calibration, target, len(pieces))


if __name__ == "__main__":
    main()
