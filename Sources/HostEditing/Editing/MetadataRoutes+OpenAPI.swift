package import APIDescription
internal import HTTPServer
internal import MusicShared
internal import Tagging

extension MetadataRoutes {
    package static let tag = "Tags"

    static let relativePath = QueryParameter<String?>(
        "relative_path", "Path relative to the music folder.", .text(example: "1.mp3"))
    static let trackID = Query.only("id", "Track ID.")

    package static let operations = [
        operation(
            .get, Routes.editMetadata, "metadata", "Get the editable metadata of a track",
            details: "Read from the file itself. One of the two parameters is required.",
            parameters: [relativePath, trackID],
            answer: .json("TrackMetadata", "The tags; the ETag identifies the state of the file.").tagged,
            errors: [.oneFileExpected, notThere, .partOfFile, .unreadable, .fileBusy]),
        operation(
            .patch, Routes.editMetadata, "editMetadata", "Edit the tags of a track",
            details: """
                A value sets a field, null removes it, omitted fields stay unchanged. The new file is written next to the old one \
                and replaces it once it is on disk. Its audio stays identical to the byte, and so do all other tag contents. \
                `relative_path` or `id` specifies the file.
                """, role: .editor, parameters: [OpenAPIParameter.ifMatch(isRequired: false)],
            body: fileProperties + fieldProperties,
            answer: .json("TrackMetadata", "The updated tags.").tagged,
            errors: [.oneFileExpected, notThere, .noChanges] + APIError.ofEdit),
        operation(
            .patch, Routes.batchEditMetadata, "editMetadataOfMany", "Edit the tags of many tracks",
            details: """
                Individual edits in `edits`, or the same `changes` for all files of the lists, or both. Files are edited one after \
                the other, each atomically; the response streams a result for each file. If the client disconnects, the batch ends.
                """, role: .editor,
            body: [
                "edits": .array(
                    of: fileProperties + fieldProperties, "Individual edits, one per file.",
                    maximumCount: MetadataBatch.largestCount
                ).optional,
                "changes": .object(fieldProperties, "Changes for all files of the lists.").optional,
            ] + SelectionLists.properties + ResultStream.continuedEdit,
            answer: .json("EditResults", "A result for each file."),
            errors: [.oneFileExpected, .noChanges, tooMany, nothingSelected, .invalidValue]),
    ]

    package static let schemas: [String: JSONSchema] = [
        "TrackMetadata": EditSchemas.metadata, "EditResult": EditSchemas.result,
        "EditResults": EditSchemas.results,
    ]

    private static let fileProperties: JSONSchema = [
        "relative_path": .text("Path relative to the music folder.", example: "1.mp3").optional,
        "id": .identifier("Track ID, instead of a path.", example: 1).optional,
        "etag": .text(
            "The state that the file must be in, from an earlier response; `*` for any.", example: "*"
        ).optional,
    ]

    private static let fieldProperties: JSONSchema = [
        "title": text("Title.", example: "Night Ferry").optional, "artist": text("Artist.").optional,
        "album": text("Album.").optional, "album_artist": text("Album artist.").optional,
        "track_number": number("Track number on the disc.").optional,
        "track_total": number("Number of tracks on the disc.").optional,
        "disc_number": number("Disc number.").optional,
        "disc_total": number("Number of discs in the set.").optional,
        "year": JSONSchema.integer("Year.", minimum: 1, maximum: 9_999).orNull.optional,
        "genre": text("Genre.").optional,
        "comment": JSONSchema.text(
            matching:
                #"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"#,
            "Comment; the only text that may have multiple lines.",
            maximumLength: TagEdit.maximumTextBytes
        ).orNull.optional,
        "composer": text("Composer.").optional,
        "cover": JSONSchema.text("Front cover: a JPEG or PNG picture of up to 16 MiB, in Base64.").orNull
            .optional,
        "is_compilation": JSONSchema.flag("Whether the album is a compilation.").orNull.optional,
    ]

    private static func text(_ meaning: String, example: String? = nil) -> JSONSchema {
        JSONSchema.text(
            matching: #"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"#, meaning,
            maximumLength: TagEdit.maximumTextBytes, example: example
        ).orNull
    }

    private static func number(_ meaning: String) -> JSONSchema {
        JSONSchema.integer(meaning, minimum: 1, maximum: 99_999).orNull
    }

    private static let notThere = APIError.noSuchTrack.when(
        "There is no music file at this path, or no track with this ID.")
    private static let tooMany = APIError.tooManyItems.when("More than \(MetadataBatch.largestCount) files.")
    private static let nothingSelected = APIError.nothingSelected.when("No file was given.")
}
