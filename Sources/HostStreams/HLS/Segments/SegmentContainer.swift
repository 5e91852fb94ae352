internal import MusicShared

/// How the frames of a segment are packed.
enum SegmentContainer: Sendable, Hashable {
    /// MP3 frames after an ID3 timestamp (RFC 8216 §3.4).
    case packedAudio
    /// Frames of FLAC, AAC, ALAC or Opus in a fragment of an MP4 file (RFC 8216 §3.3).
    case fragmentedMP4

    /// Extension of a segment's URL.
    var fileExtension: String {
        switch self {
        case .packedAudio: "mp3"
        case .fragmentedMP4: "m4s"
        }
    }

    /// Media type of a segment.
    var mediaType: String {
        switch self {
        case .packedAudio: "audio/mpeg"
        case .fragmentedMP4: "audio/mp4"
        }
    }

    /// Bytes that a segment has besides its frames.
    func overhead(frameCount: Int) -> Int {
        switch self {
        case .packedAudio: PackedAudioTimestamp.byteCount
        // Boxes of a fixed size, and at most eight bytes per frame.
        case .fragmentedMP4: 100 + 8 * frameCount
        }
    }
}
