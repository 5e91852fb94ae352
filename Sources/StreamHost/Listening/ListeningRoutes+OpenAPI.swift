internal import APIDescription
internal import Companion
internal import HTTPServer
internal import MusicShared

extension ListeningRoutes {
    static let tag = "Listening"
    private static let kinds = ["track", "album", "artist"]
    /// The end of the year 9999.
    private static let latest = 253_402_300_799.0

    /// The formats of an export.
    enum ExportFormat: String, CaseIterable {
        case json, csv
    }

    static let list = QueryParameter<ListeningList?>(
        "list", "The list, sorted by latest star, best rating, most plays or latest play."
    ).required()
    static let from = QueryParameter<Double?>(
        "from", "Only plays at or after this time, in seconds since 1970.", in: 0...latest)
    static let before = QueryParameter<Double?>(
        "before", "Only plays before this time, in seconds since 1970.", in: 0...latest)
    static let keepsCounts = QueryParameter<Bool>(
        "keep_counts", "Whether to keep the tracks' play counts and times of last play.")
    static let exportFormat = QueryParameter<ExportFormat?>("format", "File format; json by default.")

    static let operations =
        [
            operation(
                .post, Routes.listeningActions, "listen", "Submit stars, ratings and plays, current or past",
                details:
                    "Up to \(ListeningLimits.actions) actions, each with its own result; an invalid action does not affect the "
                    + "others. The order of arrival does not matter: the latest star and rating by the clients' clocks win, and each "
                    + "play counts once, identified by its `action_id` or its time. Times more than "
                    + "\(Int(ListeningLimits.clockSkewSeconds)) seconds ahead of the host's clock are replaced by the "
                    + "current time.",
                body: [
                    "actions": .array(of: action, "The actions.", maximumCount: ListeningLimits.actions)
                ], answer: .json("ListeningResults", "The result of each action, in order."),
                errors: [
                    .tooManyActions.when("More than \(ListeningLimits.actions) actions."), .listeningAway,
                ])
        ] + zip(kinds, ["TrackPage", "AlbumPage", "ArtistPage"]).map(list)
        + kinds.flatMap { [get($0), patch($0)] } + history

    private static func list(_ kind: String, _ page: String) -> OpenAPIOperation {
        operation(
            .get, "/listening/\(kind)s", "listened\(kind.capitalizedWord)s",
            "List starred, rated or played \(kind)s",
            details: "Each item includes `listening`. Only playable items are listed.",
            parameters: [list, Query.limit, Query.offset], answer: .json(page, "The \(kind)s.").tagged)
    }

    private static func get(_ kind: String) -> OpenAPIOperation {
        operation(
            .get, "/listening/\(kind)s/:\(kind)_id", "listening\(kind.capitalizedWord)",
            "Get star, rating and plays of \(kind == "track" ? "a" : "an") \(kind)",
            answer: .json("ListeningState", "The state.").tagged)
    }

    private static func patch(_ kind: String) -> OpenAPIOperation {
        operation(
            .patch, "/listening/\(kind)s/:\(kind)_id", "set\(kind.capitalizedWord)Listening",
            "Star or rate \(kind == "track" ? "a" : "an") \(kind)",
            body: [
                "is_starred": .flag("Whether it is starred.").optional,
                "rating": .integer("From 1 to 5; null removes it.", minimum: 1, maximum: 5).orNull.optional,
                "at": JSONSchema.number(
                    "Time of the change, in seconds since 1970; now by default.", minimum: 0,
                    maximum: latest
                ).orNull.optional,
            ], answer: .json("ListeningState", "The state.").tagged, errors: [.noSuchTrack, .listeningAway])
    }

    private static let history = [
        operation(
            .get, Routes.playCounts, "playCounts", "Get how often each track was played",
            details: "For clients that show plays beside songs of their own copy: all tracks in one answer.",
            answer: .json("PlayCounts", "The play counts.").tagged),
        operation(
            .get, Routes.nowPlaying, "nowPlaying", "List what is playing now",
            answer: .json("NowPlayingList", "One track per player, latest first.")),
        operation(
            .get, Routes.listeningHistory, "history", "List plays, latest first",
            parameters: [from, before, Query.limit, Query.offset],
            answer: .json("PlayPage", "The plays.").tagged),
        operation(
            .delete, Routes.listeningHistory, "deleteHistory", "Delete plays from the history",
            details: "Deletes all plays unless a time range is given.",
            parameters: [from, before, keepsCounts],
            answer: .json(["deleted": .integer("Number of deleted plays.")], "The number of deleted plays."),
            errors: [.listeningAway]),
        operation(
            .delete, Routes.play, "deletePlay", "Delete a play from the history",
            answer: .done("The play was deleted."), errors: [.listeningAway]),
        operation(
            .get, Routes.listeningExport, "exportListening", "Export stars, ratings and history as a file",
            details: "JSON contains all states and plays; CSV (RFC 4180) only the plays.",
            parameters: [exportFormat],
            answer: .content(
                .json(
                    [
                        "items": .array(of: JSONSchema(kind: .anything), "Stars, ratings and counts."),
                        "plays": .array(of: .named("Play"), "The plays in the order they were recorded."),
                    ]), .text("text/csv"), meaning: "The file.")),
    ]

