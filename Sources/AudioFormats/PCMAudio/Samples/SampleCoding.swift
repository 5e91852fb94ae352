/// How a sample is coded.
public struct SampleCoding: Sendable, Hashable {
    /// The kinds of codes.
    public enum Kind: Sendable, Hashable {
        /// Signed integers; full scale is the largest that the bytes hold.
        case signed
        /// Unsigned integers of one byte, 128 being silence.
        case unsigned
        /// IEEE 754, full scale being 1.
        case float
        /// A-law of ITU-T G.711.
        case aLaw
        /// µ-law of ITU-T G.711.
        case muLaw
    }

    /// The kind.
    public let kind: Kind
    /// Bytes of a sample: 1 to 4, and 8 for long floating-point numbers.
    public let byteCount: Int
    /// Whether the highest byte comes first.
    public let isBigEndian: Bool
    /// Bits that are used; a sample of fewer bits than its bytes hold is in the highest ones.
    public let bitDepth: Int

    /// Creates a coding; nil for sizes that the kind does not have.
    init?(_ kind: Kind, byteCount: Int, isBigEndian: Bool, bitDepth: Int? = nil) {
        let sizes: ClosedRange<Int> =
            switch kind {
            case .signed: 1...4
            case .unsigned, .aLaw, .muLaw: 1...1
            case .float: 4...8
            }
        let bits = bitDepth ?? 8 * byteCount
        guard sizes.contains(byteCount), kind != .float || byteCount == 4 || byteCount == 8,
            1...8 * byteCount ~= bits
        else { return nil }
        self.kind = kind
        self.byteCount = byteCount
        self.isBigEndian = isBigEndian
        self.bitDepth = bits
    }
}
