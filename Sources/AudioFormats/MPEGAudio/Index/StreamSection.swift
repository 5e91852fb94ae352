/// A run of frames with the same sample rate and number of channels. Most files have one section; joined files with different
/// rates have several.
public struct StreamSection: Sendable, Hashable {
    /// The common format of the frames.
    public let format: StreamFormat
    /// The section's frames, by index.
    public let frames: Range<Int>
    /// Exact start time in a plain decoder's output (see ``StreamTime``).
    public let startTicks: Int

    /// Decoded samples per channel at the section's own rate.
    public var sampleCount: Int { frames.count * format.samplesPerFrame }

    /// Exact end time.
    public var endTicks: Int { startTicks + frames.count * format.ticksPerFrame }
}
