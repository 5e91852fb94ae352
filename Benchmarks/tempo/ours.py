#!/usr/bin/env python3
"""Runs analyze-cli over the corpus and stores what it finds of each piece: tempo, beats, starts of bars, and confidences.

    ours.py CACHE ANALYZE_CLI

Writes CACHE/ours.json. The cost is not measured here, because analyze-cli analyses everything at once: tempo-lab
measures it for the spectra, the envelope and the estimate only.
"""

import json
import os
import shutil
import subprocess
import sys


def main():
    cache, binary = os.path.abspath(sys.argv[1]), sys.argv[2]
    data = os.path.join(cache, "analyses")
    shutil.rmtree(data, ignore_errors=True)
    subprocess.run([binary, os.path.join(cache, "pieces"), "--data", data, "--dj", "--quiet", "--jobs", "1"], check=True)
    done = subprocess.run([binary, "export", "--data", data], check=True, stdout=subprocess.PIPE)
    answers = {}
    for track in json.loads(done.stdout):
        beats = track.get("beat_seconds") or []
        metre = track.get("beats_per_bar") or 0
        answers[os.path.splitext(track["relative_path"])[0]] = {
            "bpm": track.get("bpm") or 0.0, "confidence": track.get("bpm_confidence") or 0.0,
            "beats": beats, "beat_confidence": track.get("beat_confidence") or 0.0,
            "beats_per_bar": metre, "downbeats": beats[track.get("first_downbeat") or 0::metre] if metre else [],
            "bar_confidence": track.get("bar_confidence") or 0.0}
    with open(os.path.join(cache, "ours.json"), "w") as out:
        json.dump(answers, out, indent=1)
    shutil.rmtree(data, ignore_errors=True)


if __name__ == "__main__":
    main()
