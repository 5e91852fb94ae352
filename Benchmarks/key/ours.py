#!/usr/bin/env python3
"""Runs analyze-cli over the corpus and stores each piece's key.

    ours.py CACHE ANALYZE_CLI
"""

import json
import os
import shutil
import subprocess
import sys

NAMES = {"C": 0, "C#": 1, "D": 2, "D#": 3, "E": 4, "F": 5, "F#": 6, "G": 7, "G#": 8, "A": 9, "A#": 10, "B": 11}


def main():
    cache, binary = os.path.abspath(sys.argv[1]), sys.argv[2]
    data = os.path.join(cache, "analyses")
    shutil.rmtree(data, ignore_errors=True)
    command = [binary, os.path.join(cache, "pieces"), "--data", data, "--dj", "--json", "--jobs", "1"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    answers = {}
    for line in done.stdout.splitlines():
        track = json.loads(line) if line.startswith("{") else {}
        if track.get("relative_path") and track.get("key"):
            tonic, mode = track["key"].split()
            answers[os.path.splitext(track["relative_path"])[0]] = {
                "tonic": NAMES[tonic], "mode": mode, "confidence": track["key_confidence"], "cents": track.get("tuning_cents")}
    if not answers:
        sys.exit(f"no results from {' '.join(command)} (exit code {done.returncode})")
    with open(os.path.join(cache, "ours.json"), "w") as out:
        json.dump(answers, out, indent=1)
    shutil.rmtree(data, ignore_errors=True)


if __name__ == "__main__":
    main()
