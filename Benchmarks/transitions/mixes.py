#!/usr/bin/env python3
"""Plans and renders mixes of composed songs, and measures them against what the songs were composed from.

    mixes.py CACHE ANALYZE_CLI [--keep FOLDER] [--half tune]

CACHE is that of ../phrases: songs.json and pieces/. The held-out half is used, or for `--half tune` the other one. Analyses the songs, pairs each with songs within
6 % of its tempo and with others, calls `analyze-cli mix` for each pair, and prints the table. `--keep` keeps the rendered mixes.
"""

import argparse
import json
import os
import random
import subprocess
import tempfile

import numpy as np
from scipy.signal import lfilter

RATE = 44_100
START = 0.3
# Rendered around the overlap by `analyze-cli mix --output`.
SURROUNDINGS = 15.0
CLOSE, NEAR_PAIRS, FAR_PAIRS = 0.06, 240, 60


class Song:
    """A song, its truth and its analysis."""

    def __init__(self, truth, track, folder):
        self.name, self.bpm, self.bar = truth["name"] + ".mp3", truth["bpm"], truth["beats_per_bar"]
        self.beats = np.arange(START, truth["end"], 60 / self.bpm)
        first = int(round((truth["first_bar"] - START) / 60 * self.bpm))
        self.downbeats = self.beats[first % self.bar::self.bar]
        self.has_drums = truth["drums"]
        self.track = track
        self.path = os.path.join(folder, self.name)
        self.sound = None

    def samples(self):
        """The decoded song, two channels."""
        if self.sound is None:
            done = subprocess.run(["mpg123", "-q", "-e", "f32", "-r", str(RATE), "--stereo", "-s", self.path], stdout=subprocess.PIPE, check=True)
            self.sound = np.frombuffer(done.stdout, np.float32).reshape(-1, 2).astype(float)
        return self.sound


def tempo_distance(first, second):
    """The change of speed that makes two tempi equal, counting one, two or half a beat of one to one of the other."""
    return min(abs(second.bpm * factor / first.bpm - 1) for factor in (0.5, 1, 2))


def pairs(songs):
    """Returns the pairs within 6 % of tempo, and others."""
    choose = random.Random("transitions")
    every = [(a, b) for a in songs for b in songs if a is not b]
    choose.shuffle(every)
    near = [pair for pair in every if tempo_distance(*pair) <= CLOSE]
    far = [pair for pair in every if tempo_distance(*pair) > CLOSE]
    return near[:NEAR_PAIRS], far[:FAR_PAIRS]


def weighted(sound):
    """K-weights a sound (ITU-R BS.1770-5; the filters of its annex 1 for any rate)."""
    def shelf():
        f0, gain, q = 1681.974450955533, 3.999843853973347, 0.7071752369554196
        k, vh = np.tan(np.pi * f0 / RATE), 10 ** (gain / 20)
        vb = vh ** 0.4996667741545416
        a0 = 1 + k / q + k * k
        return ([(vh + vb * k / q + k * k) / a0, 2 * (k * k - vh) / a0, (vh - vb * k / q + k * k) / a0],
                [1, 2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0])

    def high_pass():
        f0, q = 38.13547087602444, 0.5003270373238773
        k = np.tan(np.pi * f0 / RATE)
        a0 = 1 + k / q + k * k
        return [1, -2, 1], [1, 2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0]
    for b, a in (shelf(), high_pass()):
        sound = lfilter(b, a, sound, axis=0)
    return sound


def bass(sound):
    """What is below 150 Hz: a Butterworth filter of the fourth order."""
    from scipy.signal import butter
    b, a = butter(4, 150, fs=RATE)
    return lfilter(b, a, sound, axis=0)


def levels(sound, seconds, step):
    """Mean power of both channels together in windows, in dB, and the centres of the windows in seconds."""
    power = np.concatenate([[0], np.cumsum((sound ** 2).sum(axis=1))])
    length, hop = int(seconds * RATE), int(step * RATE)
    starts = np.arange(0, len(sound) - length, hop)
    return 10 * np.log10((power[starts + length] - power[starts]) / length + 1e-12), (starts + length / 2) / RATE


