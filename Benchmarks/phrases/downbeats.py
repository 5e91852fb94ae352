#!/usr/bin/env python3
"""Trains the network that chooses the first beat of the bar when beats and metre are known, and writes it as Swift.

    downbeats.py CACHE TEMPO_CACHE OUT.swift TEST.swift    train, write the weights and the numbers of a test
    downbeats.py CACHE TEMPO_CACHE --folds                 only cross-validate

CACHE is that of the phrases, TEMPO_CACHE that of Benchmarks/tempo, with corpus.json, beats.json, bars.json, grooves.json, composed.json
and styles.json; phrase-lab must have run on both. The network sees beats (see DownbeatNetwork.swift): their steps and how much the sound
changes at them. Training minimises the cross-entropy of the true first beat among those of a bar, for excerpts on the true beats.
Half of the excerpts are the sum of two works of the same metre, aligned by their bars: what starts a bar in either starts one in both.
The held-out halves are not used.
"""

import collections
import json
import os
import sys

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np
import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tempo"))
from metre import FRAMES_PER_SECOND, GROUPS, LATENCY, METRES, STEPS, normalised, numbers, rounded, steps_of  # noqa: E402
from report import accuracy, f_measure  # noqa: E402
from train import FOLDS, folds_of  # noqa: E402

torch.set_num_threads(1)

LANES, UNITS = 16, 16
DILATIONS = [1, 2, 4, 8]
# As in BeatSound and BeatChanges.
SOUND_GROUPS = [slice(0, 3), slice(3, 7), slice(7, 9), slice(9, 13), slice(13, 25)]
SCALES = np.array([30] * 9 + [20] * 4 + [64] * 12)
WINDOWS, LAGS = [1, 2, 4, 8], [1, 2, 3, 4, 6, 8]
CHANGES = (len(WINDOWS) + len(LAGS)) * len(SOUND_GROUPS)
# Excerpts of this many beats; the share of them that are sums of two.
EXCERPT, MIXED = 64, 0.5
ITERATIONS, BATCH, RATE, DECAY = 600, 32, 4e-3, 3e-2
# The weight of a work.
WEIGHTS = {"groove": 0.35, "composed": 0.25, "style": 0.5, "song": 0.35, "piece": 1}


def sums_between(frames, places):
    """Returns the mean of the frames between consecutive places; frame k spans k to k + 1."""
    whole = np.concatenate([np.zeros((1, frames.shape[1])), np.cumsum(frames, axis=0, dtype=np.float64)])
    places = np.clip(places, 0, len(frames))
    low = np.floor(places).astype(int).clip(0, len(frames) - 1)
    total = whole[low] + (places - low)[:, None] * frames[low]
    return (total[1:] - total[:-1]) / np.maximum(places[1:] - places[:-1], 1e-6)[:, None]


def changes_of(frames, known, beats):
    """Returns the changes at each beat but the last, like BeatChanges."""
    chroma = np.array(known["chroma"], float)[:, :12]
    bands = sums_between(frames[:, :13], (beats - LATENCY) * FRAMES_PER_SECOND + 0.5)
    tones = sums_between(chroma, (beats - known["first_seconds"]) / known["seconds"] + 0.5)
    values = np.hstack([bands, tones]) / SCALES
    count, columns = len(values), []
    whole = np.concatenate([np.zeros((1, values.shape[1])), values.cumsum(0)])
    at = np.arange(count)
    for window in WINDOWS:
        low, high = np.maximum(at - window, 0), np.minimum(at + window, count)
        change = (whole[high] - whole[at]) / (high - at)[:, None] - (whole[at] - whole[low]) / np.maximum(at - low, 1)[:, None]
        change[0] = 0
        columns += [np.sqrt((change[:, group] ** 2).mean(1)) for group in SOUND_GROUPS]
    for lag in LAGS:
        change = np.zeros_like(values)
        change[lag:] = values[lag:] - values[:-lag]
        columns += [np.sqrt((change[:, group] ** 2).mean(1)) for group in SOUND_GROUPS]
    columns = np.stack(columns, 1)
    return ((columns - columns.mean(0)) / (columns.std(0) + 0.25 * columns.mean(0) + 1e-3)).clip(-4, 4).astype("f")


def inputs_of(frames, known, beats):
    """Returns the inputs of each beat but the last."""
    beats = np.asarray(beats, float)
    steps = normalised(steps_of(frames, beats)).reshape(len(beats) - 1, STEPS * LANES)
    return np.hstack([steps, changes_of(frames, known, beats)])


def listed(cache, name):
    path = os.path.join(cache, name)
    return json.load(open(path)) if os.path.exists(path) else []


