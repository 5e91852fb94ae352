/// The contents of the STREAMINFO block, the first block of every FLAC file (RFC 9639 §8.2). Its values are claims: the frames
/// decide.
public struct StreamInfo: Sendable, Hashable {
    /// Size of the block's contents in bytes.
    public static let byteCount = 34

    /// Smallest number of samples per channel in a frame, except for the last one.
    public let minimumBlockSize: Int
    /// Largest number of samples per channel in a frame.
    public let maximumBlockSize: Int
    /// Sample rate in Hz; 0 if unknown.
    public let sampleRate: Int
    /// Number of channels, 1 to 8.
    public let channelCount: Int
    /// Bits per sample, 4 to 32.
    public let bitDepth: Int
    /// Samples per channel; nil if unknown.
    public let sampleCount: Int?
    /// MD5 of the unencoded samples; nil if unknown.
    public let md5: [UInt8]?
    /// The block's contents as stored.
    public let bytes: [UInt8]

    /// Reads the block's contents at an offset; nil if they do not fit into the bytes.
    init?(_ bytes: RawSpan, at offset: Int) {
        guard offset >= 0, offset <= bytes.byteCount - Self.byteCount else { return nil }
        minimumBlockSize = bytes.number(at: offset, byteCount: 2)
        maximumBlockSize = bytes.number(at: offset + 2, byteCount: 2)
        // 20 bits of rate, 3 of channels, 5 of depth; 4 + 32 of length.
        let packed = bytes.number(at: offset + 10, byteCount: 4)
        sampleRate = packed >> 12
        channelCount = packed >> 9 & 7 + 1
        bitDepth = packed >> 4 & 31 + 1
        let count = (packed & 15) << 32 | bytes.number(at: offset + 14, byteCount: 4)
        sampleCount = count > 0 ? count : nil
        let stored = (0..<Self.byteCount).map { bytes.octet(offset + $0) }
        let digest = Array(stored[18...])
        md5 = digest.contains { $0 != 0 } ? digest : nil
        self.bytes = stored
    }
}
