"""Checks every JSON answer of /rest against the specification's schemas, and every XML answer against the JSON one.

Arguments: base address, app password, folder of the specification's OpenAPI document, JSON object of ids.
"""
import json
import math
import pathlib
import sys
import urllib.parse
import urllib.request
import xml.etree.ElementTree

import jsonschema
import referencing
import referencing.jsonschema

BASE, PASSWORD, FOLDER, IDS = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), json.loads(sys.argv[4])
NAMESPACE = "{http://subsonic.org/restapi}"

# Answers that differ from one request to the next.
RANDOM = {"getRandomSongs", "getSimilarSongs", "getSimilarSongs2"}
# Changes that succeed only once.
ONCE = {
    "createPlaylist", "createShare", "createUser", "deletePlaylist", "deleteShare", "deleteBookmark", "deleteInternetRadioStation",
    "deleteUser",
}
# Endpoints that answer with audio, pictures or addresses.
MEDIA = {"stream", "download", "hls", "hls.m3u8", "getCoverArt", "getTranscodeStream", "getAvatar"}
CHECKED = set()
STATIONS = []



def retrieve(uri):
    path = pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(uri).path))
    return referencing.Resource.from_contents(
        json.loads(path.read_text()), default_specification=referencing.jsonschema.DRAFT202012)


REGISTRY = referencing.Registry(retrieve=retrieve)


def ask(endpoint, parameters, form, body=None):
    query = urllib.parse.urlencode(
        [("u", "owner"), ("p", PASSWORD), ("v", "1.16.1"), ("c", "schemas"), ("f", form)] + parameters)
    request = urllib.request.Request(
        f"{BASE}/rest/{endpoint}?{query}", data=body and json.dumps(body).encode(),
        headers={"Content-Type": "application/json"} if body else {})
    with urllib.request.urlopen(request) as response:
        assert response.status == 200, (endpoint, response.status)
        return response.read()


def schema_uri(endpoint):
    path = FOLDER / "endpoints" / f"{endpoint}.json"
    methods = json.loads(path.read_text())
    answer = methods.get("get", methods.get("post"))["responses"]["200"]
    if "$ref" in answer:
        path = (path.parent / answer["$ref"]).resolve()
        answer = json.loads(path.read_text())
    schema = answer["content"]["application/json"]["schema"]
    if "$ref" not in schema:
        return path.as_uri(), "/content/application~1json/schema"
    return (path.parent / schema["$ref"]).resolve().as_uri(), ""


# The specification's schemas of these describe the element without the envelope around it.
BARE = {"getTranscodeDecision"}
# This server's own, which docs/apps.md describes.
OWN = {"getSongAnalysis", "getMixOrder"}
# The schema requires an integer `volume` from 0 to 1, the documentation of the same answer a `gain`, which apps read.
CONTRADICTORY = {"jukeboxControl"}


def validate(endpoint, document):
    if endpoint in OWN | CONTRADICTORY:
        return
    uri, pointer = schema_uri(endpoint)
    if endpoint in BARE:
        document = document["subsonic-response"]
    validator = jsonschema.Draft202012Validator(
        {"$ref": uri + (f"#{pointer}" if pointer else "")}, registry=REGISTRY,
        format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)
    errors = [f"{list(error.absolute_path)}: {error.message[:300]} {[c.message[:200] for c in error.context or []]}"
              for error in validator.iter_errors(document)]
    assert not errors, (endpoint, errors)


def as_text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def same(attribute, value):
    if isinstance(value, float):
        return math.isclose(float(attribute), value, rel_tol=1e-12)
    return attribute == as_text(value)


