internal import AudioFrames

/// The CRC-32 of Ogg pages: polynomial 0x04C11DB7, not reflected, initial value 0, no final inversion (RFC 3533 §6).
public struct OggCRC: Sendable {
    private static let table = ChecksumTable(polynomial: 0x04C1_1DB7)

    /// The checksum of the bytes so far.
    public private(set) var value: UInt32 = 0

    /// Creates the checksum of no bytes.
    public init() {}

    /// Appends bytes.
    public mutating func update(_ bytes: RawSpan) { value = Self.table.advanced(value, over: bytes) }
}
