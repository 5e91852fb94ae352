internal import Foundation
internal import MusicShared

/// Writes a live HLS media playlist (RFC 8216 §4.3).
struct LivePlaylist {
    private(set) var text: String

    /// - Parameters:
    ///   - targetSeconds: the usual duration of a segment.
    ///   - firstNumber: number of the first segment.
    ///   - lostDiscontinuities: number of discontinuities before it.
    init(targetSeconds: Double, firstNumber: Int, lostDiscontinuities: Int) {
        text = """
            #EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-TARGETDURATION:\(Int(targetSeconds.rounded(.up)) + 1)
            #EXT-X-MEDIA-SEQUENCE:\(firstNumber)
            #EXT-X-DISCONTINUITY-SEQUENCE:\(lostDiscontinuities)

            """
    }

    /// Adds the next segment.
    mutating func add(_ segment: StationTimeline.Segment, title: String, query: String) {
        if segment.isDiscontinuity { text += "#EXT-X-DISCONTINUITY\n" }
        let date = Date(timeIntervalSince1970: segment.startMilliseconds / 1000)
        text += "#EXT-X-PROGRAM-DATE-TIME:\(date.formatted(Self.dateStyle))\n"
        let seconds = (segment.durationSeconds * 1e6).rounded() / 1e6
        text += "#EXTINF:\(seconds),\(SingleLine.joined(title))\n"
        text += "segments/\(segment.number).\(segment.format.rawValue)\(query)\n"
    }

    private static let dateStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