def compare(name, element, value, where):
    """Compares an XML element with a JSON object by the protocol's mapping."""
    where = f"{where}/{name}"
    assert element.tag == NAMESPACE + name, (where, element.tag)
    attributes, children, text = {}, [], ""
    for key, item in value.items():
        if key == "value" and name != "cueLine":
            text = item
        elif isinstance(item, dict):
            children.append((key, item))
        elif isinstance(item, list):
            children += [(key, entry) for entry in item]
        else:
            attributes[key] = item
    assert set(element.attrib) == set(attributes), (where, element.attrib, attributes)
    for key, item in attributes.items():
        assert same(element.attrib[key], item), (where, key, element.attrib[key], item)
    assert (element.text or "") == text, (where, element.text, text)
    assert len(element) == len(children), (where, len(element), len(children))
    for child, (key, item) in zip(element, children):
        if isinstance(item, dict):
            compare(key, child, item, where)
        else:
            assert child.tag == NAMESPACE + key and child.text == as_text(item), (where, key, child.text, item)


def check(endpoint, *parameters, status="ok", body=None):
    parameters = list(parameters)
    CHECKED.add(endpoint)
    document = json.loads(ask(endpoint, parameters, "json", body))
    answer = document["subsonic-response"]
    assert answer["status"] == status, (endpoint, parameters, answer)
    validate(endpoint, document)
    # A change made twice has the same answer, except for new items and for what differs from one request to the next.
    if endpoint not in RANDOM and ("type", "random") not in parameters and endpoint not in ONCE:
        root = xml.etree.ElementTree.fromstring(ask(endpoint, parameters, "xml", body))
        compare("subsonic-response", root, answer, "")
    return answer


def writes():
    """Changes, which later answers show."""
    song, other, album, artist = IDS["song"], IDS["other"], IDS["album"], IDS["artist"]
    check("star", ("id", song), ("albumId", album), ("artistId", artist))
    check("setRating", ("id", song), ("rating", "4"))
    check("setRating", ("id", album), ("rating", "5"))
    check("scrobble", ("id", song), ("time", "1700000000000"))
    check("scrobble", ("id", other), ("submission", "false"))
    check("savePlayQueue", ("id", song), ("id", other), ("current", other), ("position", "1500"))
    check("getPlayQueue")
    check("savePlayQueueByIndex", ("id", song), ("id", song), ("currentIndex", "1"))
    check("createBookmark", ("id", song), ("position", "1000"), ("comment", "<here> & now"))
    for state, position in [("starting", "0"), ("playing", "1000"), ("paused", "1500")]:
        check("reportPlayback", ("mediaId", song), ("mediaType", "song"), ("positionMs", position), ("state", state))
    check("createInternetRadioStation", ("streamUrl", "http://radio.example/live"), ("name", "Radio"))
    station = check("getInternetRadioStations")["internetRadioStations"]["internetRadioStation"][0]["id"]
    STATIONS.append(station)
    check("updateInternetRadioStation", ("id", station), ("streamUrl", "https://radio.example/live"),
          ("name", "Radio 2"), ("homepageUrl", "https://radio.example/"))


