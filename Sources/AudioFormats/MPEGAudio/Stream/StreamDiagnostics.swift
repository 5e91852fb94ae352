/// Irregularities of a file that could be read nevertheless.
public struct StreamDiagnostics: Sendable, Hashable {
    /// Number of bytes that belong to no frame or tag: junk before, between and after the frames.
    public internal(set) var skippedBytes = 0
    /// Number of times frames resumed after junk that followed other frames.
    public internal(set) var resyncCount = 0
    /// Whether the file ends inside a frame, which is not indexed.
    public internal(set) var truncatedLastFrame = false
    /// Number of bytes of that incomplete frame.
    public internal(set) var truncatedBytes = 0
    /// Whether frames have a CRC.
    public internal(set) var isCRCProtected = false
    /// Whether an ID3v2 tag states a size that its own frames or the audio contradict.
    public internal(set) var wrongID3v2Size = false
    /// Number of changes of sample rate or number of channels between frames.
    public internal(set) var formatChangeCount = 0
    /// Whether the stream is free-format, which most players reject.
    public internal(set) var isFreeFormat = false
    /// Number of frames that contain a Xing, Info or VBRI tag instead of audio. More than one means joined streams.
    public internal(set) var infoFrameCount = 0
    /// Total size of those frames in bytes.
    public internal(set) var infoFrameBytes = 0
    /// The frame count claimed by the first stream's tag and the actual count, if they differ.
    public internal(set) var frameCountMismatch: CountMismatch?

    /// A claimed and an actual count.
    public struct CountMismatch: Sendable, Hashable {
        /// Count in the tag.
        public let claimed: Int
        /// Actual count.
        public let actual: Int

        /// Memberwise initializer.
        public init(claimed: Int, actual: Int) {
            self.claimed = claimed
            self.actual = actual
        }
    }

    init() {}

    /// Whether the file has no irregularities.
    public var isClean: Bool {
        skippedBytes == 0 && resyncCount == 0 && !truncatedLastFrame && !wrongID3v2Size
            && formatChangeCount == 0
            && !isFreeFormat && infoFrameCount <= 1 && frameCountMismatch == nil
    }
}
