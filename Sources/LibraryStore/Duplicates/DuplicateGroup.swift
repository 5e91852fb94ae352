internal import Analyzer
internal import Tagging

/// Files with the same recording.
package struct DuplicateGroup: Sendable {
    /// A file of the group besides the best.
    package struct Copy: Sendable {
        package let track: AnalysedTrack
        /// Fraction of the fingerprint's bits in which it differs from the best file; 0 for the same audio.
        package let difference: Double
    }

    /// The file to keep: see ``FileQuality``.
    package let best: AnalysedTrack
    /// The others, the best first.
    package let copies: [Copy]
}

/// Orders files of a recording: the one to keep is the largest.
package struct FileQuality: Comparable {
    private let damage: Int
    private let bitRate: Int
    private let duration: Double
    private let tagCount: Int
    private let path: RelativePath

    package init(_ track: AnalysedTrack) {
        let stream = track.analysis?.stream
        damage = (stream?.damagedFrameCount ?? 0) + (stream?.resyncCount ?? 0)
        bitRate = stream?.averageBitRate ?? 0
        duration = stream?.durationSeconds ?? 0
        let tags = track.track.tags
        tagCount = [tags.title, tags.artist, tags.album, tags.albumArtist, tags.genre].count { $0 != nil }
        path = track.track.path
    }

    /// Fewer damaged frames; else a bit rate higher by a tenth; else more than two seconds longer; else more tags; else the
    /// higher bit rate; else the path that comes first.
    package static func < (first: FileQuality, second: FileQuality) -> Bool {
        if first.damage != second.damage { return first.damage > second.damage }
        let (low, high) = (Double(first.bitRate), Double(second.bitRate))
        if max(low, high) > 1.1 * min(low, high) { return low < high }
        if abs(first.duration - second.duration) > 2 { return first.duration < second.duration }
        if first.tagCount != second.tagCount { return first.tagCount < second.tagCount }
        if first.bitRate != second.bitRate { return first.bitRate < second.bitRate }
        return first.path.text > second.path.text
    }
}
