"""Drives Strawberry by its accessible controls and its MPRIS interface, inside a D-Bus session of its own.

Arguments: the artist to play, the file for Strawberry's log. Prints what was seen as JSON.
"""

import json
import subprocess
import sys
import time

import dbus

PLAYER = "org.mpris.MediaPlayer2.Player"
ACCESSIBILITY = "org.a11y.Bus"


def wait(what, condition, seconds=60):
    end = time.monotonic() + seconds
    while True:
        try:
            value = condition()
        except (dbus.DBusException, LookupError, RuntimeError, AttributeError, NotImplementedError) as error:
            value, problem = None, error
        else:
            problem = None
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"timeout: {what} ({problem})")
        time.sleep(0.2)


def has_accessibility():
    """Starts the bus of accessible controls, and switches them on for all programs."""
    bus = dbus.SessionBus().get_object(ACCESSIBILITY, "/org/a11y/bus")
    bus.Set("org.a11y.Status", "IsEnabled", True, dbus_interface="org.freedesktop.DBus.Properties")
    return bus.GetAddress(dbus_interface=ACCESSIBILITY)


subprocess.Popen(["/usr/libexec/at-spi-bus-launcher", "--launch-immediately"])
wait("the bus of accessible controls", has_accessibility)

import pyatspi  # noqa: E402  It looks for the bus when it is imported.


def controls():
    """All controls of all windows."""
    waiting = [pyatspi.Registry.getDesktop(0)]
    while waiting:
        control = waiting.pop()
        if control is None:
            continue
        # Events that would keep the cache current are not read here.
        control.clearCache()
        yield control
        waiting += [control.getChildAtIndex(index) for index in reversed(range(min(control.childCount, 200)))]


def control(name, role):
    return next((each for each in controls() if each.name == name and each.getRoleName() == role), None)


def press(name, role):
    actions = wait(name, lambda: control(name, role)).queryAction()
    names = [actions.getName(index) for index in range(actions.nActions)]
    actions.doAction(names.index("Press"))


def cells():
    """The texts of the list that is on the screen."""
    return [each.name for each in controls()
            if each.getRoleName() == "table cell" and each.name and each.queryComponent().getExtents(0).width > 0]


def main():
    artist, log = sys.argv[1:]
    # A window manager, so that the window has a place and the focus.
    subprocess.Popen(["openbox"])
    with open(log, "wb") as output:
        strawberry = subprocess.Popen(["strawberry", "--log-levels", "*:2"], stdout=output, stderr=subprocess.STDOUT)
    bus = dbus.SessionBus()

    def player():
        return bus.get_object("org.mpris.MediaPlayer2.strawberry", "/org/mpris/MediaPlayer2")

    def property_of(name):
        return player().Get(PLAYER, name, dbus_interface="org.freedesktop.DBus.Properties")

    wait("the window", lambda: control("Subsonic", "page tab"))
    press("Subsonic", "page tab")
    press("Refresh catalogue", "push button")
    wait("the artists", lambda: artist in cells())
    # Letters separate the artists.
    artists = [name for name in cells() if len(name) > 1]
    place = control(artist, "table cell").queryComponent().getExtents(0)
    subprocess.run(
        ["xdotool", "mousemove", str(place.x + place.width // 2), str(place.y + place.height // 2), "click", "--repeat", "2",
         "--delay", "60", "1"], check=True)
    played = []

    def finished():
        if property_of("PlaybackStatus") == "Stopped":
            return bool(played)
        title = str(property_of("Metadata").get("xesam:title", ""))
        if title and title not in played:
            played.append(title)
        return False

    wait("the playlist", lambda: property_of("CanPlay"))
    player().Play(dbus_interface=PLAYER)
    wait("the end of the songs", finished, 120)
    player().Quit(dbus_interface="org.mpris.MediaPlayer2")
    strawberry.wait(30)
    print(json.dumps({"artists": artists, "played": played}))


main()
