/// The position of an access unit, the bytes that a decoder takes at once, in its file and in time.
public struct AccessUnit: Sendable, Hashable {
    /// Byte range in the file.
    public let range: Range<Int>
    /// First sample of its decoded audio, per channel, before anything is trimmed.
    public let startSample: Int
    /// Samples per channel.
    public let sampleCount: Int
}
