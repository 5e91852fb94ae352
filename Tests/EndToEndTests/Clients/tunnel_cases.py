"""The tunnel, with a stand-in for cloudflared.

usage: tunnel_cases.py FOLDER_OF_PROGRAMS CASE
"""
import contextlib
import json
import os
import signal
import sys
import time

from host_process import TIMEOUT, Host, Player, Remote, get, library, until

STAND_IN = os.path.dirname(os.path.abspath(__file__))
ADDRESS = "203.0.113.9"


class StandIn:
    def __init__(self, music):
        self.folder = f"{music.data}-stand-in"
        os.makedirs(self.folder)
        self.environment = {"PATH": f"{STAND_IN}:{os.environ['PATH']}", "STAND_IN_FOLDER": self.folder}

    def behaves(self, how):
        with open(f"{self.folder}/behaviour", "w") as file:
            file.write(how)

    def runs(self):
        try:
            with open(f"{self.folder}/runs") as file:
                return [json.loads(line) for line in file if line.endswith("\n")]
        except FileNotFoundError:
            return []


def is_there(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().split()[2] != "Z"
    except FileNotFoundError:
        return False


def tunnel(host):
    return until(lambda: host.json("/health").get("tunnel"), "the host has a tunnel")


def connected(host, restarts=0):
    def told():
        report = tunnel(host)
        return report["state"] == "connected" and report["restart_count"] == restarts and report
    return until(told, "the tunnel is open")


def quick(music):
    """The URL is found in the program's output, published, and leads to the host for requests and WebSockets."""
    path = music.make("Song.mp3", seconds=20)
    music.analyse()
    stand_in = StandIn(music)
    host = Host(music, "--tunnel", "quick", environment=stand_in.environment)
    told = connected(host)
    (run,) = stand_in.runs()
    assert told["mode"] == "quick" and told["url"].endswith(f"-{run['process']}.trycloudflare.com"), told
    assert run["words"][0] == "tunnel" and run["words"][-2:] == ["--url", f"http://127.0.0.1:{host.port}"]
    # In its own process group, which Ctrl-C in the host's terminal does not reach; and without inherited descriptors.
    assert run["group"] == run["process"] != os.getpgid(host.process.pid)
    assert run["descriptors"] == [0, 1, 2, 3], run["descriptors"]
    until(lambda: told["url"] in host.said(), "the address is shown")
    status = music.run("status", "--data", music.data).stdout
    assert f"tunnel     {told['url']} (quick, connected)" in status, status
    assert "tunnel" not in json.loads(get(host.port, "/health")[1]), "revealed without the key"
    # Through the tunnel.
    song = host.track("Song.mp3")
    assert get(run["port"], "/auth", "A" * 43)[0] == 401
    player = Player(run["port"], host.key, song)
    frames = b"".join(player.segment(index) for index in range(len(player.addresses)))
    assert open(path, "rb").read().find(frames) > 0
    status, part, fields = get(run["port"], f"/api/files/{song}/stream", host.key, {"Range": "bytes=1000-1999"})
    assert status == 206 and part == open(path, "rb").read()[1000:2000]
    remote = Remote(run["port"], host.key)
    assert remote.handshake["tunnel_url"] == told["url"]
    assert remote.command({"play": {"track_id": song, "queue_ids": []}})["playback_state"]["track_id"] == song
    # The remote address, not the tunnel's.
    assert host.clients()[0]["address"] == ADDRESS
    # Cloudflare's headers are only trusted from the tunnel.
    near = host.remote(name="near")
    assert [client["address"] for client in host.clients()] == [ADDRESS, "127.0.0.1"]
    near.close()
    host.end()
    until(lambda: not is_there(run["process"]), "the program has ended with the host")
    assert "retrying" not in host.said(), host.said()
    # A service manager stops all processes at once.
    host = Host(music, "--tunnel", "quick", environment=stand_in.environment)
    connected(host)
    process = stand_in.runs()[-1]["process"]
    host.process.send_signal(signal.SIGTERM)
    # The host may have ended it by now.
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGTERM)
    assert host.process.wait(TIMEOUT) == 0, host.complaints()
    assert "retrying" not in host.said(), host.said()
    assert len(stand_in.runs()) == 2, stand_in.runs()


