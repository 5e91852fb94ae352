internal import APIDescription
internal import Companion
internal import HTTPServer
internal import MusicShared

extension ListeningRoutes {
    private static let tag = "Listening"
    private static let badList = [OpenAPIError.badParameter, .missingParameter, .unknownParameter]
    private static let state = [OpenAPIResponse.Content.json(.named("ListeningState"))]
    private static let kinds = ["track", "album", "artist"]

    private static func number(_ kind: String) -> OpenAPIParameter {
        .path("\(kind)_id", "ID of the \(kind).", .identifier(example: 1))
    }

    private static let range = [
        OpenAPIParameter.query("from", "Only plays at or after this time, in seconds since 1970.", time),
        .query("before", "Only plays before this time, in seconds since 1970.", time),
    ]
    private static let time = JSONSchema.number(minimum: 0, maximum: 253_402_300_799)

    static let operations =
        [
            OpenAPIOperation(
                method: .post, path: Routes.listeningActions, id: "listen",
                summary: "Submit stars, ratings and plays, current or past",
                details:
                    "Up to \(ListeningLimits.actions) actions, each with its own result; an invalid action does not affect the "
                    + "others. The order of arrival does not matter: the latest star and rating by the clients' clocks win, and each "
                    + "play counts once, identified by its `action_id` or its time. Times more than "
                    + "\(Int(ListeningLimits.clockSkewSeconds)) seconds ahead of the host's clock are replaced by the "
                    + "current time.",
                tag: tag, access: .key,
                body: .object([
                    .always(
                        "actions", .array(of: action, "The actions.", maximumCount: ListeningLimits.actions))
                ]), answer: "The result of each action, in order.",
                contents: [.json(.named("ListeningResults"))],
                errors: [
                    OpenAPIError(
                        status: .unprocessableContent, code: "too_many_actions",
                        meaning: "More than \(ListeningLimits.actions) actions.")
                ])
        ] + zip(kinds, ["TrackPage", "AlbumPage", "ArtistPage"]).map(list)
        + kinds.flatMap { [get($0), patch($0)] } + history

    private static func list(_ kind: String, _ page: String) -> OpenAPIOperation {
        OpenAPIOperation(
            method: .get, path: "/listening/\(kind)s", id: "listened\(kind.capitalizedWord)s",
            summary: "List starred, rated or played \(kind)s",
            details: "Each item includes `listening`. Only playable items are listed.", tag: tag,
            access: .key,
            parameters: [
                .query(
                    "list",
                    "The list, sorted by latest star, best rating, most plays or latest play.",
                    .oneOf(ListeningList.allCases.map(\.rawValue)), isRequired: true)
            ] + OpenAPIParameter.page(), answer: "The \(kind)s.", contents: [.json(.named(page))],
            hasEntityTag: true,
            errors: badList)
    }

    private static func get(_ kind: String) -> OpenAPIOperation {
        OpenAPIOperation(
            method: .get, path: "/listening/\(kind)s/:\(kind)_id", id: "listening\(kind.capitalizedWord)",
            summary: "Get star, rating and plays of \(kind == "track" ? "a" : "an") \(kind)", tag: tag,
            access: .key,
            parameters: [number(kind)], answer: "The state.", contents: state, hasEntityTag: true,
            errors: [.nothing, .unknownParameter])
    }

    private static func patch(_ kind: String) -> OpenAPIOperation {
        OpenAPIOperation(
            method: .patch, path: "/listening/\(kind)s/:\(kind)_id",
            id: "set\(kind.capitalizedWord)Listening",
            summary: "Star or rate \(kind == "track" ? "a" : "an") \(kind)", tag: tag, access: .key,
            parameters: [number(kind)],
            body: .object([
                .maybe("is_starred", .flag("Whether it is starred.")),
                .maybe("rating", .integer("From 1 to 5; null removes it.", minimum: 1, maximum: 5).orNull),
                .maybe(
                    "at",
                    JSONSchema.number(
                        "Time of the change, in seconds since 1970; now by default.", minimum: 0,
                        maximum: 253_402_300_799
                    ).orNull),
            ]), answer: "The state.", contents: state, hasEntityTag: true,
            errors: [
                .nothing,
                OpenAPIError(
                    status: .notFound, code: "no_such_track", meaning: "There is no track with this ID."),
            ])
    }

