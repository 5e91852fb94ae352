"""Drives Sublime Music by its actions and MPRIS, the desktop's interface for players. Argument: file for the log.

It takes over the play queue that the host keeps, and plays it. Prints as JSON the titles that were played.
"""

import json
import subprocess
import sys
import time

import dbus

from surroundings import wait

NAME, PATH = "org.mpris.MediaPlayer2.sublimemusic", "/org/mpris/MediaPlayer2"
PLAYER = "org.mpris.MediaPlayer2.Player"
APPLICATION, APPLICATION_PATH = "app.sublimemusic.SublimeMusic", "/app/sublimemusic/SublimeMusic"


def main():
    log = sys.argv[1]
    with open(log, "wb") as out:
        program = subprocess.Popen(["sublime-music"], stdout=out, stderr=subprocess.STDOUT)
    try:
        bus = dbus.SessionBus()
        wait("the program's start", lambda: bus.name_has_owner(NAME))
        remote = bus.get_object(NAME, PATH)
        properties = dbus.Interface(remote, "org.freedesktop.DBus.Properties")
        actions = dbus.Interface(bus.get_object(APPLICATION, APPLICATION_PATH), "org.gtk.Actions")

        def value(name):
            try:
                return properties.Get(PLAYER, name)
            except dbus.exceptions.DBusException as error:
                # At its start, the program has its name before it answers.
                print(error, file=sys.stderr)
                return None

        def activate(name):
            actions.Activate(name, dbus.Array([], signature="v"), dbus.Dictionary({}, signature="sv"))

        wait("the player", lambda: value("PlaybackStatus"))

        def has_queue():
            # Before its first lists have arrived, it ignores the action.
            activate("update-play-queue-from-server")
            time.sleep(2)
            return (value("Metadata") or {}).get("xesam:title")

        wait("the queue", has_queue)
        activate("play-pause")
        played = []

        def is_over():
            title, status = (value("Metadata") or {}).get("xesam:title"), value("PlaybackStatus")
            if status == "Playing" and title and title not in played:
                played.append(str(title))
            return len(played) == 2 and status != "Playing"

        wait("the end of the queue", is_over, 120)
        print(json.dumps({"played": played}))
    finally:
        program.terminate()
        program.wait(20)


main()
