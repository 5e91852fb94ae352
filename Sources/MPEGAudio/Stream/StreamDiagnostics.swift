/// What is unusual or wrong about a file that could be read nevertheless.
public struct StreamDiagnostics: Sendable, Hashable {
    /// Bytes that are neither frame nor tag: junk before, between and after the frames.
    public internal(set) var skippedBytes = 0
    /// How often frames were found again after junk that followed other frames.
    public internal(set) var resyncCount = 0
    /// Whether the file ends inside a frame, which is then not indexed.
    public internal(set) var truncatedLastFrame = false
    /// Bytes of that incomplete frame.
    public internal(set) var truncatedBytes = 0
    /// Whether frames carry a CRC.
    public internal(set) var isCRCProtected = false
    /// Whether an ID3v2 tag states a size that its own frames or the audio contradict.
    public internal(set) var wrongID3v2Size = false
    /// How often sampling rate or number of channels changes between frames.
    public internal(set) var formatChangeCount = 0
    /// Whether the stream is of free format, which most players refuse.
    public internal(set) var isFreeFormat = false
    /// Frames that hold a Xing, Info or VBRI tag instead of audio. More than one: joined streams.
    public internal(set) var infoFrameCount = 0
    /// Bytes of those frames.
    public internal(set) var infoFrameBytes = 0
    /// The number of frames that the first stream's tag claims and the number that it has, where they differ.
    public internal(set) var frameCountMismatch: CountMismatch?

    /// A claim and the truth.
    public struct CountMismatch: Sendable, Hashable {
        /// What the tag says.
        public let claimed: Int
        /// What was counted.
        public let actual: Int

        /// A claim of `claimed` where there are `actual`.
        public init(claimed: Int, actual: Int) {
            self.claimed = claimed
            self.actual = actual
        }
    }

    init() {}

    /// Whether everything is as it should be.
    public var isClean: Bool {
        skippedBytes == 0 && resyncCount == 0 && !truncatedLastFrame && !wrongID3v2Size
            && formatChangeCount == 0
            && !isFreeFormat && infoFrameCount <= 1 && frameCountMismatch == nil
    }
}