def works(cache, tempo_cache):
    """Yields (folder, name, group, kind, BPM, true beats, true downbeats, beats per bar) of the music for training."""
    for song in listed(cache, "songs.json"):
        if song["half"] == "tune":
            period, first = 60 / song["bpm"], song["first_bar"]
            yield (cache, song["name"], "song " + song["style"], "song", song["bpm"], first + np.arange(-8, 1000) * period,
                   first + np.arange(1000) * period * song["beats_per_bar"], song["beats_per_bar"])
    for kind in ("groove", "composed", "style"):
        for piece in listed(tempo_cache, kind + ("s.json" if kind != "composed" else ".json")):
            if piece["half"] == "training" and piece.get("first_bar") is not None and piece.get("beats_per_bar") in METRES:
                beats = piece["first_beat"] + np.arange(1000) * 60 / piece["bpm"]
                yield (tempo_cache, piece["name"], piece["group"], kind, piece["bpm"], beats,
                       beats[piece["first_bar"]::piece["beats_per_bar"]], piece["beats_per_bar"])
    truth, bars = listed(tempo_cache, "beats.json"), listed(tempo_cache, "bars.json")
    for piece in listed(tempo_cache, "corpus.json"):
        name = piece["name"]
        if piece["half"] != "report" and name in bars and truth.get(name, {}).get("beats") and bars[name]["downbeats"]:
            beats = np.array(truth[name]["beats"])
            kind = "piece" if piece["half"] == "tune" else "variant"
            yield (tempo_cache, name, piece["group"], kind, piece["bpm"], beats, beats[bars[name]["downbeats"]], bars[name]["beats_per_bar"])


def load(cache, tempo_cache):
    """Returns the works that have a metre, with the inputs on true beats and, where the program's are right, on those."""
    found = []
    for folder, name, group, kind, bpm, beats, downbeats, metre in works(cache, tempo_cache):
        path = os.path.join(folder, "phrases", name)
        if not os.path.exists(path + ".json"):
            continue
        known, frames = json.load(open(path + ".json")), np.fromfile(path + ".u8", np.uint8).reshape(-1, LANES)
        inside = lambda times: times[(times >= 0) & (times <= len(frames) / FRAMES_PER_SECOND)]
        beats, downbeats = inside(beats), inside(downbeats)
        if len(beats) < 16 or metre not in METRES:
            continue
        work = {"name": name, "group": group, "kind": kind, "half": "tune" if kind == "piece" else "training", "metre": metre,
                "first": int(np.argmin(abs(beats - downbeats[0]))) % metre, "inputs": inputs_of(frames, known, beats)}
        if accuracy(known["bpm"], bpm)[0] and f_measure(known["beats"], beats) >= 0.5 and known["beats_per_bar"] in METRES:
            work.update(own=inputs_of(frames, known, known["beats"]), own_metre=known["beats_per_bar"], network=known["bar_scores"],
                        f=[f_measure(known["beats"][first::known["beats_per_bar"]], downbeats) for first in range(known["beats_per_bar"])])
        found.append(work)
    counts = collections.Counter(work["group"] for work in found)
    for work in found:
        work["weight"] = WEIGHTS.get(work["kind"], 1) / counts[work["group"]]
    return found


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Conv1d(STEPS * LANES + CHANGES, UNITS, 1)
        self.layers = torch.nn.ModuleList(torch.nn.Conv1d(UNITS, UNITS, 3, dilation=d, padding=d) for d in DILATIONS)
        self.out = torch.nn.Conv1d(UNITS, len(METRES), 1)
        self.drop = torch.nn.Dropout1d(0.15)

    def forward(self, x):
        """(batch, inputs, beats) → (batch, metres, beats)."""
        x = self.drop(torch.relu(self.first(x)))
        for layer in self.layers:
            x = x + self.drop(torch.relu(layer(x)))
        return self.out(x)


def first_scores(out, metre):
    """Returns the score of each first beat from outputs (metres, beats)."""
    row = out[METRES.index(metre)]
    return torch.stack([row[first::metre].mean() for first in range(metre)])


def excerpt_of(work, length, random):
    """Returns the inputs of a random excerpt, filled up with zeros, the true first beat of a bar and the number of beats."""
    inputs = work["inputs"]
    count = min(length, len(inputs))
    start = random.integers(0, len(inputs) - count + 1)
    x = np.zeros((length, inputs.shape[1]), "f")
    x[:count] = inputs[start:start + count]
    return x, (work["first"] - start) % work["metre"], count


def drawn(work, others, chances, random):
    """Returns an excerpt as above, perhaps with another work of the same metre added, whose bars start with those of the first."""
    x, first, count = excerpt_of(work, EXCERPT, random)
    if random.random() < MIXED:
        other, second, _ = excerpt_of(others[random.choice(len(others), p=chances)], EXCERPT + work["metre"], random)
        start, share = (second - first) % work["metre"], random.uniform(0.25, 0.75)
        x = (share * x + (1 - share) * other[start:start + EXCERPT]) / np.hypot(share, 1 - share)
    steps = x[:, :STEPS * LANES].reshape(EXCERPT, STEPS, LANES) * np.exp(random.normal(0, 0.25, LANES)).astype("f")
    changes = x[:, STEPS * LANES:].copy()
    if random.random() < 0.4:
        steps[:, :, GROUPS[random.integers(len(GROUPS))]] = 0
    if random.random() < 0.2:
        changes[:] = 0
    if random.random() < 0.3:
        changes[:, random.random(CHANGES) < 0.3] = 0
    if random.random() < 0.1:
        steps[:] = 0
    return np.hstack([steps.reshape(EXCERPT, -1), changes]), first, count