    private static let history = [
        OpenAPIOperation(
            method: .get, path: Routes.nowPlaying, id: "nowPlaying", summary: "List what is playing now",
            tag: tag, access: .key, answer: "One track per player, latest first.",
            contents: [.json(.named("NowPlayingList"))], errors: [.unknownParameter]),
        OpenAPIOperation(
            method: .get, path: Routes.listeningHistory, id: "history",
            summary: "List plays, latest first",
            tag: tag, access: .key, parameters: range + OpenAPIParameter.page(), answer: "The plays.",
            contents: [.json(.named("PlayPage"))], hasEntityTag: true,
            errors: [.badParameter, .unknownParameter]),
        OpenAPIOperation(
            method: .delete, path: Routes.listeningHistory, id: "deleteHistory",
            summary: "Delete plays from the history",
            details: "Deletes all plays unless a time range is given.", tag: tag, access: .key,
            parameters: range + [
                .query(
                    "keep_counts", "Whether to keep the tracks' play counts and times of last play.",
                    .oneOf(["true", "false"]))
            ], answer: "The number of deleted plays.",
            contents: [.json(.object([.always("deleted", .integer("Number of deleted plays."))]))],
            errors: [.badParameter, .unknownParameter]),
        OpenAPIOperation(
            method: .delete, path: Routes.play, id: "deletePlay", summary: "Delete a play from the history",
            tag: tag,
            access: .key, parameters: [.path("play_id", "Play ID.", .identifier(example: 1))],
            status: .noContent, answer: "The play was deleted.", errors: [.nothing]),
        OpenAPIOperation(
            method: .get, path: Routes.listeningExport, id: "exportListening",
            summary: "Export stars, ratings and history as a file",
            details: "JSON contains all states and plays; CSV (RFC 4180) only the plays.", tag: tag,
            access: .key,
            parameters: [.query("format", "File format; json by default.", .oneOf(["json", "csv"]))],
            answer: "The file.",
            contents: [
                .json(
                    .object([
                        .always(
                            "items", .array(of: JSONSchema(kind: .anything), "Stars, ratings and counts.")),
                        .always(
                            "plays", .array(of: .named("Play"), "The plays in the order they were recorded.")),
                    ])), .text("text/csv"),
            ], errors: [.badParameter, .unknownParameter]),
    ]

    static let schemas = CatalogueSchemas.named.merging(own) { first, _ in first }

    private static let own = [
        "ListeningState": ListeningState.schema,
        "ListeningResults": JSONSchema.object([
            .always("results", .array(of: .named("ListeningResult"), "One result per action, in order."))
        ]),
        "ListeningResult": .object([
            .always(
                "status",
                .oneOf(
                    ListeningResults.Outcome.allCases.map(\.rawValue),
                    "Whether the action was applied, is a duplicate, is superseded by a later one, or was rejected."
                )),
            .maybe("action_id", .text("The client's ID for the action.")),
            .maybe("error", .named("ListeningRefusal")),
        ]),
        "ListeningRefusal": .object([
            .always("code", .text("Stable error code.", example: "no_such_track")),
            .always("message", .text("Human-readable reason.")),
            .maybe("field", .text("The invalid field.")),
        ]),
        "Play": play,
        "PlayPage": CatalogueSchemas.page(of: .named("Play")),
        "NowPlayingItem": .object([
            .always("client", .text("Name of the player; empty if it sent none.")),
            .always("started_at", .time("Start time of the track")),
            .always("track", .named("Track")),
        ]),
        "NowPlayingList": .object([
            .always("items", .array(of: .named("NowPlayingItem"), "One per player, latest first."))
        ]),
    ]

    private static let play = JSONSchema.object(
        [
            .always("id", .identifier("Play ID.")),
            .always("played_at", .time("Time of the play")),
            .maybe("seconds_played", .seconds("Duration listened to, if known")),
            .maybe("client", .text("Name of the player, if known.")),
            .always("relative_path", .text("Last known path of the track.")),
            .always("audio_hash", .text("Hash of the audio.")),
            .maybe("title", .text("Last known title.")),
            .maybe("artist", .text("Last known artist.")),
            .maybe("album", .text("Last known album.")), .maybe("track", .named("Track")),
        ], "A single play of a track.")

    private static func name(_ meaning: String) -> JSONSchema {
        .text(
            "\(meaning); 1 to \(ListeningLimits.nameLength) characters, no control characters.",
            example: "f4c1")
    }

    /// Values out of range only reject their action, so the schema sets no limits.
    private static let action = JSONSchema.object([
        .always("action", .oneOf(ListeningAction.Kind.allCases.map(\.rawValue), "Kind of action.")),
        .maybe("action_id", name("Unique ID of the action").orNull),
        .maybe(
            "at",
            JSONSchema.number(
                "Time in seconds since 1970 by the client's clock; now by default.", example: 1_763_742_000
            ).orNull),
        .maybe("track_id", JSONSchema.integer("Track ID.", minimum: nil, example: 1).orNull),
        .maybe("relative_path", JSONSchema.text("Path of the track, instead of an ID.").orNull),
        .maybe(
            "audio_hash",
            JSONSchema.text("Hash of the track's audio, 32 hexadecimal digits, instead of an ID.").orNull),
        .maybe("album_id", JSONSchema.integer("Album ID, to star or rate an album.", minimum: nil).orNull),
        .maybe("artist_id", JSONSchema.integer("Artist ID, to star or rate an artist.", minimum: nil).orNull),
        .maybe(
            "rating",
            JSONSchema.integer("For `rate`: from 1 to 5; null removes the rating.", minimum: nil).orNull),
        .maybe("seconds_played", JSONSchema.number("For `play`: duration listened to, in seconds.").orNull),
        .maybe("client", name("Name of the player").orNull),
    ])
}

extension ListeningState {
    /// The JSON schema of a listening state.
    static let schema = JSONSchema.object(
        [
            .always("is_starred", .flag("Whether it is starred.")),
            .maybe("starred_at", .time("Time when it was starred")),
            .maybe("rating", .integer("From 1 to 5.", minimum: 1, maximum: 5)),
            .always(
                "play_count",
                .integer("Number of plays; for albums and artists, the sum of their tracks' plays.")),
            .maybe("last_played_at", .time("Time of the last play")),
        ], "Star, rating and plays.")
}

extension String {
    /// The string with a capital first letter.
    fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst() }
}
