/// Where a frame lies in its file.
public struct FrameExtent: Sendable, Hashable {
    /// Byte offset of the frame's header.
    public let offset: Int
    /// Bytes of the frame, header included.
    public let length: Int

    /// A frame of `length` bytes at `offset`.
    public init(offset: Int, length: Int) {
        self.offset = offset
        self.length = length
    }

    /// The frame's bytes.
    public var range: Range<Int> { offset..<offset + length }
}
