package import APIDescription
internal import CoverImage
internal import HTTPServer
internal import MusicShared

extension CoverRoutes {
    package static let tag = "Covers"

    static let size = QueryParameter<Int?>(
        "size", "Minimum size of the longer side in pixels; the original picture if omitted.",
        in: CoverSize.range, example: 256)
    static let version = QueryParameter<String?>(
        "v", "Any value that changes with the picture, as in `cover_url`; allows long-term caching.")
    private static let parameters: [any OperationParameter] = [size, version, Query.emptyForMissing]
    private static let cover = OpenAPIResponse(
        status: .ok, meaning: "The cover.", contents: PictureFormat.allCases.map { .bytes($0.mediaType) }
    ).tagged.ranged
    private static let pictureErrors: [(CoverImageError.Code, String)] = [
        (.notAPicture, "it is not a picture"), (.corrupt, "it is damaged"),
        (.tooLarge, "it has too many pixels"), (.tooSlow, "it takes too long to read"),
        (.encodingFailed, "encoding failed"),
    ]
    private static let errors =
        [APIError.noCover] + pictureErrors.map { cover($0).when("The cover cannot be shown: \($1).") }

    package static let operations = [
        operation(
            .get, Routes.trackCover, "trackCover", "Get the cover of a track",
            access: .keyOrToken, parameters: parameters,
            answer: cover,
            otherAnswers: [.missing], errors: errors),
        operation(
            .get, Routes.albumCover, "albumCover", "Get the cover of an album",
            parameters: parameters,
            answer: cover,
            otherAnswers: [.missing],
            errors: errors),
    ]

    /// The error for a picture that cannot be shown.
    static func cover(_ code: CoverImageError.Code) -> APIError {
        APIError(.unprocessableContent, "cover_\(code.rawValue)", "The cover cannot be shown.")
    }
}
