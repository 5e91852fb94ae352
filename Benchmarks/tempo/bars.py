#!/usr/bin/env python3
"""Finds the true bars of the corpus: where beats.py knows the beats, which of them start a bar.

    bars.py CACHE

MIDI files: by the time signatures that the file states; files without one are left out. LMMS: by the signature of the project.
Hydrogen: patterns of 192 ticks are bars of four. Recorded songs and files that change the length of the bar within the piece
keep their bars, but have no metre. Writes CACHE/bars.json, name → {"beats_per_bar": number or 0, "downbeats": indices of
beats}; computes only missing pieces.
"""

import glob
import io
import json
import os
import re
import sys
import zlib

import mido
import numpy as np

import corpus
from beats import HOP, RATE, novelty


def signatures_of(midi):
    """Returns the (tick, beats per bar) that a MIDI file states, in quarter notes, ascending."""
    found = {}
    for track in midi.tracks:
        tick = 0
        for event in track:
            tick += event.time
            if event.type == "time_signature" and event.denominator == 4:
                found[tick] = event.numerator
    return sorted(found.items())


def late_start(notes, beats, strength):
    """Returns the number of beats that were removed as silence because the first notes are soft.

    Notes are in beats. Moved by it, they coincide with strong onsets better than not moved, by 3 %; music that repeats itself
    coincides similarly well when moved by a few beats.
    """
    scores = []
    for beat in range(3):
        times = np.interp(notes - beat, np.arange(len(beats)), beats, left=-1, right=-1)
        frames, counts = np.unique(np.round(times[times >= 0] * RATE / HOP).astype(int), return_counts=True)
        frames, weights = frames.clip(1, len(strength) - 2), np.sqrt(counts)
        near = np.maximum(np.maximum(strength[frames - 1], strength[frames]), strength[frames + 1])
        scores.append(float(weights @ near) / max(1e-9, float(np.linalg.norm(weights))))
    best = int(np.argmax(scores))
    return best if scores[best] > 1.03 * scores[0] else 0


def midi_bars(data, drop_drums, beats, path):
    """Returns the lengths of the bars in quarter notes and the indices of the downbeats, or None without a signature.

    The first of `beats` is identified by its distance from the first note, checked with the onsets of the sound.
    """
    midi = mido.MidiFile(file=io.BytesIO(data), clip=True)
    signatures = signatures_of(midi)
    if not signatures:
        return None
    tick, notes = 0, []
    for message in mido.merge_tracks(midi.tracks):
        tick += message.time
        if message.type == "note_on" and message.velocity > 0 and not (drop_drums and message.channel == 9):
            notes.append(tick / midi.ticks_per_beat)
    # The piece starts with the first note, or up to a sixth of a beat later if its attack is soft.
    number = round(notes[0] + beats[0] / float(np.median(np.diff(beats))) + 0.08)
    number += late_start(np.array(notes) - number, np.array(beats), novelty(path))
    downbeats, lengths = [], set()
    for index in range(len(beats)):
        at = (number + index) * midi.ticks_per_beat
        passed = [s for s in signatures if s[0] <= at] or [(0, 4)]
        origin, length = passed[-1]
        lengths.add(length)
        if (at - origin) % (length * midi.ticks_per_beat) == 0:
            downbeats.append(index)
    return lengths, downbeats


def song_bars(path, beats):
    """Returns the same for a song that starts with a bar at 0, or None if more than an attack was removed as silence."""
    length = 4
    if "/lmms/" in path:
        data = open(path, "rb").read()
        data = zlib.decompress(data[4:]) if path.endswith(".mmpz") else data
        head = re.search(r"<head\b[^>]*>", data.decode("utf-8", "replace")).group(0)
        signature = [re.search(rf'\btimesig_{part}="(\d+)"', head) for part in ("numerator", "denominator")]
        if not all(signature):
            return None
        length = 4 * int(signature[0].group(1)) / int(signature[1].group(1))
    # The first beat at 0, or less than a third of a beat of it was removed as silence.
    period = float(np.median(np.diff(beats)))
    number = 0 if beats[0] < 0.012 else 1 if beats[0] > 0.67 * period else None
    if length != int(length) or number is None:
        return None
    return {int(length)}, [index for index in range(len(beats)) if (index + number) % length == 0]


def main():
    cache = os.path.abspath(sys.argv[1])
    beats_of = json.load(open(os.path.join(cache, "beats.json")))
    names = {p["name"] for p in json.load(open(os.path.join(cache, "corpus.json")))}
    target = os.path.join(cache, "bars.json")
    bars = json.load(open(target)) if os.path.exists(target) else {}

    def add(name, found):
        if found:
            lengths, downbeats = found
            bars[name] = {"beats_per_bar": lengths.pop() if len(lengths) == 1 else 0, "downbeats": downbeats}
    for name, data in corpus.midi_candidates(cache):
        for suffix, drop in (("", False), ("-nodrums", True), ("-othersounds", False)):
            beats = beats_of.get(name + suffix, {}).get("beats") if name + suffix in names else None
            if not beats or name + suffix in bars:
                continue
            add(name + suffix, midi_bars(data, drop, beats, os.path.join(cache, "pieces", name + suffix + ".mp3")))
    label = lambda path: re.sub(r"[^A-Za-z0-9]+", "_", os.path.splitext(os.path.basename(path))[0])
    root = "/usr/share/lmms/projects"
    songs = [("lmms-" + label(path), path)
             for path in glob.glob(f"{root}/demos/**/*.mmp*", recursive=True) + glob.glob(f"{root}/shorties/*.mmp*")]
    songs += [("hydrogen-" + label(path), path) for path in glob.glob("/usr/share/hydrogen/data/demo_songs/*.h2song")]
    for name, path in sorted(songs):
        beats = beats_of.get(name, {}).get("beats")
        found = song_bars(path, beats) if beats else None
        add(name, found)
    with open(target, "w") as out:
        json.dump(bars, out)
    print(f"bars of {len(bars)} pieces", file=sys.stderr)


if __name__ == "__main__":
    main()
