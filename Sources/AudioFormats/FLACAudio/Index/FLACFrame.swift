/// The position of a frame in its file and in time.
public struct FLACFrame: Sendable, Hashable {
    /// Byte range in the file.
    public let range: Range<Int>
    /// First sample, per channel.
    public let startSample: Int
    /// Samples per channel.
    public let blockSize: Int
    /// Whether its checksum is right.
    public let isIntact: Bool
}
