"""Sublime Music, a desktop player, on a virtual screen: connect, take over the play queue, show covers, play to the end, scrobble."""

import json
from pathlib import Path

from surroundings import Program, desktop, wait

ARTIST, ALBUM = "Delta", "Waves"
# Sublime Music reports plays after five seconds.
SECONDS = {"One wave": 8, "Another wave": 7}


def configuration(host):
    """Returns the program's settings as it stores them, with the password in plain text."""
    adapter = {
        "server_address": host.base, "username": host.user, "verify_cert": False, "sync_enabled": True, "salt_auth": True,
        "password": ["plaintext", host.password]}
    provider = {
        "id": "check", "name": "check", "ground_truth_adapter_type": "SubsonicAdapter", "ground_truth_adapter_config": adapter,
        "caching_adapter_type": "FilesystemAdapter", "caching_adapter_config": {}}
    return {"version": 6, "providers": {"check": provider}, "current_provider_id": "check", "song_play_notification": False,
            "player_config": {"Local Playback": {"Replay Gain": "Track"}, "Chromecast": {}}}


def check(host, folder, _):
    host.add_album(ARTIST, ALBUM, SECONDS)
    songs = [song["id"] for song in host.songs() if song["artist"] == ARTIST]
    saved = host.ask("savePlayQueue", *[("id", song) for song in songs], ("current", songs[0]), ("position", "0"))
    assert saved["status"] == "ok", saved
    environment = desktop(folder)
    (folder / "config/sublime-music").mkdir()
    (folder / "config/sublime-music/config.json").write_text(json.dumps(configuration(host)))
    # A sound server without a sound card; playing takes as long as the music lasts.
    Program(["pulseaudio", "-n", "--exit-idle-time=-1", "--load=module-null-sink", "--load=module-native-protocol-unix"],
            folder / "pulse.log", env=environment)
    wait("the sound server", lambda: (folder / "run/pulse/native").exists())
    steps = Program(
        ["dbus-run-session", "--", "/usr/bin/python3", "-B", Path(__file__).with_name("sublime_steps.py"),
         folder / "sublime.log"],
        folder / "steps.log", env=environment)
    wait("Sublime Music's end", lambda: steps.process.poll() is not None, 180)
    log = (folder / "sublime.log").read_text(errors="replace")
    assert steps.process.returncode == 0, steps.output + log[-3000:]
    seen = json.loads(steps.output.splitlines()[-1])
    assert seen == {"played": list(SECONDS)}, seen
    calls = host.called()
    for endpoint in ["ping", "getPlaylists", "getPlayQueue", "getCoverArt", "stream", "scrobble"]:
        assert calls.get(endpoint), (endpoint, calls)
    plays = {song["id"]: song.get("playCount", 0) for song in host.songs()}
    # It does not report the song with which it continues a queue.
    assert plays == {song: int(song == songs[1]) for song in plays}, plays
    return "took over the play queue, played two songs to the end, one play counted"
