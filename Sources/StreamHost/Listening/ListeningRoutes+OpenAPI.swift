internal import Companion
internal import HTTPServer
internal import MusicShared

extension ListeningRoutes {
    private static let tag = "Listening"
    private static let badList = [OpenAPIError.badParameter, .missingParameter, .unknownParameter]
    private static let state = [OpenAPIResponse.Content.json(.named("ListeningState"))]
    private static let kinds = ["track", "album", "artist"]

    private static func number(_ kind: String) -> OpenAPIParameter {
        .path("\(kind)_id", "Number of the \(kind).", .identifier(example: 1))
    }

    private static let range = [
        OpenAPIParameter.query("from", "Only plays at this time or later, in seconds since 1970.", time),
        .query("before", "Only plays before this time, in seconds since 1970.", time),
    ]
    private static let time = JSONSchema.number(minimum: 0, maximum: 253_402_300_799)

    static let operations =
        [
            OpenAPIOperation(
                method: .post, path: Routes.listeningActions, id: "listen",
                summary: "What a listener did: stars, ratings, plays, now or a while ago",
                details:
                    "Up to \(ListeningLimits.actions) actions, each with a result; those that cannot count are refused, the others "
                    + "count all the same. The order in which actions arrive makes no difference: the last star and rating by "
                    + "the clients' clocks count, and each play once, by its `action_id` and by its time. Times more than "
                    + "\(Int(ListeningLimits.clockSkewSeconds)) seconds ahead of the host's clock are taken for now.",
                tag: tag, access: .key,
                body: .object([
                    .always(
                        "actions", .array(of: action, "The actions.", maximumCount: ListeningLimits.actions))
                ]), answer: "What became of each action, in their order.",
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
            summary: "Starred, rated and played \(kind)s",
            details: "With `listening` in each. Those that can be played at the moment.", tag: tag,
            access: .key,
            parameters: [
                .query(
                    "list",
                    "Which, and in which order: the last star, the best rating, the most plays or the last play first.",
                    .oneOf(ListeningList.allCases.map(\.rawValue)), isRequired: true)
            ] + OpenAPIParameter.page(), answer: "The \(kind)s.", contents: [.json(.named(page))],
            hasEntityTag: true,
            errors: badList)
    }

    private static func get(_ kind: String) -> OpenAPIOperation {
        OpenAPIOperation(
            method: .get, path: "/listening/\(kind)s/:\(kind)_id", id: "listening\(kind.capitalizedWord)",
            summary: "Star, rating and plays of \(kind == "track" ? "a" : "an") \(kind)", tag: tag,
            access: .key,
            parameters: [number(kind)], answer: "The state.", contents: state, hasEntityTag: true,
            errors: [.nothing, .unknownParameter])
    }

    private static func patch(_ kind: String) -> OpenAPIOperation {
        OpenAPIOperation(
            method: .patch, path: "/listening/\(kind)s/:\(kind)_id",
            id: "set\(kind.capitalizedWord)Listening",
            summary: "Stars or rates \(kind == "track" ? "a" : "an") \(kind)", tag: tag, access: .key,
            parameters: [number(kind)],
            body: .object([
                .maybe("is_starred", .flag("Whether it is starred.")),
                .maybe("rating", .integer("From 1 to 5; null takes it away.", minimum: 1, maximum: 5).orNull),
                .maybe(
                    "at",
                    JSONSchema.number(
                        "When, in seconds since 1970; now unless told.", minimum: 0, maximum: 253_402_300_799
                    ).orNull),
            ]), answer: "The state.", contents: state, hasEntityTag: true,
            errors: [
                .nothing,
                OpenAPIError(
                    status: .notFound, code: "no_such_track", meaning: "There is no track of this number."),
            ])
    }

    private static let history = [
        OpenAPIOperation(
            method: .get, path: Routes.nowPlaying, id: "nowPlaying", summary: "What is playing at the moment",
            tag: tag, access: .key, answer: "One track for each player, the latest first.",
            contents: [.json(.named("NowPlayingList"))], errors: [.unknownParameter]),
        OpenAPIOperation(
            method: .get, path: Routes.listeningHistory, id: "history",
            summary: "What was played, the last first",
            tag: tag, access: .key, parameters: range + OpenAPIParameter.page(), answer: "The plays.",
            contents: [.json(.named("PlayPage"))], hasEntityTag: true,
            errors: [.badParameter, .unknownParameter]),
        OpenAPIOperation(
            method: .delete, path: Routes.listeningHistory, id: "deleteHistory",
            summary: "Deletes plays from the history",
            details: "All of them, unless a time is told.", tag: tag, access: .key,
            parameters: range + [
                .query(
                    "keep_counts", "Whether how often and when last tracks were played is kept.",
                    .oneOf(["true", "false"]))
            ], answer: "How many were deleted.",
            contents: [.json(.object([.always("deleted", .integer("How many were deleted."))]))],
            errors: [.badParameter, .unknownParameter]),
        OpenAPIOperation(
            method: .delete, path: Routes.play, id: "deletePlay", summary: "Deletes a play from the history",
            tag: tag,
            access: .key, parameters: [.path("play_id", "Number of the play.", .identifier(example: 1))],
            status: .noContent, answer: "It is gone.", errors: [.nothing]),
        OpenAPIOperation(
            method: .get, path: Routes.listeningExport, id: "exportListening",
            summary: "All that was listened to, as a file",
            details: "As JSON all states and plays; as CSV (RFC 4180) the plays.", tag: tag, access: .key,
            parameters: [.query("format", "The form: json unless told.", .oneOf(["json", "csv"]))],
            answer: "The file.",
            contents: [
                .json(
                    .object([
                        .always(
                            "items", .array(of: JSONSchema(kind: .anything), "Stars, ratings and counts.")),
                        .always("plays", .array(of: .named("Play"), "The plays in the order they came.")),
                    ])), .text("text/csv"),
            ], errors: [.badParameter, .unknownParameter]),
    ]

