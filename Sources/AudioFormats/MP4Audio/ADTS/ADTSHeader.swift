/// The header of an AAC frame in an Audio Data Transport Stream (ISO/IEC 13818-7 §6.2).
public struct ADTSHeader: Sendable, Hashable {
    /// The shortest header in bytes.
    public static let minimumLength = 7

    /// The object type: 1 (Main), 2 (LC), 3 (SSR) or 4 (LTP).
    public let objectType: Int
    /// The number that stands for the sample rate.
    public let samplingFrequencyIndex: Int
    /// Sample rate of the core in Hz; the decoded audio has twice as much with spectral band replication, which is not signalled.
    public let sampleRate: Int
    /// The number that stands for the channels; 0 if the frame lists them.
    public let channelConfiguration: Int
    /// Length of the frame with its header, in bytes.
    public let frameLength: Int
    /// Length of the header in bytes: 9 with a checksum.
    public let headerLength: Int
    /// Number of access units of 1024 samples in the frame.
    public let unitCount: Int

    /// Samples per channel of the core.
    public var sampleCount: Int { 1024 * unitCount }

    /// Whether a frame with another header can follow in the same stream.
    public func agrees(with other: ADTSHeader) -> Bool {
        objectType == other.objectType && samplingFrequencyIndex == other.samplingFrequencyIndex
            && channelConfiguration == other.channelConfiguration
    }

    /// The AudioSpecificConfig of a decoder for the stream (ISO/IEC 14496-3 §1.6.2.1).
    public var configuration: [UInt8] {
        let bits = objectType << 11 | samplingFrequencyIndex << 7 | channelConfiguration << 3
        return [UInt8(truncatingIfNeeded: bits >> 8), UInt8(truncatingIfNeeded: bits)]
    }

    /// Reads the header at an offset; nil if the bytes are no header, or end before.
    public init?(_ bytes: [UInt8], at offset: Int = 0) {
        guard offset >= 0, bytes.count - offset >= Self.minimumLength, bytes[offset] == 0xFF,
            bytes[offset + 1] & 0xF6 == 0xF0
        else { return nil }
        let index = Int(bytes[offset + 2] >> 2 & 0xF)
        guard index < AACConfiguration.sampleRates.count else { return nil }
        headerLength = bytes[offset + 1] & 1 == 1 ? 7 : 9
        objectType = Int(bytes[offset + 2] >> 6) + 1
        samplingFrequencyIndex = index
        sampleRate = AACConfiguration.sampleRates[index]
        channelConfiguration = Int(bytes[offset + 2] & 1) << 2 | Int(bytes[offset + 3] >> 6)
        frameLength =
            Int(bytes[offset + 3] & 3) << 11 | Int(bytes[offset + 4]) << 3 | Int(bytes[offset + 5] >> 5)
        unitCount = Int(bytes[offset + 6] & 3) + 1
        guard frameLength > headerLength else { return nil }
    }
}
