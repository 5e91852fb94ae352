internal import HTTPServer

/// What the query of a segment's address says.
struct SegmentAddress {
    /// The audio that it is meant to be of.
    let audioHash: String?
    /// What of the track its playlist is made of.
    let cut: StreamCut
    /// Time at which the track begins in the playlist, in 90 kHz units.
    let timestampBase: UInt64

    /// Reads a query.
    /// - Throws: 400 where a part cannot be read, 404 where the track has no such frames.
    init(_ query: QueryParameters, frameCount: Int) throws(HTTPError) {
        audioHash = query["v"]
        cut = try StreamCut(query, frameCount: frameCount)
        timestampBase = try query.get("start", as: UInt64.self) ?? 0
        guard timestampBase <= PackedAudioTimestamp.largest else {
            throw HTTPError(
                .badRequest, code: "invalid_parameter",
                message: "start is a time in 90 kHz units, at most \(PackedAudioTimestamp.largest).",
                field: "start")
        }
    }

    init(audioHash: String, cut: StreamCut, timestampBase: UInt64) {
        self.audioHash = audioHash
        self.cut = cut
        self.timestampBase = timestampBase
    }

    /// Whether it is a segment of the original at the time that it has there.
    var isWhole: Bool { cut.isWhole && timestampBase == 0 }

    /// The address as a query, without its `?`.
    var query: String {
        (audioHash.map { "v=\($0)" } ?? "") + cut.query
            + (timestampBase == 0 ? "" : "&start=\(timestampBase)")
    }

    /// What makes the segment's tag differ from that of the original's.
    var tag: String { cut.tag + (timestampBase == 0 ? "" : "-t\(timestampBase)") }
}
