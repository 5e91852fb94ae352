#!/usr/bin/env python3
"""Fits the confidence of the bars, and compares the first downbeats of the metre's network with those chosen with the phrases.

    bars.py CACHE TEMPO_CACHE

CACHE is that of the phrases, TEMPO_CACHE that of Benchmarks/tempo, with corpus.json, beats.json and bars.json; phrase-lab must have run on
both, and on the pieces of styles.json. The phrase finder is the one that train.py fits to the tuning half.
"""

import importlib.util
import json
import os
import sys

import numpy as np
from scipy.special import logsumexp

import train

HERE = os.path.dirname(os.path.abspath(__file__))
BINS = ((0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.01))


def tempo_report():
    """Returns the module Benchmarks/tempo/report.py."""
    spec = importlib.util.spec_from_file_location("tempo_report", os.path.join(HERE, "..", "tempo", "report.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def choose(known, model):
    """Returns the first downbeat chosen with the phrases, and what its confidence is fitted to, as in PhraseFinder.swift."""
    totals = np.array([train.segments(values @ model[0] + model[1])[0]
                       for _, values in (train.rows(known, first) for first in range(known["beats_per_bar"]))])
    totals += train.METRE * np.array(known["bar_scores"]) + train.DOWNBEAT * np.array(known["downbeat_scores"])
    first = int(totals.argmax())
    evidence = np.log1p(max(0, totals[first] - logsumexp(np.delete(totals, first))))
    metre = min(max(known["bar_confidence"], 1e-3), 1 - 1e-3)
    return first, (evidence, np.log(metre / (1 - metre)))


def songs(cache):
    """Yields (half, what was found, function of the first downbeat: whether the bars are right, and 1 or 0 for an F-measure)."""
    for song in json.load(open(os.path.join(cache, "songs.json"))):
        known = train.load(cache, song["name"])
        if not known:
            continue

        def f(first, song=song, known=known):
            beats = (known["beats"][first] - song["first_bar"]) / 60 * song["bpm"] % song["beats_per_bar"]
            return float(abs(known["bpm"] / song["bpm"] - 1) < 0.04 and song["beats_per_bar"] == known["beats_per_bar"]
                         and min(beats, song["beats_per_bar"] - beats) < 0.25)
        yield song["half"], known, True, f


def pieces(cache):
    """Yields the same for the corpus of Benchmarks/tempo; the F-measure is that of the downbeats."""
    report = tempo_report()
    truth, bars = (json.load(open(os.path.join(cache, name))) for name in ("beats.json", "bars.json"))
    for piece in json.load(open(os.path.join(cache, "corpus.json"))):
        name = piece["name"]
        known = train.load(cache, name) if name in bars and truth.get(name, {}).get("beats") else None
        if not known or piece["half"] == "training":
            continue
        beats = truth[name]["beats"]
        good = report.accuracy(known["bpm"], piece["bpm"])[0] and report.f_measure(known["beats"], beats) >= 0.5

        def f(first, known=known, beats=beats, name=name):
            return report.f_measure(known["beats"][first::known["beats_per_bar"]], [beats[i] for i in bars[name]["downbeats"]])
        yield piece["half"], known, good, f


def accompaniments(cache):
    """Yields the same for the pieces in held-out styles of MMA, if phrase-lab ran on those pieces, too."""
    report, path = tempo_report(), os.path.join(cache, "styles.json")
    for piece in json.load(open(path)) if os.path.exists(path) else []:
        known = train.load(cache, piece["name"]) if piece["half"] == "report" else None
        if not known:
            continue
        times = [piece["first_beat"] + beat * 60 / piece["bpm"] for beat in range(int(known["beats"][-1] * piece["bpm"] / 60) + 2)]
        beats, downbeats = ([t for t in times[first::step] if t >= 0] for first, step in ((0, 1), (piece["first_bar"], piece["beats_per_bar"])))
        good = report.accuracy(known["bpm"], piece["bpm"])[0] and report.f_measure(known["beats"], beats) >= 0.5

        def f(first, known=known, downbeats=downbeats):
            return report.f_measure(known["beats"][first::known["beats_per_bar"]], downbeats)
        yield piece["half"], known, good, f


def table(title, rows):
    print(f"\n{title}\n\n| bar confidence | pieces | mean confidence | bars right |\n|---|---|---|---|")
    for low, high in BINS:
        chosen = np.array([row for row in rows if low <= row[0] < high], float)
        if len(chosen):
            mean, share = 100 * chosen.mean(0)
            print(f"| {low:.2f}–{min(high, 1):.2f} | {len(chosen)} | {mean:.0f} % | {share:.0f} % |")
    values = np.array(rows, float)
    print(f"\nMean squared error {((values[:, 0] - values[:, 1]) ** 2).mean():.3f}")


def main():
    cache, tempo_cache = sys.argv[1:3]
    tuning = [s for s in json.load(open(os.path.join(cache, "songs.json"))) if s["half"] == "tune"]
    model = train.fit([(s, known) for s in tuning if (known := train.load(cache, s["name"]))])
    found = []
    for kind, source in (("songs", songs(cache)), ("pieces", pieces(tempo_cache)), ("styles", accompaniments(tempo_cache))):
        for half, known, good, f in source:
            first, odds = choose(known, model)
            old = f(known["first_downbeat"])
            found.append((kind, half, good, old, f(first), known["bar_confidence"], known["beat_confidence"], odds))
    fitted = [row for row in found if row[1] == "tune"]
    right = lambda good, f: float(good and f >= 0.8)
    # As many of each kind.
    largest = max(sum(row[0] == kind for row in fitted) for kind in ("songs", "pieces"))
    parts = [[row for row in fitted if row[0] == kind] for kind in ("songs", "pieces")]
    fitted = [row for part in parts for row in part * round(largest / len(part))]
    evidence, metre, offset = train.logistic(np.array([row[7] for row in fitted]), np.array([right(row[2], row[4]) for row in fitted]), 1e-3)
    print(f"bar confidence: evidence {evidence:.3f}, metre {metre:.3f}, offset {offset:.3f}")
    for half in ("tune", "report"):
        for kind in ("pieces", "songs", "styles"):
            rows = [row for row in found if row[:2] == (kind, half)]
            if not rows:
                continue
            good = [row for row in rows if row[2]]
            for name, column in (("network", 3), ("with phrases", 4)):
                scores = np.array([row[column] for row in good])
                print(f"\n{half}, {kind}, {name}: {len(good)} of {len(rows)}, downbeat F mean {scores.mean():.3f}, "
                      f"0.8 or more {100 * (scores >= 0.8).mean():.0f} %")
            table(f"{half}, {kind}, before", [(row[5], right(row[2], row[3])) for row in rows])
            table(f"{half}, {kind}, after",
                  [(min(row[6], 1 / (1 + np.exp(-evidence * row[7][0] - metre * row[7][1] - offset))), right(row[2], row[4]))
                   for row in rows])


if __name__ == "__main__":
    main()
