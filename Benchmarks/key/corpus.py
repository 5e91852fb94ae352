#!/usr/bin/env python3
"""Creates the key corpus: scores whose key is written down, transposed, detuned, rendered and encoded to MP3.

    corpus.py CACHE [JOBS]

Sources: the scores inside the music21 package (chorales, folk songs, dance tunes, classical movements), and progressions
composed by rule (composed.py). The true key is never an estimate; see the functions that end in `_key`. Writes
CACHE/pieces/NAME.mp3 and CACHE/corpus.json; creates only missing files.
"""

import collections
import glob
import hashlib
import json
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys

import music21

import composed
from midi import Piece

# The number of pieces of each kind and mode.
CHORALES, SONGS, TUNES, COMPOSED = 45, 50, 30, 30
# The number of further composed pieces, which are only used for training.
TRAINING = 50
# The number of songs or tunes examined at most.
EXAMINED = 9000
# Classical movements of more than this many bytes (compressed) take minutes to parse.
LARGEST = 30_000
COMPOSERS = [
    "mozart", "haydn", "beethoven", "chopin", "schumann_robert", "schumann_clara", "corelli", "cpebach", "handel", "joplin",
    "weber", "schubert", "beach", "verdi", "leadSheet", "johnson_j_r", "liliuokalani",
]
FONTS = ["/usr/share/sounds/sf2/FluidR3_GM.sf2", "/usr/share/sounds/sf2/TimGM6mb.sf2"]
LAME_SETTINGS = [["-V2"], ["-b", "128"], ["-b", "192"], ["-V5"], ["-b", "320"]]
LIBRARY = os.path.join(os.path.dirname(music21.__file__), "corpus")
NAMES = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11, "H": 11}


def half_of(group):
    """Returns the half of a work by a hash of its name, so that all pieces of one work stay together."""
    return "tune" if hashlib.sha256(group.encode()).digest()[0] & 1 else "report"


def safe(text):
    return re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")[:60]


# Notes


def notes_of(score):
    """Returns the (start, length, part, pitch) of a score in quarters, with tied notes joined."""
    notes = []
    for number, part in enumerate(list(score.parts) or [score]):
        held = {}
        for element in part.flatten().notes:
            if element.quarterLength <= 0 or "ChordSymbol" in element.classes:
                continue
            for note in getattr(element, "notes", [element]):
                start, length = float(element.offset), float(element.quarterLength)
                tie, pitch = getattr(note, "tie", None), note.pitch.midi
                if tie and tie.type in ("stop", "continue") and pitch in held:
                    index = held[pitch]
                    begin = notes[index][0]
                    notes[index] = (begin, start + length - begin, number, pitch)
                else:
                    held[pitch] = len(notes)
                    notes.append((start, length, number, pitch))
    return sorted(notes)


def final_bass(notes):
    """Returns the pitch class of the lowest note that sounds at the end."""
    end = max(start + length for start, length, _, _ in notes)
    return min(pitch for start, length, _, pitch in notes if start + length > end - 0.01) % 12


# The true key


def signature_key(score, notes):
    """Returns the key of a score in harmony, or None if it is unclear.

    The key signature allows a major key and its relative minor; the bass of the final chord must be the tonic of one of
    them. A movement that ends with another signature than it begins with, a modal one (signatures of older editions), and
    one that ends on another degree (an attacca) are thereby left out.
    """
    signatures = [s.sharps for s in score.recurse().getElementsByClass("KeySignature")]
    parts = list(score.parts) or [score]
    ends = {p.flatten().getElementsByClass("KeySignature")[-1].sharps for p in parts
            if p.flatten().getElementsByClass("KeySignature")}
    if not signatures or ends != {signatures[0]}:
        return None
    major = signatures[0] * 7 % 12
    final = final_bass(notes)
    if final == major:
        return major, "major"
    return (final, "minor") if final == (major + 9) % 12 else None


