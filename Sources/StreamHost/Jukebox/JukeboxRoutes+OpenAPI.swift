internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension JukeboxRoutes {
    static let tag = "Jukebox"

    static let revision = QueryParameter<Int?>(
        id: "revision", "The revision of the queue that positions belong to; another one is rejected.",
        example: 3)
    private static let place = OpenAPIParameter.path(
        "position", "Zero-based position in the queue.",
        .integer(maximum: CatalogueLimits.playlistEntries - 1, example: 0))
    private static let tracks = JSONSchema.array(
        of: .identifier(example: 1), "Track IDs in order; duplicates are allowed.",
        maximumCount: CatalogueLimits.playlistEntries)
    private static let index = JSONSchema.integer(
        "Zero-based position of the track to go to.", maximum: CatalogueLimits.playlistEntries - 1,
        example: 0)
    private static let seconds = JSONSchema.seconds("Position in the track")
    private static let volume = JSONSchema.share("Volume")

    private static let state = OpenAPIResponse.json("Jukebox", "The state after the change.")
    private static let absent = [APIError.noJukebox, .roleRequired]
    private static let ofPlace =
        absent + [
            .badPosition.when("The queue has no such position."),
            .changedMeanwhile.when("The queue has another revision."),
        ]
    private static let ofTracks =
        ofPlace + [.noSuchTracks, .tooManyEntries.when("Too many tracks for the queue.")]

    static let operations = [
        operation(
            .get, Routes.jukebox, "jukebox", "Get the state of the jukebox",
            details: """
                The jukebox is the host's own player: its sound comes from the host's sound card, or goes to the program that \
                reads its pipe. The settings `jukebox` and `jukebox-role` say whether there is one, and who may control it. On the \
                remote channel, `jukebox_changed` announces every change, except that the position moves on.
                """,
            answer: .json("Jukebox", "The state."), errors: absent),
        operation(
            .patch, Routes.jukebox, "changeJukebox", "Play, pause, skip, seek, or change the volume",
            details: """
                Fields that are left out stay as they are. `index` goes to a track of the queue, at `position_seconds`; without \
                `index`, `position_seconds` seeks in the current track.
                """,
            body: [
                "is_playing": .flag("Whether it plays.").orNull.optional, "index": index.orNull.optional,
                "position_seconds": seconds.orNull.optional, "volume": volume.orNull.optional,
            ], answer: state, errors: absent + [.badPosition.when("The queue has no such position.")]),
        operation(
            .put, Routes.jukeboxQueue, "setJukeboxQueue", "Replace the queue",
            details: """
                With `index`, it goes to that track. Without, the current track continues if it is one of the new ones; otherwise \
                playback stops, and the first one is ready. An empty list clears the queue.
                """, parameters: [revision],
            body: [
                "track_ids": tracks, "index": index.orNull.optional,
                "position_seconds": seconds.orNull.optional,
                "is_playing": .flag("Whether to play; if omitted, playing or paused as before.").orNull
                    .optional,
            ], answer: state, errors: ofTracks),
        operation(
            .post, Routes.jukeboxEntries, "addToJukebox", "Add tracks to the queue",
            parameters: [revision],
            body: [
                "track_ids": tracks,
                "position": .integer(
                    "Zero-based position to insert at; appended if omitted.",
                    maximum: CatalogueLimits.playlistEntries
                ).orNull.optional,
            ], answer: state, errors: ofTracks),
        operation(
            .patch, Routes.jukeboxEntry, "moveInJukebox", "Move a track in the queue",
            parameters: [place, revision],
            body: [
                "position": .integer(
                    "New zero-based position.", maximum: CatalogueLimits.playlistEntries, example: 0)
            ], answer: state, errors: ofPlace),
        operation(
            .delete, Routes.jukeboxEntry, "removeFromJukebox", "Remove a track from the queue",
            details: "If it is the current one, the next one takes its place.",
            parameters: [place, revision], answer: state, errors: ofPlace),
        operation(
            .post, Routes.jukeboxShuffle, "shuffleJukebox", "Shuffle the queue",
            details: "The current track comes first and continues.", answer: state, errors: absent),
    ]

    static let schemas: [String: JSONSchema] = [
        "Jukebox": .object(
            [
                "output": .text("The output.", example: "alsa:default"),
                "is_playing": .flag("Whether it is playing, or about to."),
                "index": .integer("Zero-based position of the current track; omitted if the queue is empty.")
                    .optional,
                "position_seconds": .seconds("Position in the current track"),
                "duration_seconds": .seconds("Duration of the current track").optional,
                "volume": .share("Volume"),
                "track_ids": .array(of: .identifier(example: 1), "The tracks of the queue in order."),
                "revision": .integer("Changes with the queue.", minimum: 1),
                "problem": .text("Why nothing is heard although it should be.").optional,
            ], "The state of the jukebox.")
    ]
}
