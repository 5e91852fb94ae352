"""Counts the frames of an MP3 stream in the simplest way.

The scripts here use it to state the values of their output, so it shares no code with the project's own reader.
It reads only complete, valid layer III streams, without resynchronisation or estimates. Free-format streams need
their bit rate as an argument.
"""

from dataclasses import dataclass

# ISO/IEC 11172-3 §2.4.2.3 and ISO/IEC 13818-3 §2.4.2.3, layer III, in kbit/s.
_BIT_RATES = {
    1: (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    2: (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
_SAMPLE_RATES = (44100, 48000, 32000)


@dataclass
class Stream:
    """The contents of an MP3 stream according to its headers."""

    sample_rate: int
    channels: int
    samples_per_frame: int
    frames: list  # (offset, length) of every audio frame, without the Xing or Info frame
    info_offset: int | None  # start of the Xing or Info frame
    delay: int | None  # encoder delay and padding from the LAME tag, in samples
    padding: int | None

    @property
    def gapless_samples(self):
        """The samples that a gapless decoder plays: all of them without a LAME tag."""
        total = len(self.frames) * self.samples_per_frame
        return total if self.delay is None else total - self.delay - self.padding


def read(data, free_format_kbps=None):
    """Reads the frames of `data` (bytes), with an optional ID3v2 tag before them and any bytes after them."""
    position = 0
    while data[position : position + 3] == b"ID3":
        size = 0
        for byte in data[position + 6 : position + 10]:
            size = size << 7 | byte
        position += 10 + size
    stream = None
    while (header := _header(data, position, free_format_kbps)) is not None:
        rate, channels, samples_per_frame, length, side_information = header
        if position + length > len(data):
            break
        if stream is None:
            stream = Stream(rate, channels, samples_per_frame, [], None, None, None)
            tag = position + 4 + side_information
            if data[tag : tag + 4] in (b"Xing", b"Info"):
                stream.info_offset = position
                stream.delay, stream.padding = _delay_and_padding(data, tag)
                position += length
                continue
        stream.frames.append((position, length))
        position += length
    if stream is None:
        raise ValueError("no MP3 frame at its expected position")
    return stream


def _header(data, position, free_format_kbps):
    head = data[position : position + 4]
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:
        return None
    version = {3: 1, 2: 2, 0: 2.5}.get(head[1] >> 3 & 3)
    if version is None or head[1] >> 1 & 3 != 1:
        return None
    index, rate_index = head[2] >> 4, head[2] >> 2 & 3
    if index == 15 or rate_index == 3:
        return None
    kbps = _BIT_RATES[1 if version == 1 else 2][index] or free_format_kbps
    if not kbps:
        return None
    rate = _SAMPLE_RATES[rate_index] // {1: 1, 2: 2, 2.5: 4}[version]
    samples_per_frame = 1152 if version == 1 else 576
    length = samples_per_frame // 8 * kbps * 1000 // rate + (head[2] >> 1 & 1)
    channels = 1 if head[3] >> 6 == 3 else 2
    side_information = {(1, 2): 32, (1, 1): 17, (2, 2): 17, (2, 1): 9}[1 if version == 1 else 2, channels]
    return rate, channels, samples_per_frame, length, side_information


def _delay_and_padding(data, tag):
    flags = int.from_bytes(data[tag + 4 : tag + 8], "big")
    lame = tag + 8 + 4 * (flags & 1) + 4 * (flags >> 1 & 1) + 100 * (flags >> 2 & 1) + 4 * (flags >> 3 & 1)
    if data[lame : lame + 4] not in (b"LAME", b"Lavc", b"Lavf"):
        return None, None
    packed = int.from_bytes(data[lame + 21 : lame + 24], "big")
    return packed >> 12, packed & 0xFFF
