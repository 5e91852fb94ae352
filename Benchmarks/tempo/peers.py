#!/usr/bin/env python3
"""Runs aubio, librosa and Essentia over the corpus: tempo, beats and CPU seconds of each, with one process and thread.

Every tool gets the same decoded audio (16-bit WAV from the MP3 by mpg123). Its time excludes decoding, but includes
loading the WAV and resampling to the tool's rate. Writes CACHE/peers.json; a piece already measured is skipped.
"""

import json
import os
import re
import resource
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"


def aubio(wav):
    """Returns the overall BPM that `aubio tempo` reports, the beats of `aubio beat`, and the CPU time of the former."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(["aubio", "tempo", "-i", wav], capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    found = re.findall(r"([\d.]+) bpm", out)
    beats = subprocess.run(["aubio", "beat", "-i", wav], capture_output=True, text=True).stdout
    return (float(found[-1]) if found else 0.0), [float(line.split()[0]) for line in beats.splitlines() if line.strip()], cpu


def librosa_beat_track(wav):
    import librosa
    start = time.process_time()
    samples, rate = librosa.load(wav)
    tempo, beats = librosa.beat.beat_track(y=samples, sr=rate, units="time")
    return float(tempo if not hasattr(tempo, "__len__") else tempo[0]), beats, time.process_time() - start


def essentia_rhythm(wav):
    import essentia
    essentia.log.infoActive = essentia.log.warningActive = False
    import essentia.standard as standard
    start = time.process_time()
    samples = standard.MonoLoader(filename=wav, sampleRate=44100)()
    bpm, beats = standard.RhythmExtractor2013(method="multifeature")(samples)[:2]
    return float(bpm), beats, time.process_time() - start


PEERS = {"aubio": aubio, "librosa": librosa_beat_track, "essentia": essentia_rhythm}


def main():
    cache = os.path.abspath(sys.argv[1])
    pieces = [p for p in json.load(open(os.path.join(cache, "corpus.json"))) if p["half"] != "training"]
    pieces.sort(key=lambda piece: piece["half"])  # the held-out half first
    target = os.path.join(cache, "peers.json")
    done = json.load(open(target)) if os.path.exists(target) else {}
    wav = os.path.join(cache, "piece.wav")
    warm = False
    for piece in pieces:
        known = done.setdefault(piece["name"], {})
        if all("beats" in known.get(peer, {}) for peer in PEERS):
            continue
        mp3 = os.path.join(cache, "pieces", piece["name"] + ".mp3")
        subprocess.run(["mpg123", "-q", "-w", wav, mp3], check=True, stderr=subprocess.DEVNULL)
        if not warm:  # imports and compilation on first use are not measured
            for peer in PEERS.values():
                peer(wav)
            warm = True
        known["seconds"] = (os.path.getsize(wav) - 44) / 4 / 44100
        for name, peer in PEERS.items():
            bpm, beats, cpu = peer(wav)
            known[name] = {"bpm": bpm, "cpu_seconds": cpu, "beats": [round(float(t), 4) for t in beats]}
        print(piece["name"], f"{piece['bpm']:g}", {n: round(known[n]["bpm"], 2) for n in PEERS}, flush=True)
        with open(target + ".part", "w") as out:
            json.dump(done, out)
        os.rename(target + ".part", target)
    if os.path.exists(wav):
        os.remove(wav)


if __name__ == "__main__":
    main()
