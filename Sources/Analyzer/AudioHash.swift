internal import CXXHash

/// Identity of a track's audio: XXH3 (128 bits) of the bytes from its first to its last frame; in Ogg of the headers that a decoder
/// needs and the packets, without the pages around them.
///
/// Tags are not among these bytes, so re-tagging, renaming or moving a file does not change the hash. It does not protect against
/// deliberately constructed collisions; it only identifies cached measurements.
public struct AudioHash: Hashable, Sendable, CustomStringConvertible {
    /// The hash as two numbers: a library has millions of them, which would each be an object as arrays.
    private let high: UInt64
    private let low: UInt64

    /// The 16 bytes in XXH3's canonical (big-endian) order.
    public var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }

    /// Creates a hash from its stored bytes.
    /// - Parameter bytes: exactly 16 bytes; otherwise the result is nil.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        let words = bytes.withUnsafeBytes { bytes in
            (
                bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
        high = UInt64(bigEndian: words.0)
        low = UInt64(bigEndian: words.1)
    }

    /// Parses a hash from 32 hexadecimal digits.
    public init?(hex: String) {
        let digits = Array(hex.utf8)
        guard digits.count == 32 else { return nil }
        var bytes: [UInt8] = []
        for pair in stride(from: 0, to: 32, by: 2) {
            guard let high = Self.value(ofDigit: digits[pair]),
                let low = Self.value(ofDigit: digits[pair + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        self.init(bytes: bytes)
    }

    /// Bytes hashed at a time.
    private static let chunk = 1 << 22

    /// Hashes an audio payload.
    public init(of payload: RawSpan) {
        self.init(of: payload, in: 0..<payload.byteCount, passed: { _ in })
    }

    /// Hashes the audio payload of a file.
    /// - Parameters:
    ///   - file: the whole file.
    ///   - payload: byte range of the payload in the file.
    ///   - passed: called periodically with an offset below which nothing will be read again.
    public init(of file: RawSpan, in payload: Range<Int>, passed: (Int) -> Void) {
        let hasher = Hasher()
        for start in stride(from: payload.lowerBound, to: payload.upperBound, by: Self.chunk) {
            let end = min(payload.upperBound, start + Self.chunk)
            hasher.update(file.extracting(start..<end))
            passed(end)
        }
        (high, low) = hasher.finish()
    }

    /// Hashes the audio of a stream.
    /// - Parameters:
    ///   - stream: the stream, which says what identifies it.
    ///   - file: the whole file.
    ///   - passed: called periodically with an offset below which nothing will be read again.
    init(of stream: any AudioStream, in file: RawSpan, passed: (Int) -> Void) {
        let hasher = Hasher()
        if !stream.hashedFacts.isEmpty { hasher.update(stream.hashedFacts.span.bytes) }
        var reported = 0
        stream.forEachHashedRange { range in
            for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.chunk) {
                let end = min(range.upperBound, start + Self.chunk)
                hasher.update(file.extracting(start..<end))
                guard end - reported >= Self.chunk || end == stream.payload.upperBound else { continue }
                reported = end
                passed(end)
            }
        }
        (high, low) = hasher.finish()
    }

    /// Owns one XXH3 state.
    private final class Hasher {
        private let state: OpaquePointer?

        init() {
            state = XXH3_createState()
            XXH3_128bits_reset(state)
        }

        deinit { XXH3_freeState(state) }

        func update(_ part: RawSpan) {
            _ = part.withUnsafeBytes { XXH3_128bits_update(state, $0.baseAddress, $0.count) }
        }

        func finish() -> (high: UInt64, low: UInt64) {
            let hash = XXH3_128bits_digest(state)
            return (hash.high64, hash.low64)
        }
    }

    /// 32 lower-case hexadecimal digits.
    public var description: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func value(ofDigit digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
