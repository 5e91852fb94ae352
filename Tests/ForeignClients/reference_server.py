"""The same requests to Debian's supysonic as reference server and to the host, with their answers compared."""

import os
import subprocess

from surroundings import SONGS, Program, Server, free_port, wait

CONFIGURATION = """
[base]
database_uri = sqlite:///{folder}/supysonic.db
[webapp]
cache_dir = {folder}/cache
log_level = WARNING
[daemon]
socket = {folder}/daemon.sock
"""
# The reference reads bit rates and lengths with mutagen; lengths include the encoder's delay.
SONG_KEYS = ["title", "artist", "album", "track", "year", "genre", "suffix", "contentType", "isDir", "type", "path", "size"]


def start(folder, music):
    folder.mkdir()
    (folder / "supysonic.conf").write_text(CONFIGURATION.format(folder=folder))
    environment = dict(os.environ, HOME=str(folder))

    def run(*words):
        subprocess.run(["supysonic-cli", *map(str, words)], check=True, cwd=folder, env=environment,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    run("user", "add", "--password", "sesame", "owner")
    run("folder", "add", "music", music)
    run("folder", "scan", "-f", "--foreground", "music")
    port = free_port()
    # supysonic-server needs gevent, gunicorn or waitress; Flask's own server does for one client.
    serve = ("import sys; from supysonic.web import create_application; from werkzeug.serving import run_simple; "
             "run_simple('127.0.0.1', int(sys.argv[1]), create_application())")
    program = Program(["/usr/bin/python3", "-c", serve, port], folder / "server.log", cwd=folder, env=environment)
    server = Server(f"http://127.0.0.1:{port}", "owner", "sesame")

    def answers():
        assert program.process.poll() is None, program.output
        try:
            return server.ask("ping")["status"] == "ok"
        except OSError:
            return False

    wait("supysonic's start", answers)
    return server


def song(item):
    return {key: item.get(key) for key in SONG_KEYS} | {"duration": item.get("duration")}


def facts(server):
    """What a client learns about the library, without the ids of the server."""
    artists = [artist for index in server.ask("getArtists")["artists"]["index"] for artist in index["artist"]]
    known = {"artists": sorted((artist["name"], artist["albumCount"]) for artist in artists)}
    known["albums of artists"] = {
        artist["name"]: sorted((album["name"], album["songCount"]) for album in
                               server.ask("getArtist", ("id", artist["id"]))["artist"]["album"])
        for artist in artists}
    albums = server.ask("getAlbumList2", ("type", "alphabeticalByName"), ("size", "50"))["albumList2"]["album"]
    known["albums"] = [(album["name"], album["artist"], album["songCount"]) for album in albums]
    known["songs"] = {
        album["name"]: [song(item) for item in server.ask("getAlbum", ("id", album["id"]))["album"]["song"]]
        for album in albums}
    known["genres"] = sorted(
        (genre["value"], genre["songCount"], genre["albumCount"]) for genre in server.ask("getGenres")["genres"]["genre"])
    for kind, query in [("artist", "Anna"), ("album", "Numbers"), ("song", "Sixth")]:
        found = server.ask("search3", ("query", query), ("songCount", "50"))["searchResult3"].get(kind, [])
        known[f"search for {query}"] = sorted(item.get("name") or item["title"] for item in found)
    known["of a genre"] = sorted(
        item["title"] for item in server.ask("getSongsByGenre", ("genre", "Rock"))["songsByGenre"]["song"])
    years = server.ask("getAlbumList2", ("type", "byYear"), ("fromYear", "2020"), ("toYear", "2000"))["albumList2"]["album"]
    known["by year"] = [album["name"] for album in years]
    known["random"] = len(server.ask("getRandomSongs", ("size", "4"))["randomSongs"]["song"])
    return known


def changes(server):
    """What a client sees of its own changes."""
    songs = {item["title"]: item["id"] for item in
             server.ask("getRandomSongs", ("size", "50"))["randomSongs"]["song"]}
    first, second = songs["Third rail"], songs["Sixth sense"]
    seen = {"star": server.ask("star", ("id", first))["status"]}
    seen["starred"] = [item["title"] for item in server.ask("getStarred2")["starred2"].get("song", [])]
    server.ask("unstar", ("id", first))
    seen["unstarred"] = [item["title"] for item in server.ask("getStarred2")["starred2"].get("song", [])]
    server.ask("setRating", ("id", first), ("rating", "4"))
    seen["rating"] = server.ask("getSong", ("id", first))["song"]["userRating"]
    server.ask("createPlaylist", ("name", "Reference"), ("songId", first))
    playlist = next(item for item in server.ask("getPlaylists")["playlists"]["playlist"] if item["name"] == "Reference")
    server.ask("updatePlaylist", ("playlistId", playlist["id"]), ("name", "Renamed"), ("comment", "c"), ("songIdToAdd", second))
    got = server.ask("getPlaylist", ("id", playlist["id"]))["playlist"]
    seen["playlist"] = (got["name"], got["comment"], got["songCount"], [item["title"] for item in got["entry"]])
    server.ask("updatePlaylist", ("playlistId", playlist["id"]), ("songIndexToRemove", "0"))
    seen["shorter"] = [item["title"] for item in server.ask("getPlaylist", ("id", playlist["id"]))["playlist"]["entry"]]
    seen["deleted"] = server.ask("deletePlaylist", ("id", playlist["id"]))["status"]
    seen["errors"] = [
        server.ask(*request)["error"]["code"] for request in
        [("getSong",), ("getAlbum",), ("getPlaylist", ("id", playlist["id"])), ("setRating", ("id", first))]]
    wrong = Server(server.base, server.user, "wrong")
    seen["wrong password"] = wrong.ask("ping")["error"]["code"]
    return seen


def check(host, folder, _):
    reference = start(folder, host.music)
    differences = []

    def compare(where, ours, theirs):
        if isinstance(ours, dict) and isinstance(theirs, dict) and set(ours) == set(theirs):
            for key in ours:
                compare(f"{where} · {key}", ours[key], theirs[key])
        elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
            for number, pair in enumerate(zip(ours, theirs)):
                compare(f"{where} · {number}", *pair)
        elif where.endswith("duration"):
            if abs(ours - theirs) > 1:
                differences.append((where, ours, theirs))
        elif ours != theirs:
            differences.append((where, ours, theirs))

    known = facts(host)
    compare("library", known, facts(reference))
    seen = changes(host)
    compare("changes", seen, changes(reference))
    assert not differences, "\n".join(f"{where}: {ours!r}, the reference {theirs!r}" for where, ours, theirs in differences)
    for item in host.songs():
        file = (host.music / item["path"]).read_bytes()
        theirs = next(other for other in reference.ask("search3", ("query", item["title"]))["searchResult3"]["song"])
        assert host.bytes("download", ("id", item["id"])) == file == reference.bytes("download", ("id", theirs["id"]))
        assert host.bytes("stream", ("id", item["id"])) == file
    return f"{len(SONGS)} songs, {len(known)} lists and {len(seen)} results of changes are the same; files byte for byte"
