"""User scenarios with host and client, run by programs.

usage: scenarios.py FOLDER_OF_PROGRAMS SCENARIO
"""
import json
import os
import struct
import sys
import threading
import time

from host_process import (CuttingProxy, Host, Player, PlayerError, Remote, decode, get, library, until)
from websocket_client import BINARY, CLOSE, PING, TEXT, Client, frame


def happy_path(music):
    """Start the host, connect, browse, play: the stream matches the file bit for bit."""
    path = music.make("Song.mp3", seconds=40, options=("-V", "4"))
    music.make("Other.mp3", seconds=10)
    music.analyse()
    host = Host(music)
    assert host.json("/auth")["protocol_version"] == 1
    with_client = host.remote(name="player 2.1")
    assert with_client.handshake["protocol_version"] == 1 and with_client.handshake["app_version"].startswith("stream-host")
    # Browsing uses the copied database, or the catalogue API for clients without one.
    song, other = host.track("Song.mp3"), host.track("Other.mp3")
    assert {track["title"] for track in host.json("/api/tracks")["items"]} == {"Song.mp3", "Other.mp3"}
    player = Player(host.port, host.key, song)
    state = with_client.command({"play": {"track_id": song, "queue_ids": [song, other]}})["playback_state"]
    assert state["track_id"] == song and state["is_playing"]
    frames = b"".join(player.segment(index) for index in range(len(player.addresses)))
    original = open(path, "rb").read()
    start = original.index(frames)
    # Only the start is omitted: the tag and the encoder's info frame.
    assert original.endswith(frames) or original[start + len(frames):][:3] == b"TAG", "the stream is not the file"
    assert abs(sum(player.durations) - len(decode(frames)) / 4 / 44_100) < 0.001
    (client,) = host.clients()
    assert client["app_version"] == "player 2.1" and client["playback"]["track_id"] == song
    assert with_client.command({"next": {}})["playback_state"]["track_id"] == other
    with_client.close()
    until(lambda: not host.clients(), "the client is disconnected")
    host.end()


def seek(music):
    """Seeking resumes at the exact sample, after the pre-roll stated by the host."""
    music.make("Song.mp3", seconds=60)
    music.analyse()
    host = Host(music)
    song = host.track("Song.mp3")
    player = Player(host.port, host.key, song)
    remote = host.remote()
    remote.command({"play": {"track_id": song, "queue_ids": [song]}})
    whole = decode(b"".join(player.segment(index) for index in range(len(player.addresses))))
    for position in (43.21, 6.0, 58.9, 0.0):
        state = remote.command({"seek": {"position_seconds": position}})["playback_state"]
        assert abs(state["position_seconds"] - position) < 2 and state["is_playing"]
        index, start = player.at(position)
        frames = b"".join(player.segment(number) for number in range(index, len(player.addresses)))
        if index > 0:
            # An HLS player has the previous segment; the decoded lead-in is discarded.
            lead = player.segment(index - 1)
            samples = decode(lead + frames)[round(player.durations[index - 1] * 44_100) * 4:]
        else:
            samples = decode(frames)
        assert samples == whole[round(start * 44_100) * 4:], position
    shown = host.clients()[0]["playback"]
    assert shown["track_id"] == song and shown["position_seconds"] < 20
    host.end()


def network_cut(music):
    """All connections break during playback; the player continues from its buffer and resumes where it was."""
    path = music.make("Song.mp3", seconds=60)
    music.analyse()
    host = Host(music)
    proxy = CuttingProxy(host.port)
    song = host.track("Song.mp3")
    player = Player(proxy.port, host.key, song)
    remote = Remote(proxy.port, host.key)
    remote.command({"play": {"track_id": song, "queue_ids": [song]}})
    buffered = [player.segment(index) for index in range(3)]
    proxy.cut()
    until(lambda: remote.closed, "the client notices the lost channel")
    until(lambda: not host.clients(), "the host notices it too")
    # The network returns while the player retries.
    threading.Timer(3, proxy.restore).start()
    buffered += [player.segment(index) for index in range(3, len(player.addresses))]
    assert player.retries > 0, "there was no interruption"
    assert open(path, "rb").read().find(b"".join(buffered)) > 0, "the buffered audio is not from the file"
    again = Remote(proxy.port, host.key)
    again.command({"play": {"track_id": song, "queue_ids": [song]}})
    assert again.command({"seek": {"position_seconds": 30}})["playback_state"]["position_seconds"] >= 30
    assert len(host.clients()) == 1
    host.end()


