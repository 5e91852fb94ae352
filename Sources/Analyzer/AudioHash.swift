internal import CXXHash

/// Identity of a track's audio: XXH3 (128 bits) of the bytes from its first to its last MPEG frame.
///
/// Tags lie outside these bytes, so re-tagging, renaming or moving a file leaves the hash as it is. It is no defence
/// against somebody who makes two files collide on purpose; nothing but cached measurements hangs on it.
public struct AudioHash: Hashable, Sendable, CustomStringConvertible {
    /// The 16 bytes in XXH3's canonical (big-endian) order.
    public let bytes: [UInt8]

    /// Takes a stored hash back.
    /// - Parameter bytes: exactly 16 bytes; any other number gives nil.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Takes a hash from its 32 hexadecimal digits.
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
        self.bytes = bytes
    }

    /// Bytes hashed at a time.
    private static let chunk = 1 << 22

    /// Hashes an audio payload.
    public init(of payload: RawSpan) {
        self.init(of: payload, in: 0..<payload.byteCount, passed: { _ in })
    }

    /// Hashes the part of a file that is its audio payload.
    /// - Parameters:
    ///   - file: the whole file.
    ///   - payload: where the payload lies in it.
    ///   - passed: told now and then of an offset before which nothing is read any more.
    public init(of file: RawSpan, in payload: Range<Int>, passed: (Int) -> Void) {
        let hasher = Hasher()
        for start in stride(from: payload.lowerBound, to: payload.upperBound, by: Self.chunk) {
            let end = min(payload.upperBound, start + Self.chunk)
            hasher.update(file.extracting(start..<end))
            passed(end)
        }
        bytes = hasher.finish()
    }

    /// Owner of one XXH3 state.
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

        func finish() -> [UInt8] {
            var canonical = XXH128_canonical_t()
            XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state))
            return withUnsafeBytes(of: canonical.digest) { Array($0) }
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
