/// The header of a FLAC frame (RFC 9639 §9.1).
public struct FLACFrameHeader: Sendable, Hashable {
    /// Size of the header in bytes, including its checksum: 6 to 16.
    public let byteCount: Int
    /// Samples per channel.
    public let blockSize: Int
    /// Sample rate in Hz; nil if only STREAMINFO states it.
    public let sampleRate: Int?
    /// Number of channels.
    public let channelCount: Int
    /// Bits per sample; nil if only STREAMINFO states it.
    public let bitDepth: Int?
    /// Whether the stream's block size varies, so that frames are numbered by samples.
    public let hasVariableBlockSize: Bool
    /// Number of the frame, or of its first sample in a stream with variable block size.
    public let number: Int

    /// Largest size of a header.
    static let longest = 16
    /// The sample rates in Hz by their code; 0 where only STREAMINFO states it.
    static let commonRates = [
        0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
    ]
    /// Bits per sample by their code; 0 where only STREAMINFO states them, and for the reserved code 3.
    static let bitDepths = [0, 8, 12, 0, 16, 20, 24, 32]

    /// Reads the header at an offset; nil for anything else, and if its checksum is wrong.
    public init?(_ bytes: RawSpan, at offset: Int) {
        guard offset >= 0, offset <= bytes.byteCount - 6, bytes.octet(offset) == 0xFF,
            bytes.octet(offset + 1) & 0xFE == 0xF8
        else { return nil }
        let sizes = bytes.octet(offset + 2)
        let format = bytes.octet(offset + 3)
        guard format & 1 == 0, let channels = Self.channelCount(format >> 4) else { return nil }
        guard let depth = Self.bitDepth(format >> 1 & 7) else { return nil }
        guard let (number, numberEnd) = Self.codedNumber(bytes, at: offset + 4) else { return nil }
        hasVariableBlockSize = bytes.octet(offset + 1) & 1 == 1
        guard hasVariableBlockSize || numberEnd <= offset + 10 else { return nil }
        var end = numberEnd
        guard let size = Self.blockSize(sizes >> 4, bytes, &end),
            let rate = Self.sampleRate(sizes & 15, bytes, &end),
            end < bytes.byteCount, CRC8.checksum(bytes, in: offset..<end) == bytes.octet(end)
        else { return nil }
        byteCount = end + 1 - offset
        blockSize = size
        sampleRate = rate > 0 ? rate : nil
        channelCount = channels
        bitDepth = depth > 0 ? depth : nil
        self.number = number
    }

    /// The number that the header of the next frame must have.
    var successor: Int { hasVariableBlockSize ? number + blockSize : number + 1 }

    private static func channelCount(_ code: UInt8) -> Int? {
        switch code {
        case 0...7: Int(code) + 1
        // Left and side, side and right, mid and side.
        case 8...10: 2
        default: nil
        }
    }

    /// Returns 0 where only STREAMINFO states the depth; nil for a reserved code.
    private static func bitDepth(_ code: UInt8) -> Int? {
        code == 3 ? nil : bitDepths[Int(code)]
    }

    private static func blockSize(_ code: UInt8, _ bytes: RawSpan, _ end: inout Int) -> Int? {
        switch code {
        case 0: return nil
        case 1: return 192
        case 2...5: return 144 << Int(code)
        case 6, 7:
            guard let stored = stored(bytes, &end, byteCount: Int(code) - 5) else { return nil }
            // A block of 65,536 samples is forbidden.
            return stored < 0xFFFF ? stored + 1 : nil
        default: return 1 << Int(code)
        }
    }

    /// Returns 0 where only STREAMINFO states the rate; nil for an invalid one.
    private static func sampleRate(_ code: UInt8, _ bytes: RawSpan, _ end: inout Int) -> Int? {
        let rate: Int?
        switch code {
        case 0...11: return commonRates[Int(code)]
        case 12: rate = stored(bytes, &end, byteCount: 1).map { $0 * 1000 }
        case 13: rate = stored(bytes, &end, byteCount: 2)
        case 14: rate = stored(bytes, &end, byteCount: 2).map { $0 * 10 }
        default: return nil
        }
        return rate.flatMap { $0 > 0 ? $0 : nil }
    }

    private static func stored(_ bytes: RawSpan, _ end: inout Int, byteCount: Int) -> Int? {
        guard end <= bytes.byteCount - byteCount else { return nil }
        defer { end += byteCount }
        return bytes.number(at: end, byteCount: byteCount)
    }

    /// Reads a number of up to 36 bits, coded like a character in UTF-8 but with up to seven bytes.
    private static func codedNumber(_ bytes: RawSpan, at offset: Int) -> (number: Int, end: Int)? {
        let first = bytes.octet(offset)
        let length = (~first).leadingZeroBitCount
        guard length != 0 else { return (Int(first), offset + 1) }
        guard (2...7).contains(length), offset <= bytes.byteCount - length else { return nil }
        var number = length == 7 ? 0 : Int(first) & (0x7F >> length)
        for place in 1..<length {
            let byte = bytes.octet(offset + place)
            guard byte & 0xC0 == 0x80 else { return nil }
            number = number << 6 | Int(byte & 0x3F)
        }
        return (number, offset + length)
    }
}
