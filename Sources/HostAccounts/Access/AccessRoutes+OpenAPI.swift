package import APIDescription
internal import HTTPServer
internal import MusicShared

extension AccessRoutes {
    package static let tag = "Access"

    static let trackID = QueryParameter<Int?>(id: "track_id", "Track ID.", example: 1)
    static let albumID = QueryParameter<Int?>(id: "album_id", "Album ID.")
    static let playlistID = QueryParameter<Int?>(id: "playlist_id", "Playlist ID.")
    static let stationID = QueryParameter<Int?>(id: "station_id", "Radio station ID.")
    static let lifetime = QueryParameter<Double>(
        "seconds", "Lifetime in seconds.",
        .number(
            minimum: 0, maximum: StreamToken.longestLifetime, isOpenBelow: true,
            standard: StreamToken.standardLifetime),
        default: StreamToken.standardLifetime,
        expected: "greater than 0 and at most \(Int(StreamToken.longestLifetime))"
    ) { text in
        Double(text).flatMap { $0 > 0 && $0 <= StreamToken.longestLifetime ? $0 : nil }
    }

    package static let operations = [
        operation(
            .get, Routes.auth, "checkKey", "Check the credential, and identify the host and the account",
            answer: .json(
                [
                    "host_name": .text("Name of the host.", example: "attic"),
                    "version": .text("Name and version of the program.", example: "stream-host 0.1.0"),
                    "protocol_version": .integer(
                        "Protocol version. A client only talks to hosts of its own version.",
                        minimum: 1),
                    "library_id": .text(
                        """
                        ID of the library: random, created with its database. IDs of tracks, albums and artists are only \
                        valid within one library; a client that stores them must store this ID with them.
                        """, example: "5f0c1d9e27ab4438"),
                    "account": .named("Account"),
                ], "The credential is valid.")),
        operation(
            .post, Routes.token, "makeToken",
            "Create a token for one track, album, playlist or radio station",
            details: """
                For players that cannot send header fields: append `?token=…` to any URL of the track or station, or to the stream \
                URL of the album or playlist. Playlists that are fetched with a token pass it on to their segments. One of \
                `track_id`, `album_id`, `playlist_id` and `station_id` is required.
                """,
            parameters: [trackID, albumID, playlistID, stationID, lifetime],
            answer: .json(
                [
                    "token": .text("The value of the `token` parameter."),
                    "expires_at": .integer("Expiry time, in seconds since 1970."),
                ], "The token."),
            errors: [.noSuchTrack, .missingSubject, .noSuchAlbum, .noSuchPlaylist, .noSuchStation]),
    ]
}
