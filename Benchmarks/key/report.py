#!/usr/bin/env python3
"""Prints the accuracy of our key detector and of the other tools as tables.

    report.py CACHE HALF [OURS.json]

HALF is `tune` or `report`. A missing key counts as wrong.
"""

import collections
import json
import os
import sys


def mirex(truth, found):
    """Returns the weight of an answer by the rules of MIREX: 1, fifth 0.5, relative 0.3, parallel 0.2, else 0.

    A fifth is the key of the same mode a perfect fifth above or below, as in mir_eval.key.
    """
    if not found:
        return 0
    interval, same = (found["tonic"] - truth["tonic"]) % 12, found["mode"] == truth["mode"]
    if same:
        return {0: 1, 5: 0.5, 7: 0.5}.get(interval, 0)
    relative = 9 if truth["mode"] == "major" else 3
    return {0: 0.2, relative: 0.3}.get(interval, 0)


def row(pieces, answers):
    weights = [mirex(p, answers.get(p["name"])) for p in pieces]
    return 100 * sum(w == 1 for w in weights) / max(1, len(weights)), 100 * sum(weights) / max(1, len(weights))


def table(pieces, answers):
    kinds = sorted({p["kind"] for p in pieces})
    print("| | major | minor | exact | MIREX | " + " | ".join(kinds) + " |")
    print("|---|---|---|---|---|" + "---|" * len(kinds))
    for who, answer in answers.items():
        of = lambda key, value: [p for p in pieces if p[key] == value]
        cells = [f"{row(of('mode', m), answer)[0]:.1f} %" for m in ("major", "minor")]
        exact, weighted = row(pieces, answer)
        cells += [f"{exact:.1f} %", f"{weighted:.1f}"]
        for kind in kinds:
            chosen = of("kind", kind)
            modes = [[p for p in chosen if p["mode"] == m] for m in ("major", "minor")]
            cells.append(" / ".join(f"{row(m, answer)[0]:.0f}" for m in modes))
        print(f"| {who} | " + " | ".join(cells) + " |")


def calibration(pieces, answer):
    print("\n| confidence | pieces | mean confidence | exact |\n|---|---|---|---|")
    bins = collections.defaultdict(list)
    for piece in pieces:
        known = answer.get(piece["name"])
        if known:
            bins[min(9, int(known["confidence"] * 10))].append((known["confidence"], mirex(piece, known) == 1))
    for index in sorted(bins):
        rows = bins[index]
        mean = sum(c for c, _ in rows) / len(rows)
        print(f"| {index / 10:.1f}–{(index + 1) / 10:.1f} | {len(rows)} | {mean:.2f} | {100 * sum(r for _, r in rows) / len(rows):.0f} % |")


def tuning(pieces, answer):
    errors = []
    for piece in pieces:
        known = answer.get(piece["name"])
        if known and known.get("cents") is not None:
            errors.append(abs((known["cents"] - piece["cents"] + 50) % 100 - 50))
    if errors:
        errors.sort()
        print(f"\nTuning: median error {errors[len(errors) // 2]:.1f} cents, 95 % within {errors[len(errors) * 95 // 100]:.1f} cents")


def main():
    cache, half = sys.argv[1:3]
    pieces = [p for p in json.load(open(os.path.join(cache, "corpus.json"))) if p["half"] == half]
    answers = {"ours": json.load(open(sys.argv[3] if len(sys.argv) > 3 else os.path.join(cache, "ours.json")))}
    seconds, cpu = 0, collections.Counter()
    for name, known in json.load(open(os.path.join(cache, "peers.json"))).items():
        seconds += known["seconds"]
        for peer, answer in known.items():
            if peer != "seconds":
                answers.setdefault(peer, {})[name] = answer
                cpu[peer] += answer["cpu_seconds"]
    scores = [p for p in pieces if p["kind"] != "composed"]
    count = collections.Counter(p["mode"] for p in scores)
    print(f"\n### Scores: {len(scores)} pieces ({count['major']} major, {count['minor']} minor), {len({p['group'] for p in scores})} works\n")
    table(scores, answers)
    others = [p for p in pieces if p["kind"] == "composed"]
    print(f"\n### Composed: {len(others)} pieces\n")
    table(others, answers)
    print("\nOur confidence:")
    calibration(pieces, answers["ours"])
    tuning(pieces, answers["ours"])
    print("\nCPU s per hour of audio, without decoding:", {peer: round(total / seconds * 3600, 1) for peer, total in cpu.items()})


if __name__ == "__main__":
    main()
