internal import CChromaprint

/// A Chromaprint fingerprint of a recording's first two minutes (Jang et al. 2009, "Pairwise Boosted Audio Fingerprint";
/// https://acoustid.org/chromaprint), the same that `fpcalc` computes and AcoustID looks up.
///
/// Encodings of one recording differ in a few per cent of the bits, other recordings in 35 to 50.
public struct AudioFingerprint: Sendable, Equatable {
    /// Seconds from the start of the gapless timeline that a fingerprint covers at most, as with `fpcalc`.
    public static let longestSeconds = 120.0
    /// Time between two words, in seconds.
    public static let secondsPerWord = 4096.0 / 3 / 11_025
    /// The algorithm: Chromaprint's default.
    static let algorithm = Int32(CHROMAPRINT_ALGORITHM_DEFAULT.rawValue)

    /// One word of 32 bits for each step of ``secondsPerWord``; each describes about 2.4 s.
    public var words: [UInt32]

    /// Creates a fingerprint from its words.
    public init(words: [UInt32]) { self.words = words }

    /// The words, four bytes each, little-endian.
    public var bytes: [UInt8] {
        words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    }

    /// Creates a fingerprint from ``bytes``; nil if their number is not a multiple of four.
    public init?(bytes: [UInt8]) {
        guard bytes.count.isMultiple(of: 4) else { return nil }
        words = stride(from: 0, to: bytes.count, by: 4).map { start in
            (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) }
        }
    }

    /// The compressed form in URL-safe Base64, as `fpcalc` prints it and AcoustID expects it.
    public var text: String {
        var encoded: UnsafeMutablePointer<CChar>?
        var count: Int32 = 0
        let isEncoded = chromaprint_encode_fingerprint(
            words, Int32(words.count), Self.algorithm, &encoded, &count, 1)
        guard isEncoded == 1, let encoded else { return "" }
        defer { chromaprint_dealloc(encoded) }
        return String(cString: encoded)
    }
}
