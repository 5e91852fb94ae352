internal import APIDescription
internal import HTTPServer

/// The query of a segment's URL.
struct SegmentAddress {
    /// Hash of the audio that the URL was created for.
    let audioHash: String?
    /// The cut that the playlist was created with.
    let cut: StreamCut
    /// Start time of the track in the playlist: in 90 kHz units for MP3, in samples for FLAC.
    let timestampBase: Int

    static let startParameter = QueryParameter<Int?>(
        "start",
        "Start time of the track in its playlist: in 90 kHz units for MP3, in samples for FLAC.",
        in: 0...1 << 52
    ).standard(0)

    /// Parses a query.
    /// - Throws: 422 if a parameter is invalid, 404 if the track does not have these frames.
    init(_ query: QueryParameters, frameCount: Int) throws(HTTPError) {
        audioHash = try Query.audioHash.value(in: query)
        // Most segments are unaltered.
        guard query.firstName(notIn: Self.otherNames) != nil else {
            cut = .whole
            timestampBase = 0
            return
        }
        cut = try StreamCut(query, frameCount: frameCount)
        timestampBase = try Self.startParameter.value(in: query)
    }

    /// Parameters that do not alter the frames of the original.
    private static let otherNames = [Query.audioHash.name, "token", StreamQuality.parameter.name]

    init(audioHash: String, cut: StreamCut, timestampBase: Int = 0) {
        self.audioHash = audioHash
        self.cut = cut
        self.timestampBase = timestampBase
    }

    /// Whether it is an unaltered segment of the original at its original time.
    var isWhole: Bool { cut.isWhole && timestampBase == 0 }

    /// The query, without the leading `?`.
    var query: String {
        (audioHash.map { "\(Query.audioHash.name)=\($0)" } ?? "") + cut.query
            + (timestampBase == 0 ? "" : "&start=\(timestampBase)")
    }

    /// Suffix of the segment's ETag; empty for the original.
    var tag: String { cut.tag + (timestampBase == 0 ? "" : "-t\(timestampBase)") }
}
