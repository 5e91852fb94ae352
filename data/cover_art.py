"""The cover of the demo album: a lighthouse at dusk, drawn pixel by pixel."""

import math
import random
import subprocess

SIZE = 500


def draw(path):
    """Draws the cover to a JPEG file (with ffmpeg)."""
    pixels = bytearray()
    rng = random.Random(4)
    stars = {(rng.randrange(SIZE), rng.randrange(int(SIZE * 0.5))): rng.uniform(0.3, 1) for _ in range(140)}
    for y in range(SIZE):
        for x in range(SIZE):
            pixels += bytes(max(0, min(255, int(c))) for c in _colour(x / SIZE, y / SIZE, stars.get((x, y), 0)))
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{SIZE}x{SIZE}", "-i", "-",
         "-frames:v", "1", "-q:v", "3", "-bitexact", str(path)],
        input=bytes(pixels), check=True,
    )  # fmt: skip


def _blend(a, b, share):
    return tuple(p + (q - p) * share for p, q in zip(a, b))


def _colour(x, y, star):
    horizon = 0.68
    lamp_x, lamp_y = 0.66, 0.27
    if y < horizon:
        depth = y / horizon
        colour = _blend((18, 22, 58), (214, 104, 92), depth**2.2)
        colour = _blend(colour, (250, 196, 120), max(0, depth - 0.72) / 0.28 * 0.75)
        colour = _blend(colour, (255, 250, 235), star * (1 - depth))
    else:
        depth = (y - horizon) / (1 - horizon)
        colour = _blend((120, 74, 96), (14, 20, 48), depth**0.6)
        # Closer waves are longer: the phase is proportional to the logarithm of the depth.
        wave = math.sin(60 * math.log(depth + 0.03) + 3 * math.sin(9 * x + 14 * depth))
        shine = max(0, wave) * math.exp(-(((x - 0.3) / (0.08 + 0.3 * depth)) ** 2))
        colour = _blend(colour, (255, 206, 140), shine * (1 - 0.6 * depth))
    # The setting sun, and the lamp's beam towards it.
    if y < horizon and (x - 0.3) ** 2 + (y - horizon) ** 2 < 0.011:
        colour = _blend(colour, (255, 226, 160), 0.95)
    angle = math.atan2(y - lamp_y, lamp_x - x)
    if x < lamp_x and abs(angle - 0.16) < 0.075:
        distance = math.hypot(x - lamp_x, y - lamp_y)
        colour = _blend(colour, (255, 244, 200), 0.6 * (1 - abs(angle - 0.16) / 0.075) * math.exp(-1.6 * distance))
    # The rock, the tower with its bands, the gallery and the lamp room.
    if x > 0.4:
        top = 0.74 - 0.13 * math.exp(-(((x - 0.7) / 0.16) ** 2)) + 0.012 * math.sin(40 * x)
        foot = top + 0.16 * min(1, (x - 0.4) / 0.25) ** 0.7 + 0.012 * math.sin(25 * x) * min(1, (x - 0.4) / 0.1)
        if top < y < foot:
            colour = (22, 18, 34)
    width = 0.028 + 0.034 * (y - 0.3)
    if 0.3 < y < 0.65 and abs(x - lamp_x) < width:
        band = int((y - 0.3) / 0.0875) % 2
        shade = 1 - 0.55 * (x - lamp_x + width) / (2 * width)
        colour = tuple(c * shade for c in ((206, 64, 58), (240, 232, 220))[band])
    if 0.29 < y < 0.305 and abs(x - lamp_x) < 0.045:
        colour = (30, 24, 40)
    if 0.245 < y <= 0.29 and abs(x - lamp_x) < 0.024:
        colour = (255, 236, 170)
    if 0.215 < y <= 0.245 and abs(x - lamp_x) < 0.03 * (y - 0.205) / 0.04:
        colour = (30, 24, 40)
    glow = math.exp(-((math.hypot(x - lamp_x, y - 0.268) / 0.055) ** 2))
    return _blend(colour, (255, 244, 200), 0.55 * glow)
