/// The position of a packet of audio in its file and in time.
public struct OggPacket: Sendable, Hashable {
    /// Byte ranges in the file, in order and none of them empty: several if the packet crosses pages.
    public let ranges: [Range<Int>]
    /// First sample per channel that decoding it gives, counted from the first packet of the file, before anything is dropped.
    public let startSample: Int
    /// Samples per channel that decoding it gives: 0 for the first packet of a Vorbis link.
    public let duration: Int

    /// Size in bytes.
    public var byteCount: Int { ranges.reduce(0) { $0 + $1.count } }

    /// Returns the packet's bytes. Traps if the file is shorter than the one that was scanned.
    public func bytes(of file: RawSpan) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(byteCount)
        for range in ranges {
            file.extracting(range).withUnsafeBytes { result.append(contentsOf: $0) }
        }
        return result
    }
}
