#!/usr/bin/env python3
"""Runs Essentia's KeyExtractor with four profiles, and librosa's chroma with Krumhansl's profiles, over the corpus.

    peers.py CACHE

All get the same decoded audio (mpg123). Writes CACHE/peers.json: key and CPU seconds per piece, without decoding; a piece
that is already measured is skipped.
"""

import json
import os
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import essentia
import librosa
import numpy as np

essentia.log.infoActive = essentia.log.warningActive = False
import essentia.standard as standard

PROFILES = ["bgate", "temperley", "edma", "krumhansl"]
NAMES = {"C": 0, "C#": 1, "Db": 1, "D": 2, "D#": 3, "Eb": 3, "E": 4, "F": 5, "F#": 6, "Gb": 6, "G": 7, "G#": 8, "Ab": 8, "A": 9,
         "A#": 10, "Bb": 10, "B": 11}
# Krumhansl and Kessler (1982).
MAJOR = [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88]
MINOR = [6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17]


def decode(mp3):
    raw = subprocess.run(["mpg123", "-q", "-m", "-r", "44100", "-e", "f32", "-s", mp3], capture_output=True, check=True).stdout
    return np.frombuffer(raw, np.float32)


def essentia_key(samples, profile):
    key, scale, strength = standard.KeyExtractor(profileType=profile)(samples)
    return NAMES[key], scale, float(strength)


def librosa_key(samples):
    chroma = librosa.feature.chroma_cqt(y=librosa.resample(samples, orig_sr=44100, target_sr=22050), sr=22050).mean(axis=1)
    fits = [(np.corrcoef(np.roll(chroma, -tonic), profile)[0, 1], tonic, mode)
            for tonic in range(12) for mode, profile in (("major", MAJOR), ("minor", MINOR))]
    best, tonic, mode = max(fits)
    return tonic, mode, float(best)


PEERS = {f"essentia {p}": (lambda samples, p=p: essentia_key(samples, p)) for p in PROFILES}
PEERS["librosa krumhansl"] = librosa_key


def main():
    cache = os.path.abspath(sys.argv[1])
    target = os.path.join(cache, "peers.json")
    done = json.load(open(target)) if os.path.exists(target) else {}
    warm = False
    pieces = [p for p in json.load(open(os.path.join(cache, "corpus.json"))) if p["half"] != "training"]
    for number, piece in enumerate(sorted(pieces, key=lambda p: p["half"])):
        if all(peer in done.get(piece["name"], {}) for peer in PEERS):
            continue
        samples = decode(os.path.join(cache, "pieces", piece["name"] + ".mp3"))
        if not warm:  # compilation on first use is not measured
            librosa_key(samples)
            warm = True
        known = done[piece["name"]] = {"seconds": len(samples) / 44100}
        for name, peer in PEERS.items():
            start = time.process_time()
            tonic, mode, strength = peer(samples)
            known[name] = {"tonic": tonic, "mode": mode, "confidence": strength, "cpu_seconds": time.process_time() - start}
        if number % 20 == 0:
            print(number, piece["name"], flush=True)
            save(done, target)
    save(done, target)


def save(done, target):
    with open(target + ".part", "w") as out:
        json.dump(done, out)
    os.rename(target + ".part", target)


if __name__ == "__main__":
    main()
