#!/usr/bin/env python3
"""Prints how many boundaries between sections analyze-cli finds, as tables.

    report.py CACHE ANALYZE_CLI [tune]

Runs analyze-cli on CACHE/pieces (once; CACHE/ours.json keeps the answers) and prints the held-out half, or the tuning half.
"""

import collections
import json
import os
import shutil
import subprocess
import sys

LEAST = 0.5


def answers(cache, binary):
    path = os.path.join(cache, "ours.json")
    if os.path.exists(path) and os.path.getmtime(path) > os.path.getmtime(binary):
        return json.load(open(path))
    data = os.path.join(cache, "analyses")
    shutil.rmtree(data, ignore_errors=True)
    done = subprocess.run([binary, os.path.join(cache, "pieces"), "--data", data, "--dj", "--json", "--jobs", "1"],
                          stdout=subprocess.PIPE, text=True)
    tracks = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    shutil.rmtree(data, ignore_errors=True)
    found = {os.path.splitext(t["relative_path"])[0]: t for t in tracks if "relative_path" in t}
    if not found:
        sys.exit("analyze-cli printed no results")
    json.dump(found, open(path, "w"))
    return found


def match(song, found, tolerance):
    """Returns which boundaries were found, and the confidences of the answers with whether they are right."""
    hit, pairs = [False] * len(song["boundaries"]), []
    for seconds, confidence in found:
        near = [i for i, b in enumerate(song["boundaries"]) if not hit[i] and abs(b["seconds"] - seconds) <= tolerance]
        if near:
            hit[min(near, key=lambda i: abs(song["boundaries"][i]["seconds"] - seconds))] = True
        pairs.append((confidence, bool(near)))
    return hit, pairs


def found_in(track, least):
    pairs = zip(track.get("phrase_seconds") or [], track.get("phrase_confidences") or [])
    return [(seconds, confidence) for seconds, confidence in pairs if confidence >= least]


def line(name, rows, least=LEAST):
    """Prints a row: precision, recall and F at half a beat and at a bar."""
    cells = [str(len(rows)), str(sum(len(song["boundaries"]) for song, _ in rows))]
    # 35 ms: beats are tracked in frames of 17 ms, and sounds have attacks.
    for beats in (lambda song: 0.5, lambda song: song["beats_per_bar"]):
        hits = wrong = missed = 0
        for song, track in rows:
            hit, pairs = match(song, found_in(track, least), beats(song) * 60 / song["bpm"] + 0.035)
            hits += sum(hit)
            missed += hit.count(False)
            wrong += sum(not right for _, right in pairs)
        cells += [f"{hits / max(1, hits + wrong):.2f}", f"{hits / max(1, hits + missed):.2f}",
                  f"{2 * hits / max(1, 2 * hits + wrong + missed):.2f}"]
    print(f"| {name} | " + " | ".join(cells) + " |")


def head(title):
    print(f"\n### {title}\n")
    print("| | songs | boundaries | ± ½ beat: precision | recall | F | ± 1 bar: precision | recall | F |")
    print("|---|---|---|---|---|---|---|---|---|")


def is_right(song, track):
    """Returns whether tempo, metre and first bar are right."""
    if not track.get("bpm") or abs(track["bpm"] / song["bpm"] - 1) > 0.04 or track.get("beats_per_bar") != song["beats_per_bar"]:
        return False
    beats = (track["first_beat_seconds"] - song["first_bar"]) / 60 * song["bpm"] + track["first_downbeat"]
    return min(beats % song["beats_per_bar"], -beats % song["beats_per_bar"]) < 0.25


def main():
    cache, half = os.path.abspath(sys.argv[1]), "tune" if sys.argv[3:] == ["tune"] else "report"
    known = answers(cache, sys.argv[2])
    rows = [(song, known[song["name"]]) for song in json.load(open(os.path.join(cache, "songs.json")))
            if song["half"] == half and song["name"] in known]
    head(f"{'Tuning' if half == 'tune' else 'Held-out'} half, confidence of {LEAST} or more")
    line("all", rows)
    for least in (0.2, 0.35, 0.7, 0.9):
        line(f"all, confidence {least} or more", rows, least)
    for metre in (2, 3, 4, 6):
        line(f"{metre} beats to the bar", [r for r in rows if r[0]["beats_per_bar"] == metre])
    line("with drums", [r for r in rows if r[0]["drums"]])
    line("without drums", [r for r in rows if not r[0]["drums"]])
    for low, high in ((0, 90), (90, 120), (120, 150), (150, 300)):
        line(f"{low}–{high} BPM", [r for r in rows if low <= r[0]["bpm"] < high])
    line("tempo, metre and first bar right", [r for r in rows if is_right(*r)])
    line("one of these wrong", [r for r in rows if not is_right(*r)])
    plain = [r for r in rows if not r[0]["boundaries"]]
    print(f"\nSongs of a single section: {len(plain)}, boundaries reported in them: {sum(len(found_in(t, LEAST)) for _, t in plain)}\n")
    print("| announced by, or changed | boundaries | found ± 1 bar |\n|---|---|---|")
    shares = collections.defaultdict(list)
    for song, track in rows:
        hit, _ = match(song, found_in(track, LEAST), song["beats_per_bar"] * 60 / song["bpm"] + 0.035)
        for boundary, found in zip(song["boundaries"], hit):
            shares[f"announced: {boundary['transition']}"].append(found)
            changes = boundary["changes"]
            shares[f"only {changes[0]}" if len(changes) == 1 else f"{len(changes)} changes"].append(found)
    for name, hits in sorted(shares.items()):
        print(f"| {name} | {len(hits)} | {100 * sum(hits) / len(hits):.0f} % |")
    print("\n| confidence | boundaries | mean confidence | right ± ½ beat |\n|---|---|---|---|")
    bins = collections.defaultdict(list)
    for song, track in rows:
        for pair in match(song, found_in(track, 0), 30 / song["bpm"] + 0.035)[1]:
            bins[min(4, int(pair[0] * 5))].append(pair)
    for index, pairs in sorted(bins.items()):
        mean, share = (100 * sum(p[k] for p in pairs) / len(pairs) for k in (0, 1))
        print(f"| {index / 5:.1f}–{(index + 1) / 5:.1f} | {len(pairs)} | {mean:.0f} % | {share:.0f} % |")


if __name__ == "__main__":
    main()
