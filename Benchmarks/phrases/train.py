#!/usr/bin/env python3
"""Fits the weights of the phrase finder to the tuning half of the songs, and writes them as Swift.

    train.py CACHE OUT.swift
    train.py CACHE

Without OUT it only cross-validates, in four folds of songs. Reads what phrase-lab wrote to CACHE/phrases.
"""

import json
import os
import sys

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

VALUES = 20
STRENGTH = 1e-2
# Added to the score: below 0, boundaries are likelier than their share of all bars.
BIAS = 1.0
# Weights of the scores of the first bar by the networks of the metre and of the downbeats, as in PhraseFinder.swift.
METRE, DOWNBEAT = 0.4, 1
LEAST = 0.2


def weight(length, is_edge):
    """The logarithm of the weight of a phrase's length, as in PhraseSegments.swift."""
    if is_edge:
        return 0 if length >= 2 else -2
    if length < 3:
        return -4
    if length >= 64 or length % 8 == 0:
        return 1
    return 0.7 if length % 4 == 0 else -0.5 if length % 2 == 0 else -1.5


def segments(scores):
    """Returns the logarithm of the sum of all divisions' weights, and for each bar the probability that a phrase starts there."""
    count = len(scores)
    own = np.append(scores, 0.0)
    own[0] = 0
    inner = np.array([weight(n, False) for n in range(count + 1)], float)
    edge = np.array([weight(n, True) for n in range(count + 1)], float)
    lengths = lambda start, end: (edge if start == 0 or end == count else inner)[end - start]
    forward, backward = np.zeros(count + 1), np.zeros(count + 1)
    for end in range(1, count + 1):
        forward[end] = own[end] + logsumexp([forward[s] + lengths(s, end) for s in range(end)])
    for start in range(count - 1, -1, -1):
        backward[start] = logsumexp([backward[e] + own[e] + lengths(start, e) for e in range(start + 1, count + 1)])
    return forward[count], np.exp(forward + backward - forward[count])[:count]


def load(cache, name):
    path = os.path.join(cache, "phrases", name)
    if not os.path.exists(path + ".json"):
        return None
    known = json.load(open(path + ".json"))
    known["novelty"] = np.fromfile(path + ".f32", dtype=np.float32).reshape(-1, VALUES)
    if known["beats_per_bar"] == 0 or len(known["novelty"]) < 8 * known["beats_per_bar"]:
        return None
    return known


def rows(known, first):
    """Returns the beats that start bars, and for each the novelty and its excess over the neighbouring bars."""
    beats = np.arange(first, len(known["novelty"]), known["beats_per_bar"])
    values = known["novelty"][beats]
    padded = np.pad(values, ((2, 2), (0, 0)), mode="edge")
    count = len(values)
    around = (padded[:count] + padded[1:count + 1] + padded[3:count + 3] + padded[4:count + 4]) / 4
    return beats, np.hstack([values, values - around])


def labels(song, known, beats):
    """Returns 1 for the bars nearest to a boundary."""
    times = np.array([known["beats"][beat] for beat in beats])
    bar = song["beats_per_bar"] * 60 / song["bpm"]
    result = np.zeros(len(beats))
    for boundary in song["boundaries"]:
        nearest = np.argmin(abs(times - boundary["seconds"]))
        if abs(times[nearest] - boundary["seconds"]) <= bar / 2:
            result[nearest] = 1
    return result


def best_first(song, known):
    """Returns the first downbeat, of those possible, that suits the true bars best."""
    bar = song["beats_per_bar"] * 60 / song["bpm"]
    distance = lambda first: abs((known["beats"][first] - song["first_bar"] + bar / 2) % bar - bar / 2)
    return min(range(known["beats_per_bar"]), key=distance)


def logistic(x, y, strength):
    def loss(w):
        s = x @ w[:-1] + w[-1]
        p = 1 / (1 + np.exp(-s))
        value = -(y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12)).mean() + strength * (w[:-1] ** 2).sum()
        return value, np.append(x.T @ (p - y) / len(y) + 2 * strength * w[:-1], (p - y).mean())
    return minimize(loss, np.zeros(x.shape[1] + 1), jac=True, method="L-BFGS-B").x


def fit(examples):
    """Returns weights and offset of (song, known) pairs."""
    x, y = [], []
    for song, known in examples:
        beats, values = rows(known, best_first(song, known))
        x.append(values)
        y.append(labels(song, known, beats))
    x, y = np.vstack(x), np.concatenate(y)
    deviation = x.std(0) + 1e-6
    w = logistic((x - x.mean(0)) / deviation, y, STRENGTH)
    return w[:-1] / deviation, w[-1] - (w[:-1] / deviation * x.mean(0)).sum() + BIAS


