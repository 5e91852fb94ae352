#!/usr/bin/env python3
"""Trains the network that finds the phase of the beats, the metre and the bars, and writes it as Swift.

    metre.py CACHE OUT.swift TEST.swift      train, cross-validate, write the weights and the numbers of a test
    metre.py CACHE --folds PARTITIONS        only cross-validate

A temporal convolutional network, as in Davies and Böck, "Temporal convolutional networks for musical audio beat tracking" (2019)
and Böck and Davies, "Deconstruct, Analyse, Reconstruct" (2020), but in musical time: its input is twelve steps per beat of a
tracked pulse, so that its dilations are fractions and multiples of the beat. Its five outputs are summed over all candidates
of (phase, metre, first bar), a softmax over these gives probabilities, and training minimises the cross-entropy with the true one;
where only the beats are known, with the sum over all candidates of their phase. The held-out half is not used.
"""

import collections
import glob
import json
import os
import sys

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np
import torch

from report import f_measure
from train import FOLDS, folds_of, logistic_fit

torch.set_num_threads(1)

# Steps per beat, as in BeatSteps; finer steps are for moving the pulse by parts of a step.
STEPS, FINE = 12, 3
# Shifts of a tracked pulse, in steps: as in MetreNetwork.
SHIFTS = [0, 3, 4, 6, 8, 9]
METRES = [2, 3, 4, 6]
LANES, CHANNELS = 16, 16
DILATIONS = [1, 2, 3, 6, 12, 24, 48, 96]
FRAMES_PER_SECOND, LATENCY = 60, 0.003
PARTITIONS = 1
# Excerpts of this many beats.
EXCERPT = 48
ITERATIONS, BATCH, RATE, DECAY = 1500, 32, 6e-3, 2e-2
# Groups of lanes that one excerpt may lack: those of kick and bass, melody, cymbals; rises, falls, levels, changes.
GROUPS = [[0, 1, 9, 13], [5, 6, 12], [2, 3, 4, 7, 8], [7, 8], [9, 10, 11, 12], [13, 14, 15], [13], [9]]
# The weight of a work.
COMPOSED, GROOVE, STYLE, SCORE, CLICKS = 0.25, 0.35, 0.5, 0.35, 0.15


def steps_of(frames, beats, parts=STEPS, width=1):
    """Returns the mean features of each step between the beats (in seconds), like BeatSteps: step i is centred on beat i / parts
    and `width` steps wide."""
    beats = (np.asarray(beats) - LATENCY) * FRAMES_PER_SECOND
    count = (len(beats) - 1) * parts
    position = np.arange(count) / parts
    half = 0.5 * width / parts
    whole = np.concatenate([np.zeros((1, LANES)), np.cumsum(frames, axis=0, dtype=np.float64)])
    # Frame k spans k − 0.5 … k + 0.5; the first and last period continue beyond the beats.
    def total(at):
        index = np.floor(at).clip(0, len(beats) - 2).astype(int)
        edge = beats[index] + (at - index) * (beats[index + 1] - beats[index]) + 0.5
        edge = edge.clip(0, len(frames))
        low = np.floor(edge).astype(int).clip(0, len(frames) - 1)
        return whole[low] + (edge - low)[:, None] * frames[low], edge
    high, high_edge = total(position + half)
    low, low_edge = total(position - half)
    return ((high - low) / np.maximum(high_edge - low_edge, 1e-3)[:, None]).astype("f")


def normalised(steps):
    spread = steps.std(axis=0)
    return ((steps - steps.mean(axis=0)) / (spread + 4)).clip(-4, 4).astype("f")


