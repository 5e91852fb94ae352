#!/usr/bin/env python3
"""Prints accuracy and cost of our estimator and of the other tools, as a table per half of the corpus.

    report.py CACHE [ours.json]

`ours.json` maps a piece's name to {"bpm", "confidence"}; by default CACHE/ours.json.
"""

import collections
import json
import os
import sys

FACTORS = (1, 2, 3, 1 / 2, 1 / 3)


def accuracy(estimate, truth):
    """Returns Accuracy1 and Accuracy2: within 4 %, and also at the double, triple, half or third."""
    close = lambda factor: abs(estimate / (truth * factor) - 1) <= 0.04
    return close(1), any(close(factor) for factor in FACTORS)


def main():
    cache = sys.argv[1]
    pieces = json.load(open(os.path.join(cache, "corpus.json")))
    ours_path = sys.argv[2] if len(sys.argv) > 2 else os.path.join(cache, "ours.json")
    answers = {"ours": json.load(open(ours_path))}
    peers_path = os.path.join(cache, "peers.json")
    seconds = {}
    if os.path.exists(peers_path):
        peers = json.load(open(peers_path))
        seconds = {name: known["seconds"] for name, known in peers.items() if "seconds" in known}
        for peer in ("essentia", "librosa", "aubio"):
            answers[peer] = {name: known[peer] for name, known in peers.items() if peer in known}
    for half, title in (("report", "held-out half"), ("tune", "tuning half")):
        chosen = [p for p in pieces if p["half"] == half]
        print(f"\n### {title.capitalize()}: {len(chosen)} pieces, {len({p['group'] for p in chosen})} works\n")
        kinds = sorted({p["kind"] for p in chosen})
        print("| | Accuracy1 | Accuracy2 | CPU s per hour | " + " | ".join(kinds) + " |")
        print("|---|---|---|---|" + "---|" * len(kinds))
        for who, answer in answers.items():
            results, by_kind, cpu, audio = [], collections.defaultdict(list), 0.0, 0.0
            for piece in chosen:
                if piece["name"] not in answer:
                    continue
                known = answer[piece["name"]]
                result = accuracy(known["bpm"], piece["bpm"])
                results.append(result)
                by_kind[piece["kind"]].append(result)
                cpu += known.get("cpu_seconds", 0)
                audio += seconds.get(piece["name"], 0)
            percent = lambda rows, index: f"{100 * sum(row[index] for row in rows) / max(1, len(rows)):.0f}"
            cost = f"{cpu / audio * 3600:.2f}" if audio and cpu else "see below"
            cells = [f"{percent(by_kind[k], 0)}/{percent(by_kind[k], 1)} of {len(by_kind[k])}" for k in kinds]
            print(f"| {who} | {percent(results, 0)} % | {percent(results, 1)} % | {cost} | " + " | ".join(cells) + " |")
    print("\nOur confidence and how often the tempo is correct (held-out half):\n")
    print("| confidence | pieces | Accuracy1 |\n|---|---|---|")
    bins = collections.defaultdict(list)
    for piece in pieces:
        known = answers["ours"].get(piece["name"])
        if known and piece["half"] == "report":
            bins[min(3, int(known["confidence"] * 4))].append(accuracy(known["bpm"], piece["bpm"])[0])
    for index in sorted(bins):
        share = 100 * sum(bins[index]) / len(bins[index])
        print(f"| {index / 4:.2f}–{(index + 1) / 4:.2f} | {len(bins[index])} | {share:.0f} % |")


if __name__ == "__main__":
    main()