def melody_key(tonic, notes):
    """Returns the key of a melody whose tonic its editor has noted, or None if it is unclear.

    The melody must end on that tonic. Its thirds decide the mode, and must nearly all agree. Dorian, Phrygian, Lydian and
    Mixolydian tunes are left out by their sixth, second, fourth and seventh.
    """
    if notes[-1][3] % 12 != tonic:
        return None
    time = collections.Counter()
    for _, length, _, pitch in notes:
        time[(pitch - tonic) % 12] += length
    thirds = time[3] + time[4]
    if thirds == 0 or time[1] > 0.02 * sum(time.values()):
        return None
    if time[3] >= 0.9 * thirds and time[8] >= time[9]:
        return tonic, "minor"
    if time[4] >= 0.9 * thirds and time[11] >= time[10] and time[5] >= time[6]:
        return tonic, "major"
    return None


# Sources: each yields (name, group, kind, (tonic, mode), notes, quarters per minute)


def with_timeout(seconds, function):
    """Returns the function's result, or None after an error or if it takes more than so many seconds of CPU time."""
    def stop(*_):
        raise TimeoutError
    # CPU time, so that the result does not depend on what else runs.
    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        return function()
    except Exception as error:  # an unreadable score is skipped
        print(f"skipped: {error!r}", file=sys.stderr)
        return None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def harmony(paths, kind, group_of, limits=None):
    """Yields scores in several voices, up to `limits` of each mode."""
    found = collections.Counter()
    for path in paths:
        if limits and sum(min(found[m], limits) for m in ("major", "minor")) == 2 * limits:
            return
        score = with_timeout(60, lambda: music21.converter.parse(path))
        if score is None or "Opus" in score.classes:
            continue
        notes = with_timeout(30, lambda: notes_of(score))
        key = notes and with_timeout(30, lambda: signature_key(score, notes))
        if not key or (limits and found[key[1]] >= limits):
            continue
        found[key[1]] += 1
        name = safe(os.path.splitext(os.path.relpath(path, LIBRARY))[0])
        yield name, group_of(path, score), kind, key, notes


def chorales():
    paths = sorted(glob.glob(f"{LIBRARY}/bach/bwv*.mxl"))
    random.Random(1).shuffle(paths)
    # Settings of the same hymn have the same first soprano notes: these stay in one half.
    def group(_, score):
        soprano = [n.pitch.midi for n in (list(score.parts) or [score])[0].flatten().notes if hasattr(n, "pitch")][:9]
        return "chorale " + " ".join(str(b - a) for a, b in zip(soprano, soprano[1:]))
    return harmony(paths, "chorale", group, CHORALES)


def movements():
    paths = [p for c in COMPOSERS for p in sorted(glob.glob(f"{LIBRARY}/{c}/**/*.*", recursive=True))
             if p.endswith((".mxl", ".xml", ".musicxml")) or "mazurka" in p]
    paths = [p for p in paths if os.path.getsize(p) <= LARGEST or not p.endswith(".mxl")]
    def group(path, _):
        parts = os.path.relpath(path, LIBRARY).split(os.sep)
        return " ".join(parts[:2]).split(".")[0]
    return harmony(paths, "classical", group)


def melodies(paths, kind, limit):
    """Yields tunes in ABC notation, up to `limit` of each mode."""
    texts = []
    for path in paths:
        text = open(path, encoding="latin-1").read()
        for tune in re.split(r"(?m)^(?=X:)", text):
            title, key = re.search(r"(?m)^T:\s*(.+)", tune), re.search(r"(?m)^K:\s*([A-H])(b|#)?\s*(\w*)", tune)
            if title and key and tune.startswith("X:"):
                texts.append((title[1].strip(), key, tune))
    random.Random(2).shuffle(texts)
    texts = texts[:EXAMINED]
    found, seen = collections.Counter(), set()
    for title, key, tune in texts:
        if min(found["major"], found["minor"]) >= limit:
            return
        if key[3].lower() not in ("", "m", "min", "minor", "maj", "major") or title in seen:
            continue
        tonic = (NAMES[key[1]] + {"b": -1, "#": 1, None: 0}[key[2]]) % 12
        score = with_timeout(10, lambda: music21.converter.parse(tune, format="abc"))
        notes = score and with_timeout(10, lambda: notes_of(score))
        if not notes or not 24 <= len(notes) <= 600:
            continue
        truth = melody_key(tonic, notes)
        # A tune that states its mode must have that scale.
        if not truth or (key[3] and truth[1][:2] != {"m": "mi"}.get(key[3].lower(), key[3].lower()[:2])):
            continue
        if found[truth[1]] >= limit:
            continue
        found[truth[1]] += 1
        seen.add(title)
        yield f"{kind}-{safe(title)}", f"{kind} {title.lower()}", kind, truth, notes


