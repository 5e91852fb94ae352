#!/usr/bin/env python3
"""Computes musicnn's embedding of each held-out piece and of its halves: CACHE/musicnn.json.

musicnn 0.1.0 (Pons and Serra, 2019), a convolutional network with the weights of its package, trained to tag the Million Song
Dataset: the layer before the tags, 200 numbers for every three seconds, averaged over the piece or half.
"""

import contextlib
import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import librosa
import numpy as np
import tensorflow as tf
import musicnn
from musicnn import configuration, models

MODEL, TAGS, SECONDS = "MSD_musicnn", 50, 3
BATCH = 16


def main():
    cache = sys.argv[1]
    target = os.path.join(cache, "musicnn.json")
    known = json.load(open(target)) if os.path.exists(target) else {kind: {} for kind in ["pieces", "first", "second"]}
    names = [piece["name"] + ".mp3" for piece in json.load(open(os.path.join(cache, "corpus.json"))) if piece["half"] == "report"]
    # As in musicnn.extractor, which builds the network again for each file.
    tf.compat.v1.disable_eager_execution()
    frames = int(librosa.time_to_frames(SECONDS, sr=configuration.SR, n_fft=configuration.FFT_SIZE,
                                        hop_length=configuration.FFT_HOP)) + 1
    with tf.name_scope("model"):
        patches = tf.compat.v1.placeholder(tf.float32, [None, frames, configuration.N_MELS])
        training = tf.compat.v1.placeholder(tf.bool)
        embedding = models.define_model(patches, training, MODEL, TAGS)[-1]
    session = tf.compat.v1.Session()
    session.run(tf.compat.v1.global_variables_initializer())
    with contextlib.redirect_stdout(sys.stderr):
        tf.compat.v1.train.Saver().restore(session, os.path.join(os.path.dirname(musicnn.__file__), MODEL) + "/")
    for name in names:
        if name in known["second"]:
            continue
        sound, _ = librosa.load(os.path.join(cache, "pieces", name), sr=configuration.SR)
        levels = librosa.feature.melspectrogram(y=sound, sr=configuration.SR, hop_length=configuration.FFT_HOP,
                                                n_fft=configuration.FFT_SIZE, n_mels=configuration.N_MELS).T
        levels = np.log10(10000 * levels.astype(np.float16) + 1)
        count = len(levels) // frames
        inputs = levels[:count * frames].reshape(count, frames, -1)
        outputs = np.concatenate([session.run(embedding, {patches: inputs[start:start + BATCH], training: False})
                                  for start in range(0, count, BATCH)])
        for kind, part in [("pieces", outputs), ("first", outputs[:count // 2]), ("second", outputs[count // 2:])]:
            known[kind][name] = [round(float(value), 5) for value in part.mean(0)]
        json.dump(known, open(target, "w"))


main()
