internal import Analyzer
internal import Foundation
internal import LibraryStore

/// The ramps at a track's ends as MixRamp tags: `"dB seconds;…"`, levels relative to the track's loudness
/// normalised to the ReplayGain reference, times from the start of the file and back from its end.
struct MixRampDescription: Encodable {
    private let start: String
    private let end: String
    /// The reference level in dB; ReplayGain normalises tracks to 89.
    private let reference = "89.00"

    private enum CodingKeys: String, CodingKey {
        case start = "MIXRAMP_START"
        case end = "MIXRAMP_END"
        case reference = "MIXRAMP_REF"
    }

    /// Describes a track; nil if it has no profile or is silent.
    init?(_ found: AnalysedTrack) {
        guard let analysis = found.analysis, let profile = analysis.profile, !profile.cue.startRamp.isEmpty
        else { return nil }
        let cue = profile.cue
        start = Self.text(cue.startRamp, after: cue.cueInSeconds)
        end = Self.text(cue.endRamp, after: analysis.stream.durationSeconds - cue.cueOutSeconds)
    }

    private static func text(_ ramp: [CuePoints.RampPoint], after lead: Double) -> String {
        ramp.map { point in
            String(
                format: "%.2f %.2f;", locale: Locale(identifier: "en_US_POSIX"), point.levelDB,
                max(0, lead) + point.seconds)
        }.joined()
    }
}