def train(pieces, seed=0):
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    network = Network()
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, ITERATIONS, pct_start=0.1)
    chances = np.array([p["weight"] for p in pieces])
    chances /= chances.sum()
    by_metre = {}
    for metre in METRES:
        same = [i for i, p in enumerate(pieces) if p["metre"] == metre]
        by_metre[metre] = [pieces[i] for i in same], chances[same] / max(1e-9, chances[same].sum())
    for _ in range(ITERATIONS):
        chosen = [pieces[i] for i in random.choice(len(pieces), BATCH, p=chances)]
        batch = [drawn(p, *by_metre[p["metre"]], random) for p in chosen]
        out = network(torch.from_numpy(np.stack([x for x, _, _ in batch]).transpose(0, 2, 1).astype("f")))
        loss = -sum(torch.log_softmax(first_scores(row[:, :count], p["metre"]), 0)[first]
                    for row, p, (_, first, count) in zip(out, chosen, batch)) / BATCH
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    network.eval()
    return network


def scores_of(network, inputs, metre):
    """Returns the score of each first beat."""
    with torch.no_grad():
        return first_scores(network(torch.from_numpy(inputs.T[None].copy()))[0], metre).numpy()


def cross_validate(pieces):
    """Prints the mean F of the downbeats on the program's beats, by kind, for works not in the training set."""
    folds, by_kind = folds_of(pieces, 0), collections.defaultdict(list)
    for fold in range(FOLDS):
        network = train([p for p in pieces if folds[p["group"]] != fold], seed=fold)
        for piece in pieces:
            if folds[piece["group"]] == fold and "own" in piece:
                first = int(scores_of(network, piece["own"], piece["own_metre"]).argmax())
                by_kind[piece["kind"]].append((piece["f"][first], max(piece["f"])))
    for kind, rows in sorted(by_kind.items()):
        mean, best = np.mean(rows, 0)
        print(f"{kind}: {len(rows)} works, downbeat F {mean:.3f}, with the best of all first beats {best:.3f}")


def write_swift(network, path, pieces):
    counts = collections.Counter(p["kind"] for p in pieces)
    first = network.first.weight.detach().numpy()[:, :, 0].T
    # (unit, input, beat) → (beat, input, unit).
    layers = np.concatenate([layer.weight.detach().numpy().transpose(2, 1, 0).ravel() for layer in network.layers])
    biases = np.concatenate([layer.bias.detach().numpy() for layer in [network.first, *network.layers]])
    with open(path, "w") as out:
        out.write(
            "extension DownbeatNetwork {\n"
            "    /// Weights trained by Benchmarks/phrases/downbeats.py.\n"
            "    ///\n"
            f"    /// Trained on {counts['piece']} pieces of the tuning half of Benchmarks/tempo and {counts['variant']} variants of them,\n"
            f"    /// {counts['song']} composed songs, {counts['groove']} accompaniments composed by rule and {counts['style']} in the styles of MMA.\n"
            "    static let trained = DownbeatNetwork(\n"
            f"        inputs: [\n{numbers(first)}        ],\n        weights: [\n{numbers(layers)}        ],\n"
            f"        biases: [\n{numbers(biases)}        ],\n"
            f"        outputs: [\n{numbers(network.out.weight.detach().numpy()[:, :, 0])}        ])\n}}\n")


def write_test(network, path):
    """Writes the scores that the network gives for a formula, as torch computes them."""
    count = 40
    x = np.array([[np.sin(0.37 * beat + 1.3 * value) + 0.5 * np.cos(0.011 * beat * value) for value in range(STEPS * LANES + CHANGES)]
                  for beat in range(count)], "f")
    rows = "".join(f"        {metre}: [{', '.join(f'{value:.6f}' for value in relative)}],\n" for metre in METRES
                   if (relative := (scores := scores_of(network, x, metre)) - scores[0]) is not None)
    with open(path, "w") as out:
        out.write(
            "/// Scores that PyTorch computes with the weights of `DownbeatNetwork.trained`, relative to the first; written by\n"
            "/// Benchmarks/phrases/downbeats.py.\n"
            "enum DownbeatNetworkReference {\n"
            "    /// Number of beats; input k of beat i is sin(0.37 i + 1.3 k) + 0.5 cos(0.011 i k).\n"
            f"    static let beatCount = {count}\n"
            "    /// Scores by the number of beats of a bar.\n"
            f"    static let scores: [Int: [Double]] = [\n{rows}    ]\n}}\n")


def main():
    pieces = load(*sys.argv[1:3])
    print(len(pieces), "works:", dict(collections.Counter(p["kind"] for p in pieces)), flush=True)
    if sys.argv[3] == "--folds":
        cross_validate(pieces)
        return
    network = rounded(train(pieces))
    write_swift(network, sys.argv[3], pieces)
    write_test(network, sys.argv[4])


if __name__ == "__main__":
    main()
