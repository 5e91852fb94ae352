/// A codec and the configuration of its decoder.
package enum AVDecoderCodec: Sendable, Hashable {
    /// AAC: an AudioSpecificConfig.
    case aac(configuration: [UInt8])
    /// ALAC: an ALACSpecificConfig.
    case alac(configuration: [UInt8])
}
