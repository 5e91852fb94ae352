package import APIDescription
internal import CoverImage
internal import HTTPServer
internal import MusicShared

extension CoverRoutes {
    private static let parameters = [
        OpenAPIParameter.query(
            "size", "Minimum size of the longer side in pixels; the original picture if omitted.",
            .integer(minimum: CoverSize.range.lowerBound, maximum: CoverSize.range.upperBound, example: 256)),
        .query(
            "v", "Any value that changes with the picture, as in `cover_url`; allows long-term caching.",
            .text()),
        .emptyForMissing,
    ]
    private static let pictures = PictureFormat.allCases.map { OpenAPIResponse.Content.bytes($0.mediaType) }
    private static let errors =
        [
            OpenAPIError.badParameter, .unknownParameter,
            OpenAPIError(
                status: .notFound, code: "no_cover",
                meaning: "Neither the tags nor the folder contain a cover."),
        ]
        + [
            ("not_a_picture", "it is not a picture"), ("corrupt", "it is damaged"),
            ("too_large", "it has too many pixels"), ("too_slow", "it takes too long to read"),
            ("encoding_failed", "encoding failed"),
        ].map {
            OpenAPIError(
                status: .unprocessableContent, code: "cover_\($0)",
                meaning: "The cover cannot be shown: \($1).")
        }

    package static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.trackCover, id: "trackCover", summary: "Get the cover of a track",
            tag: "Covers", parameters: [.trackID] + parameters, answer: "The cover.", contents: pictures,
            otherAnswers: [.missing], hasEntityTag: true, allowsRanges: true, errors: errors + [.noTrack]),
        OpenAPIOperation(
            method: .get, path: Routes.albumCover, id: "albumCover", summary: "Get the cover of an album",
            tag: "Covers", access: .key,
            parameters: [.path("album_id", "Album ID.", .identifier(example: 1))] + parameters,
            answer: "The cover.", contents: pictures, otherAnswers: [.missing], hasEntityTag: true,
            allowsRanges: true,
            errors: errors + [
                OpenAPIError(
                    status: .notFound, code: "no_such_album", meaning: "There is no album with this ID.")
            ]),
    ]
}
