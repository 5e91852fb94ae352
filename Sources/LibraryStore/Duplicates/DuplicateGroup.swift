internal import Analyzer
internal import Foundation
internal import MusicShared
internal import Tagging

/// Files with the same recording.
package struct DuplicateGroup: Sendable {
    /// A file of the group.
    package struct File: Sendable {
        package let track: CatalogueTrack
        /// Average bit rate in bit/s.
        package let averageBitRate: Int
        /// Whether the samples are those that were encoded.
        package let isLossless: Bool
        /// Sample rate in Hz.
        package let sampleRateHz: Int
        /// Bits per sample; 0 for formats without.
        package let bitDepth: Int
        /// Length in seconds.
        package let durationSeconds: Double
        /// Number of damaged frames, and of places where junk between frames was skipped.
        package let damagedFrameCount: Int
        /// Fraction of the fingerprint's bits in which it differs from the best file; 0 for the same audio.
        package var difference = 0.0
        /// Whether it is certainly the same recording. Otherwise it may be another mix of the same notes: it is listed, but only
        /// removed if a person says so.
        package var isCertain = true

        init?(_ track: AnalysedTrack) {
            guard let stream = track.analysis?.stream else { return nil }
            self.track = track.track
            averageBitRate = stream.averageBitRate
            isLossless = stream.format.isLossless
            sampleRateHz = stream.sampleRateHz
            bitDepth = stream.bitDepth ?? 0
            durationSeconds = stream.durationSeconds
            damagedFrameCount = (stream.damagedFrameCount ?? 0) + stream.resyncCount
        }
    }

    /// The file to keep.
    package let best: File
    /// The others, the best first.
    package let copies: [File]

    /// The files, the best first.
    package var files: [File] { [best] + copies }
    /// The copies that may be removed without asking again.
    package var certainCopies: [File] { copies.filter(\.isCertain) }
    /// Size of the certain copies, in bytes.
    package var copyBytes: Int { certainCopies.reduce(0) { $0 + $1.track.file.size } }
}

extension DuplicateGroup.File {
    /// Whether the second file is better: it has fewer damaged frames; else is lossless; else has a higher sample rate and bit
    /// depth (lossless) or a bit rate higher by a tenth or so (others); else is longer by two seconds or so; else has more tags;
    /// else is the smaller one (lossless) or the one with the higher bit rate; else has the path that comes first.
    static func isWorse(_ first: Self, _ second: Self) -> Bool {
        let (one, other) = (first.rank, second.rank)
        guard one == other else { return one.lexicographicallyPrecedes(other) }
        return first.track.path.text > second.track.path.text
    }

    /// Numbers to compare in turn. Rates and lengths are compared in steps, because an order must not depend on what is
    /// compared first, as one with tolerances would.
    private var rank: [Int] {
        let tags = track.tags
        let tagCount = [tags.title, tags.artist, tags.album, tags.albumArtist, tags.genre].count {
            $0 != nil
        }
        let rateStep = (log(Double(max(1, averageBitRate))) / log(1.1)).rounded(.down)
        // A lossless file needs few bits where the music is simple: its bit rate says nothing of its quality.
        let quality = isLossless ? [1, sampleRateHz, bitDepth] : [0, Int(rateStep), 0]
        return [-damagedFrameCount] + quality
            + [Int(durationSeconds / 2), tagCount, isLossless ? -averageBitRate : averageBitRate]
    }
}