    static let schemas = CatalogueSchemas.named.merging(own) { first, _ in first }

    private static let own: [String: JSONSchema] = [
        "ListeningState": ListeningState.schema,
        "ListeningResults": [
            "results": .array(of: .named("ListeningResult"), "One result per action, in order.")
        ],
        "ListeningResult": [
            "status": .oneOf(
                ListeningResults.Outcome.self,
                "Whether the action was applied, is a duplicate, is superseded by a later one, or was rejected."
            ),
            "action_id": .text("The client's ID for the action.").optional,
            "error": .named("ListeningRefusal").optional,
        ],
        "ListeningRefusal": [
            "code": .text("Stable error code.", example: "no_such_track"),
            "message": .text("Human-readable reason."),
            "field": .text("The invalid field.").optional,
        ],
        "PlayCounts": [
            "track_ids": .array(
                of: .identifier("Track ID."), "The played tracks, those with the most plays first."),
            "play_counts": .array(of: .integer(minimum: 1), "The number of plays of each."),
        ],
        "Play": play,
        "PlayPage": .page(of: .named("Play")),
        "NowPlayingItem": [
            "client": .text("Name of the player; empty if it sent none."),
            "started_at": .time("Start time of the track"),
            "track": .named("Track"),
        ],
        "NowPlayingList": ["items": .array(of: .named("NowPlayingItem"), "One per player, latest first.")],
    ]

    private static let play = JSONSchema.object(
        [
            "id": .identifier("Play ID."),
            "played_at": .time("Time of the play"),
            "seconds_played": .seconds("Duration listened to, if known").optional,
            "client": .text("Name of the player, if known.").optional,
            "relative_path": .text("Last known path of the track."),
            "audio_hash": .text("Hash of the audio."),
            "title": .text("Last known title.").optional,
            "artist": .text("Last known artist.").optional,
            "album": .text("Last known album.").optional, "track": .named("Track").optional,
        ], "A single play of a track.")

    private static func name(_ meaning: String) -> JSONSchema {
        .text(
            "\(meaning); 1 to \(ListeningLimits.nameLength) characters, no control characters.",
            example: "f4c1")
    }

    /// Values out of range only reject their action, so the schema sets no limits.
    private static let action: JSONSchema = [
        "action": .oneOf(ListeningAction.Kind.self, "Kind of action."),
        "action_id": name("Unique ID of the action").orNull.optional,
        "at": JSONSchema.number(
            "Time in seconds since 1970 by the client's clock; now by default.", example: 1_763_742_000
        ).orNull.optional,
        "track_id": JSONSchema.integer("Track ID.", minimum: nil, example: 1).orNull.optional,
        "relative_path": JSONSchema.text("Path of the track, instead of an ID.").orNull.optional,
        "audio_hash": JSONSchema.text("Hash of the track's audio, 32 hexadecimal digits, instead of an ID.")
            .orNull.optional,
        "album_id": JSONSchema.integer("Album ID, to star or rate an album.", minimum: nil).orNull.optional,
        "artist_id": JSONSchema.integer("Artist ID, to star or rate an artist.", minimum: nil).orNull
            .optional,
        "rating": JSONSchema.integer("For `rate`: from 1 to 5; null removes the rating.", minimum: nil).orNull
            .optional,
        "seconds_played": JSONSchema.number("For `play`: duration listened to, in seconds.").orNull.optional,
        "client": name("Name of the player").orNull.optional,
    ]
}

extension ListeningState {
    /// The JSON schema of a listening state.
    static let schema = JSONSchema.object(
        [
            "is_starred": .flag("Whether it is starred."),
            "starred_at": .time("Time when it was starred").optional,
            "rating": .integer("From 1 to 5.", minimum: 1, maximum: 5).optional,
            "play_count": .integer(
                "Number of plays; for albums and artists, the sum of their tracks' plays."),
            "last_played_at": .time("Time of the last play").optional,
        ], "Star, rating and plays.")
}

extension String {
    /// The string with a capital first letter.
    fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst() }
}
