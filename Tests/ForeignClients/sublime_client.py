"""Sublime Music, a desktop player, on a virtual screen: connect, list a playlist, store covers, play to the end, scrobble."""

import json
import os
import subprocess
from pathlib import Path

from surroundings import Program, wait

PLAYLIST = "For Sublime Music"
# Plays of the null device take as long as the music lasts.
SOUND = "pcm.!default { type null }\n"


def configuration(host):
    """Returns the program's settings as it stores them, with the password in plain text."""
    adapter = {
        "server_address": host.base, "username": host.user, "verify_cert": False, "sync_enabled": True, "salt_auth": True,
        "password": ["plaintext", host.password]}
    provider = {
        "id": "check", "name": "check", "ground_truth_adapter_type": "SubsonicAdapter", "ground_truth_adapter_config": adapter,
        "caching_adapter_type": "FilesystemAdapter", "caching_adapter_config": {}}
    return {"version": 6, "providers": {"check": provider}, "current_provider_id": "check", "song_play_notification": False}


def check(host, folder, _):
    songs = [song["id"] for song in host.songs()[:2]]
    made = host.ask("createPlaylist", ("name", PLAYLIST), *[("songId", song) for song in songs])
    assert made["status"] == "ok", made
    for name in ["config/sublime-music", "data", "cache", "run"]:
        (folder / name).mkdir(parents=True)
    (folder / "run").chmod(0o700)
    (folder / "config/sublime-music/config.json").write_text(json.dumps(configuration(host)))
    (folder / ".asoundrc").write_text(SOUND)
    screen, screen_end = os.pipe()
    display = Program(
        ["Xvfb", "-displayfd", str(screen_end), "-screen", "0", "1280x900x24"], folder / "xvfb.log", pass_fds=[screen_end])
    os.close(screen_end)
    number = os.read(screen, 16).decode().strip()
    assert number, display.output
    environment = dict(
        os.environ, DISPLAY=f":{number}", HOME=str(folder), XDG_CONFIG_HOME=str(folder / "config"),
        XDG_DATA_HOME=str(folder / "data"), XDG_CACHE_HOME=str(folder / "cache"), XDG_RUNTIME_DIR=str(folder / "run"),
        LIBGL_ALWAYS_SOFTWARE="1", LANG="C.UTF-8")
    steps = Program(
        ["dbus-run-session", "--", "/usr/bin/python3", "-B", Path(__file__).with_name("sublime_steps.py"), PLAYLIST,
         folder / "sublime.log"],
        folder / "steps.log", env=environment)
    wait("Sublime Music's end", lambda: steps.process.poll() is not None, 180)
    log = (folder / "sublime.log").read_text(errors="replace")
    assert steps.process.returncode == 0, steps.output + log[-3000:]
    seen = json.loads(steps.output.splitlines()[-1])
    titles = {song["id"]: song["title"] for song in host.songs()}
    assert seen["playlists"] == [PLAYLIST] and seen["played"] == [titles[song] for song in songs], seen
    calls = host.called()
    for endpoint in ["ping", "getPlaylists", "getPlaylist", "getCoverArt", "stream", "scrobble"]:
        assert calls.get(endpoint), (endpoint, calls)
    plays = {song["id"]: song.get("playCount", 0) for song in host.songs()}
    assert all(plays[song] >= 1 for song in songs), plays
    return f"listed {len(seen['playlists'])} playlist, played {len(songs)} songs to the end, {sum(plays.values())} plays counted"
