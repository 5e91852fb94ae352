package import APIDescription
package import HTTPServer

// URLs with an audio hash are only valid for that audio: if the track has different audio now, they return
// 404.

extension HTTPRequest {
    /// Checks that the audio hash in the URL, if any, is that of the track.
    /// - Throws: 404 if it differs.
    package func requireAudio(_ hash: String, ofTrack id: Int) throws(HTTPError) {
        guard let named = try Query.audioHash.value(in: query), named != hash else { return }
        throw Self.noSuchAudio(id, field: Query.audioHash.name)
    }

    /// Checks that the offset of the first frame in the URL, if any, is current: it changes with the size of
    /// the tags.
    /// - Throws: 404 if it differs.
    package func requireFirstByte(_ offset: Int, ofTrack id: Int) throws(HTTPError) {
        guard let named = try Query.firstByte.value(in: query), named != offset else { return }
        throw Self.noSuchAudio(id, field: Query.firstByte.name)
    }

    private static func noSuchAudio(_ id: Int, field: String) -> HTTPError {
        APIError.noSuchAudio(
            "The file of track \(id) has changed since this URL was created. Fetch the playlist again.",
            fields: [.cacheControl: "no-store"])
    }
}

extension Query {
    /// The expected audio hash.
    package static let audioHash = QueryParameter<String?>(
        "v", "Hash of the expected audio: 404 if the track has different audio.")
    /// The expected offset of the audio.
    package static let firstByte = QueryParameter<Int?>(
        "first_byte",
        "Expected offset of the first frame in the file: 404 if it has moved because the tags have changed.",
        in: 0...Int(Int32.max))
}
