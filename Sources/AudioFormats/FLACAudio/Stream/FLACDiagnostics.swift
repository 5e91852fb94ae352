/// Irregularities of a FLAC file that its frames show.
public struct FLACDiagnostics: Sendable, Hashable {
    /// Bytes between the first and the last frame that belong to no frame.
    public var skippedBytes = 0
    /// Number of times the next frame had to be searched.
    public var resyncCount = 0
    /// Number of frames whose checksum is wrong.
    public var damagedFrameCount = 0
    /// Whether the last frame is incomplete, and left out.
    public var truncatedLastFrame = false
    /// Bytes after the last complete frame that belong to no tag.
    public var trailingBytes = 0
    /// Number of frames that do not continue the numbers of those before: frames are missing, or streams were joined.
    public var jumpCount = 0
    /// Whether the sizes of the metadata blocks do not lead to the first frame.
    public var hasWrongMetadataSize = false
    /// Whether an ID3v2 tag precedes the stream, which some players reject.
    public var hasLeadingID3v2 = false

    /// Creates the diagnostics of a sound file.
    public init() {}
}