def network_silent(music):
    """The network goes away silently: the host drops the client after three pings, and the player continues."""
    path = music.make("Song.mp3", seconds=30)
    music.analyse()
    host = Host(music)
    proxy = CuttingProxy(host.port)
    song = host.track("Song.mp3")
    player = Player(proxy.port, host.key, song, timeout=2)
    remote = Remote(proxy.port, host.key)
    near = host.remote(name="another")
    frames = player.segment(0)
    until(lambda: remote.pings, "a ping has arrived")
    proxy.freeze()
    start = time.monotonic()
    thread = threading.Thread(target=lambda: buffered.append(player.segment(1)))
    buffered = []
    thread.start()
    until(lambda: len(host.clients()) == 1, "the lost client is dropped")
    # Three unanswered pings at 5 s intervals; the first may already be pending.
    assert 10 < time.monotonic() - start < 60, time.monotonic() - start
    assert host.clients()[0]["app_version"] == "another" and near.closed is None
    assert not buffered
    proxy.restore()
    thread.join(60)
    assert player.retries > 0 and open(path, "rb").read().find(frames + buffered[0]) > 0
    until(lambda: remote.closed, "the lost client is notified")
    host.end()


def host_killed(music):
    """The host is killed during playback: the client shows a clear error, and continues once the host is back."""
    path = music.make("Song.mp3", seconds=40)
    music.analyse()
    host = Host(music)
    song = host.track("Song.mp3")
    player = Player(host.port, host.key, song, patience=1)
    remote = host.remote()
    remote.command({"play": {"track_id": song, "queue_ids": [song]}})
    frames = [player.segment(0), player.segment(1)]
    host.kill()
    until(lambda: remote.closed, "the channel breaks")
    try:
        player.segment(2)
        raise AssertionError("a dead host has answered")
    except PlayerError as error:
        assert "cannot be reached" in str(error)
    assert "no host is running" in music.run("status", "--data", music.data).stderr
    host = Host(music, port=host.port)
    frames += [player.segment(index) for index in range(2, len(player.addresses))]
    assert open(path, "rb").read().find(b"".join(frames)) > 0
    host.remote().command({"refresh_db": {}})
    host.end()


def tracks_added(music):
    """New files are analysed while the host runs: clients are notified, and find and play them in a new copy."""
    music.make("First.mp3", seconds=10)
    music.analyse()
    host = Host(music)
    remote = host.remote()
    _, _, fields = host.get("/db")
    assert host.get("/db", fields={"If-None-Match": fields["ETag"]})[0] == 304
    assert host.track("Second.mp3") is None
    path = music.make("Second.mp3", seconds=10, frequency=660)
    music.analyse()
    remote.hear("db_ready")
    assert host.get("/db", fields={"If-None-Match": fields["ETag"]})[0] == 200
    second = until(lambda: host.track("Second.mp3"), "the new track is in the library")
    player = Player(host.port, host.key, second)
    frames = b"".join(player.segment(index) for index in range(len(player.addresses)))
    assert open(path, "rb").read().find(frames) > 0
    # On request, the event is sent immediately.
    assert "db_ready" in remote.command({"refresh_db": {}})
    host.end()


def wrong_key(music):
    """A wrong key is rejected and grants nothing; clients with the right key are not disturbed."""
    music.make("Song.mp3", seconds=10)
    music.analyse()
    host = Host(music)
    song = host.track("Song.mp3")
    wrong = "A" * 43
    for path in ("/auth", "/db", f"/tracks/{song}/stream.m3u8", f"/tracks/{song}/segments/0.mp3", "/clients"):
        status, content, fields = get(host.port, path, wrong)
        assert status == 401 and json.loads(content)["error"]["code"] == "wrong_key", (path, status)
        assert fields["WWW-Authenticate"] == "Bearer"
    try:
        Player(host.port, wrong, song)
        raise AssertionError("a wrong key plays")
    except PlayerError as error:
        assert "key is wrong" in str(error)
    Client(host.port, "/ws", [f"Authorization: Bearer {wrong}"], expect=401)
    # Many wrong keys lock out their sender, but no one with the right key.
    for _ in range(20):
        status, _, fields = get(host.port, "/auth", wrong)
    assert status == 429 and int(fields["Retry-After"]) > 0
    assert host.get("/auth")[0] == 200
    host.end()