def roughness(sound):
    """The largest fourth difference in each stretch of 5 ms: large where a waveform breaks off."""
    change = np.abs(np.diff(sound, n=4, axis=0)).max(axis=1)
    length = RATE // 200
    return change[:len(change) // length * length].reshape(-1, length).max(axis=1)


def widest(values, reach):
    """The largest of each value's neighbours."""
    padded = np.pad(values, reach)
    return np.max([padded[i:i + len(values)] for i in range(2 * reach + 1)], axis=0)


def is_near(times, time):
    return np.min(np.abs(times - time)) < 0.07


class Mix:
    """A rendered mix, and both tracks alone at the same places, with their gains but without fades and shelves."""

    def __init__(self, plan, first, second, path):
        self.plan, self.first, self.second = plan, first, second
        self.ratio = plan["mix"]["ratio"]
        self.lead = min(SURROUNDINGS, plan["start_seconds"])
        self.sound = self.read(path)
        self.overlap = plan["overlap_seconds"]
        times = np.arange(len(self.sound)) / RATE - self.lead
        self.outgoing = self.alone(first, plan["outgoing"]["gain_db"], plan["start_seconds"] + times)
        self.incoming = self.alone(second, plan["incoming"]["gain_db"], self.position(times))

    @staticmethod
    def read(path):
        with open(path, "rb") as file:
            data = file.read()
        return np.frombuffer(data[data.index(b"data") + 8:], np.float32).reshape(-1, 2).astype(float)

    def position(self, times):
        """The position in the incoming track, as if its speed stayed that of the mix: only the overlap is measured."""
        return self.plan["cue_in_seconds"] + self.ratio * times

    @staticmethod
    def alone(song, gain, positions):
        sound = song.samples()
        places = np.round(positions * RATE).astype(int)
        inside = (places >= 0) & (places < len(sound))
        return sound[np.clip(places, 0, len(sound) - 1)] * inside[:, None] * 10 ** (gain / 20)

    def beat_offsets(self):
        """Distance in seconds of each beat in the overlap of the slower track from the nearest one of the other."""
        start, cue = self.plan["start_seconds"], self.plan["cue_in_seconds"]
        out = self.first.beats - start
        into = (self.second.beats - cue) / self.ratio
        slow, fast = sorted((out, into), key=lambda beats: -np.median(np.diff(beats)))
        return [np.min(np.abs(fast - beat)) for beat in slow if -0.05 <= beat <= self.overlap]

    def is_in_phase(self):
        """Whether the beats on which the mix starts and ends are within 70 ms of real ones, in both tracks."""
        ends = np.array([0, self.overlap])
        return all(is_near(beats, place) for beats, places in (
            (self.first.beats, self.plan["start_seconds"] + ends), (self.second.beats, self.position(ends))) for place in places)

    def starts_on_downbeats(self):
        return is_near(self.first.downbeats, self.plan["start_seconds"]), is_near(self.second.downbeats, self.plan["cue_in_seconds"])

    def excess(self, change, seconds, step):
        """How far the mix is above the louder track at most, and below the quieter one at most, in dB."""
        level, times = levels(change(self.sound), seconds, step)
        others = [levels(change(sound), seconds, step)[0] for sound in (self.outgoing, self.incoming)]
        inside = (times >= self.lead) & (times <= self.lead + self.overlap)
        if not inside.any():
            return 0.0, 0.0
        return (np.max((level - np.maximum(*others))[inside]), np.max((np.minimum(*others) - level)[inside]))

    def clicks(self):
        """Number of places at which the mix is rougher than both tracks together around there."""
        limit = widest(roughness(self.outgoing), 2) + widest(roughness(self.incoming), 12)
        found = roughness(self.sound)
        overlap = slice(int(self.lead * 200), int((self.lead + self.overlap) * 200))
        return int(np.sum(found[overlap] > 1.05 * limit[overlap] + 1e-3))


def run(binary, *arguments):
    done = subprocess.run([binary, *arguments], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def analysed(cache, binary, folder, half):
    truths = {song["name"]: song for song in json.load(open(os.path.join(cache, "songs.json"))) if song["half"] == half}
    music, data = os.path.join(folder, "music"), os.path.join(folder, "data")
    os.mkdir(music)
    for name in truths:
        os.symlink(os.path.join(cache, "pieces", name + ".mp3"), os.path.join(music, name + ".mp3"))
    songs = []
    for line in run(binary, music, "--data", data, "--json").splitlines():
        track = json.loads(line)
        name = track["relative_path"].removesuffix(".mp3")
        songs.append(Song(truths[name], track, music))
    songs.sort(key=lambda song: song.name)
    return songs, music, data


def share(count, total):
    return f"{100 * count / total:.0f} % ({count} of {total})" if total else "–"


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache")
    parser.add_argument("analyze_cli")
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--half", choices=("report", "tune"), default="report")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        songs, music, data = analysed(os.path.abspath(options.cache), options.analyze_cli, folder, options.half)
        near, far = pairs(songs)
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
        output = os.path.join(folder, "mix.wav")
        mixes, reasons, mixed_far = [], {}, 0
        for kind, chosen in (("near", near), ("far", far)):
            for first, second in chosen:
                arguments = ["mix", first.name, second.name, "--data", data, "--json"]
                plan = json.loads(run(options.analyze_cli, *arguments))
                if "mix" not in plan:
                    if kind == "near":
                        reason = plan["reason"].split(". ")[0].rstrip(".")
                        reasons[reason] = reasons.get(reason, 0) + 1
                    continue
                if kind == "far":
                    mixed_far += 1
                    continue
                if options.keep:
                    output = os.path.join(options.keep, f"{first.name}-{second.name}.wav")
                run(options.analyze_cli, *arguments, "--output", "wav:" + output, "--music", music)
                mixes.append(measured(Mix(plan, first, second, output)))
                first.sound = second.sound = None
    report(songs, near, far, mixes, reasons, mixed_far)


def measured(mix):
    """The figures of a mix."""
    out, into = mix.starts_on_downbeats()
    bar = mix.first.bar * 60 / mix.first.bpm
    louder, quieter = mix.excess(weighted, 3, 0.1)
    return {"offsets": mix.beat_offsets(), "in_phase": mix.is_in_phase(), "out": out, "into": into, "louder": louder, "quieter": quieter,
            "bass": mix.excess(bass, bar, bar / 4)[0], "clicks": mix.clicks(), "beats": mix.plan["mix"]["beats"],
            "pair": (mix.first.name, mix.second.name), "has_drums": mix.first.has_drums and mix.second.has_drums}


def report(songs, near, far, mixes, reasons, mixed_far):
    print(f"{len(songs)} songs, {min(s.bpm for s in songs):.0f} to {max(s.bpm for s in songs):.0f} BPM, "
          f"{len({s.bar for s in songs})} metres, {len({s.track.get('key') for s in songs})} keys.\n")
    in_phase = [mix for mix in mixes if mix["in_phase"]]
    offsets = np.concatenate([mix["offsets"] for mix in in_phase]) if in_phase else np.array([np.nan])
    every = np.concatenate([mix["offsets"] for mix in mixes]) if mixes else np.array([np.nan])
    row("measure", "result", "aim")
    row("---", "---", "---")
    row("pairs within 6 % of tempo that are mixed", share(len(mixes), len(near)), "60 %")
    row("other pairs that are mixed", share(mixed_far, len(far)), "0")
    row("median length in beats", f"{np.median([m['beats'] for m in mixes]):.0f}", "")
    row("offset of beats, both phases right: 95th percentile", f"{1000 * np.percentile(offsets, 95):.1f} ms ({len(in_phase)} mixes)", "10 ms")
    for name, has_drums in (("both songs with drums", True), ("a song without drums", False)):
        chosen = [mix["offsets"] for mix in in_phase if mix["has_drums"] == has_drums]
        if chosen:
            row(f"the same, {name}", f"{1000 * np.percentile(np.concatenate(chosen), 95):.1f} ms ({len(chosen)} mixes)", "10 ms")
    row("offset of beats, all mixes: 95th percentile", f"{1000 * np.percentile(every, 95):.1f} ms", "")
    row("leaves at a real start of a bar", share(sum(m["out"] for m in mixes), len(mixes)), "90 %")
    row("enters at a real start of a bar", share(sum(m["into"] for m in mixes), len(mixes)), "90 %")
    for name, key, unit, aim in (("short-term loudness above the louder track", "louder", "LU", 2),
                                 ("short-term loudness below the quieter track", "quieter", "LU", 2),
                                 ("energy below 150 Hz above the louder track's", "bass", "dB", 1)):
        values = [mix[key] for mix in mixes]
        row(f"{name}: median, 95th percentile, largest", f"{np.median(values):.2f}, {np.percentile(values, 95):.2f}, {max(values):.2f} {unit}",
            f"{aim} {unit}")
        row("the same: mixes above the aim", share(sum(value > aim for value in values), len(values)), "0")
    row("clicks", sum(m["clicks"] for m in mixes), "0")
    print("\nWhy pairs within 6 % are not mixed:\n")
    for reason, count in sorted(reasons.items(), key=lambda item: -item[1]):
        print(f"- {count}: {reason}.")


if __name__ == "__main__":
    main()