    static let schemas = CatalogueSchemas.named.merging(own) { first, _ in first }

    private static let own = [
        "ListeningState": ListeningState.schema,
        "ListeningResults": JSONSchema.object([
            .always("results", .array(of: .named("ListeningResult"), "One for each action, in their order."))
        ]),
        "ListeningResult": .object([
            .always(
                "status",
                .oneOf(
                    ListeningResults.Outcome.allCases.map(\.rawValue),
                    "Whether it counts, has counted before, came too late to matter, or cannot count.")),
            .maybe("action_id", .text("The client's name for the action.")),
            .maybe("error", .named("ListeningRefusal")),
        ]),
        "ListeningRefusal": .object([
            .always("code", .text("Name of the reason.", example: "no_such_track")),
            .always("message", .text("The reason, for a person.")),
            .maybe("field", .text("The field at fault.")),
        ]),
        "Play": play,
        "PlayPage": CatalogueSchemas.page(of: .named("Play")),
        "NowPlayingItem": .object([
            .always("client", .text("The player's name; empty where it told none.")),
            .always("started_at", .time("When the track began")),
            .always("track", .named("Track")),
        ]),
        "NowPlayingList": .object([
            .always("items", .array(of: .named("NowPlayingItem"), "One for each player, the latest first."))
        ]),
    ]

    private static let play = JSONSchema.object(
        [
            .always("id", .identifier("Number of the play.")),
            .always("played_at", .time("When")),
            .maybe("seconds_played", .seconds("How much was heard, where told")),
            .maybe("client", .text("The player's name, where told.")),
            .always("relative_path", .text("Path of the track, as last known.")),
            .always("audio_hash", .text("Identity of the audio.")),
            .maybe("title", .text("Title, as last known.")),
            .maybe("artist", .text("Artist, as last known.")),
            .maybe("album", .text("Album, as last known.")), .maybe("track", .named("Track")),
        ], "One time that a track was played.")

    private static func name(_ meaning: String) -> JSONSchema {
        .text(
            "\(meaning), of 1 to \(ListeningLimits.nameLength) characters, none of them a control.",
            example: "f4c1")
    }

    /// What is out of range is refused for the action alone, so that the schema sets no limits.
    private static let action = JSONSchema.object([
        .always("action", .oneOf(ListeningAction.Kind.allCases.map(\.rawValue), "What was done.")),
        .maybe("action_id", name("A name that no other action has").orNull),
        .maybe(
            "at",
            JSONSchema.number(
                "When, in seconds since 1970 by the client's clock; now unless told.", example: 1_763_742_000
            ).orNull),
        .maybe("track_id", JSONSchema.integer("The track.", minimum: nil, example: 1).orNull),
        .maybe("relative_path", JSONSchema.text("Or the path of the track.").orNull),
        .maybe(
            "audio_hash", JSONSchema.text("Or the identity of its audio, 32 hexadecimal digits.").orNull),
        .maybe("album_id", JSONSchema.integer("Or an album, to star or rate.", minimum: nil).orNull),
        .maybe("artist_id", JSONSchema.integer("Or an artist, to star or rate.", minimum: nil).orNull),
        .maybe(
            "rating",
            JSONSchema.integer("Of `rate`: from 1 to 5; null takes the rating away.", minimum: nil).orNull),
        .maybe("seconds_played", JSONSchema.number("Of `play`: how much was heard.").orNull),
        .maybe("client", name("The player's name").orNull),
    ])
}

extension ListeningState {
    /// The schema of it.
    static let schema = JSONSchema.object(
        [
            .always("is_starred", .flag("Whether it is starred.")),
            .maybe("starred_at", .time("Since when")),
            .maybe("rating", .integer("From 1 to 5.", minimum: 1, maximum: 5)),
            .always(
                "play_count",
                .integer("How often it was played; of albums and artists the plays of their tracks.")),
            .maybe("last_played_at", .time("When it was last played")),
        ], "What a listener thinks of something, and how often it was played.")
}

extension String {
    /// With a capital letter.
    fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst() }
}
