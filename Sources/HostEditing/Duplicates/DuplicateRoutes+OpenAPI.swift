package import APIDescription
internal import HTTPServer
internal import MusicShared

extension DuplicateRoutes {
    package static let tag = "Companion"

    package static let operations = [
        operation(
            .get, Routes.duplicates, "duplicates", "List files with the same recording",
            details: """
                Recordings are compared by their sound, whatever the tags, bit rates and trimmed ends. The first request after \
                a change of the library searches it, which takes some seconds for 100,000 tracks.
                """, role: .editor, parameters: [Query.limit, Query.offset],
            answer: .json("DuplicatePage", "The groups, those with the largest copies first.")),
        operation(
            .post, Routes.duplicateRemoval, "removeDuplicates", "Move duplicates to the trash",
            details: """
                Stars, ratings, plays and playlist entries of the removed tracks go to the kept ones. Unless `dry_run` is \
                false, nothing is changed and the response only lists the files. A file that has changed since its analysis \
                is not removed, and neither is one whose kept file is missing.
                """, role: .editor,
            body: [
                "groups": .array(
                    of: [
                        "kept_id": .identifier("Track ID of the file that stays."),
                        "removed_ids": .array(
                            of: .identifier("Track ID of the same group."), "The files to move to the trash.",
                            maximumCount: DuplicateRemovalRequest.largestCount),
                    ], "A choice for each group.", maximumCount: DuplicateRemovalRequest.largestCount
                ).optional,
                "all": .flag("Whether to remove all copies with `is_certain`, of every group.").optional,
                "dry_run": .flag("Whether files are only listed. Defaults to true, the safe choice.")
                    .optional,
            ], answer: .json("RemovedDuplicates", "A result for each file to remove."),
            errors: [.nothingSelected, .unclearFiles, .tooManyItems]),
    ]

    package static let schemas: [String: JSONSchema] = [
        "DuplicateFile": [
            "track_id": .identifier("Track ID."),
            "relative_path": .text("Path relative to the music folder."),
            "title": .text("Title.").optional,
            "artist": .text("Artist.").optional,
            "album": .text("Album.").optional,
            "average_bit_rate_bps": .integer("Average bit rate in bit/s.").optional,
            "duration_seconds": .number("Length in seconds.", minimum: 0).optional,
            "file_size_bytes": .integer("Size in bytes."),
            "damaged_frame_count": .integer("Number of damaged frames and of gaps between frames.").optional,
            "difference": .number(
                "Fraction of the fingerprint's bits that differ from the best file; 0 for the same audio.",
                minimum: 0, maximum: 1
            ).optional,
            "is_certain": .flag(
                "Whether it is certainly the same recording. Otherwise it may be another mix: the sound differs by more than "
                    + "most encodings do. Omitted for the best file."
            ).optional,
        ],
        "DuplicateGroup": [
            "best": .named("DuplicateFile"),
            "copies": .array(
                of: .named("DuplicateFile"), "The other files, the best first.", minimumCount: 1),
        ],
        "DuplicatePage": JSONSchema.page(of: .named("DuplicateGroup")) + [
            "copy_count": .integer("Number of copies with `is_certain` in all groups."),
            "copy_bytes": .integer("Size of these files in bytes."),
        ],
        "EditResult": EditSchemas.result,
        "RemovedDuplicates": ResultStream.properties("A result for each file to remove.") + [
            "dry_run": .flag("Whether nothing was changed.")
        ],
    ]
}
