"""`stream-host status` and `stream-host qr`.

usage: status_cases.py FOLDER_OF_PROGRAMS CASE
"""
import json
import os
import pty
import re
import subprocess
import sys

from host_process import Host, library, until


def status(music):
    """Shows address, clients and playback; reports an error if no host is running, whatever files were left behind."""
    music.make("Song.mp3", seconds=100)
    music.analyse()
    none = music.run("status", "--data", music.data)
    assert none.returncode == 1 and "no host is running" in none.stderr and music.data in none.stderr, none
    host = Host(music, "--name", "Attic")
    song = host.track("Song.mp3")
    one, two = host.remote(name="one 1.0"), host.remote(name="two\x1b[31m 2.0")
    one.command({"play": {"track_id": song, "queue_ids": []}})
    one.command({"seek": {"position_seconds": 83}})
    two.command({"play": {"track_id": song, "queue_ids": []}})
    two.command({"pause": {}})
    run = music.run("status", "--data", music.data)
    text = run.stdout
    assert run.returncode == 0, run
    assert f"address    http://127.0.0.1:{host.port} (this machine only)" in text, text
    assert "Attic" in text and "\x1b" not in text, "untrusted text reaches the terminal"
    assert re.search(r"one 1\.0 at 127\.0\.0\.1, for 0:\d\d: playing Tester – Song\.mp3, at 1:2\d", text), text
    assert re.search(r"two\ufffd\[31m 2\.0 .*: paused at Tester – Song\.mp3, at 0:0", text), text
    assert "queue      0 files" in text and "tunnel     none" in text and host.key not in text, text
    told = json.loads(music.run("status", "--data", music.data, "--json").stdout)
    assert told["host"]["process_id"] == host.process.pid and len(told["clients"]) == 2, told
    assert told["tracks"][str(song)]["title"] == "Song.mp3"
    # The folder can be set in the environment, as for the host itself.
    assert music.run("status", env={**os.environ, "STREAM_HOST_DATA": music.data}).stdout.startswith("host       Attic")
    # A second host on the same folder is rejected, and does not affect the first one.
    second = music.run("serve", "--music", music.music, "--data", music.data, "--port", "0")
    assert second.returncode == 2 and "another host is running on this data folder" in second.stderr, second
    assert json.loads(music.run("status", "--data", music.data, "--json").stdout)["host"]["process_id"] == host.process.pid
    # A new key is valid immediately.
    music.run("key", "regenerate", "--data", music.data)
    renewed = music.run("status", "--data", music.data)
    assert renewed.returncode == 0, renewed
    assert host.get("/auth")[0] == 401, "the old key is rejected"
    host.kill()
    gone = music.run("status", "--data", music.data)
    assert gone.returncode == 1 and "no host is running" in gone.stderr, gone


def encrypted(music):
    """A host with HTTPS is queried despite its untrusted certificate."""
    music.make("Song.mp3", seconds=5)
    music.analyse()
    certificate, key = f"{music.data}.pem", f"{music.data}.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
                    key, "-out", certificate, "-days", "2", "-subj", "/CN=test"], check=True, capture_output=True)
    host = Host(music, "--certificate", certificate, "--key", key, "--host", "0.0.0.0", "--no-announce")
    told = json.loads(music.run("status", "--data", music.data, "--json").stdout)
    assert told["host"]["network_address"].startswith("https://") and told["health"]["track_count"] == 1, told
    host.end()


def picture(lines, folder):
    """Renders the modules shown in a terminal as an image: four pixels per module, light where drawn."""
    drawn = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    rows = []
    for line in lines:
        for half in (0, 1):
            rows.append([255 * drawn[character][half] for character in line])
    width = {len(row) for row in rows}
    assert len(width) == 1, width
    scaled = [bytes(value for value in row for _ in range(4)) for row in rows for _ in range(4)]
    path = f"{folder}/code.pgm"
    with open(path, "wb") as file:
        file.write(b"P5 %d %d 255\n" % (len(scaled[0]), len(scaled)) + b"".join(scaled))
    return path


def read(lines, folder):
    """Returns what a QR code reader decodes."""
    return subprocess.run(["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", picture(lines, folder)],
                          capture_output=True, text=True, check=True).stdout.strip()


def code(text):
    lines = text.rstrip("\n").split("\n")
    return lines[:-1], lines[-1]


def qr(music):
    """The code contains the address of the host and the key, according to a QR code reader."""
    music.make("Song.mp3", seconds=5)
    music.analyse()
    none = music.run("qr", "--data", music.data)
    assert none.returncode == 1 and "no host is running" in none.stderr and none.stdout == "", none
    key = music.key()
    for address in ("https://music.example.com", "http://192.168.1.20:8420", "http://[fd00::2]:8420/",
                    "https://" + "a" * 60 + "." + "b" * 60 + ".example.com"):
        run = music.run("qr", "--data", music.data, "--address", address)
        lines, link = code(run.stdout)
        assert link == f"{address.rstrip('/')}/#key={key}", run
        assert read(lines, music.music) == link, link
    # A code with terminal escapes has the same content, dark on light regardless of the terminal's colours.
    parent, child = pty.openpty()
    subprocess.run([music.program("stream-host"), "qr", "--data", music.data, "--address", "http://10.0.0.1:1"], stdout=child,
                   check=True)
    os.close(child)
    shown = b""
    try:
        while data := os.read(parent, 65_536):
            shown += data
    except OSError:
        pass
    lines, link = code(shown.decode().replace("\r", ""))
    assert all(line.startswith("\x1b[97;40m") and line.endswith("\x1b[0m") for line in lines), lines[0]
    assert read([line[8:-4] for line in lines], music.music) == link == f"http://10.0.0.1:1/#key={key}"
    # A host reachable only from this machine has no address for a phone; one on all addresses has the machine's own.
    host = Host(music)
    refused = music.run("qr", "--data", music.data)
    assert refused.returncode == 1 and "--host 0.0.0.0" in refused.stderr, refused
    refused = music.run("qr", "--data", music.data, "--tunnel")
    assert refused.returncode == 1 and "no tunnel" in refused.stderr, refused
    host.end()
    host = Host(music, "--host", "0.0.0.0", "--no-announce")
    run = music.run("qr", "--data", music.data)
    lines, link = code(run.stdout)
    addresses = subprocess.run(["hostname", "-I"], capture_output=True, text=True, check=True).stdout.split()
    assert link in {f"http://{address}:{host.port}/#key={key}" for address in addresses}, (link, addresses)
    assert read(lines, music.music) == link
    assert link.split("/#")[0] in until(host.said, "it is shown"), host.said()
    host.end()
    for wrong in ("no address", "ftp://x", "http://"):
        assert music.run("qr", "--data", music.data, "--address", wrong).returncode == 2, wrong


if __name__ == "__main__":
    with library(sys.argv[1]) as folder:
        globals()[sys.argv[2]](folder)
