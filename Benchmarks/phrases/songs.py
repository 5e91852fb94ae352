#!/usr/bin/env python3
"""Composes songs with known sections: the truth for phrase boundaries.

    songs.py CACHE COUNT

Each song is generated from a seed: a style of ../tempo/grooves.py, and three or four kinds of sections that differ in chords, parts,
melody, drums or level, of 4, 8, 12 or 16 bars. Half of the songs are held out: odd seeds use styles, sequences of chords, sound
fonts, transitions and lengths that even seeds do not. One in eight has one section throughout and so no boundary. Writes
CACHE/pieces/song-N.mp3 and CACHE/songs.json; creates only missing files.
"""

import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tempo"))
import corpus  # noqa: E402
import composed  # noqa: E402
from composed import BASSES, CLOSED, KICK, LEGATO, SNARE, SOFT, STRUCK, SUSTAINED  # noqa: E402
from grooves import BASS, CHORD, CRASH, MAJOR, MINOR, STYLES, Groove  # noqa: E402

SECONDS = 120
START = 0.3
# Bars of six are rare among the styles.
EXTRA = {
    "six, ballad": (4, 6, 90, 150, {KICK: "x...........x...........", SNARE: "............x...........", CLOSED: "x...x...x...x...x...x...",
                                    BASS: "0...........0.......5...", CHORD: "x.......x...x.......x..."}),
    "six, plain": (2, 6, 100, 180, {KICK: "x.....x.....", SNARE: "....x.....x.", CLOSED: "xxxxxxxxxxxx", BASS: "0.....5...0.", CHORD: "x...x...x..."}),
    "six, march": (2, 6, 110, 170, {KICK: "x.x...x.x...", SNARE: "....xx....xx", BASS: "0.5...0.5...", CHORD: "..x...x...x."}),
}
ALL_STYLES = dict(STYLES, **EXTRA)
# Even seeds: for tuning; odd seeds: held out. Styles alternate within each metre.
BY_METRE = {bar: [name for name, style in ALL_STYLES.items() if style[1] == bar] for bar in (2, 3, 4, 6)}
SEQUENCES = [
    [(0, 3, 4, 0), (5, 3, 0, 4), (0, 5, 3, 4), (0, 4), (1, 4, 0, 0), (0, 0, 3, 0, 4, 3, 0, 4), (3, 4, 2, 5), (0,)],
    [(0, 4, 5, 3), (0, 3), (0, 6, 5, 4), (0, 2, 3, 4), (5, 4, 3, 4), (3, 0, 4, 5), (0, 0, 0, 0, 3, 3, 0, 0), (5, 0)],
]
FONTS = [
    ["/usr/share/sounds/sf2/FluidR3_GM.sf2", "/usr/share/sounds/sf2/OPL-3_FM_128M.sf2"],
    ["/usr/share/sounds/sf2/TimGM6mb.sf2", "/usr/share/sounds/sf3/MuseScore_General_Lite.sf3"],
]
LENGTHS = [([4, 8, 16], [2, 6, 2]), ([4, 8, 12, 16], [2, 5, 2, 2])]
# How a section may differ from another, and how it may be announced.
CHANGES = ["chords", "parts", "drums", "melody", "level"]
TRANSITIONS = [["fill", "crash", "none", "none"], ["fill and crash", "rest", "pickup", "none", "none"]]


