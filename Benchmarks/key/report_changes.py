#!/usr/bin/env python3
"""Runs analyze-cli over the corpus of key changes, and prints how many are found.

    report_changes.py CACHE ANALYZE_CLI report|tune

Beside it stands what can be had from a detector of one key: Essentia's KeyExtractor with the profile bgate over windows of 15 s, every
5 s, where a change is a key that two windows in a row agree on. No other tool in Debian or PyPI that we know reports changes.
"""

import collections
import json
import os
import shutil
import subprocess
import sys

from ours import NAMES
from train_changes import TOLERANCE, starts

WINDOW, HOP = 15, 5
BINS = (0.5, 0.7, 0.8, 0.9, 0.95, 1.01)


def ours(cache, binary):
    """Returns the (start, key, confidence) of each piece's sections, and its key."""
    data = os.path.join(cache, "analyses")
    shutil.rmtree(data, ignore_errors=True)
    command = [binary, os.path.join(cache, "pieces"), "--data", data, "--dj", "--json", "--jobs", "1"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    shutil.rmtree(data, ignore_errors=True)
    found = {}
    for line in done.stdout.splitlines():
        track = json.loads(line) if line.startswith("{") else {}
        if track.get("relative_path"):
            found[os.path.splitext(track["relative_path"])[0]] = [
                (seconds, NAMES[key.split()[0]] + 12 * (key.split()[1] == "minor"), confidence)
                for seconds, key, confidence in zip(*(track.get("key_section_" + name) or [] for name in (
                    "seconds", "keys", "confidences")))]
    if not found:
        sys.exit(f"no results from {' '.join(command)} (exit code {done.returncode})")
    return found


def windows(cache, names):
    """Returns the sections by Essentia over windows."""
    import essentia.standard
    essentia.log.infoActive = essentia.log.warningActive = False
    found = {}
    for name in names:
        audio = essentia.standard.MonoLoader(filename=os.path.join(cache, "pieces", name + ".mp3"), sampleRate=44100)()
        keys = []
        for start in range(0, max(1, len(audio) // 44100 - WINDOW + 1), HOP):
            key, scale, _ = essentia.standard.KeyExtractor(profileType="bgate")(audio[start * 44100:(start + WINDOW) * 44100])
            keys.append((start, {"Bb": 10, "Eb": 3, "Ab": 8, "Db": 1, "Gb": 6}.get(key, NAMES.get(key)) + 12 * (scale == "minor")))
        sections = []
        for (start, key), (_, following) in zip(keys, keys[1:]):
            # A window of the new key has its middle behind the change.
            if key == following and (not sections or sections[-1][1] != key):
                sections.append((start + WINDOW / 2 - HOP / 2 if sections else 0, key, None))
        found[name] = sections if len(sections) > 1 else []
    return found


def table(title, pieces, found):
    rows = collections.defaultdict(lambda: [0] * 7)
    for piece in pieces:
        true, got = starts(piece)[1:], found.get(piece["name"], [])[1:]
        right = sum(any(abs(a - b) <= TOLERANCE and k == l for b, l, _ in got) for a, k in true)
        false = sum(not any(abs(a - b) <= TOLERANCE and k == l for a, k in true) for b, l, _ in got)
        changes = len(true) > 0
        for kind in (piece["kind"], "all but classical" if piece["kind"] != "classical" else None):
            row = rows[kind]
            for place, value in enumerate((not changes, 0 if changes else piece["seconds"] / 3600, 0 if changes else false, changes,
                                           len(true), right, false if changes else 0)):
                row[place] += value
    print(f"\n{title}\n\n| kind | without a change | hours | false changes | per hour | with changes | found | others reported |")
    print("|---|---|---|---|---|---|---|---|")
    for kind, (count, hours, false, changing, true, right, others) in sorted(item for item in rows.items() if item[0]):
        rate, share = f"{false / hours:.1f}" if hours else "–", f"{right} of {true} ({100 * right / true:.0f} %)" if true else "–"
        print(f"| {kind} | {count} | {hours:.2f} | {false} | {rate} | {changing} | {share} | {others} |")


def calibration(pieces, found):
    bins = [[0, 0, 0.0] for _ in BINS[1:]]
    for piece in pieces:
        true = starts(piece)
        sections = found.get(piece["name"], [])
        for number, (start, key, confidence) in enumerate(sections):
            end = sections[number + 1][0] if number + 1 < len(sections) else piece["seconds"]
            middle = [k for s, k in true if s <= (start + end) / 2][-1]
            right = key == middle and (number == 0 or any(abs(s - start) <= TOLERANCE and k == key for s, k in true[1:]))
            own = next(n for n, top in enumerate(BINS[1:]) if confidence < top)
            bins[own] = [bins[own][0] + 1, bins[own][1] + right, bins[own][2] + confidence]
    print("\n| confidence | sections | mean confidence | right |\n|---|---|---|---|")
    for low, high, (count, right, total) in zip(BINS, BINS[1:], bins):
        if count:
            print(f"| {low}–{min(high, 1)} | {count} | {total / count:.2f} | {100 * right / count:.0f} % |")


def main():
    cache, binary, half = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
    pieces = [p for p in json.load(open(os.path.join(cache, "changes.json"))) if p["half"] == half]
    found = ours(cache, binary)
    table("analyze-cli", pieces, found)
    calibration(pieces, found)
    errors = sorted(abs(a - b) for p in pieces for a, k in starts(p)[1:] for b, l, _ in found.get(p["name"], [])[1:]
                    if k == l and abs(a - b) <= TOLERANCE)
    if errors:
        print(f"\nmedian error of the times of changes: {errors[len(errors) // 2]:.1f} s")
    table("Essentia bgate in windows", pieces, windows(cache, [p["name"] for p in pieces]))


if __name__ == "__main__":
    main()
