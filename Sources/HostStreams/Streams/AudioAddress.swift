package import APIDescription
package import HTTPServer

// URLs with an audio hash are only valid for that audio: if the track has different audio now, they return
// 404.

extension HTTPRequest {
    /// Name of the parameter for the audio hash.
    package static let audioHashName = "v"
    /// Name of the parameter for the offset of the first frame in the file.
    package static let firstByteName = "first_byte"

    /// Checks that the audio hash in the URL, if any, is that of the track.
    /// - Throws: 404 if it differs.
    package func requireAudio(_ hash: String, ofTrack id: Int) throws(HTTPError) {
        guard let named = query[Self.audioHashName], named != hash else { return }
        throw Self.noSuchAudio(id, field: Self.audioHashName)
    }

    /// Checks that the offset of the first frame in the URL, if any, is current: it changes with the size of
    /// the tags.
    /// - Throws: 404 if it differs.
    package func requireFirstByte(_ offset: Int, ofTrack id: Int) throws(HTTPError) {
        guard let named: Int = try query.get(Self.firstByteName), named != offset else { return }
        throw Self.noSuchAudio(id, field: Self.firstByteName)
    }

    private static func noSuchAudio(_ id: Int, field: String) -> HTTPError {
        HTTPError(
            .notFound, code: OpenAPIError.noAudio.code,
            message:
                "The file of track \(id) has changed since this URL was created. Fetch the playlist again.",
            // The previous audio may be restored.
            field: field, fields: [.cacheControl: "no-store"])
    }
}

extension OpenAPIParameter {
    /// The `v` parameter: the expected audio hash.
    package static let audioHash = query(
        HTTPRequest.audioHashName, "Hash of the expected audio: 404 if the track has different audio.",
        .text())
    /// The `first_byte` parameter: the expected offset of the audio.
    package static let firstByte = query(
        HTTPRequest.firstByteName,
        "Expected offset of the first frame in the file: 404 if it has moved because the tags have changed.",
        .integer(maximum: Int(Int32.max)))
}

extension OpenAPIError {
    package static let noAudio = OpenAPIError(
        status: .notFound, code: "no_such_audio",
        meaning: "The track has different audio than the URL specifies."
    )
}