def restarts(music):
    """A program that exits is restarted, with increasing delay; clients are notified of the new URL."""
    music.make("Song.mp3", seconds=5)
    music.analyse()
    stand_in = StandIn(music)
    host = Host(music, "--tunnel", "quick", environment=stand_in.environment)
    first = connected(host)["url"]
    remote = host.remote()
    assert remote.handshake["tunnel_url"] == first
    os.kill(stand_in.runs()[0]["process"], signal.SIGKILL)
    event = remote.hear("tunnel")
    assert event == {"tunnel": {}}, event
    second = connected(host, restarts=1)["url"]
    assert second != first
    until(lambda: {"tunnel": {"url": second}} in remote.events, "the new URL is announced")
    # Without internet access it exits immediately, again and again.
    stand_in.behaves("fails")
    os.kill(stand_in.runs()[1]["process"], signal.SIGKILL)
    until(lambda: len(stand_in.runs()) >= 4, "it is retried")
    told = until(lambda: tunnel(host)["state"] == "waiting" and tunnel(host), "it waits")
    assert "no such host" in told["message"] and "url" not in told, told
    assert "no such host" in host.said()
    times = [run["time"] for run in stand_in.runs()]
    gaps = [later - earlier for earlier, later in zip(times[1:], times[2:])]
    assert gaps[0] > 1.9 and gaps[1] > 3.9, gaps
    # Internet access is back.
    stand_in.behaves("")
    connected(host, restarts=len(stand_in.runs()))
    host.end()


def killed(music):
    """A killed host takes its tunnel down immediately."""
    music.make("Song.mp3", seconds=5)
    music.analyse()
    stand_in = StandIn(music)
    stand_in.behaves("stubborn")
    host = Host(music, "--tunnel", "quick", environment=stand_in.environment)
    connected(host)
    process = stand_in.runs()[0]["process"]
    host.kill()
    until(lambda: not is_there(process), "the program is gone", seconds=30)
    # A program that ignores SIGTERM is killed.
    host = Host(music, "--tunnel", "quick", environment=stand_in.environment)
    connected(host)
    process = stand_in.runs()[1]["process"]
    host.end()
    assert not is_there(process)


def named(music):
    """By name, by configuration, by token; the token does not appear on any command line."""
    music.make("Song.mp3", seconds=5)
    music.analyse()
    stand_in = StandIn(music)
    host = Host(music, "--tunnel", "named", "--tunnel-name", "music", "--tunnel-hostname", "music.example.org",
                environment=stand_in.environment)
    told = connected(host)
    assert told["mode"] == "named" and told["url"] == "https://music.example.org", told
    assert stand_in.runs()[-1]["words"][-4:] == ["run", "--url", f"http://127.0.0.1:{host.port}", "music"]
    assert stand_in.runs()[-1]["token"] is None
    host.end()
    token = "eyJhIjoiMTIzIn0"
    file = f"{stand_in.folder}/token"
    with open(file, "w") as target:
        target.write(token + "\n")
    os.chmod(file, 0o644)
    arguments = ("--tunnel", "named", "--tunnel-token-file", file)
    refused = music.run("serve", "--music", music.music, "--data", music.data, *arguments,
                        env={**os.environ, **stand_in.environment})
    assert refused.returncode == 2 and "chmod 600" in refused.stderr, refused
    os.chmod(file, 0o600)
    for options, environment in ((arguments, {}), (("--tunnel", "named"), {"TUNNEL_TOKEN": token})):
        host = Host(music, *options, environment={**stand_in.environment, **environment})
        # The host name whose requests go to our port, among those of the token's tunnel.
        until(lambda: tunnel(host).get("url") == "https://music.example.com", "the name is found")
        run = stand_in.runs()[-1]
        assert run["token"] == token
        for process in (run["process"], host.process.pid):
            with open(f"/proc/{process}/cmdline") as line:
                assert token not in line.read()
        host.end()
        assert token not in host.said() + host.complaints()
    usage = music.run("serve", "--music", music.music, "--tunnel", "named", env={**os.environ, **stand_in.environment})
    assert usage.returncode == 2 and "--tunnel-name" in usage.stderr
    usage = music.run("serve", "--music", music.music, "--tunnel", "quick", "--trust-lan",
                      env={**os.environ, **stand_in.environment})
    assert usage.returncode == 2 and "--trust-lan" in usage.stderr


if __name__ == "__main__":
    with library(sys.argv[1]) as folder:
        globals()[sys.argv[2]](folder)
