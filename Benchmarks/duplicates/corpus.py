"""The music of the benchmark: soundtracks of games from Debian packages, copies of each piece, and other versions of it.

Everything is kept in a folder of the cache and created only if missing. Limits are chosen on the first half of the packages, and
reported for the second: no package is in both.
"""

import concurrent.futures
import hashlib
import json
import random
import subprocess

HALVES = {
    "tune": ["wesnoth-1.16-music", "supertuxkart-data", "hedgewars-data", "naev-data", "singularity-music", "frozen-bubble-data"],
    "report": ["warzone2100-music", "supertux-data", "widelands-data", "freedroidrpg-data", "btanks-data",
               "fretsonfire-songs-sectoid", "fretsonfire-songs-muldjord", "asc-music"],
}  # fmt: skip
SOUNDS = {".ogg", ".mp3", ".flac", ".opus"}
# Folders of effects and speech.
NOT_MUSIC = {"sounds", "soundfx", "speech", "sound", "sfx", "Sounds", "voices"}
SHORTEST, LONGEST = 60, 95  # seconds

MP3 = ["-c:a", "libmp3lame"]
OPUS = ["-c:a", "libopus"]
# Copies of a piece: the filter, {end} being its length without 5 s; the file's suffix; the encoder's options.
COPIES = {
    "MP3 64 kbit/s": (None, "mp3", [*MP3, "-b:a", "64k"]),
    "MP3 variable bit rate": (None, "mp3", [*MP3, "-q:a", "5"]),
    "9 dB quieter": ("volume=-9dB", "mp3", [*MP3, "-b:a", "128k"]),
    "5 s cut at the start": ("atrim=start=5", "mp3", [*MP3, "-b:a", "128k"]),
    "5 s cut at the end": ("atrim=end={end}", "mp3", [*MP3, "-b:a", "160k"]),
    "FLAC": (None, "flac", ["-c:a", "flac"]),
    "Vorbis": (None, "ogg", ["-c:a", "libvorbis", "-q:a", "4"]),
    "AAC 128 kbit/s": (None, "m4a", ["-c:a", "aac", "-b:a", "128k"]),
    "Opus 96 kbit/s, 48 kHz": (None, "opus", [*OPUS, "-b:a", "96k"]),
    "Opus 64 kbit/s, 3.3 s cut": ("atrim=start=3.3", "opus", [*OPUS, "-b:a", "64k"]),
    "FLAC, 48 kHz": ("aresample=48000", "flac", ["-c:a", "flac"]),
    "MP3 96 kbit/s, 32 kHz": ("aresample=32000", "mp3", [*MP3, "-b:a", "96k"]),
    "MP3 64 kbit/s, mono": (None, "mp3", [*MP3, "-ac", "1", "-b:a", "64k"]),
}  # fmt: skip
BEAT = "aevalsrc='0.5*sin(2*PI*60*t)*exp(-30*mod(t,0.5))+0.3*random(0)*exp(-60*mod(t+0.25,0.5))':s=44100"
ADD = "[0]aresample=44100[a];[1]aresample=44100,volume={volume}dB[b];[a][b]amix=duration=first"
# Other versions: the second input, and a filter of one or two inputs.
VERSIONS = {
    "3 % faster": (None, "atempo=1.03"),
    "3 % slower": (None, "atempo=0.97"),
    "higher": (None, "asetrate=44100*1.02,aresample=44100"),
    "remastered": (None, "acompressor=threshold=0.08:ratio=4:makeup=2,bass=g=5:f=100,treble=g=3:f=6000"),
    "without its centre": (None, "pan=stereo|c0=c0-c1|c1=c1-c0"),
    "an added beat": (BEAT, ADD.format(volume=-3)),
    "a soft added beat": (BEAT, ADD.format(volume=-12)),
    "another piece added": ("other", ADD.format(volume=0)),
    "15 s replaced": (
        "other",
        "[0]aresample=44100,aformat=channel_layouts=stereo,asplit=2[a][c];[a]atrim=0:25[a1];"
        "[1]aresample=44100,aformat=channel_layouts=stereo,atrim=25:40[b1];"
        "[c]atrim=start=40[c1];[a1][b1][c1]concat=n=3:v=0:a=1",
    ),
}
# Each version is encoded in both ways: as the piece is, and with another sample rate.
ENCODINGS = {"MP3": ("mp3", [*MP3, "-b:a", "128k"]), "Opus": ("opus", [*OPUS, "-b:a", "96k"])}


