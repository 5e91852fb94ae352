internal import Analyzer
internal import Foundation
internal import LibraryStore
internal import Tagging

/// A file in the form of AzuraCast's API: its names, and the cue points and gain of its extra metadata, in
/// seconds and decibels.
struct AzuraCastFields: Encodable {
    private let title: String?
    private let artist: String?
    private let album: String?
    private let extraMetadata: Extra

    private struct Extra: Encodable {
        let amplify: Double?
        let cueIn: Double
        let cueOut: Double
        let crossStartNext: Double
        let fadeIn: Double
        let fadeOut: Double

        private enum CodingKeys: String, CodingKey {
            case amplify
            case cueIn = "cue_in"
            case cueOut = "cue_out"
            case crossStartNext = "cross_start_next"
            case fadeIn = "fade_in"
            case fadeOut = "fade_out"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case title, artist, album
        case extraMetadata = "extra_metadata"
    }

    /// Describes a track; nil if it has no profile.
    init?(_ found: AnalysedTrack) {
        guard let profile = found.analysis?.profile else { return nil }
        title = found.track.tags.title
        artist = found.track.tags.artist
        album = found.track.tags.album
        let cue = profile.cue
        func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
        extraMetadata = Extra(
            amplify: profile.loudness.replayGainDB.map { ($0 * 100).rounded() / 100 },
            cueIn: rounded(cue.cueInSeconds), cueOut: rounded(cue.cueOutSeconds),
            crossStartNext: rounded(min(cue.cueOutSeconds, cue.startNextSeconds)),
            fadeIn: rounded(cue.fadeInEndSeconds - cue.cueInSeconds),
            fadeOut: rounded(cue.cueOutSeconds - cue.fadeOutStartSeconds))
    }
}
