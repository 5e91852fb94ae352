/// A run of frames of one sampling rate and number of channels. Most files are one section; joined files of
/// different rates have several.
public struct StreamSection: Sendable, Hashable {
    /// What the section's frames have in common.
    public let format: StreamFormat
    /// The section's frames, numbered as in the index.
    public let frames: Range<Int>
    /// Exact time at which the section begins in a plain decoder's output (see ``StreamTime``).
    public let startTicks: Int

    /// Samples per channel that the section decodes to, at its own rate.
    public var sampleCount: Int { frames.count * format.samplesPerFrame }

    /// Exact time at which the section ends.
    public var endTicks: Int { startTicks + frames.count * format.ticksPerFrame }
}
