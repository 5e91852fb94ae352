#!/usr/bin/env python3
"""Runs analyze-cli on the corpus: CACHE/data-KIND with its databases."""

import os
import subprocess
import sys


def main():
    cache, program, *kinds = sys.argv[1:]
    for kind in kinds:
        music, data = os.path.join(cache, kind), os.path.join(cache, f"data-{kind}")
        subprocess.run(["nice", "-n", "10", program, music, "--data", data, "--quiet"], check=True)


main()