def reads():
    """All endpoints that answer with data."""
    song, album, artist = IDS["song"], IDS["album"], IDS["artist"]
    for endpoint in ["ping", "getLicense", "getOpenSubsonicExtensions", "getMusicFolders", "getIndexes",
                     "getArtists", "getGenres", "getStarred", "getStarred2", "getNowPlaying", "getUsers",
                     "getScanStatus", "startScan", "getPlayQueue", "getPlayQueueByIndex", "getBookmarks",
                     "getInternetRadioStations", "getPlaylists", "getRandomSongs"]:
        check(endpoint)
    share = check("createShare", ("id", song), ("id", album), ("description", "a <b>"))["shares"]["share"][0]["id"]
    check("updateShare", ("id", share), ("description", "c"), ("expires", "32503680000000"))
    assert check("getShares")["shares"]["share"][0]["description"] == "c"
    check("deleteShare", ("id", share))
    for kind in ["random", "newest", "highest", "frequent", "recent", "starred", "alphabeticalByName",
                 "alphabeticalByArtist"]:
        check("getAlbumList", ("type", kind))
        check("getAlbumList2", ("type", kind))
    for endpoint in ["getAlbumList", "getAlbumList2"]:
        check(endpoint, ("type", "byYear"), ("fromYear", "1900"), ("toYear", "2100"))
        check(endpoint, ("type", "byGenre"), ("genre", "Jazz"))
    for item in ["1", artist, album]:
        check("getMusicDirectory", ("id", item))
    for endpoint, item in [("getArtist", artist), ("getAlbum", album), ("getSong", song),
                           ("getArtistInfo", artist), ("getArtistInfo2", artist), ("getAlbumInfo", album),
                           ("getAlbumInfo2", album), ("getSimilarSongs", song), ("getSimilarSongs2", artist),
                           ("getSonicSimilarTracks", song), ("getLyricsBySongId", song)]:
        check(endpoint, ("id", item))
    check("getLyricsBySongId", ("id", song), ("enhanced", "true"))
    check("findSonicPath", ("startSongId", song), ("endSongId", IDS["other"]))
    check("getSongAnalysis", ("id", song), ("nextId", IDS["other"]))
    check("getMixOrder", ("id", song), ("id", IDS["other"]), ("energy", "rising"))
    for client in [{"name": "a", "platform": "b"}, {
            "name": "a", "platform": "b", "directPlayProfiles": [
                {"containers": ["flac"], "audioCodecs": [], "protocols": []}], "transcodingProfiles": [
                {"container": "mp3", "audioCodec": "mp3", "protocol": "http"}]}]:
        check("getTranscodeDecision", ("mediaId", song), ("mediaType", "song"), body=client)
    check("getSongsByGenre", ("genre", "Jazz"))
    check("getTopSongs", ("artist", IDS["artistName"]))
    check("getTopSongs", ("id", artist))
    check("getLyrics", ("artist", IDS["artistName"]), ("title", IDS["songTitle"]))
    check("getUser", ("username", "owner"))
    for endpoint in ["search2", "search3"]:
        check(endpoint, ("query", ""))
        check(endpoint, ("query", IDS["songTitle"]))


def playlists():
    song, other = IDS["song"], IDS["other"]
    playlist = check("createPlaylist", ("name", "List <1>"), ("songId", song))["playlist"]["id"]
    check("updatePlaylist", ("playlistId", playlist), ("comment", "a \"b\"\n\tc"), ("songIdToAdd", other))
    check("getPlaylist", ("id", playlist))
    check("getPlaylists")
    check("deletePlaylist", ("id", playlist))


def users():
    check("createUser", ("username", "anna & co"), ("password", "long enough"), ("email", "a@example.org"))
    check("updateUser", ("username", "anna & co"), ("uploadRole", "true"))
    check("changePassword", ("username", "anna & co"), ("password", "even longer"))
    check("getUser", ("username", "anna & co"))
    check("getUsers")
    check("deleteUser", ("username", "anna & co"))
    check("deleteUser", ("username", "owner"), status="failed")


def failures():
    check("getSong", status="failed")
    check("getSong", ("id", "tr-999999"), status="failed")
    check("getAlbumList2", ("type", "nonsense"), status="failed")
    check("getPodcasts", status="failed")


def jukebox():
    check("jukeboxControl", ("action", "set"), ("id", IDS["song"]), ("id", IDS["other"]))
    check("jukeboxControl", ("action", "get"))
    check("jukeboxControl", ("action", "setGain"), ("gain", "0.5"))
    check("jukeboxControl", ("action", "status"))
    check("jukeboxControl", ("action", "skip"), status="failed")


writes()
reads()
playlists()
jukebox()
users()
failures()
for name in ["unstar", "deleteBookmark"]:
    check(name, ("id", IDS["song"]))
check("deleteInternetRadioStation", ("id", STATIONS[0]))
check("tokenInfo", status="failed")
missing = set(IDS["endpoints"]) - CHECKED - MEDIA
assert not missing, missing
print("valid")
