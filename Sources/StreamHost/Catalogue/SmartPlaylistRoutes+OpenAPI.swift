internal import APIDescription
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

extension SmartPlaylistRoutes {
    static let tag = "Playlists"
    static let name = QueryParameter<String?>(
        "name", "Name of the playlist, instead of the one in the file.", .text(example: "Not played lately"))

    /// The range of the number of tracks of a page.
    static let limits = 1...CatalogueLimits.largestPage
    /// The range of the number of tracks before a page.
    static let offsets = 0...Int(Int32.max)
    /// The range of seeds: integers that every JSON writer represents exactly.
    static let seeds = 0...JSONSchema.identifiers.upperBound

    static let operations = [
        operation(
            .get, Routes.smartPlaylistFields, "smartPlaylistFields", "List the fields for rules",
            details: "Names in rules are read in any case.",
            answer: .json("SmartFieldList", "The fields, in the order of a menu.").tagged),
        operation(
            .post, Routes.smartPlaylistCount, "countSmartPlaylist", "Count the tracks that rules select",
            body: ["rules": .named("SmartRules")],
            answer: .json("SmartPlaylistCount", "The numbers now."), errors: [.invalidRules]),
        operation(
            .post, Routes.smartPlaylistTracks, "smartPlaylistTracks", "List the tracks that rules select",
            details: """
                In the order of the rules, with the listening data of the account. The limit of the rules applies to the whole \
                list; without one it has all tracks that match, also more than a playlist may have. With the same `seed`, the \
                pages of a list sorted by `random` follow one another also after midnight.
                """,
            body: [
                "rules": .named("SmartRules"),
                "limit": integer("Maximum number of tracks.", limits, standard: CatalogueLimits.defaultPage),
                "offset": integer("Number of tracks to skip.", offsets, standard: 0),
                "seed": integer("Makes another random order than that of the day.", seeds),
            ], answer: .json("TrackPage", "The tracks."), errors: [.invalidRules]),
        operation(
            .post, Routes.smartPlaylists, "importSmartPlaylist", "Create a smart playlist from a .nsp file",
            details: "The body is Navidrome's `.nsp` file as it is.", parameters: [name],
            body: file, answer: .json("Playlist", "The playlist.").created.tagged,
            errors: [
                .invalidRules, .nameTaken.when("Another playlist of the account has this name."), .busy,
                .listeningAway,
            ]),
        operation(
            .get, Routes.smartPlaylistFile, "exportSmartPlaylist",
            "Export a smart playlist as a .nsp file", answer: .json("SmartPlaylistFile", "The file.").tagged,
            errors: [.noRules]),
    ]

    /// The schema of an integer that a body may omit.
    private static func integer(
        _ meaning: String, _ range: ClosedRange<Int>, standard: Int? = nil
    ) -> JSONSchema {
        var schema = JSONSchema.integer(meaning, minimum: range.lowerBound, maximum: range.upperBound)
        schema.standard = standard.map { .number(Double($0)) }
        return schema.orNull.optional
    }

    static let schemas: [String: JSONSchema] = [
        "SmartRules": rules, "SmartPlaylistFile": file, "SmartPlaylistCount": count,
        "SmartField": field, "SmartFieldList": ["items": .array(of: .named("SmartField"), "The fields.")],
    ]

    private static let rule = JSONSchema.array(
        of: JSONSchema(kind: .anything),
        """
        Rules: a condition such as `{"gt": {"bpm": 120}}`, or a group `{"any": […]}` or `{"all": […]}`. Operators: \
        \(SmartRule.Operator.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")).
        """, minimumCount: 1, maximumCount: SmartRules.Limits.conditions)

    private static let selection: JSONSchema = [
        "all": rule.optional, "any": rule.optional,
        "sort": .text(
            "Fields to sort by, separated by commas; a minus reverses one. `random` changes once a day. Title by default.",
            example: "-rating,title"
        ).optional,
        "order": .oneOf(["asc", "desc"], "`desc` reverses the whole order.").optional,
        "limit": .integer("The most tracks; 0 for no limit.").optional,
        "limitPercent": .integer(
            "The most tracks in percent of those that match; 0 for no limit.", maximum: 100
        ).optional,
    ]

    private static let rules = JSONSchema.object(
        selection,
        "Rules of a smart playlist, as in Navidrome's `.nsp` files: exactly one of `all` and `any`.")

    private static let file = JSONSchema.object(
        [
            "name": .text("Name.", example: "Not played lately").orNull.optional,
            "comment": .text("Description.").orNull.optional,
            "public": .flag("Whether all accounts see it.").orNull.optional,
        ] + selection, "A smart playlist in Navidrome's `.nsp` format.")

    private static let count = JSONSchema.object(
        [
            "track_count": .integer("Number of tracks that the playlist would have."),
            "matching_count": .integer("Number of tracks that match, without the limit."),
            "duration_seconds": .seconds("Total duration of the tracks that match, without the limit"),
        ], "What rules select now.")

    private static let field = JSONSchema.object(
        [
            "name": .text("Its name in rules.", example: "bpm"),
            "label": .text("A short name for people.", example: "Tempo"),
            "kind": .oneOf(SmartFieldItem.Kind.self, "Type of its values; dates are compared by days (UTC)."),
            "unit": .text("Unit of a number; empty if it has none.", example: "BPM"),
            "choices": .array(of: .text(), "All values that it can have.").optional,
            "operators": .array(of: .text(), "The operators that it can be used with."),
        ], "A field that rules can compare.")
}
