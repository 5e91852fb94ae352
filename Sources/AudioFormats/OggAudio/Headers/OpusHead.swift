public import AudioFrames

/// The identification header of an Opus stream (RFC 7845 §5.1).
public struct OpusHead: Sendable, Hashable {
    /// Opus always decodes to this rate in Hz.
    public static let sampleRate = 48_000

    /// The whole packet.
    public let bytes: [UInt8]
    /// Number of channels, 1 to 8.
    public let channelCount: Int
    /// Samples per channel to drop at the start.
    public let preSkip: Int
    /// Rate of the encoder's input in Hz; 0 if unknown. It does not affect decoding.
    public let inputSampleRate: Int
    /// Gain that players apply to the decoded samples, in 1/256 dB.
    public let outputGain: Int
    /// 0 for mono and stereo, 1 for up to eight channels in the order of Vorbis.
    public let mappingFamily: Int
    /// Number of Opus streams in each packet.
    public let streamCount: Int
    /// Number of those that are stereo.
    public let coupledCount: Int
    /// The decoded channel of each output channel; 255 is silence.
    public let mapping: [UInt8]

    /// Reads a packet.
    /// - Throws: `noHeaders` if it is damaged, `unsupportedCodec` for mappings of channels other than families 0 and 1.
    public init(_ packet: [UInt8]) throws(AudioFormatError) {
        let damaged = AudioFormatError(.noHeaders, "the Opus header is damaged")
        guard packet.count >= 19, packet.starts(with: Array("OpusHead".utf8)), packet[8] >> 4 == 0 else {
            throw damaged
        }
        channelCount = Int(packet[9])
        preSkip = Int(packet[10]) | Int(packet[11]) << 8
        inputSampleRate = (0..<4).reduce(0) { $0 | Int(packet[12 + $1]) << (8 * $1) }
        outputGain = Int(Int16(bitPattern: UInt16(packet[16]) | UInt16(packet[17]) << 8))
        mappingFamily = Int(packet[18])
        switch mappingFamily {
        case 0:
            guard (1...2).contains(channelCount) else { throw damaged }
            streamCount = 1
            coupledCount = channelCount - 1
            mapping = Array(0..<UInt8(channelCount))
        case 1:
            guard (1...8).contains(channelCount), packet.count >= 21 + channelCount else { throw damaged }
            streamCount = Int(packet[19])
            coupledCount = Int(packet[20])
            mapping = Array(packet[21..<21 + channelCount])
            let decoded = streamCount + coupledCount
            guard streamCount >= 1, coupledCount <= streamCount, decoded <= 255,
                mapping.allSatisfy({ $0 == 255 || Int($0) < decoded })
            else { throw damaged }
        default:
            throw AudioFormatError(
                .unsupportedCodec, "Opus with channel mapping family \(mappingFamily) is not supported")
        }
        bytes = packet
    }

    /// The content of the `dOps` box for this stream in MP4 (Encapsulation of Opus in ISO Base Media File Format §4.3.2): the same
    /// fields, big-endian, without the signature and with version 0.
    /// - Parameter preSkip: samples to drop at the start: those of the stream if its first packet follows.
    public func opusSpecificBox(preSkip: Int) -> [UInt8] {
        var box: [UInt8] = [0, UInt8(channelCount)]
        box += [UInt8(preSkip >> 8), UInt8(preSkip & 0xFF)]
        box += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: inputSampleRate >> $0) }
        box += [8, 0].map { UInt8(truncatingIfNeeded: outputGain >> $0) }
        box.append(UInt8(mappingFamily))
        if mappingFamily != 0 { box += [UInt8(streamCount), UInt8(coupledCount)] + mapping }
        return box
    }
}
