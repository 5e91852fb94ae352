internal import CoverImage
internal import HTTPServer
internal import MusicShared

extension CoverRoutes {
    private static let parameters = [
        OpenAPIParameter.query(
            "size", "Pixels of the longer side that are wanted at least; without it the picture as it is.",
            .integer(minimum: CoverSize.range.lowerBound, maximum: CoverSize.range.upperBound, example: 256)),
        .query(
            "v", "Anything that changes with the picture, as in `cover_url`: then it may be kept for long.",
            .text()),
        .emptyForMissing,
    ]
    private static let pictures = PictureFormat.allCases.map { OpenAPIResponse.Content.bytes($0.mediaType) }
    private static let errors =
        [
            OpenAPIError.badParameter, .unknownParameter,
            OpenAPIError(
                status: .notFound, code: "no_cover", meaning: "Neither the tags nor the folder hold a cover."),
        ]
        + [
            ("not_a_picture", "it is no picture"), ("corrupt", "it is damaged"),
            ("too_large", "it has too many pixels"), ("too_slow", "it takes too long to read"),
            ("encoding_failed", "it cannot be written"),
        ].map {
            OpenAPIError(
                status: .unprocessableContent, code: "cover_\($0)",
                meaning: "The cover cannot be shown: \($1).")
        }

    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.trackCover, id: "trackCover", summary: "Cover of a track",
            tag: "Covers", parameters: [.trackID] + parameters, answer: "The cover.", contents: pictures,
            otherAnswers: [.missing], hasEntityTag: true, allowsRanges: true, errors: errors + [.noTrack]),
        OpenAPIOperation(
            method: .get, path: Routes.albumCover, id: "albumCover", summary: "Cover of an album",
            tag: "Covers", access: .key,
            parameters: [.path("album_id", "Number of the album.", .identifier(example: 1))] + parameters,
            answer: "The cover.", contents: pictures, otherAnswers: [.missing], hasEntityTag: true,
            allowsRanges: true,
            errors: errors + [
                OpenAPIError(
                    status: .notFound, code: "no_such_album", meaning: "There is no album of this number.")
            ]),
    ]
}
