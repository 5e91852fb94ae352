"""The benchmark's music: soundtracks from Debian packages, encoded by lame, identically each time.

Everything is kept in Benchmarks/.cache and created only if missing.
"""

import concurrent.futures
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = HERE.parent / ".cache"
sys.path.insert(0, str(HERE.parent.parent / "data"))
import mp3_frames

# Game soundtracks by many composers: orchestral, electronic, acoustic, quiet and loud.
PACKAGES = ("drascula-music", "hyperrogue-music", "extremetuxracer-data")
SHORTEST, LONGEST = 40, 600  # seconds

# Every piece is encoded with one of these, in rotation. 44.1 kHz, joint stereo.
MAIN = (
    ("CBR 128", ("-b", "128")),
    ("CBR 192", ("-b", "192")),
    ("CBR 320", ("-b", "320")),
    ("VBR V2", ("-V", "2")),
    ("VBR V0", ("-V", "0")),
)
# A few pieces are also encoded in rarer formats: sample rate, channels, lame's options.
APART = (
    ("48 kHz VBR V2", 48000, 2, ("-V", "2")),
    ("44.1 kHz mono CBR 64", 44100, 1, ("-b", "64", "-m", "m")),
    ("22.05 kHz CBR 64", 22050, 2, ("-b", "64", "--resample", "22.05")),
)
APART_PIECES = 4
# A few pieces are also encoded in each of the other formats, by its own encoder: suffix, command from WAV.
FORMATS = {
    "FLAC": ("flac", lambda wav, out: ("flac", "--silent", "-o", out, wav)),
    "Opus 128": ("opus", lambda wav, out: ("opusenc", "--quiet", "--bitrate", "128", wav, out)),
    "Vorbis q5": ("ogg", lambda wav, out: ("oggenc", "--quiet", "-q", "5", "-o", out, wav)),
    "AAC 160": ("m4a", lambda wav, out: ("ffmpeg", "-v", "error", "-i", wav, "-c:a", "aac", "-b:a", "160k", "-f", "mp4", out)),
    "ALAC": ("m4a", lambda wav, out: ("ffmpeg", "-v", "error", "-i", wav, "-c:a", "alac", "-f", "mp4", out)),
}  # fmt: skip
FORMAT_PIECES = 12


def run(*command, **options):
    subprocess.run([str(part) for part in command], check=True, stdin=subprocess.DEVNULL, **options)


def fetch():
    """Downloads and unpacks the packages; returns the folders they are in."""
    folders = []
    for package in PACKAGES:
        folder = CACHE / "packages" / package
        if not (folder / ".done").exists():
            print(f"corpus: fetching {package}", file=sys.stderr)
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            # As root, apt tries to download as another user, and warns if it cannot.
            run("apt-get", "-q", "-q", "-o", "APT::Sandbox::User=root", "download", package, cwd=folder)
            (archive,) = folder.glob("*.deb")
            run("dpkg-deb", "-x", archive, folder)
            archive.rename(folder / ".done")
        folders.append(folder)
    return folders


def pieces(folders):
    """Returns the pieces of suitable length that ffmpeg can read, by name: (path, seconds)."""
    found = []
    for folder in folders:
        for path in sorted(folder.rglob("*.ogg")):
            # Some packages link the same music in several places.
            if path.is_symlink():
                continue
            answer = subprocess.run(
                ["ffprobe", "-v", "error", "-show_entries", "format=duration:stream=channels", "-of", "json", path],
                capture_output=True, stdin=subprocess.DEVNULL,
            )  # fmt: skip
            try:
                said = json.loads(answer.stdout)
                seconds = float(said["format"]["duration"])
                stereo = said["streams"][0]["channels"] == 2
            except (ValueError, KeyError, IndexError):
                continue
            if SHORTEST <= seconds <= LONGEST and stereo:
                found.append((path, seconds))
    return found


def encode(source, rate, channels, encoder, target):
    """Decodes a piece and encodes it, unless the file exists. `encoder` returns the command for a WAV file and an output file."""
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    wav, part = target.with_suffix(".wav"), target.with_suffix(".part")
    run("ffmpeg", "-v", "error", "-y", "-i", source, "-map", "0:a:0", "-ar", rate, "-ac", channels, "-bitexact", wav)
    run(*encoder(wav, part))
    wav.unlink()
    part.rename(target)


def lame(options):
    """Returns the encoder with some options, for `encode`."""
    return lambda wav, out: ("lame", "--quiet", *options, wav, out)


def prepare_formats():
    """Creates the missing files of the other formats; returns {name: paths}."""
    found = pieces(fetch())
    chosen = found[:: max(1, len(found) // FORMAT_PIECES)][:FORMAT_PIECES]
    made, jobs = {}, []
    for name, (suffix, encoder) in FORMATS.items():
        made[name] = [CACHE / "corpus" / name / f"{index:02d} {path.stem}.{suffix}" for index, (path, _) in enumerate(chosen)]
        jobs += [(source, 44100, 2, encoder, target) for (source, _), target in zip(chosen, made[name])]
    _encode_all(jobs)
    return made


def _encode_all(jobs):
    todo = [job for job in jobs if not job[-1].exists()]
    if todo:
        print(f"corpus: encoding {len(todo)} files", file=sys.stderr)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for made in [pool.submit(encode, *job) for job in todo]:
                made.result()


def prepare():
    """Creates the missing files; returns paths as {"main": [...], "apart": {name: [...]}}."""
    found = pieces(fetch())
    jobs, main, apart = [], [], {}
    for index, (source, _) in enumerate(found):
        name, options = MAIN[index % len(MAIN)]
        target = CACHE / "corpus" / "main" / f"{index:02d} {source.stem} ({name}).mp3"
        main.append(target)
        jobs.append((source, 44100, 2, lame(options), target))
    for name, rate, channels, options in APART:
        apart[name] = []
        for index, (source, _) in enumerate(found[:: max(1, len(found) // APART_PIECES)][:APART_PIECES]):
            target = CACHE / "corpus" / name / f"{index:02d} {source.stem}.mp3"
            apart[name].append(target)
            jobs.append((source, rate, channels, lame(options), target))
    _encode_all(jobs)
    return {"main": main, "apart": apart}


def stated_seconds(path):
    """Returns the length that ffprobe states for a file."""
    said = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path],
        check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return float(said.stdout)


def seconds_of(path):
    """Returns the exact length of an MP3 file from its frames and LAME tag."""
    stream = mp3_frames.read(path.read_bytes())
    return stream.gapless_samples / stream.sample_rate


def long_file(main, seconds, target):
    """Writes an MP3 stream of a given length by repeating the frames of the corpus's CBR 128 files."""
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    frames = []
    for path in (path for path in main if "(CBR 128)" in path.name):
        data = path.read_bytes()
        frames += [data[offset : offset + length] for offset, length in mp3_frames.read(data).frames]
    wanted = round(seconds * 44100 / 1152)
    with open(target.with_suffix(".part"), "wb") as out:
        for index in range(wanted):
            out.write(frames[index % len(frames)])
    target.with_suffix(".part").rename(target)
    return target


def fingerprint(paths):
    """Returns a hash of the corpus, to see whether results are from the same music."""
    digest = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            while block := file.read(1 << 16):
                digest.update(block)
    return digest.hexdigest()[:12]
