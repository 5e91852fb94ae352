"""Generates many different MP3 files quickly: whole frames of a few encoded pieces, in random order."""
import math
import random
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PIECES = 8
PIECE_SECONDS = 20
RATE = 44_100
FRAMES_PER_SECOND = RATE / 1152
# MPEG-1 layer III, 128 kbit/s, 44.1 kHz: 144 * 128000 / 44100 bytes, and one more with the padding bit.
FRAME_BYTES = 417


def _pcm(number):
    """A chord with a beat: different in each piece, so that no two have the same tempo and key."""
    generator = random.Random(number)
    notes = [110 * 2 ** (generator.randrange(24) / 12) for _ in range(3)]
    beat = RATE * 60 / generator.uniform(80, 160)
    samples = []
    for index in range(PIECE_SECONDS * RATE):
        level = 0.25 + 0.75 * math.exp(-6 * (index % beat) / beat)
        value = sum(math.sin(2 * math.pi * note * index / RATE) for note in notes) / 3
        samples.append(int(20_000 * level * value + generator.uniform(-300, 300)))
    return struct.pack(f'<{len(samples)}h', *samples)


def _frames(number):
    # Without a bit reservoir, each frame can be decoded on its own.
    command = ['lame', '--quiet', '-r', '-s', '44.1', '--bitwidth', '16', '-m', 'm', '-b', '128', '--nores', '-t', '-', '-']
    data = subprocess.run(command, input=_pcm(number), check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    frames = []
    position = 0
    while position + 4 <= len(data):
        length = FRAME_BYTES + (data[position + 2] >> 1 & 1)
        frames.append(data[position:position + length])
        position += length
    return frames


def make(folder, count, seconds):
    """Generates `count` files of `seconds` below a folder, in albums of 20, unless they exist."""
    folder = Path(folder)
    if (folder / 'complete').exists():
        return
    print(f'generating {count} tracks of {seconds} s', file=sys.stderr)
    with ThreadPoolExecutor(2) as pool:
        pieces = list(pool.map(_frames, range(PIECES)))
    generator = random.Random(1)
    for number in range(count):
        album = folder / f'Album {number // 20:04}'
        album.mkdir(parents=True, exist_ok=True)
        left = round(seconds * FRAMES_PER_SECOND)
        with open(album / f'{number:06}.mp3', 'wb') as file:
            while left > 0:
                frames = generator.choice(pieces)
                length = min(left, generator.randrange(40, 400))
                start = generator.randrange(len(frames) - length)
                file.writelines(frames[start:start + length])
                left -= length
    (folder / 'complete').touch()
