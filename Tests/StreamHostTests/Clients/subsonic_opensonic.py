"""Calls the API of py-opensonic (`libopensonic`), which parses answers into typed objects.

Arguments: base address without port, port, app password, JSON object of ids.
"""
import asyncio
import json
import sys
import urllib.parse
import urllib.request

import libopensonic
import libopensonic.errors
from subsonic_calls import Recorder, refused

BASE, PORT, PASSWORD, IDS = sys.argv[1], int(sys.argv[2]), sys.argv[3], json.loads(sys.argv[4])
song, other, album, artist = IDS["song"], IDS["other"], IDS["album"], IDS["artist"]


def content(response):
    """Reads the body of an answer, on the loop that the library runs in a thread of its own."""
    loop = by_password.connection._loop
    return asyncio.run_coroutine_threadsafe(response.read(), loop).result()


def calls(connection):
    assert connection.ping()
    assert connection.get_license()["license"]["valid"]
    assert connection.get_open_subsonic_extensions()
    connection.get_scan_status()
    connection.start_scan()
    # get_music_folders() of py-opensonic 10.4.1 takes the object for the list in it, with any server.
    connection.get_indexes()
    for item in ["1", artist, album]:
        connection.get_music_directory(item)
    for search in [connection.search2, connection.search3]:
        search("")
    assert connection.create_playlist(name="opensonic", song_ids=[song])
    playlist = connection.get_playlists()[0].id
    connection.update_playlist(playlist, name="opensonic 2", song_ids_to_add=[other], song_indices_to_remove=[0])
    assert [entry.id for entry in connection.get_playlist(playlist).entry] == [other]
    connection.get_playlists()
    connection.delete_playlist(playlist)
    connection.jukebox_control("clear")
    connection.jukebox_control("add", sids=[song, other])
    assert [entry.id for entry in connection.jukebox_control("get").entry] == [song, other]
    connection.jukebox_control("stop")
    assert not connection.jukebox_control("status").playing
    connection.scrobble(song)
    connection.get_now_playing()
    assert connection.get_user("owner").admin_role
    connection.get_users()
    for kind in ["random", "newest", "frequent", "recent", "starred", "alphabeticalByName"]:
        connection.get_album_list(kind)
        connection.get_album_list2(kind)
    connection.get_random_songs()
    connection.get_lyrics(IDS["artistName"], IDS["songTitle"])
    assert connection.get_lyrics_by_song_id(song)
    connection.set_rating(song, 3)
    connection.get_artists()
    assert connection.get_artist(artist).album
    assert connection.get_album(album).song
    found = connection.get_song(song)
    assert found.user_rating == 3 and found.replay_gain is not None and found.sampling_rate == 44100, found
    connection.star(sids=[song], album_ids=[album], artist_ids=[artist])
    assert [item.id for item in connection.get_starred2().song] == [song]
    connection.get_starred()
    connection.unstar(sids=[song], album_ids=[album], artist_ids=[artist])
    connection.get_genres()
    connection.get_songs_by_genre("Jazz")
    connection.create_internet_radio_station("http://radio.example/", "Radio")
    station = connection.get_internet_radio_stations()[0].id
    connection.update_internet_radio_station(station, "http://radio.example/2", "Radio 2")
    connection.delete_internet_radio_station(station)
    connection.create_bookmark(song, 1000)
    connection.get_bookmarks()
    connection.delete_bookmark(song)
    connection.get_artist_info(artist)
    connection.get_artist_info2(artist)
    connection.get_album_info(album)
    connection.get_album_info2(album)
    connection.get_similar_songs(song)
    connection.get_similar_songs2(artist)
    similar = connection.get_sonic_similar_tracks(song, 2)
    assert len(similar) == 2 and 1 >= similar[0].similarity >= similar[1].similarity >= 0, similar
    path = [match.entry.id for match in connection.find_sonic_path(song, other, 3)]
    assert len(path) == 3 and path[0] == song and path[-1] == other, path
    connection.save_play_queue([song, other], other, 2000)
    assert connection.get_play_queue().current == other
    connection.save_play_queue_by_index([song, song], 1, 1000)
    assert connection.get_play_queue_by_index().current_index == 1
    connection.get_top_songs(IDS["artistName"])
    share = connection.create_share([song], description="opensonic")
    assert connection.get_shares()[-1].description == "opensonic"
    connection.delete_share(share.id)
    connection.create_user("opensonic", "long enough", "a@example.org")
    connection.update_user("opensonic", email="b@example.org", upload_role=True)
    connection.change_password("opensonic", "even longer")
    assert connection.get_user("opensonic").upload_role
    connection.delete_user("opensonic")
    refused(libopensonic.errors.DataNotFoundError, connection.get_avatar, "owner", message="no avatars")
    connection.report_playback(song, "song", 0, "playing")
    connection.report_playback(song, "song", 1000, "stopped")
    original = content(connection.download(song))
    assert content(connection.stream(song)) == original and len(original) == IDS["size"]
    address, parameters = connection.get_stream_url(song)
    assert urllib.request.urlopen(f"{address}?{urllib.parse.urlencode(parameters)}").read() == original
    assert len(content(connection.get_cover_art(album))) > 100
    assert b"#EXTM3U" in content(connection.hls(song))
    profile = {"container": "mp3", "audioCodec": "mp3", "protocol": "http", "maxAudioChannels": 2}
    decision = connection.get_transcode_decision(song, "song", {
        "name": "opensonic", "platform": "test", "maxAudioBitrate": 0, "maxTranscodingAudioBitrate": 64000,
        "directPlayProfiles": [], "transcodingProfiles": [profile], "codecProfiles": []})
    assert decision.can_transcode, decision
    low = content(connection.get_transcode_stream(song, "song", decision.transcode_params))
    assert 0 < len(low) != len(original)



def missing(connection):
    """Calls what the host does not have: podcasts, videos and chat."""
    def check(name, *arguments):
        refused(libopensonic.errors.SonicError, getattr(connection, name), *arguments)

    for name in ["get_podcasts", "get_newest_podcasts", "refresh_podcasts", "get_videos", "get_chat_messages"]:
        check(name)
    for name in ["create_podcast_channel", "delete_podcast_channel", "delete_podcast_episode", "download_podcast_episode",
                 "get_podcast_episode", "add_chat_message"]:
        check(name, "get")
    for name in ["get_video_info", "get_captions"]:
        check(name, "1")


by_password = Recorder(libopensonic.Connection(BASE, "owner", PASSWORD, port=PORT))
try:
    calls(by_password)
    missing(by_password)
    # Three fail inside of py-opensonic 10.4.1, with any server: see above; update_share() uses a time as a name; search() is
    # not implemented.
    missed = by_password.missed() - {"get_music_folders", "update_share", "search", "token_info", "cleanup"}
    assert not missed, missed
finally:
    by_password.cleanup()
by_key = libopensonic.Connection(BASE, api_key=PASSWORD, port=PORT)
try:
    assert by_key.ping() and by_key.token_info().username == "owner"
finally:
    by_key.cleanup()
print("done")
