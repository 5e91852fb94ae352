public import AudioFrames

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

    /// Reads the block's contents; nil if they are too few bytes.
    public init?(_ bytes: [UInt8]) { self.init(bytes.span.bytes, at: 0) }

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

extension StreamInfo {
    /// The first bytes of a FLAC stream of its own: the marker, and this block as the only one.
    public var streamHead: [UInt8] { Array("fLaC".utf8) + [0x80, 0, 0, UInt8(Self.byteCount)] + bytes }

    /// Creates the block for frames that are known, in a stream whose length and samples are not stated.
    /// - Parameters:
    ///   - index: the frames; at least one.
    ///   - sampleRate: samples per second, below 2²⁰.
    ///   - channelCount: number of channels, 1 to 8.
    ///   - bitDepth: bits per sample, 4 to 32.
    public init(index: FLACFrameIndex, sampleRate: Int, channelCount: Int, bitDepth: Int) {
        var blockSizes = index.usualSamples...index.usualSamples
        var byteCounts: ClosedRange<Int>?
        var position = 0
        index.forEach { frame in
            position += 1
            let size = frame.range.count
            byteCounts = min(byteCounts?.lowerBound ?? size, size)...max(byteCounts?.upperBound ?? size, size)
            // The last frame may be shorter than the smallest block size.
            guard position < index.count || position == 1 else { return true }
            blockSizes =
                min(blockSizes.lowerBound, frame.sampleCount)...max(blockSizes.upperBound, frame.sampleCount)
            return true
        }
        self.init(
            blockSizes: blockSizes, frameSizes: byteCounts ?? 0...0, sampleRate: sampleRate,
            channelCount: channelCount, bitDepth: bitDepth, sampleCount: nil)
    }

    /// Creates the block for a stream whose MD5 is not stated.
    /// - Parameters:
    ///   - blockSizes: samples per channel of the frames except the last one.
    ///   - frameSizes: sizes of the frames in bytes.
    ///   - sampleRate: samples per second, below 2²⁰.
    ///   - channelCount: number of channels, 1 to 8.
    ///   - bitDepth: bits per sample, 4 to 32.
    ///   - sampleCount: samples per channel, below 2³⁶; nil if unknown.
    init(
        blockSizes: ClosedRange<Int>, frameSizes: ClosedRange<Int>, sampleRate: Int, channelCount: Int,
        bitDepth: Int, sampleCount: Int?
    ) {
        // No smaller size is valid, except in the last frame.
        minimumBlockSize = max(16, blockSizes.lowerBound)
        maximumBlockSize = max(16, blockSizes.upperBound)
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitDepth = bitDepth
        self.sampleCount = sampleCount
        md5 = nil
        var bytes: [UInt8] = []
        func put(_ number: Int, byteCount: Int) {
            for shift in stride(from: 8 * (byteCount - 1), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        put(minimumBlockSize, byteCount: 2)
        put(maximumBlockSize, byteCount: 2)
        put(frameSizes.lowerBound, byteCount: 3)
        put(frameSizes.upperBound, byteCount: 3)
        put(
            sampleRate << 44 | (channelCount - 1) << 41 | (bitDepth - 1) << 36 | (sampleCount ?? 0),
            byteCount: 8)
        bytes += [UInt8](repeating: 0, count: Self.byteCount - bytes.count)
        self.bytes = bytes
    }
}