def load(cache):
    """Returns the pieces with true beats: fine steps on the true beats, and where beats are tracked, steps on those."""
    listed = lambda name: json.load(open(os.path.join(cache, name))) if os.path.exists(os.path.join(cache, name)) else []
    beats_of = {name: known["beats"] for name, known in listed("beats.json").items()}
    bars_of, tracked = listed("bars.json"), listed("tracked.json")
    pieces = [dict(p, work=1) for p in listed("corpus.json") if p["half"] in ("tune", "training")]
    for name, weight in (("composed.json", COMPOSED), ("scores.json", SCORE), ("grooves.json", GROOVE), ("styles.json", STYLE)):
        pieces += [dict(p, work=weight) for p in listed(name) if p["half"] == "training"]
    for path in sorted(glob.glob(os.path.join(cache, "envelopes", "clicks-*.u8"))):
        name = os.path.splitext(os.path.basename(path))[0]
        bpm, _, *bars = map(int, name.split("-")[1:])
        piece = {"name": name, "group": name, "kind": "clicks", "half": "training", "bpm": bpm, "work": CLICKS}
        if bars:
            piece.update(beats_per_bar=bars[0], first_bar=bars[1], kind="clicks with bars")
        pieces.append(piece)
    known = []
    for piece in pieces:
        name = piece["name"]
        path = os.path.join(cache, "envelopes", name + ".u8")
        if not os.path.exists(path) or name not in tracked:
            continue
        frames = np.fromfile(path, np.uint8).reshape(-1, LANES)
        seconds = len(frames) / FRAMES_PER_SECOND
        number = None
        if piece["kind"].startswith("clicks"):
            beats = np.array(tracked[name])
            if piece.get("first_bar") is not None:
                number = piece["first_bar"]
        elif "first_beat" in piece:
            beats = piece["first_beat"] + np.arange(1000) * 60 / piece["bpm"]
            skipped = int(np.sum(beats < 0))
            beats = beats[(beats >= 0) & (beats <= seconds)]
            if "first_bar" in piece:
                number = piece["first_bar"] - skipped
        else:
            beats = np.array(beats_of.get(name, []))
            bars = bars_of.get(name)
            if bars and bars["beats_per_bar"] in METRES and bars["downbeats"]:
                piece["beats_per_bar"], number = bars["beats_per_bar"], bars["downbeats"][0]
        if len(beats) < 16:
            continue
        if piece.get("beats_per_bar") not in METRES:
            number = None
        fine = steps_of(frames, beats, STEPS * FINE, FINE)
        piece.update(beats=beats, bar=None if number is None else number % piece["beats_per_bar"],
                     fine=normalised(fine), pulse=np.array(tracked[name]))
        piece["tracked"] = normalised(steps_of(frames, piece["pulse"]))
        known.append(piece)
    counts = collections.Counter(p["group"] for p in known)
    for piece in known:
        piece["weight"] = piece["work"] / counts[piece["group"]]
    return known


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        sizes = [LANES] + [CHANNELS] * (len(DILATIONS) - 1)
        self.layers = torch.nn.ModuleList(
            torch.nn.Conv1d(size, CHANNELS, 3, dilation=d, padding=d) for size, d in zip(sizes, DILATIONS))
        self.out = torch.nn.Conv1d(CHANNELS, 1 + len(METRES), 1)
        self.drop = torch.nn.Dropout1d(0.1)

    def forward(self, x):
        """(batch, lanes, steps) → (batch, outputs, steps)."""
        x = torch.relu(self.layers[0](x))
        for layer in self.layers[1:]:
            x = x + self.drop(torch.relu(layer(x)))
        return self.out(x)


def scores_of(out):
    """Returns the score of each candidate from outputs (batch, outputs, steps): (batch, phase, sum of metres).

    The candidates of a phase are (metre, first bar) in the order of METRES.
    """
    batch, _, count = out.shape
    beats = count // STEPS
    grid = out[:, :, :beats * STEPS].reshape(batch, 1 + len(METRES), beats, STEPS)
    beat = grid[:, 0].mean(dim=1)
    parts = []
    for index, metre in enumerate(METRES):
        for first in range(metre):
            parts.append(beat + grid[:, 1 + index, first::metre].mean(dim=1))
    return torch.stack(parts, dim=2)


CANDIDATES = [(metre, first) for metre in METRES for first in range(metre)]


def excerpt_of(piece, random):
    """Returns steps of a random excerpt with a random rotation, the true phase and the true candidate of its bars or None."""
    fine = piece["fine"]
    beats = len(fine) // (STEPS * FINE)
    length = min(EXCERPT, beats - 1)
    first = random.integers(0, beats - length)
    rotation = random.integers(0, STEPS * FINE)
    start = first * STEPS * FINE + rotation
    x = fine[start:start + length * STEPS * FINE:FINE]
    # The first true beat is at this fine step; one that is nearest to the step before the start belongs to step 0.
    until = -rotation % (STEPS * FINE)
    phase, number = round(until / FINE), first + (rotation > 0)
    if phase == STEPS:
        phase, number = 0, first
    bar = None
    if piece["bar"] is not None:
        metre = piece["beats_per_bar"]
        bar = CANDIDATES.index((metre, (piece["bar"] - number) % metre))
    if len(x) < EXCERPT * STEPS:
        x = np.concatenate([x, np.zeros((EXCERPT * STEPS - len(x), LANES), "f")])
    return x, phase, bar


def loss_of(scores, phases, bars):
    batch = scores.shape[0]
    total = torch.logsumexp(scores.reshape(batch, -1), dim=1)
    right = scores[torch.arange(batch), phases]
    known = bars >= 0
    chosen = torch.where(known, right[torch.arange(batch), bars.clamp(min=0)], torch.logsumexp(right, dim=1))
    # The phase counts twice: it matters more than the bars.
    return (2 * total - chosen - torch.logsumexp(right, dim=1)).mean()


