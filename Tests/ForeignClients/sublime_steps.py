"""Drives Sublime Music over MPRIS, the desktop's interface for players. Arguments: name of a playlist, file for the log.

Prints as JSON the names of the playlists, and the titles that were played.
"""

import json
import subprocess
import sys

import dbus

from surroundings import wait

NAME, PATH = "org.mpris.MediaPlayer2.sublimemusic", "/org/mpris/MediaPlayer2"
PLAYER, PLAYLISTS = "org.mpris.MediaPlayer2.Player", "org.mpris.MediaPlayer2.Playlists"


def main():
    wanted, log = sys.argv[1], sys.argv[2]
    with open(log, "wb") as out:
        program = subprocess.Popen(["sublime-music"], stdout=out, stderr=subprocess.STDOUT)
    try:
        bus = dbus.SessionBus()
        wait("the program's start", lambda: bus.name_has_owner(NAME))
        remote = bus.get_object(NAME, PATH)
        lists = dbus.Interface(remote, PLAYLISTS)
        # Until the list has arrived from the host, it is empty.
        found = wait("the playlists", lambda: lists.GetPlaylists(0, 100, "Alphabetical", False))
        names = [str(name) for _, name, _ in found]
        lists.ActivatePlaylist(next(path for path, name, _ in found if name == wanted))
        properties = dbus.Interface(remote, "org.freedesktop.DBus.Properties")
        played = []

        def is_over():
            metadata = properties.Get(PLAYER, "Metadata")
            status = str(properties.Get(PLAYER, "PlaybackStatus"))
            title = str(metadata.get("xesam:title", ""))
            if status == "Playing" and title and title not in played:
                played.append(title)
            return len(played) == 2 and status != "Playing"

        wait("the end of the playlist", is_over, 120)
        print(json.dumps({"playlists": names, "played": played}))
    finally:
        program.terminate()
        program.wait(20)


main()
