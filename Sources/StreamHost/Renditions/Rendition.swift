internal import Analyzer
internal import HTTPServer
internal import MPEGAudio

/// A track's sound at a low bit rate, in frames that stand where the original's do: frame k plays what the original's frame k
/// plays. So all that is said of the original's frames, playlists and cuts, holds for it.
struct Rendition: Sendable {
    /// The frames, one after the other.
    let file: HTTPFile
    /// Where they lie.
    let index: FrameIndex

    /// The bit rate of a track's rendition in kilobits per second; nil where the original is about as small, or its frames are
    /// not all alike.
    static func bitRate(of track: StreamedTrack) -> Int? {
        guard track.index.sections.count == 1, !track.index.isFreeFormat else { return nil }
        let rate = track.stream.channels == 1 ? 32 : 64
        // Of MPEG-2 and -2.5 each of these rates there is too.
        return track.stream.averageBitRate > rate * 1500 ? rate : nil
    }

    /// The bytes of some frames.
    func range(of frames: Range<Int>) -> Range<Int>? {
        let ranges = index.byteRanges(of: frames)
        return ranges.count == 1 ? ranges[0] : nil
    }
}
