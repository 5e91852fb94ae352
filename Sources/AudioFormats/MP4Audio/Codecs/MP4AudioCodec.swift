/// The codec of a track and what its decoder needs.
public enum MP4AudioCodec: Sendable, Hashable {
    /// Advanced Audio Coding.
    case aac(AACConfiguration)
    /// Apple Lossless Audio Codec.
    case alac(ALACConfiguration)

    /// Samples per second of the decoded audio.
    public var sampleRate: Int {
        switch self {
        case .aac(let configuration): configuration.sampleRate
        case .alac(let configuration): configuration.sampleRate
        }
    }

    /// Number of channels of the decoded audio.
    public var channelCount: Int {
        switch self {
        case .aac(let configuration): configuration.channelCount
        case .alac(let configuration): configuration.channelCount
        }
    }

    /// Bits per sample; nil for AAC, which has none.
    public var bitDepth: Int? {
        switch self {
        case .aac: nil
        case .alac(let configuration): configuration.bitDepth
        }
    }

    /// Samples per channel of a usual access unit.
    public var unitSamples: Int {
        switch self {
        case .aac(let configuration): configuration.unitSamples
        case .alac(let configuration): configuration.frameLength
        }
    }

    /// Access units that a decoder needs before the first audible one: for AAC one, which the transform overlaps; with spectral band
    /// replication those of the last half second or so, because the decoder replicates nothing before a header, which fdk-aac for
    /// example writes into every tenth unit.
    public var prerollUnits: Int {
        switch self {
        case .aac(let configuration) where configuration.hasBandReplication:
            2 + configuration.sampleRate / (2 * configuration.unitSamples)
        case .aac: 1
        case .alac: 0
        }
    }

    /// Returns the samples per channel of an access unit.
    func sampleCount(of unit: Range<Int>, _ bytes: RawSpan) -> Int {
        switch self {
        case .aac(let configuration): configuration.unitSamples
        case .alac(let configuration): configuration.sampleCount(of: unit, bytes)
        }
    }
}
