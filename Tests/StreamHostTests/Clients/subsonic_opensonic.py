"""Calls the API of py-opensonic (`libopensonic`), which parses answers into typed objects.

Arguments: base address without port, port, app password, JSON object of ids.
"""
import json
import sys

import libopensonic

BASE, PORT, PASSWORD, IDS = sys.argv[1], int(sys.argv[2]), sys.argv[3], json.loads(sys.argv[4])
song, other, album, artist = IDS["song"], IDS["other"], IDS["album"], IDS["artist"]


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
    connection.save_play_queue([song, other], other, 2000)
    assert connection.get_play_queue().current == other
    connection.save_play_queue_by_index([song, song], 1, 1000)
    assert connection.get_play_queue_by_index().current_index == 1
    connection.get_top_songs(IDS["artistName"])


by_password = libopensonic.Connection(BASE, "owner", PASSWORD, port=PORT)
try:
    calls(by_password)
finally:
    by_password.cleanup()
by_key = libopensonic.Connection(BASE, api_key=PASSWORD, port=PORT)
try:
    assert by_key.ping() and by_key.token_info().username == "owner"
finally:
    by_key.cleanup()
print("done")
