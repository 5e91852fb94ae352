#!/usr/bin/env python3
"""Runs analyze-cli on the corpus and on the one of Benchmarks/tempo: CACHE/data-KIND with their databases."""

import os
import subprocess
import sys


def main():
    cache, program, *kinds = sys.argv[1:]
    tempo = os.path.join(os.path.dirname(cache), "tempo", "pieces")
    for kind in kinds or ["pieces", "first", "second", "trimmed", "low", "tempo"]:
        music = tempo if kind == "tempo" else os.path.join(cache, kind)
        if os.path.isdir(music):
            subprocess.run(["nice", "-n", "10", program, music, "--data", os.path.join(cache, f"data-{kind}"), "--quiet"],
                           check=True)


main()
