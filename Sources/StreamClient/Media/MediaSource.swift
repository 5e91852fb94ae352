internal import MusicShared

/// A source of a track's frames.
protocol MediaSource: Sendable {
    /// Returns a reader of the frames from a position. No request is sent before the first piece is read.
    /// - Parameter seconds: position on the track's timeline of the first audio to play.
    func reader(from seconds: Double) -> any MediaReader
}

/// Reads the frames of a track in order.
///
/// After an error, the next call retries at the same position: no data is lost or repeated.
protocol MediaReader {
    /// Returns the next piece; nil at the end.
    func next() async throws(PlaybackError) -> MediaPiece?
}

/// A piece of a stream.
enum MediaPiece: Sendable {
    /// Metadata of the track; repeated when more is known.
    case facts(MediaFacts)
    /// The following frames do not continue the previous ones: the decoder must be restarted, and audio before this position
    /// is not played. In ticks of ``StreamTime`` on the gapless timeline.
    case begin(soundFrom: Int)
    /// Consecutive frames.
    case frames([MediaFrame])
    /// The title reported by a station.
    case title(StationTitle)
    /// The end of the stream; the given number of ticks at the end is encoder padding.
    case end(tailTrim: Int)
}
