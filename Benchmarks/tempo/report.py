#!/usr/bin/env python3
"""Prints accuracy and cost of our estimator and of the other tools, as tables per half of the corpus: tempo, then beats.

    report.py CACHE [ours.json]

`ours.json` is written by ours.py; by default CACHE/ours.json. The true beats are those of beats.py, the true bars those of bars.py.
"""

import bisect
import collections
import json
import os
import statistics
import sys

FACTORS = (1, 2, 3, 1 / 2, 1 / 3)


def accuracy(estimate, truth):
    """Returns Accuracy1 and Accuracy2: within 4 %, and also at the double, triple, half or third."""
    close = lambda factor: abs(estimate / (truth * factor) - 1) <= 0.04
    return close(1), any(close(factor) for factor in FACTORS)


def f_measure(estimated, truth, window=0.07, start=5.0):
    """Returns the F-measure of beats: those within 70 ms of a true one, each used once, without the first five seconds.

    Davies, Degara and Plumbley, "Evaluation Methods for Musical Audio Beat Tracking Algorithms" (2009), as in mir_eval.
    """
    estimated = [t for t in sorted(estimated) if t >= start]
    truth = [t for t in truth if t >= start]
    # In ascending order, pairing each beat with the first free one yields the largest number of pairs.
    hits, i, k = 0, 0, 0
    while i < len(estimated) and k < len(truth):
        if abs(estimated[i] - truth[k]) <= window:
            hits, i, k = hits + 1, i + 1, k + 1
        elif estimated[i] < truth[k]:
            i += 1
        else:
            k += 1
    return 2 * hits / (len(estimated) + len(truth)) if hits else 0.0


def distances(estimated, truth, window=0.07, start=5.0):
    """Returns how much later each estimated beat is than the nearest true one, in seconds, for those within 70 ms of one."""
    truth = sorted(truth)
    found = []
    for beat in estimated:
        place = bisect.bisect(truth, beat)
        nearest = min(truth[max(0, place - 1):place + 1], key=lambda t: abs(beat - t))
        if beat >= start and abs(beat - nearest) <= window:
            found.append(beat - nearest)
    return found


def report_beats(pieces, answers, truth):
    """Prints F-measures per half and tool, for pieces with confirmed beats, and the calibration of our confidence."""
    for half, title in (("report", "held-out half"), ("tune", "tuning half")):
        chosen = [p for p in pieces if p["half"] == half and truth.get(p["name"], {}).get("beats")]
        print(f"\n### Beats, {title}: {len(chosen)} pieces, {len({p['group'] for p in chosen})} works\n")
        print("| | all pieces: F median | mean | tempo right | of these: F median | mean | off phase | others: later, median | distance, median | "
              "95th percentile |")
        print("|---|---|---|---|---|---|---|---|---|---|")
        for who, answer in answers.items():
            rows, late = [], []
            for piece in chosen:
                known = answer.get(piece["name"])
                if known and "beats" in known:
                    right, beats = accuracy(known["bpm"], piece["bpm"])[0], truth[piece["name"]]["beats"]
                    rows.append((f_measure(known["beats"], beats), right))
                    if right and rows[-1][0] >= 0.5:
                        late += distances(known["beats"], beats)
            if not rows:
                continue
            every, right = [f for f, _ in rows], [f for f, is_right in rows if is_right]
            off = sum(f < 0.5 for f in right)
            print(f"| {who} | {statistics.median(every):.2f} | {statistics.mean(every):.2f} | {len(right)} | "
                  f"{statistics.median(right):.2f} | {statistics.mean(right):.2f} | {100 * off / len(right):.0f} % ({off}) | "
                  f"{1000 * statistics.median(late):.0f} ms | {1000 * statistics.median(map(abs, late)):.0f} ms | "
                  f"{1000 * statistics.quantiles(map(abs, late), n=20)[-1]:.0f} ms |")
    print("\nOur confidence in the beats and how often they are on the beat (F of 0.5 or more), held-out half:\n")
    print("| confidence | pieces | mean confidence | tempo right and on the beat |\n|---|---|---|---|")
    bins = collections.defaultdict(list)
    for piece in pieces:
        known, beats = answers["ours"].get(piece["name"], {}), truth.get(piece["name"], {}).get("beats")
        if piece["half"] == "report" and beats and "beat_confidence" in known:
            right = accuracy(known["bpm"], piece["bpm"])[0] and f_measure(known["beats"], beats) >= 0.5
            bins[min(3, int(known["beat_confidence"] * 4))].append((known["beat_confidence"], right))
    for index, rows in sorted(bins.items()):
        mean, share = (100 * sum(row[k] for row in rows) / len(rows) for k in (0, 1))
        print(f"| {index / 4:.2f}–{(index + 1) / 4:.2f} | {len(rows)} | {mean:.0f} % | {share:.0f} % |")


