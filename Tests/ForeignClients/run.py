"""Checks the host with programs of others that speak the Subsonic protocol.

Arguments: folder of the built programs, Python with Mopidy-Subidy. Prints a line for each client, and exits with 1 if one fails.
"""

import sys
import tempfile
import traceback
from pathlib import Path

import hls_players
import mopidy_client
import reference_server
import strawberry_client
import sublime_client
from surroundings import Host, Program, have

CLIENTS = [
    ("Mopidy-Subidy", mopidy_client.check, ["ffmpeg"]),
    ("Strawberry", strawberry_client.check, ["ffmpeg", "strawberry", "Xvfb", "xdotool", "openbox", "dbus-run-session"]),
    ("Sublime-Music", sublime_client.check, ["ffmpeg", "sublime-music", "pulseaudio", "Xvfb", "dbus-run-session"]),
    ("HLS-players", hls_players.check, ["ffmpeg", "mpv"]),
    ("supysonic", reference_server.check, ["ffmpeg", "supysonic-cli"]),
]


def main():
    programs, python = Path(sys.argv[1]).resolve(), sys.argv[2]
    wanted = sys.argv[3:]
    failures = 0
    for name, check, needed in CLIENTS:
        if wanted and name not in wanted:
            continue
        if missing := have(*needed):
            print(f"{name}: skipped, since {', '.join(missing)} is not installed")
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            host = None
            try:
                host = Host(folder, programs)
                print(f"{name}: {check(host, folder / 'client', python)}", flush=True)
                calls = ", ".join(f"{endpoint} {count}" for endpoint, count in sorted(host.called().items()))
                print(f"    calls: {calls}", flush=True)
            except Exception:
                failures += 1
                print(f"{name}: failed\n{traceback.format_exc()}", flush=True)
                if host:
                    print(host.program.output[-2000:])
            finally:
                Program.end_all()
    sys.exit(1 if failures else 0)


main()
