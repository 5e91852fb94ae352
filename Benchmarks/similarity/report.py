#!/usr/bin/env python3
"""Prints the figures of the held-out half: report.py CACHE [tune]."""

import json
import math
import os
import sys

import numpy as np

import check

RANKS = 10
FEWEST_POSITIVES = 5


def distances(one, other):
    squares = (one ** 2).sum(1)[:, None] + (other ** 2).sum(1)[None] - 2 * one @ other.T
    return np.sqrt(np.maximum(squares, 0))


def mutual(matrix):
    """1 minus the similarity of SimilarityIndex: mutual proximity with independent normal distributions."""
    mean, deviation = matrix.mean(1), matrix.std(1)
    above = np.vectorize(lambda value: 0.5 * math.erfc(value / math.sqrt(2)))
    return 1 - above((matrix - mean[:, None]) / deviation[:, None]) * above((matrix - mean[None]) / deviation[None])


def precision(matrix, pieces):
    """Mean share of the album among the first ten, and by chance; neighbours of the same artist or work do not count."""
    def same(key):
        values = np.array([piece[key] for piece in pieces])
        return (values[:, None] == values[None]) & (values != "")[:, None]
    hidden = same("artist") | same("work") | np.eye(len(pieces), dtype=bool)
    album = same("album") & ~hidden
    shares, chances = {}, []
    for row, piece in enumerate(pieces):
        positives = album[row].sum()
        if positives < FEWEST_POSITIVES:
            continue
        order = np.argsort(np.where(hidden[row], np.inf, matrix[row]))[:RANKS]
        shares.setdefault(piece["album"], []).append(album[row][order].sum() / min(RANKS, positives))
        chances.append(positives / (~hidden[row]).sum())
    queries = [share for album in shares.values() for share in album]
    return np.mean(queries), np.mean([np.mean(album) for album in shares.values()]), np.mean(chances), len(queries)


def skewness(matrix):
    matrix = matrix + np.diag([np.inf] * len(matrix))
    counts = np.bincount(np.argsort(matrix, 1)[:, :RANKS].ravel(), minlength=len(matrix))
    return ((counts - counts.mean()) ** 3).mean() / counts.std() ** 3


def halves(first, second, compare=lambda one, other: mutual(distances(one, other))):
    both = np.vstack([first, second])
    matrix = compare(both, both)
    np.fill_diagonal(matrix, np.inf)
    other = np.roll(np.arange(len(both)), -len(first))
    ranks = (matrix < matrix[np.arange(len(both)), other][:, None]).sum(1)
    return ranks


def main():
    cache = sys.argv[1]
    half = sys.argv[2] if len(sys.argv) > 2 else "report"
    corpus = json.load(open(os.path.join(cache, "corpus.json")))
    kinds = {kind: check.stored(os.path.join(cache, f"data-{kind}"))
             for kind in ["pieces", "first", "second", "trimmed", "low"]}
    pieces = [piece for piece in corpus if piece["half"] == half
              and all(piece["name"] + ".mp3" in kinds[kind] for kind in ["pieces", "first", "second", "trimmed"])]
    names = [piece["name"] + ".mp3" for piece in pieces]
    points = {kind: np.array([kinds[kind][name] for name in names]) for kind in kinds if kind != "low"}
    matrix = distances(points["pieces"], points["pieces"])
    median = np.median(matrix[np.triu_indices(len(matrix), 1)])
    print(f"{len(pieces)} pieces of {len({piece['album'] for piece in pieces})} albums, {half}")
    ranks = halves(points["first"], points["second"])
    print(f"other half first: {100 * (ranks < 1).mean():.1f} %, among the first three: {100 * (ranks < 3).mean():.1f} %, "
          f"ten: {100 * (ranks < 10).mean():.1f} %")
    albums = np.array([piece["album"] for piece in pieces] * 2)
    print("  among the first three, by album: " + ", ".join(
        f"{album} {100 * (ranks[albums == album] < 3).mean():.0f} %" for album in sorted(set(albums))))
    for kind in ["low", "trimmed"]:
        moved = [np.linalg.norm(kinds[kind][name] - kinds["pieces"][name]) for name in names if name in kinds[kind]]
        shares = 100 * np.array(moved) / median
        print(f"{kind}: moved by {np.median(shares):.1f} % of the median distance, "
              f"90th percentile {np.percentile(shares, 90):.1f} %, most {max(shares):.1f} %, {len(moved)} pieces")
    report("ours", mutual(matrix), pieces)
    report("ours, plain distance", matrix, pieces)
    path = os.path.join(cache, "baseline.json")
    if os.path.exists(path):
        baseline = json.load(open(path))
        tuned = np.array([baseline["pieces"][piece["name"] + ".mp3"] for piece in corpus if piece["half"] == "tune"])
        low, high = tuned.min(0), tuned.max(0)
        values = {kind: (np.array([baseline[kind][name] for name in names]) - low) / (high - low) for kind in baseline}
        other("in the style of bliss", values, distances, pieces)
    path = os.path.join(cache, "musicnn.json")
    if os.path.exists(path) and half == "report":
        embedding = json.load(open(path))
        values = {kind: np.array([embedding[kind][name] for name in names]) for kind in embedding}
        other("musicnn, cosine", values, cosines, pieces)
        other("musicnn, cosine, mutual proximity", values, lambda one, other: mutual(cosines(one, other)), pieces)


def cosines(one, other):
    """1 minus the cosines of the angles between vectors."""
    unit = [part / np.linalg.norm(part, axis=1, keepdims=True) for part in (one, other)]
    return 1 - unit[0] @ unit[1].T


def other(name, values, compare, pieces):
    report(name, compare(values["pieces"], values["pieces"]), pieces)
    ranks = halves(values["first"], values["second"], compare)
    print(f"  other half first: {100 * (ranks < 1).mean():.1f} %, among the first three: {100 * (ranks < 3).mean():.1f} %")


def report(name, matrix, pieces):
    query, album, chance, count = precision(matrix, pieces)
    print(f"{name}: precision@10 {100 * query:.1f} % of {count} queries, {100 * album:.1f} % averaged by album "
          f"(chance {100 * chance:.1f} %); skewness {skewness(matrix):.2f}")


main()