def ffmpeg(*arguments):
    command = ["nice", "-n", "10", "ffmpeg", "-v", "error", "-y", *map(str, arguments)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


def seconds(path):
    command = ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def fetch(folder, package):
    """Downloads a package and unpacks it, without installing it; returns its folder."""
    target = folder / package
    if not (target / ".done").exists():
        target.mkdir(parents=True, exist_ok=True)
        # As root, apt tries to download as another user, and warns if it cannot.
        command = ["apt-get", "-q", "-q", "-o", "APT::Sandbox::User=root", "download", package]
        subprocess.run(command, cwd=target, check=True)
        (archive,) = target.glob("*.deb")
        subprocess.run(["dpkg-deb", "-x", archive, target], check=True)
        archive.rename(target / ".done")
    return target


def sources(folder, half, most):
    """Returns up to a number of pieces, the packages in turn, so that each contributes about as many."""
    queues, seen = [], set()
    for package in HALVES[half]:
        found = []
        for path in sorted(fetch(folder, package).rglob("*")):
            if path.suffix not in SOUNDS or path.is_symlink() or NOT_MUSIC & set(path.parts) or path.stat().st_size < 400_000:
                continue
            digest = hashlib.sha256(path.read_bytes()).digest()
            if digest not in seen and seconds(path) >= SHORTEST:
                found.append(path)
            seen.add(digest)
        random.Random(1).shuffle(found)
        queues.append(found)
    chosen = []
    while len(chosen) < most and any(queues):
        chosen += [queue.pop(0) for queue in queues if queue]
    return chosen[:most]


def encode(target, inputs, filters, options):
    if not target.exists():
        partial = target.with_name("partial-" + target.name)
        sources = [part for each in inputs for part in (["-f", "lavfi", "-i", each] if each == BEAT else ["-i", each])]
        arguments = ["-filter_complex" if len(inputs) > 1 else "-af", filters] if filters else []
        ffmpeg(*sources, *arguments, "-t", LONGEST, "-map_metadata", "-1", *options, partial)
        partial.rename(target)


def make(work, number, other):
    """Makes all files of a piece; returns the kind of each by its name, copies without a version."""
    piece, others = work / "pieces" / f"{number:04}.wav", work / "pieces" / f"{other:04}.wav"
    end = seconds(piece) - 5
    files = {f"{number:04}-original.mp3": {"piece": number, "kind": "original"}}
    encode(work / "music" / f"{number:04}-original.mp3", [piece], None, [*MP3, "-b:a", "192k"])
    for index, (kind, (filters, suffix, options)) in enumerate(COPIES.items()):
        name = f"{number:04}-copy-{index:02}.{suffix}"
        encode(work / "music" / name, [piece], filters and filters.format(end=end), options)
        files[name] = {"piece": number, "kind": kind}
    for index, (kind, (second, filters)) in enumerate(VERSIONS.items()):
        inputs = [piece] + ([BEAT] if second == BEAT else [others] if second else [])
        for encoding, (suffix, options) in ENCODINGS.items():
            name = f"{number:04}-version-{index:02}.{suffix}"
            encode(work / "music" / name, inputs, filters, options)
            files[name] = {"piece": number, "kind": kind, "version": f"{kind}, {encoding}"}
    return files


def create(packages, work, half, most):
    """Creates all files in WORK/music; returns their kinds by name."""
    for folder in ("pieces", "music"):
        (work / folder).mkdir(parents=True, exist_ok=True)
    found = sources(packages, half, most)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        def cut(job):
            number, path = job
            encode(work / "pieces" / f"{number:04}.wav", [path], "aformat=sample_fmts=s16:channel_layouts=stereo,aresample=44100", [])

        list(pool.map(cut, enumerate(found)))
        jobs = [pool.submit(make, work, number, (number + 1) % len(found)) for number in range(len(found))]
        files = {}
        for job in jobs:
            files |= job.result()
    (work / "files.json").write_text(json.dumps(files, indent=1))
    return files