def report_bars(pieces, answers, truth, bars):
    """Prints, for pieces with known bars, how often the beats are right and then F-measures of the downbeats."""
    def right(known, piece):
        return accuracy(known["bpm"], piece["bpm"])[0] and f_measure(known["beats"], truth[piece["name"]]["beats"]) >= 0.5

    def downbeats(piece):
        return [truth[piece["name"]]["beats"][i] for i in bars[piece["name"]]["downbeats"]]

    with_bars = {who: answer for who, answer in answers.items() if any("downbeats" in known for known in answer.values())}
    for half, title in (("report", "held-out half"), ("tune", "tuning half")):
        chosen = [p for p in pieces if p["half"] == half and p["name"] in bars
                  and all(p["name"] in answer for answer in with_bars.values())]
        if not chosen:
            continue
        print(f"\n### Bars, {title}: {len(chosen)} pieces\n")
        print("| | beats F median | mean | tempo right | off phase | tempo and beats right | of these: downbeat F median | mean | "
              "F of 0.8 or more | metre right | all pieces: downbeat F mean |")
        print("|---|---|---|---|---|---|---|---|---|---|---|")
        share = lambda flags: f"{100 * sum(flags) / max(1, len(flags)):.0f} %"
        for who, answer in answers.items():
            known = [(piece, answer[piece["name"]]) for piece in chosen if "beats" in answer.get(piece["name"], {})]
            if not known:
                continue
            beats = [f_measure(k["beats"], truth[p["name"]]["beats"]) for p, k in known]
            on_tempo = [f for f, (p, k) in zip(beats, known) if accuracy(k["bpm"], p["bpm"])[0]]
            cells = [f"{statistics.median(beats):.2f}", f"{statistics.mean(beats):.2f}", str(len(on_tempo)), share([f < 0.5 for f in on_tempo])]
            good = [(p, k) for p, k in known if right(k, p)]
            cells.append(str(len(good)))
            if who in with_bars:
                scores = [f_measure(k["downbeats"], downbeats(p)) for p, k in good]
                metres = [k["beats_per_bar"] == bars[p["name"]]["beats_per_bar"] for p, k in good
                          if k.get("beats_per_bar") and bars[p["name"]]["beats_per_bar"]]
                cells += [f"{statistics.median(scores):.2f}", f"{statistics.mean(scores):.2f}", share([f >= 0.8 for f in scores]),
                          share(metres) if metres else "",
                          f"{statistics.mean(f_measure(k['downbeats'], downbeats(p)) for p, k in known):.2f}"]
            print(f"| {who} | " + " | ".join(cells + [""] * (10 - len(cells))) + " |")
    print("\nOur confidence in the bars and how often they are right (tempo within 4 %, downbeat F of 0.8 or more), held-out half:\n")
    print("| confidence | pieces | mean confidence | bars right |\n|---|---|---|---|")
    bins = collections.defaultdict(list)
    for piece in pieces:
        known = answers["ours"].get(piece["name"], {})
        if piece["half"] == "report" and piece["name"] in bars and "bar_confidence" in known:
            good = right(known, piece) and f_measure(known["downbeats"], downbeats(piece)) >= 0.8
            bins[min(3, int(known["bar_confidence"] * 4))].append((known["bar_confidence"], good))
    for index, rows in sorted(bins.items()):
        mean, share = (100 * sum(row[k] for row in rows) / len(rows) for k in (0, 1))
        print(f"| {index / 4:.2f}–{(index + 1) / 4:.2f} | {len(rows)} | {mean:.0f} % | {share:.0f} % |")


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
    truth, madmom, bars = (os.path.join(cache, name) for name in ("beats.json", "madmom.json", "bars.json"))
    if os.path.exists(truth):
        report_beats(pieces, answers, json.load(open(truth)))
        if os.path.exists(madmom):
            answers["madmom"] = json.load(open(madmom))
        if os.path.exists(bars):
            report_bars(pieces, answers, json.load(open(truth)), json.load(open(bars)))


if __name__ == "__main__":
    main()
