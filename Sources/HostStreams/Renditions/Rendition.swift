internal import Analyzer
package import HTTPServer
package import MPEGAudio

/// A track re-encoded as MP3, with frames aligned to the original's: frame k plays the same audio
/// as the original's frame k, or as frame k of ``StreamedTrack/stream`` if the file is not MP3. So the original's frame numbers,
/// playlists and cuts also apply to it.
package struct Rendition: Sendable {
    /// The file, which contains only the frames.
    package let file: HTTPFile
    /// Positions of the frames in the file.
    package let index: FrameIndex

    /// Returns the bit rate of a track's rendition in kbit/s; nil if the track has none in this quality.
    package static func bitRate(of track: StreamedTrack, _ quality: StreamQuality) -> Int? {
        guard let rate = quality.kilobits(channelCount: track.stream.channels) else { return nil }
        // Clients that cannot play the format of the file have no other choice.
        guard !track.isConverted else { return rate }
        guard quality == .low, track.index.sections.count == 1, !track.index.isFreeFormat else { return nil }
        // MPEG-2 and MPEG-2.5 support these bit rates as well.
        return track.stream.averageBitRate > rate * 1500 ? rate : nil
    }

    /// Returns the best quality of a track's renditions whose bit rate is not above a limit in kbit/s, or else the low one; nil if
    /// the track has none.
    package static func best(of track: StreamedTrack, kilobits limit: Int) -> StreamQuality? {
        if let rate = bitRate(of: track, .high), rate <= limit { return .high }
        return bitRate(of: track, .low) == nil ? nil : .low
    }

    /// Returns the byte range of some frames; nil if they are not contiguous.
    package func range(of frames: Range<Int>) -> Range<Int>? {
        let ranges = index.byteRanges(of: frames)
        return ranges.count == 1 ? ranges[0] : nil
    }
}
