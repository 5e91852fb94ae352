"""Builds tags that lame does not write: ID3v2.4 (UTF-8), APEv2, Lyrics3v2, and damaged ones."""


def synchsafe(size):
    return bytes(size >> shift & 0x7F for shift in (21, 14, 7, 0))


def id3v2(frames, version=4, padding=0, stated_size=None, footer=False):
    """Returns an ID3v2 tag of (id, payload) frames; `stated_size` replaces the actual size in the header."""
    body = b""
    for name, payload in frames:
        size = synchsafe(len(payload)) if version == 4 else len(payload).to_bytes(4, "big")
        body += name.encode() + size + b"\0\0" + payload
    body += bytes(padding)
    flags = 0x10 if footer else 0
    fields = bytes([version, 0, flags]) + synchsafe(len(body) if stated_size is None else stated_size)
    return b"ID3" + fields + body + (b"3DI" + fields if footer else b"")


def text(value):
    """Returns a text frame's payload in UTF-8 (ID3v2.4)."""
    return b"\x03" + value.encode()


def picture(data, mime="image/jpeg"):
    """Returns the payload of a picture frame: the front cover."""
    return b"\0" + mime.encode() + b"\0\x03\0" + data


def apev2(items):
    """Returns an APEv2 tag with header and footer."""
    body = b""
    for key, value in items:
        value = value.encode()
        body += len(value).to_bytes(4, "little") + bytes(4) + key.encode() + b"\0" + value
    size, count = len(body) + 32, len(items)

    def edge(is_header):
        flags = 1 << 31 | (1 << 29 if is_header else 0)
        return (
            b"APETAGEX" + (2000).to_bytes(4, "little") + size.to_bytes(4, "little")
            + count.to_bytes(4, "little") + flags.to_bytes(4, "little") + bytes(8)
        )  # fmt: skip

    return edge(True) + body + edge(False)


def id3v1(title, artist, album, year, track, genre=255):
    """Returns an ID3v1.1 tag."""

    def field(value, size):
        return value.encode("latin-1", "replace")[:size].ljust(size, b"\0")

    return (
        b"TAG" + field(title, 30) + field(artist, 30) + field(album, 30) + field(str(year), 4)
        + bytes(28) + bytes([0, track, genre])
    )  # fmt: skip


def lyrics3v2(lyrics):
    """Returns a Lyrics3v2 block, which belongs before an ID3v1 tag."""
    lyrics = lyrics.encode("latin-1")
    body = b"LYRICSBEGIN" + b"IND0000200" + b"LYR" + b"%05d" % len(lyrics) + lyrics
    return body + b"%06d" % len(body) + b"LYRICS200"
