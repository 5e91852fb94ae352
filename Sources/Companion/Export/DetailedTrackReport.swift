internal import Analyzer
internal import MusicShared

/// A track's report with the lists that its line leaves out: the times of the beats.
public struct DetailedTrackReport: Encodable, Sendable {
    private let report: TrackReport
    private let beatSeconds: [Double]?

    /// Reports a track of the library; beats to the millisecond.
    public init(_ track: AnalysedTrack) {
        report = TrackReport(track)
        beatSeconds = track.analysis?.profile?.tempo?.beatSeconds.map { ($0 * 1000).rounded() / 1000 }
    }

    /// Writes the report's keys and `beat_seconds` into one object.
    public func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(beatSeconds, forKey: .beatSeconds)
    }

    private enum CodingKeys: String, CodingKey {
        case beatSeconds = "beat_seconds"
    }
}
