#!/usr/bin/env python3
"""Runs madmom's beat and downbeat tracker over pieces with known bars, the held-out half first.

    madmom_bars.py CACHE [SECONDS]

Run by the interpreter of CACHE/madmom-venv, see `run`. Writes CACHE/madmom.json, name → {"bpm", "beats", "downbeats",
"cpu_seconds"}; a piece already measured is skipped, and no piece is started after SECONDS. The time excludes decoding.
"""

import json
import os
import subprocess
import sys
import time
import warnings

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
warnings.simplefilter("ignore")

import numpy as np
from madmom.features.downbeats import DBNDownBeatTrackingProcessor, RNNDownBeatProcessor


def main():
    cache = os.path.abspath(sys.argv[1])
    deadline = time.monotonic() + float(sys.argv[2]) if len(sys.argv) > 2 else float("inf")
    pieces = [p for p in json.load(open(os.path.join(cache, "corpus.json"))) if p["half"] != "training"]
    bars = json.load(open(os.path.join(cache, "bars.json")))
    # In an order that mixes the sources, so that a part of the pieces is a sample of all.
    pieces.sort(key=lambda piece: (piece["half"], piece["name"] not in bars, piece["name"][::-1]))
    target, wav = os.path.join(cache, "madmom.json"), os.path.join(cache, "madmom.wav")
    done = json.load(open(target)) if os.path.exists(target) else {}
    activations, tracker = RNNDownBeatProcessor(), DBNDownBeatTrackingProcessor(beats_per_bar=[3, 4], fps=100)
    for piece in pieces:
        if piece["name"] in done or time.monotonic() > deadline:
            continue
        mp3 = os.path.join(cache, "pieces", piece["name"] + ".mp3")
        subprocess.run(["mpg123", "-q", "-w", wav, mp3], check=True, stderr=subprocess.DEVNULL)
        start = time.process_time()
        beats = tracker(activations(wav))
        cpu = time.process_time() - start
        times = beats[:, 0] if len(beats) else np.zeros(0)
        done[piece["name"]] = {
            "bpm": 60 / float(np.median(np.diff(times))) if len(times) > 1 else 0.0, "cpu_seconds": cpu,
            "beats": [round(float(t), 4) for t in times],
            "downbeats": [round(float(t), 4) for t, number in beats if number == 1]}
        print(piece["name"], f"{piece['bpm']:g}", round(done[piece["name"]]["bpm"], 2), f"{cpu:.1f} s", flush=True)
        with open(target + ".part", "w") as out:
            json.dump(done, out)
        os.rename(target + ".part", target)
    if os.path.exists(wav):
        os.remove(wav)


if __name__ == "__main__":
    main()