def select(probabilities):
    return [j for j in range(1, len(probabilities))
            if probabilities[j] >= LEAST and probabilities[j] == probabilities[max(1, j - 2):j + 3].max()]


def find(known, model):
    """Returns (seconds, probability) of the boundaries, and the first downbeat."""
    weights, offset = model
    found = []
    for first in range(known["beats_per_bar"]):
        beats, values = rows(known, first)
        total, probabilities = segments(values @ weights + offset)
        total += METRE * known["bar_scores"][first] + DOWNBEAT * known["downbeat_scores"][first]
        found.append((total, beats, probabilities))
    totals = np.array([total for total, _, _ in found])
    first = int(totals.argmax())
    share = np.exp(totals - logsumexp(totals))[first]
    _, beats, probabilities = found[first]
    return [(known["beats"][beats[j]], probabilities[j] * share) for j in select(probabilities)], first


def score(song, found, least, tolerance):
    """Returns hits, false alarms and misses."""
    rest = [b["seconds"] for b in song["boundaries"]]
    hits = false = 0
    for seconds, confidence in found:
        if confidence < least:
            continue
        near = [b for b in rest if abs(b - seconds) <= tolerance]
        if near:
            rest.remove(near[0])
            hits += 1
        else:
            false += 1
    return np.array([hits, false, len(rest)])


def table(examples, answers):
    for least in (0.2, 0.35, 0.5, 0.7):
        cells = []
        for name, beats in (("0.5 beat", lambda s: 0.5), ("1 bar", lambda s: s["beats_per_bar"])):
            hits, false, missed = sum(score(s, f, least, beats(s) * 60 / s["bpm"] + 0.035) for (s, _), f in zip(examples, answers))
            cells.append(f"{name}: precision {hits / max(1, hits + false):.2f} recall {hits / max(1, hits + missed):.2f} "
                         f"F {2 * hits / max(1, 2 * hits + false + missed):.2f}")
        print(least, *cells, sep="  ")


def main():
    cache = os.path.abspath(sys.argv[1])
    songs = [s for s in json.load(open(os.path.join(cache, "songs.json"))) if s["half"] == "tune"]
    examples = [(s, known) for s in songs if (known := load(cache, s["name"]))]
    answers = [None] * len(examples)
    for fold in range(4):
        model = fit([e for i, e in enumerate(examples) if i % 4 != fold])
        for i in range(fold, len(examples), 4):
            answers[i] = find(examples[i][1], model)
    print(len(examples), "songs; cross-validated:")
    table(examples, [found for found, _ in answers])
    def right(song, known, first):
        beats = (known["beats"][first] - song["first_bar"]) / 60 * song["bpm"] % song["beats_per_bar"]
        return abs(known["bpm"] / song["bpm"] - 1) < 0.04 and song["beats_per_bar"] == known["beats_per_bar"] and \
            min(beats, song["beats_per_bar"] - beats) < 0.25
    print("first downbeat right: network", sum(right(s, k, k["first_downbeat"]) for s, k in examples),
          "with phrases", sum(right(s, k, first) for (s, k), (_, first) in zip(examples, answers)))
    pairs = []
    for (song, _), (found, _) in zip(examples, answers):
        for seconds, p in found:
            hit = any(abs(b["seconds"] - seconds) <= 30 / song["bpm"] + 0.035 for b in song["boundaries"])
            pairs.append((np.log(max(p, 1e-6) / max(1 - p, 1e-6)), hit))
    x, y = np.array([p for p, _ in pairs])[:, None], np.array([h for _, h in pairs], float)
    slope, offset = logistic(np.clip(x, -7, 7), y, 1e-3)
    print(f"calibration: slope {slope:.3f}, offset {offset:.3f}")
    if len(sys.argv) > 2:
        weights, bias = fit(examples)
        lines = lambda values: ",\n".join("            " + ", ".join(f"{v:.4f}" for v in values[i:i + 10]) for i in range(0, len(values), 10))
        with open(sys.argv[2], "w") as out:
            out.write(f"""extension PhraseFinder {{
    /// Weights fitted by Benchmarks/phrases/train.py to {len(examples)} composed songs.
    static let trained = PhraseFinder(
        values: [
{lines(weights[:VALUES])},
        ],
        peaks: [
{lines(weights[VALUES:])},
        ],
        offset: {bias:.4f}, slope: {slope:.3f}, calibrationOffset: {offset:.3f})
}}
""")


if __name__ == "__main__":
    main()
