/// The byte range of a frame in its file.
public struct FrameExtent: Sendable, Hashable {
    /// Byte offset of the frame's header.
    public let offset: Int
    /// Length of the frame in bytes, including the header.
    public let length: Int

    /// Creates the extent of a frame.
    public init(offset: Int, length: Int) {
        self.offset = offset
        self.length = length
    }

    /// The frame's byte range.
    public var range: Range<Int> { offset..<offset + length }
}