def songs():
    return melodies(sorted(glob.glob(f"{LIBRARY}/essenFolksong/*.abc")), "song", SONGS)


def tunes():
    return melodies(sorted(glob.glob(f"{LIBRARY}/ryansMammoth/*.abc")), "tune", TUNES)


def pieces():
    """Yields (description, Piece) of the whole corpus."""
    for seed in range(2 * COMPOSED + TRAINING):
        piece, tonic, mode = composed.piece(seed)
        description = describe(piece.name, piece.name, "composed", tonic, mode, piece)
        yield dict(description, half="training") if seed >= 2 * COMPOSED else description, piece
    for source in (songs, tunes, chorales, movements):
        for name, group, kind, (tonic, mode), notes in source():
            piece = Piece.of_score(name, kind, notes)
            yield describe(name, group, kind, tonic, mode, piece), piece


def describe(name, group, kind, tonic, mode, piece):
    return {"name": name, "group": group, "kind": kind, "tonic": (tonic + piece.shift) % 12, "mode": mode,
            "cents": piece.cents, "half": half_of(group)}


# Rendering


def render(job):
    """Renders and encodes a piece, with sound font and settings chosen by its name; returns whether it succeeded."""
    cache, name, midi = job
    choose = random.Random("render" + name)
    mp3, wav = os.path.join(cache, "pieces", name + ".mp3"), os.path.join(cache, name + ".wav")
    font, setting, reverb = choose.choice(FONTS), choose.choice(LAME_SETTINGS), choose.choice(["0", "1"])
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
    with open(wav + ".mid", "wb") as out:
        out.write(midi)
    try:
        subprocess.run(["fluidsynth", "-ni", "-r", "44100", "-g", "0.5", "-R", reverb, "-C", "0", "-F", wav,
                        font, wav + ".mid"], timeout=120, check=True, **quiet)
        subprocess.run(["lame", "--quiet", "-q", "9", *setting, wav, mp3 + ".part"], timeout=120, check=True,
                       **quiet)
        os.rename(mp3 + ".part", mp3)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError, FileNotFoundError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return False
    finally:
        for path in (wav, wav + ".mid"):
            if os.path.exists(path):
                os.remove(path)
    return True


def main():
    cache, jobs = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    os.makedirs(os.path.join(cache, "pieces"), exist_ok=True)
    listed = os.path.join(cache, "corpus.json")
    if os.path.exists(listed):
        return
    described, names, pending = [], set(), []
    with multiprocessing.Pool(jobs) as pool:
        for description, piece in pieces():
            name = description["name"]
            if name in names:
                continue
            names.add(name)
            described.append(description)
            if not os.path.exists(os.path.join(cache, "pieces", name + ".mp3")):
                pending.append(pool.apply_async(render, ((cache, name, piece.midi()),)))
        print(f"{len(described)} pieces read", file=sys.stderr, flush=True)
        for number, job in enumerate(pending, 1):
            job.wait()
            if number % 50 == 0:
                print(f"{number} of {len(pending)} rendered", file=sys.stderr, flush=True)
    described = [d for d in described if os.path.exists(os.path.join(cache, "pieces", d["name"] + ".mp3"))]
    with open(listed, "w") as out:
        json.dump(described, out, indent=1)
    print(len(described), dict(collections.Counter((d["half"], d["kind"], d["mode"]) for d in described)), file=sys.stderr)


if __name__ == "__main__":
    main()
