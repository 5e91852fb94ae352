"""Strawberry, a desktop player, on a virtual screen: connect, browse, cover, stream to the end, scrobble."""

import base64
import json
from pathlib import Path

from surroundings import Program, desktop, wait

ARTIST, ALBUM, LONG, SHORT = "Gamma", "Rays", "Long wave", "Short wave"
# Strawberry reports plays only of songs that are longer than half a minute.
SECONDS = {LONG: 36, SHORT: 3}
CONFIGURATION = """
[Subsonic]
enabled=true
url={base}
username={user}
password={password}
http2=false
verifycertificate=false
downloadalbumcovers=true
serversidescrobbling=true
authmethod=1

[Scrobbler]
enabled=true

[Behaviour]
showtrayicon=false

[MainWindow]
do_not_show_sponsor_message=true
"""


def check(host, folder, python):
    host.add_album(ARTIST, ALBUM, SECONDS)
    environment = desktop(folder)
    (folder / "config/strawberry").mkdir()
    # As Qt writes it: Base64, with the equals signs escaped.
    password = base64.b64encode(host.password.encode()).decode().replace("=", "\\x3d")
    (folder / "config/strawberry/strawberry.conf").write_text(CONFIGURATION.format(
        base=host.base, user=host.user, password=password))
    # Debian's Python has the bindings for accessibility.
    steps = Program(
        ["dbus-run-session", "--", "/usr/bin/python3", "-B", Path(__file__).with_name("strawberry_steps.py"), ARTIST,
         folder / "strawberry.log"],
        folder / "steps.log", env=environment)
    wait("Strawberry's end", lambda: steps.process.poll() is not None, 180)
    log = (folder / "strawberry.log").read_text(errors="replace")
    assert steps.process.returncode == 0, steps.output + log[-3000:]
    seen = json.loads(steps.output.splitlines()[-1])
    assert seen["artists"] == ["Anna Äther", "Beta & Sons", ARTIST], seen
    assert seen["played"] == [LONG, SHORT], seen
    calls = host.called()
    for endpoint in ["getAlbumList2", "getAlbum", "getCoverArt", "stream", "scrobble"]:
        assert calls.get(endpoint), (endpoint, calls)
    assert "submission=true" in host.program.output, host.program.output[-2000:]
    plays = {song["title"]: song.get("playCount", 0) for song in host.songs() if song["artist"] == ARTIST}
    assert plays == {LONG: 1, SHORT: 0}, plays
    cover = folder / "data"
    covers = [path for path in cover.rglob("*") if path.suffix in (".jpg", ".jpeg", ".png") and path.stat().st_size > 100]
    assert covers, sorted(cover.rglob("*"))
    return f"browsed {len(seen['artists'])} artists, stored {len(covers)} covers, played two songs to the end, one play counted"
