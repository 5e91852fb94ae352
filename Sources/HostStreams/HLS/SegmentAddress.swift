internal import HTTPServer

/// The query of a segment's URL.
struct SegmentAddress {
    /// Hash of the audio that the URL was created for.
    let audioHash: String?
    /// The cut that the playlist was created with.
    let cut: StreamCut
    /// Start time of the track in the playlist, in 90 kHz units.
    let timestampBase: UInt64

    /// Parses a query.
    /// - Throws: 422 if a parameter is invalid, 404 if the track does not have these frames.
    init(_ query: QueryParameters, frameCount: Int) throws(HTTPError) {
        audioHash = query[HTTPRequest.audioHashName]
        // Most segments are unaltered.
        guard query.firstName(notIn: Self.otherNames) != nil else {
            cut = .whole
            timestampBase = 0
            return
        }
        cut = try StreamCut(query, frameCount: frameCount)
        timestampBase = try query.get("start", as: UInt64.self) ?? 0
        guard timestampBase <= PackedAudioTimestamp.largest else {
            throw HTTPError(
                .unprocessableContent, code: "invalid_parameter",
                message: "start must be a time in 90 kHz units, at most \(PackedAudioTimestamp.largest).",
                field: "start")
        }
    }

    /// Parameters that do not alter the frames of the original.
    private static let otherNames = [HTTPRequest.audioHashName, "token", "quality"]

    init(audioHash: String, cut: StreamCut, timestampBase: UInt64) {
        self.audioHash = audioHash
        self.cut = cut
        self.timestampBase = timestampBase
    }

    /// Whether it is an unaltered segment of the original at its original time.
    var isWhole: Bool { cut.isWhole && timestampBase == 0 }

    /// The query, without the leading `?`.
    var query: String {
        (audioHash.map { "\(HTTPRequest.audioHashName)=\($0)" } ?? "") + cut.query
            + (timestampBase == 0 ? "" : "&start=\(timestampBase)")
    }

    /// Suffix of the segment's ETag; empty for the original.
    var tag: String { cut.tag + (timestampBase == 0 ? "" : "-t\(timestampBase)") }
}