def train(pieces, seed=0, iterations=ITERATIONS, log=False):
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    network = Network()
    network.train()
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, iterations, pct_start=0.1)
    chances = np.array([p["weight"] for p in pieces])
    chances /= chances.sum()
    mean = 0
    for step in range(iterations):
        drawn = [excerpt_of(pieces[i], random) for i in random.choice(len(pieces), BATCH, p=chances)]
        x = np.stack([d[0] for d in drawn])
        for row in x:
            if random.random() < 0.35:
                row[:, GROUPS[random.integers(len(GROUPS))]] = 0
        x *= np.exp(random.normal(0, 0.2, (BATCH, 1, LANES))).astype("f")
        out = network(torch.from_numpy(x.transpose(0, 2, 1).copy()))
        loss = loss_of(scores_of(out), torch.tensor([d[1] for d in drawn]), torch.tensor([-1 if d[2] is None else d[2] for d in drawn]))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        mean += (float(loss.detach()) - mean) * max(0.02, 1 / (step + 1))
        if log and step % 200 == 199:
            print(f"  step {step + 1}: loss {mean:.3f}", flush=True)
    network.eval()
    return network


def moved(beats, shift):
    """Returns beats moved later by a number of steps, like BeatTimeline.move(by:)."""
    fraction, periods = shift / STEPS, np.diff(beats)
    if shift == 0:
        return np.asarray(beats)
    return np.concatenate([[beats[0] - (1 - fraction) * periods[0]], beats[:-1] + fraction * periods,
                           [beats[-1] + fraction * periods[-1]]])


def choose(scores):
    """Returns (shift, probability, metre, first bar, probability of the bars) for scores (phase, candidates).

    The bar is the number of a beat counted from the tracked one that is moved by the shift.
    """
    allowed = np.full(STEPS, -np.inf)
    allowed[SHIFTS] = 0
    scores = scores + allowed[:, None]
    chances = np.exp(scores - scores.max())
    chances /= chances.sum()
    shift = int(chances.sum(axis=1).argmax())
    best = int(chances[shift].argmax())
    return shift, float(chances[shift].sum()), *CANDIDATES[best], float(chances[shift, best])


def evaluate(network, piece):
    """Returns the result for a piece at its true tempo: F of the beats and of the tracked ones, probabilities, F of the bars."""
    with torch.no_grad():
        scores = scores_of(network(torch.from_numpy(piece["tracked"].T[None].copy())))[0].numpy()
    shift, chance, metre, first, bar_chance = choose(scores)
    beats = moved(piece["pulse"], shift)
    start = 1 if shift else 0
    downbeats = beats[start:][first::metre]
    result = {"f": f_measure(beats, piece["beats"]), "tracked": f_measure(piece["pulse"], piece["beats"]), "chance": chance,
              "bar_chance": bar_chance, "metre": metre, "shift": shift, "bar_f": None}
    if piece["bar"] is not None:
        result["bar_f"] = f_measure(downbeats, piece["beats"][piece["bar"]::piece["beats_per_bar"]])
        result["metre_right"] = metre == piece["beats_per_bar"]
    return result


def cross_validate(pieces, partitions, iterations=ITERATIONS):
    rows, by_kind = [], collections.defaultdict(list)
    for partition in range(partitions):
        folds = folds_of(pieces, partition)
        for fold in range(FOLDS):
            network = train([p for p in pieces if folds[p["group"]] != fold], seed=fold, iterations=iterations)
            for piece in pieces:
                if folds[piece["group"]] == fold and (piece["half"] == "tune" or piece["work"] != 1):
                    result = dict(evaluate(network, piece), name=piece["name"])
                    by_kind[piece["kind"]].append(result)
                    if piece["half"] == "tune":
                        rows.append(result)
            print(f"fold {fold}: {np.mean([r['f'] >= 0.5 for r in rows]):.3f}", file=sys.stderr, flush=True)
    by_kind["tuning half"] = rows
    for kind, results in sorted(by_kind.items()):
        on, bars = np.mean([r["f"] >= 0.5 for r in results]), [r for r in results if r["bar_f"] is not None and r["f"] >= 0.5]
        text = f"{kind}: on the beat {100 * on:.1f} % (tracked {100 * np.mean([r['tracked'] >= 0.5 for r in results]):.1f} %) of {len(results) // partitions}, mean F {np.mean([r['f'] for r in results]):.3f}"
        if bars:
            text += f"; of {len(bars) // partitions} with bars: downbeat F {np.mean([r['bar_f'] for r in bars]):.3f}, metre {100 * np.mean([r['metre_right'] for r in bars]):.0f} %"
        print(text)
    wrong = collections.Counter((r["name"], r["shift"]) for r in rows if r["f"] < 0.5)
    for (name, shift), count in sorted(wrong.items()):
        print(f"  off the beat in {count} of {partitions} partitions: {name}, moved by {shift}")
    return rows


