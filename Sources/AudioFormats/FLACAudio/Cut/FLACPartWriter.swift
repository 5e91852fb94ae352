/// Writes a part of a FLAC stream as a stream of its own that starts and ends at any sample.
///
/// Frames within the part keep their coded samples; only their numbers and checksums are new. Samples of frames that lie across the
/// part's ends are written as they are, uncoded. So the stream has a variable block size, and frames are numbered by samples
/// (RFC 9639 §9.1).
package struct FLACPartWriter: Sendable {
    /// Format of the frames.
    private let info: StreamInfo
    private var blockSizes: ClosedRange<Int>?
    private var frameSizes: ClosedRange<Int>?
    /// Size of the last frame in samples, which may be smaller than the smallest block size.
    private var lastBlockSize: Int?
    /// Samples per channel written so far.
    package private(set) var sampleCount = 0

    /// Fewest samples of a frame that is not the last one.
    package static let smallestBlock = 16
    /// Most samples of a frame.
    package static let largestBlock = 0xFFFF

    /// - Parameter info: the STREAMINFO block of the whole stream.
    package init(_ info: StreamInfo) { self.info = info }

    /// The bytes before the frames, whose number does not depend on them: the marker and STREAMINFO, as known now.
    package var streamHead: [UInt8] {
        StreamInfo(
            blockSizes: blockSizes ?? (lastBlockSize ?? 0)...(lastBlockSize ?? 0),
            frameSizes: frameSizes ?? 0...0,
            sampleRate: info.sampleRate, channelCount: info.channelCount, bitDepth: info.bitDepth,
            sampleCount: sampleCount
        ).streamHead
    }

    /// Returns a whole frame with the number that it has in the part.
    /// - Parameters:
    ///   - frame: an intact frame of the whole stream.
    ///   - bytes: the file.
    /// - Returns: nil if the frame is not in the bytes.
    package mutating func copy(_ frame: FLACFrame, of bytes: RawSpan) -> [UInt8]? {
        let start = frame.range.lowerBound
        guard frame.range.upperBound <= bytes.byteCount, let header = FLACFrameHeader(bytes, at: start),
            header.blockSize == frame.sampleCount, header.byteCount + 2 < frame.range.count
        else { return nil }
        let coded = (~bytes.octet(start + 4)).leadingZeroBitCount
        let numberEnd = start + 4 + max(1, coded)
        var made: [UInt8] = [0xFF, 0xF9, bytes.octet(start + 2), bytes.octet(start + 3)]
        made.reserveCapacity(frame.range.count + 8)
        made += Self.coded(sampleCount)
        for place in numberEnd..<start + header.byteCount - 1 { made.append(bytes.octet(place)) }
        made.append(CRC8.checksum(made.span.bytes, in: 0..<made.count))
        bytes.extracting(start + header.byteCount..<frame.range.upperBound - 2).withUnsafeBytes {
            made.append(contentsOf: $0)
        }
        return finished(made, blockSize: frame.sampleCount)
    }

    /// Returns a frame of uncoded samples.
    /// - Parameter channels: the samples of each channel, 1 to ``largestBlock`` of them, within the range of the bit depth.
    package mutating func verbatim(_ channels: [ArraySlice<Int32>]) -> [UInt8] {
        let count = channels.first?.count ?? 0
        let depth = info.bitDepth
        var made: [UInt8] = [
            0xFF, 0xF9, 7 << 4 | Self.rateCode(info.sampleRate),
            UInt8(info.channelCount - 1) << 4 | Self.depthCode(depth) << 1,
        ]
        made.reserveCapacity(32 + info.channelCount * (1 + (count * depth + 7) / 8))
        made += Self.coded(sampleCount)
        made += [UInt8(truncatingIfNeeded: (count - 1) >> 8), UInt8(truncatingIfNeeded: count - 1)]
        made.append(CRC8.checksum(made.span.bytes, in: 0..<made.count))
        var bits = BitWriter(bytes: made)
        for channel in channels {
            // A zero, the type of verbatim subframes, and no wasted bits (RFC 9639 §9.2.1).
            bits.put(0b0_000001_0, bitCount: 8)
            for sample in channel { bits.put(UInt64(truncatingIfNeeded: sample), bitCount: depth) }
        }
        return finished(bits.finish(), blockSize: count)
    }

    private mutating func finished(_ frame: [UInt8], blockSize: Int) -> [UInt8] {
        var sum = CRC16()
        sum.update(frame.span.bytes, in: 0..<frame.count)
        let made = frame + [UInt8(sum.value >> 8), UInt8(truncatingIfNeeded: sum.value)]
        if let last = lastBlockSize {
            blockSizes = min(blockSizes?.lowerBound ?? last, last)...max(blockSizes?.upperBound ?? last, last)
        }
        lastBlockSize = blockSize
        if let known = blockSizes, blockSize > known.upperBound { blockSizes = known.lowerBound...blockSize }
        frameSizes =
            min(
                frameSizes?.lowerBound ?? made.count, made.count)...max(
                frameSizes?.upperBound ?? made.count, made.count)
        sampleCount += blockSize
        return made
    }

    /// Codes a number of up to 36 bits like a character in UTF-8, but with up to seven bytes.
    private static func coded(_ number: Int) -> [UInt8] {
        guard number >= 0x80 else { return [UInt8(truncatingIfNeeded: number)] }
        // One byte more carries five bits more: 11, 16, 21, 26, 31, 36.
        var length = 2
        while length < 7, number >> (5 * length + 1) != 0 { length += 1 }
        let mark = length == 7 ? 0xFE : UInt8(truncatingIfNeeded: 0xFF00 >> length)
        let first = mark | UInt8(truncatingIfNeeded: number >> (6 * (length - 1)))
        return [first]
            + (1..<length).map { 0x80 | UInt8(truncatingIfNeeded: number >> (6 * (length - 1 - $0))) & 0x3F }
    }

    /// Returns the code of a sample rate in frame headers; 0 for those that only STREAMINFO states.
    private static func rateCode(_ rate: Int) -> UInt8 {
        FLACFrameHeader.commonRates.firstIndex(of: rate).map { UInt8($0) } ?? 0
    }

    private static func depthCode(_ depth: Int) -> UInt8 {
        FLACFrameHeader.bitDepths.firstIndex(of: depth).map { UInt8($0) } ?? 0
    }
}

/// Appends bits to bytes, high ones first.
private struct BitWriter {
    private var bytes: [UInt8]
    private var held: UInt64 = 0
    private var heldCount = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Appends the low bits of a number, up to 32 of them.
    mutating func put(_ number: UInt64, bitCount: Int) {
        held = held << UInt64(bitCount) | number & (1 << UInt64(bitCount) - 1)
        heldCount += bitCount
        while heldCount >= 8 {
            heldCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: held >> UInt64(heldCount)))
        }
    }

    /// Returns the bytes, the last one filled up with zeros.
    mutating func finish() -> [UInt8] {
        if heldCount > 0 { put(0, bitCount: 8 - heldCount) }
        return bytes
    }
}
