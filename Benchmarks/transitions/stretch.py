#!/usr/bin/env python3
"""Compares the stretcher of mixes with Rubber Band: both change the speed of music, which is then compared with the same music
rendered at that tempo.

    stretch.py CACHE STRETCH_LAB

50 held-out songs of ../phrases/songs.py, each at one of ten speeds from −5 to +5 %, 20 s of each. FluidSynth renders both tempi from
the same notes. Prints the table.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "phrases"))
import songs  # noqa: E402

RATE = 44_100
SPEEDS = [0.95, 0.96, 0.97, 0.98, 0.99, 1.01, 1.02, 1.03, 1.04, 1.05]
COUNT, SECONDS, BEFORE = 50, 20, 8
HOP = 88


def rendered(song, speed, folder):
    """Renders a song at a multiple of its tempo."""
    bpm, song.bpm = song.bpm, song.bpm * speed
    midi, wav = os.path.join(folder, "song.mid"), os.path.join(folder, "song.wav")
    song.midi().save(midi)
    song.bpm = bpm
    subprocess.run(["fluidsynth", "-ni", "-r", str(RATE), "-g", "0.5", "-C", "0", "-T", "wav", "-O", "float", "-F", wav, song.font, midi],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(wav, "rb") as file:
        data = file.read()
    return np.frombuffer(data[data.index(b"data") + 8:], np.float32).reshape(-1, 2)


def excerpt(sound, beat, bpm, seconds):
    first = round((songs.START + beat * 60 / bpm) * RATE)
    return sound[first:first + round(seconds * RATE)]


def ours(lab):
    def run(sound, speed, folder):
        done = subprocess.run([lab, str(speed)], input=sound.astype(np.float32).tobytes(), stdout=subprocess.PIPE, check=True)
        return np.frombuffer(done.stdout, np.float32).reshape(-1, 2)
    return run


def rubber_band(*options):
    def run(sound, speed, folder):
        source, target = os.path.join(folder, "in.wav"), os.path.join(folder, "out.wav")
        write(source, sound)
        subprocess.run(["rubberband", "-q", *options, "-t", str(1 / speed), source, target], check=True, stderr=subprocess.DEVNULL)
        raw = subprocess.run(["ffmpeg", "-v", "error", "-i", target, "-f", "f32le", "-"], stdout=subprocess.PIPE, check=True).stdout
        return np.frombuffer(raw, np.float32).reshape(-1, 2)
    return run


def write(path, sound):
    """Writes a WAV file of 32-bit floating-point samples."""
    data = sound.astype("<f4").tobytes()
    number = lambda value, size: value.to_bytes(size, "little")
    with open(path, "wb") as file:
        file.write(b"RIFF" + number(36 + len(data), 4) + b"WAVEfmt " + number(16, 4) + number(3, 2) + number(2, 2) + number(RATE, 4)
                   + number(RATE * 8, 4) + number(8, 2) + number(32, 2) + b"data" + number(len(data), 4) + data)


def spectra(sound, length, hop):
    mono = sound.mean(axis=1)
    frames = np.lib.stride_tricks.sliding_window_view(mono, length)[::hop]
    return np.abs(np.fft.rfft(frames * np.hanning(length)))


def onset_strength(sound):
    """How much louder each 2 ms are than the 2 ms before, summed over frequencies."""
    levels = np.log1p(100 * spectra(sound, 512, HOP))
    return np.maximum(0, np.diff(levels, axis=0)).sum(axis=1)


def onset_errors(sound, reference, times):
    """How much later than in the reference each onset is, in seconds: where their strengths correlate best, within 30 ms."""
    one, other = onset_strength(sound), onset_strength(reference)
    reach, errors = 15, []
    for time in times:
        centre = round(time * RATE / HOP)
        if centre - 3 * reach < 0 or centre + 3 * reach >= min(len(one), len(other)):
            continue
        want = other[centre - reach:centre + reach + 1]
        if want.max() < 4 * np.median(other):
            continue
        scores = [np.dot(want - want.mean(), one[centre - reach + lag:centre + reach + 1 + lag]) for lag in range(-reach, reach + 1)]
        errors.append((int(np.argmax(scores)) - reach) * HOP / RATE)
    return errors


def spectral_difference(sound, reference):
    """Root mean square of the difference in level, in dB, where the reference is less than 50 dB below its maximum."""
    length = min(len(sound), len(reference))
    one, other = (20 * np.log10(spectra(s[:length], 2048, 512) + 1e-9) for s in (sound, reference))
    loud = other > other.max() - 50
    return np.sqrt(np.mean((one - other)[loud] ** 2))


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main():
    cache, lab = sys.argv[1:]
    held = [song["name"] for song in json.load(open(os.path.join(cache, "songs.json"))) if song["half"] == "report"]
    tools = {"ours": ours(lab), "Rubber Band, faster engine (R2)": rubber_band("-2"), "Rubber Band, finer engine (R3)": rubber_band("-3"),
             "unchanged (wrong tempo)": lambda sound, speed, folder: sound}
    results = {name: {"errors": [], "spectra": [], "cpu": 0.0} for name in tools}
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(held[:COUNT]):
            song = songs.Song(int(name.split("-")[1]))
            # The same notes at both tempi.
            song.jitter = 0
            speed = SPEEDS[number % len(SPEEDS)]
            # From the eighth beat on.
            source = excerpt(rendered(song, 1, folder), BEFORE, song.bpm, SECONDS * max(speed, 1) + 1)
            reference = excerpt(rendered(song, speed, folder), BEFORE, song.bpm * speed, SECONDS)
            starts = {round(beat, 3) for beat, *_ in song.notes if beat >= BEFORE}
            times = sorted((beat - BEFORE) * 60 / song.bpm / speed for beat in starts)
            for tool, run in tools.items():
                before = cpu()
                made = run(source, speed, folder)[:len(reference)]
                results[tool]["cpu"] += cpu() - before
                results[tool]["errors"] += onset_errors(made, reference, [time for time in times if time < SECONDS])
                results[tool]["spectra"].append(spectral_difference(made, reference))
    row("", "onsets", "later, median", "error, median", "error, 95th percentile", "spectral difference", "CPU s")
    row(*["---"] + ["---:"] * 6)
    for tool, result in results.items():
        errors = 1000 * np.array(result["errors"])
        row(tool, len(errors), f"{np.median(errors):.1f} ms", f"{np.median(np.abs(errors)):.1f} ms", f"{np.percentile(np.abs(errors), 95):.1f} ms",
            f"{np.mean(result['spectra']):.2f} dB", f"{result['cpu']:.1f}" if result["cpu"] > 0.5 else "–")


if __name__ == "__main__":
    main()
