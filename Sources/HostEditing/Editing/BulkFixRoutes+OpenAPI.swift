package import APIDescription
internal import HTTPServer
internal import MusicFiles
internal import MusicShared

extension BulkFixRoutes {
    package static let tag = "Tags"

    package static let operations = [
        operation(
            .post, Routes.bulkFix, "fixTags", "Fix common tag errors",
            details: """
                Processes the tracks of the lists, or with `all` the whole library, up to `limit` per request; pass the \
                `cursor` of a response to continue. Unless `dry_run` is false, nothing is changed and the response only \
                lists the changes.

                `split_compilations`: an album whose tracks have different album artists gets a single one, and compilations \
                are marked as such. `trim_white_space`: removes white space around texts. `id3v1_to_id3v2`: adds ID3v2.4 \
                tags (FLAC: Vorbis comments) to files that only have ID3v1. `mojibake`: repairs UTF-8, Windows-1251 or Shift-JIS text that was read \
                as Latin-1, if it is unambiguous. `missing_album_artist`: sets the album artist of the album's other tracks, \
                else the artist common to all of them, else "Various Artists". `inconsistent_years`: sets the year that more \
                than half of the album's tracks have; compilations are skipped.
                """, role: .editor,
            body: [
                "fixes": .array(
                    of: .oneOf(TagFix.self), "The fixes.", minimumCount: 1),
                "dry_run": .flag("Whether changes are only listed. Defaults to true, the safe choice.")
                    .optional,
            ] + TrackPageRequest.properties,
            answer: .json("TagFixes", "The files that need a fix or could not be processed."),
            errors: TrackPageRequest.errors)
    ]

    package static let schemas: [String: JSONSchema] = [
        "EditResult": EditSchemas.result,
        "TagFixes": TrackPageRequest.answer("The files that need a fix or could not be processed."),
    ]
}