def numbers(values, digits=4):
    """Returns numbers as lines of Swift, ten to a line."""
    texts = [f"{value:.{digits}g}" for value in np.asarray(values, float).ravel()]
    return "".join("            " + ", ".join(texts[i:i + 10]) + ",\n" for i in range(0, len(texts), 10))


def weights_of(network):
    """Returns weights, biases, output weights and output biases in the order of MetreNetwork."""
    layers = [layer.weight.detach().numpy() for layer in network.layers]
    # (unit, input, step) → (step, input, unit).
    weights = np.concatenate([weight.transpose(2, 1, 0).ravel() for weight in layers])
    biases = np.concatenate([layer.bias.detach().numpy() for layer in network.layers])
    return weights, biases, network.out.weight.detach().numpy()[:, :, 0].ravel(), network.out.bias.detach().numpy()


def rounded(network):
    """Rounds the weights of a network to the digits that are written."""
    with torch.no_grad():
        for part in network.parameters():
            part.copy_(torch.tensor([float(f"{value:.4g}") for value in part.ravel().tolist()]).reshape(part.shape))
    return network


def write_swift(network, calibrations, path, pieces):
    weights, biases, outputs, output_biases = weights_of(network)
    counts = collections.Counter(
        "tune" if p["work"] == 1 else p["kind"].split()[0] for p in pieces)
    with open(path, "w") as out:
        out.write(
            "extension MetreNetwork {\n"
            "    /// Weights trained by Benchmarks/tempo/metre.py.\n"
            "    ///\n"
            f"    /// Trained on {counts['tune']} pieces with known beats (the tuning half of the corpus described in Benchmarks/tempo),\n"
            f"    /// {counts['composed']} rule-composed pieces, {counts['groove']} accompaniments composed by rule and {counts['style']} in the styles of MMA,\n"
            f"    /// {counts['score']} score excerpts and {counts['clicks']} click tracks.\n"
            "    static let trained = MetreNetwork(\n"
            f"        weights: [\n{numbers(weights)}        ],\n        biases: [\n{numbers(biases)}        ],\n"
            f"        outputs: [\n{numbers(outputs)}        ],\n        outputBiases: [\n{numbers(output_biases)}        ])\n}}\n\n"
            "extension Metre {\n"
            "    /// The probability of being right is the logistic function of `slope` · logit(probability) + `offset`, fitted to\n"
            "    /// answers for pieces not in the training set (cross-validation).\n"
            f"    static let beatCalibration = (slope: {calibrations[0][0]:.3f}, offset: {calibrations[0][1]:.3f})\n"
            "    /// The same for the bars.\n"
            f"    static let barCalibration = (slope: {calibrations[1][0]:.3f}, offset: {calibrations[1][1]:.3f})\n}}\n")


def write_test(network, path):
    """Writes the scores that the network gives for a formula, as torch computes them."""
    count = 400
    steps = np.array([[np.sin(0.37 * i + 1.3 * lane) + 0.5 * np.cos(0.011 * i * lane) for lane in range(LANES)] for i in range(count)], "f")
    with torch.no_grad():
        scores = network(torch.from_numpy(steps.T[None].copy()))[0].numpy().T
    chosen = [0, 1, 57, 200, 311, 398, 399]
    rows = "".join(f"        {i}: [{', '.join(f'{value:.6f}' for value in scores[i])}],\n" for i in chosen)
    with open(path, "w") as out:
        out.write(
            "/// Scores that PyTorch computes with the weights of `MetreNetwork.trained`; written by Benchmarks/tempo/metre.py.\n"
            "enum MetreNetworkReference {\n"
            "    /// Number of steps; lane k of step i is sin(0.37 i + 1.3 k) + 0.5 cos(0.011 i k).\n"
            f"    static let stepCount = {count}\n"
            "    /// Scores by step.\n"
            f"    static let scores: [Int: [Float]] = [\n{rows}    ]\n}}\n")


def main():
    cache = sys.argv[1]
    pieces = load(cache)
    print(len(pieces), "pieces;", sum(p["bar"] is not None for p in pieces), "with bars", flush=True)
    if sys.argv[2] == "--folds":
        cross_validate(pieces, int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else ITERATIONS)
        return
    rows = cross_validate(pieces, PARTITIONS)
    beat = logistic_fit([(r["chance"], r["f"] >= 0.5) for r in rows])
    bar = logistic_fit([(r["bar_chance"], r["bar_f"] >= 0.8) for r in rows if r["bar_f"] is not None])
    print(f"confidence of beats: slope {beat[0]:.3f}, offset {beat[1]:.3f}; of bars: slope {bar[0]:.3f}, offset {bar[1]:.3f}")
    network = rounded(train(pieces, log=True))
    write_swift(network, (beat, bar), sys.argv[2], pieces)
    write_test(network, sys.argv[3])


if __name__ == "__main__":
    main()