def malformed(music):
    """Protocol violations are closed with the matching code; other clients on the channel are not affected."""
    music.make("Song.mp3", seconds=5)
    music.analyse()
    host = Host(music)
    bystander = host.remote(name="bystander")
    big = json.dumps({"play": {"track_id": 1, "queue_ids": []}}).encode()
    for name, code, frames in (
            ("no mask", 1002, frame(TEXT, b'{"pause":{}}', mask=False)),
            ("a reserved bit", 1002, frame(TEXT, b'{"pause":{}}', reserved=4)),
            ("a reserved opcode", 1002, frame(5, b"x")),
            ("a control frame in parts", 1002, frame(PING, b"x", fin=False)),
            ("a control frame of 126 bytes", 1002, frame(PING, b"x" * 126)),
            ("a continuation of nothing", 1002, frame(0, b"x")),
            ("a message within a message", 1002, frame(TEXT, b"x", fin=False) + frame(TEXT, b"y")),
            ("a close of one byte", 1002, frame(CLOSE, b"x")),
            ("bytes instead of text", 1003, frame(BINARY, b'{"pause":{}}')),
            ("no UTF-8", 1007, frame(TEXT, b'{"pause":{}}\xff')),
            ("no JSON", 1007, frame(TEXT, b"pause")),
            ("a message above 1 MiB", 1009, frame(TEXT, big + b" " * (1 << 20))),
            ("fragments above 1 MiB", 1009,
             b"".join(frame(0 if number else TEXT, b" " * 70_000, fin=False) for number in range(16))),
            ("a length without end", 1009, bytes([0x81, 0xFF]) + struct.pack(">Q", 1 << 62) + b"maskx")):
        client = Client(host.port, "/ws", [f"Authorization: Bearer {host.key}"])
        client.send(TEXT, b'{"protocol_version":1,"app_version":"rude"}')
        assert client.message()[0] == TEXT
        try:
            client.socket.sendall(frames)
            client.expect_close(code)
        except (AssertionError, ConnectionError) as error:
            raise AssertionError(f"{name}: {error}")
    # Commands unknown to this version are errors, and the client stays connected.
    newer = Client(host.port, "/ws", [f"Authorization: Bearer {host.key}"])
    newer.send(TEXT, b'{"protocol_version":1,"app_version":"newer"}')
    assert newer.message()[0] == TEXT
    for command in (b'{"dance":{}}', b'{"pause":{},"resume":{}}', b'{"seek":{}}', b'{"seek":{"position_seconds":"far"}}'):
        newer.send(TEXT, command)
        opcode, payload = newer.message()
        assert opcode == TEXT and "error" in json.loads(payload), (command, opcode, payload)
    newer.socket.close()
    until(lambda: len(host.clients()) == 1, "all of them are disconnected")
    assert bystander.closed is None and "db_ready" in bystander.command({"refresh_db": {}})
    assert not [event for event in bystander.events if "error" in event]
    host.end()


def no_cloudflared(music):
    """Without cloudflared there is no tunnel, and the error says what to install."""
    music.make("Song.mp3", seconds=5)
    music.analyse()
    for mode in (["quick"], ["named", "--tunnel-name", "music"]):
        run = music.run("serve", "--music", music.music, "--data", music.data, "--port", "0", "--tunnel", *mode,
                        env={**os.environ, "PATH": "/no/such/folder"})
        assert run.returncode == 2, run
        for word in ("cloudflared", "apt-get install cloudflared", "brew install cloudflared", "https://", "PATH"):
            assert word in run.stderr, (word, run.stderr)
    run = music.run("serve", "--music", music.music, "--data", music.data, "--tunnel", "quick", "--cloudflared",
                    "/no/cloudflared")
    assert run.returncode == 2 and "/no/cloudflared" in run.stderr, run


if __name__ == "__main__":
    with library(sys.argv[1]) as folder:
        globals()[sys.argv[2]](folder)
