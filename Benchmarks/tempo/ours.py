#!/usr/bin/env python3
"""Runs analyze-cli over the corpus and stores each piece's tempo.

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
    command = [binary, os.path.join(cache, "pieces"), "--data", data, "--dj", "--json", "--jobs", "1"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    answers = {}
    for line in done.stdout.splitlines():
        if not line.startswith("{"):
            continue
        track = json.loads(line)
        path = track.get("relative_path")
        if path:
            answers[os.path.splitext(path)[0]] = {
                "bpm": track.get("bpm") or 0.0, "confidence": track.get("bpm_confidence") or 0.0}
    if not answers:
        sys.exit(f"no results from {' '.join(command)} (exit code {done.returncode})")
    with open(os.path.join(cache, "ours.json"), "w") as out:
        json.dump(answers, out, indent=1)
    shutil.rmtree(data, ignore_errors=True)


if __name__ == "__main__":
    main()
