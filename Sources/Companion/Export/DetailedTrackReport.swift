internal import Analyzer
package import LibraryStore
internal import MusicShared

/// A track's report together with the beat times, which the one-line report omits.
package struct DetailedTrackReport: Encodable, Sendable {
    private let report: TrackReport
    private let beatSeconds: [Double]?

    /// Creates a report of a track of the library, with beat times rounded to milliseconds.
    package init(_ track: AnalysedTrack) {
        report = TrackReport(track)
        beatSeconds = track.analysis?.profile?.tempo?.beatSeconds.map { ($0 * 1000).rounded() / 1000 }
    }

    /// Encodes the report's keys and `beat_seconds` as one object.
    package func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(beatSeconds, forKey: .beatSeconds)
    }

    private enum CodingKeys: String, CodingKey {
        case beatSeconds = "beat_seconds"
    }
}