class Song(Groove):
    """A song; `boundaries` are (beat, changes, transition)."""

    def __init__(self, seed):
        self.random = random.Random(f"song {seed}")
        choose = self.random
        self.held = seed % 2
        bar = [4, 3, 4, 2, 4, 6, 4, 3, 4, 2, 4, 6][seed // 2 % 12]
        names = BY_METRE[bar]
        names = [name for index, name in enumerate(names) if index % 2 == self.held] or names
        self.style = choose.choice(names)
        self.steps, self.bar, slowest, fastest, self.parts = ALL_STYLES[self.style]
        self.metre = self.style
        self.bpm = slowest * (fastest / slowest) ** choose.random()
        if choose.random() < 0.6:
            self.bpm = round(self.bpm)
        self.drums = choose.random() < 0.7 and any(isinstance(part, int) for part in self.parts)
        self.swing = 0
        self.accent = choose.choice([0, 0.1, 0.25, 0.35])
        self.jitter = choose.choice([0, 0, 0.003, 0.008])
        self.dense = self.bpm < 110
        self.upbeat = choose.choice([0, 0, 0, 0, 1, self.bar - 1])
        self.font = choose.choice(FONTS[self.held])
        self.plain = seed // 2 % 8 == 3
        self.notes, self.programs, self.boundaries = [], {}, []
        self.compose()

    def section(self, scale, key):
        """Returns a kind of section at random."""
        choose = self.random
        parts = [part for part in self.parts if self.drums or not isinstance(part, int)]
        playing = {part for part in parts if choose.random() < 0.85} or set(parts)
        return {
            "playing": playing, "patterns": {part: self.varied(self.parts[part]) for part in parts},
            "levels": {part: choose.uniform(60, 105) for part in parts}, "gain": 1.0,
            "sequence": choose.choice(SEQUENCES[self.held]), "pad": choose.random() < 0.3, "melody": choose.random() < 0.6,
            "motif": self.line_rhythm(choose.choice([1, 2, 4]) * self.bar), "seed": choose.random(), "lift": 0}

    def differing(self, base):
        """Returns a section that differs from another, and in what."""
        choose = self.random
        made = dict(base)
        changes = set()
        while len(changes) < choose.choice([2, 2, 3, 4]):
            change = choose.choice(CHANGES)
            if change == "drums" and not self.drums:
                continue
            changes.add(change)
        if "chords" in changes:
            made["sequence"] = choose.choice([s for s in SEQUENCES[self.held] if s != base["sequence"]])
        if "parts" in changes:
            optional = [part for part in self.parts if part in made["patterns"]]
            made["playing"] = set(base["playing"]) ^ set(choose.sample(optional, min(len(optional), choose.choice([1, 1, 2]))))
            if not any(part in (BASS, CHORD) for part in made["playing"]):
                made["playing"] |= {BASS, CHORD} & set(optional)
            if choose.random() < 0.5:
                made["pad"] = not base["pad"]
        if "drums" in changes:
            drums = [part for part in made["patterns"] if isinstance(part, int)]
            if any(part in made["playing"] for part in drums) and choose.random() < 0.5:
                made["playing"] = {part for part in made["playing"] if part not in drums} or set(base["playing"])
            else:
                made["playing"] = set(made["playing"]) | set(drums)
        if "melody" in changes:
            made["melody"] = not base["melody"]
            made["motif"], made["seed"] = self.line_rhythm(choose.choice([1, 2, 4]) * self.bar), choose.random()
        if "level" in changes:
            made["gain"] = base["gain"] * (0.7 if base["gain"] >= 1 else 1.45)
        return made, changes

    def compose(self):
        choose = self.random
        scale, key = choose.choice([MAJOR, MINOR]), choose.randrange(12)
        self.programs.update({0: choose.choice(BASSES), 1: choose.choice(STRUCK + SUSTAINED[:6]), 2: choose.choice(LEGATO + STRUCK),
                              3: choose.choice(SOFT)})
        per_chord = self.bar * choose.choices([1, 2], [3, 1])[0]
        kinds = [(self.section(scale, key), set(CHANGES))]
        while len(kinds) < choose.choice([3, 3, 4]):
            kinds.append(self.differing(choose.choice(kinds)[0]))
        lengths = [choose.choices(*LENGTHS[self.held])[0] for _ in kinds]
        beat, previous, total = float(self.upbeat), None, (SECONDS - 4) * self.bpm / 60
        if self.upbeat:
            self.lead_in(scale, key)
        while True:
            kind = 0 if self.plain else choose.choice([k for k in range(len(kinds)) if k != previous])
            length = lengths[kind] * self.bar
            if beat + length > total + 1:
                if previous is None or beat < 0.6 * total:
                    lengths[kind] = 4
                    if beat + 4 * self.bar <= total:
                        continue
                break
            transition = "none"
            if previous is not None and previous != kind:
                changed = self.audible(kinds[previous][0], kinds[kind][0])
                transition = self.announce(beat, scale, key) if changed else "none"
                if changed:
                    self.boundaries.append((beat, sorted(changed), transition))
            self.play_section(kinds[kind][0], beat, length, scale, key, per_chord)
            beat += length
            previous = kind
        self.end = beat

    def audible(self, before, after):
        """Returns in what two sections differ audibly."""
        changed = {name for name in ("playing", "sequence", "pad", "melody", "gain") if before[name] != after[name]}
        if before["melody"] and after["melody"] and before["seed"] != after["seed"]:
            changed.add("melody")
        harmonic = before["pad"] or after["pad"] or {BASS, CHORD} & (before["playing"] | after["playing"])
        return changed if harmonic else changed - {"sequence"}

    def announce(self, beat, scale, key):
        """Adds what announces a section."""
        choose = self.random
        transition = choose.choice(TRANSITIONS[self.held])
        if not self.drums and transition != "pickup":
            return "none"
        if "fill" in transition:
            for i in range(self.steps if choose.random() < 0.5 else 2 * self.steps):
                self.add(beat - (1 + i) / self.steps, 0.2, 9, choose.choice([SNARE, 41, 43, 45, 47]), 85 + choose.randrange(30))
        if "crash" in transition:
            self.add(beat, 1, 9, CRASH, 100)
        if transition == "rest":
            self.notes = [note for note in self.notes if not beat - 1 <= note[0] < beat]
        if transition == "pickup":
            for i in range(2):
                self.add(beat - 1 + i / 2, 0.45, 2, 66 + key % 12 - 6 + choose.choice(scale), 90)
        return transition

    def play_section(self, section, beat, length, scale, key, per_chord):
        state = self.random.getstate()
        for part in sorted(section["playing"], key=str):
            self.play(part, section["patterns"][part], beat, length, section["levels"][part] * section["gain"], scale, key,
                      section["sequence"], per_chord)
        if section["pad"]:
            self.play_pad(beat, length, scale, key, section["sequence"], per_chord)
        if section["melody"]:
            # The same melody each time the section returns.
            self.random.seed(section["seed"])
            self.play_melody(section["motif"], beat, length, scale, key)
        self.random.setstate(state)
        self.random.random()

    def midi(self):
        choose = self.random
        events = []
        for beat, beats, channel, pitch, velocity in self.notes:
            start = max(0.05, START + beat * 60 / self.bpm + choose.gauss(0, self.jitter))
            events.append((start, 1, channel, pitch, max(1, min(127, int(velocity)))))
            events.append((start + max(0.05, beats * 60 / self.bpm), 0, channel, pitch, 0))
        return composed.write(events, self.programs)


def render(midi, mp3, font, setting):
    """Renders with a sound font and encodes; returns whether it worked."""
    wav = mp3 + ".wav"
    midi.save(wav + ".mid")
    try:
        corpus.run(["fluidsynth", "-ni", "-r", "44100", "-g", "0.5", "-C", "0", "-T", "wav", "-F", wav, font, wav + ".mid"], seconds=120)
        subprocess.run(["nice", "-n", "15", "lame", "--quiet", "-q", "7", *setting, wav, mp3 + ".part"], check=True)
        os.rename(mp3 + ".part", mp3)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError, FileNotFoundError):
        return False
    finally:
        for path in (wav, wav + ".mid"):
            if os.path.exists(path):
                os.remove(path)
    return True


def main():
    cache, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    os.makedirs(os.path.join(cache, "pieces"), exist_ok=True)
    songs = []
    for seed in range(count):
        song = Song(seed)
        name = f"song-{seed}"
        mp3 = os.path.join(cache, "pieces", name + ".mp3")
        midi = song.midi()
        if not os.path.exists(mp3) and not render(midi, mp3, song.font, corpus.LAME_SETTINGS[seed // 2 % len(corpus.LAME_SETTINGS)]):
            continue
        seconds = lambda beat: START + beat * 60 / song.bpm
        songs.append({
            "name": name, "half": ["tune", "report"][song.held], "style": song.style, "bpm": song.bpm, "beats_per_bar": song.bar,
            "drums": song.drums, "first_bar": seconds(song.upbeat), "end": seconds(song.end),
            "boundaries": [{"seconds": seconds(beat), "changes": changes, "transition": transition}
                           for beat, changes, transition in song.boundaries]})
    with open(os.path.join(cache, "songs.json"), "w") as out:
        json.dump(songs, out, indent=1)
    print(len(songs), "songs", file=sys.stderr)


if __name__ == "__main__":
    main()
