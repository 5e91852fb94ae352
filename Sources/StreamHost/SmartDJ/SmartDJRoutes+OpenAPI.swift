internal import APIDescription
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

extension SmartDJRoutes {
    static let tag = "Companion"

    private static let paths = OpenAPIParameter.query(
        "paths", "Paths relative to the music folder.",
        .array(of: .text(example: "1.mp3"), minimumCount: 1), isRequired: true)

    static let operations = [
        operation(
            .get, Routes.profile, "profile", "Get the mixing profile of a track",
            parameters: [Query.relativePath], answer: .json("Profile", "The profile.").tagged,
            otherAnswers: [.pending], errors: APIError.ofPath),
        operation(
            .get, Routes.bulkProfiles, "profiles", "Get the profiles of several tracks",
            details: """
                The parameter may be repeated. Commas within a value also separate paths, but only after an audio file extension \
                (`.mp3,`), and not if the value itself is the path of a track. Use POST for longer lists.
                """, parameters: [paths],
            answer: .json("BulkProfiles", "The profile or the state of each path."), errors: [tooMany]),
        operation(
            .post, Routes.bulkProfiles, "profilesOfList", "Get the profiles of many tracks",
            body: [
                "paths": .array(
                    of: .text(example: "1.mp3"), "Paths relative to the music folder.",
                    maximumCount: BulkProfilesRequest.largestCount)
            ], answer: .json("BulkProfiles", "The profile or the state of each path."), errors: [tooMany]),
    ]

    private static let tooMany = APIError.tooManyPaths.when(
        "More than \(BulkProfilesRequest.largestCount) paths.")

    static let schemas: [String: JSONSchema] = [
        "Profile": profile,
        "PendingTrack": pendingTrack,
        "BulkProfiles": [
            "profiles": .map(of: .named("Profile"), "The profiles, keyed by requested path."),
            "pending": .array(of: .named("PendingTrack"), "Tracks that are queued for analysis."),
            "failed": .array(
                of: .fileFailure, "Files that cannot be analysed."),
            "not_found": .array(of: .text(), "Paths without a music file."),
        ],
    ]

    private static let pendingTrack: JSONSchema = [
        "relative_path": .text("The requested path, relative to the music folder."),
        "position": .integer(
            "Position in the queue; files that clients are waiting for come first.", minimum: 1),
    ]

    private static let profile = JSONSchema.object(
        TrackField.object(
            of: SmartDJProfile.CodingKeys.self,
            always: [
                .durationSeconds, .isSilent, .cueInSeconds, .cueOutSeconds, .fadeInEndSeconds,
                .fadeOutStartSeconds,
                .startNextSeconds, .ending,
            ]) + [
                "silence_start": .seconds("End of the leading silence"),
                "silence_end": .seconds("Start of the trailing silence"),
                "lufs": .number("Integrated loudness in LUFS (EBU R 128).", example: -9.4).optional,
                "album_replay_gain_db": .number(
                    "Gain in dB that brings the album to −18 LUFS; omitted until all its tracks are measured."
                ).optional,
            ], "The data that a player needs to mix a track with others.")
}
