/// The place of a frame, packet or access unit, the bytes that a decoder takes at once, in its file and in time.
public protocol IndexedFrame: Sendable, Hashable {
    /// Its bytes in the file: ranges in order, none of them empty.
    var ranges: [Range<Int>] { get }
    /// First sample per channel that decoding it gives, before anything is trimmed.
    var startSample: Int { get }
    /// Samples per channel that decoding it gives.
    var sampleCount: Int { get }

    /// Reads the next frame of an index from what `append` has written, and moves the cursor behind it.
    /// - Parameter usualSamples: samples per channel of a usual frame.
    static func next(_ cursor: inout IndexCursor, of entries: [UInt8], usualSamples: Int) -> Self
}

extension IndexedFrame {
    /// Size in bytes.
    public var byteCount: Int { ranges.reduce(0) { $0 + $1.count } }
    /// End of its samples.
    public var endSample: Int { startSample + sampleCount }
}
