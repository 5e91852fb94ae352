internal import AudioFrames

/// The configuration of an AAC decoder: an AudioSpecificConfig (ISO/IEC 14496-3 §1.6.2.1).
public struct AACConfiguration: Sendable, Hashable {
    /// The AudioSpecificConfig itself.
    public let bytes: [UInt8]
    /// The object type of the core: 1 (Main), 2 (LC) or 4 (LTP).
    public let objectType: Int
    /// Sample rate of the core in Hz.
    public let coreSampleRate: Int
    /// The index of the core's sample rate, which ADTS headers state; nil for rates outside the table.
    public let samplingFrequencyIndex: Int?
    /// The number that stands for the channels: 0 if a program config element lists them.
    public let channelConfiguration: Int
    /// Samples per channel and access unit of the core: 1024 or 960.
    public let frameLength: Int
    /// Number of channels of the core.
    public let coreChannelCount: Int
    /// Sample rate of the decoded audio in Hz: twice that of the core with spectral band replication.
    public private(set) var sampleRate: Int
    /// Number of channels of the decoded audio: two for one of the core with parametric stereo.
    public private(set) var channelCount: Int
    /// Whether spectral band replication is signalled, or was found by decoding.
    public private(set) var hasBandReplication: Bool
    /// Whether the configuration signals neither spectral band replication nor its absence, so that only decoding shows it.
    public let mayHaveImplicitReplication: Bool
    /// Whether spectral band replication was found by decoding.
    private(set) var isImplicit = false

    /// Samples per channel of a decoded access unit.
    public var unitSamples: Int { frameLength * (sampleRate > coreSampleRate ? 2 : 1) }

    /// The codec as playlists and media types name it (RFC 6381 §3.3): the object type of the decoder that plays all of it.
    public var codecName: String {
        guard hasBandReplication else { return "mp4a.40.\(objectType)" }
        return channelCount > coreChannelCount ? "mp4a.40.29" : "mp4a.40.5"
    }

    static let sampleRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]
    /// Number of channels of each channel configuration; those left out are reserved or need other decoders.
    private static let channelCounts = [1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 8, 11: 7, 12: 8, 14: 8]

    /// Reads an AudioSpecificConfig.
    /// - Throws: `unsupportedCodec` for other object types, and for what is too short or reserved.
    init(_ bytes: [UInt8]) throws(AudioFormatError) {
        var reader = BitReader(bytes)
        guard let fields = Fields(&reader) else {
            throw AudioFormatError(.unsupportedCodec, "the configuration of the AAC decoder is damaged")
        }
        guard [1, 2, 4].contains(fields.objectType) else {
            let name =
                fields.objectType == 42 ? "xHE-AAC" : "MPEG-4 audio of object type \(fields.objectType)"
            throw AudioFormatError(
                .unsupportedCodec, "\(name) is not supported, only AAC-LC, HE-AAC, Main and LTP")
        }
        guard let channels = fields.programChannels ?? Self.channelCounts[fields.channelConfiguration],
            (1...8).contains(channels), (1...96_000).contains(fields.rate)
        else {
            throw AudioFormatError(
                .unsupportedCodec,
                "the AAC decoder's configuration has an unsupported sample rate or number of channels")
        }
        self.bytes = bytes
        objectType = fields.objectType
        coreSampleRate = fields.rate
        samplingFrequencyIndex = Self.sampleRates.firstIndex(of: fields.rate)
        channelConfiguration = fields.channelConfiguration
        frameLength = fields.hasShortFrames ? 960 : 1024
        coreChannelCount = channels
        hasBandReplication = fields.extensionRate != nil
        mayHaveImplicitReplication = !fields.statesReplication
        let doubled = fields.extensionRate.map { $0 > fields.rate } ?? false
        sampleRate = doubled ? 2 * fields.rate : fields.rate
        channelCount = fields.hasParametricStereo && channels == 1 ? 2 : channels
    }

    /// Returns the configuration of a stream whose decoder gives so many channels.
    func with(channelCount: Int) -> AACConfiguration {
        var result = self
        result.channelCount = channelCount
        return result
    }

    /// Returns the configuration of a stream whose decoder gives twice the core's samples, though nothing signals it.
    func withReplication(channelCount: Int) -> AACConfiguration {
        var result = with(channelCount: channelCount)
        result.sampleRate = 2 * coreSampleRate
        result.hasBandReplication = true
        result.isImplicit = true
        return result
    }

    /// The fields of an AudioSpecificConfig.
    private struct Fields {
        var objectType = 0
        var rate = 0
        var channelConfiguration = 0
        var hasShortFrames = false
        var programChannels: Int?
        /// The rate with spectral band replication; nil without.
        var extensionRate: Int?
        var statesReplication = false
        var hasParametricStereo = false

        init?(_ reader: inout BitReader) {
            guard let type = Self.objectType(&reader), let rate = Self.rate(&reader),
                let channels = reader.number(4)
            else { return nil }
            objectType = type
            self.rate = rate
            channelConfiguration = channels
            if type == 5 || type == 29 {
                guard let extended = Self.rate(&reader), let core = Self.objectType(&reader) else {
                    return nil
                }
                extensionRate = extended
                statesReplication = true
                hasParametricStereo = type == 29
                objectType = core
            }
            // The rest is that of the object types that can be decoded.
            guard [1, 2, 4].contains(objectType) else { return }
            guard let short = reader.flag(), let depends = reader.flag() else { return nil }
            hasShortFrames = short
            if depends { guard reader.number(14) != nil else { return nil } }
            guard reader.flag() != nil else { return nil }
            if channelConfiguration == 0 {
                guard let count = Self.programChannels(&reader) else { return nil }
                programChannels = count
            }
            if !statesReplication { readSyncExtension(&reader) }
        }

        /// Reads the extension for decoders that know it (§1.6.5).
        private mutating func readSyncExtension(_ reader: inout BitReader) {
            guard reader.number(11) == 0x2B7, Self.objectType(&reader) == 5, let isPresent = reader.flag()
            else { return }
            statesReplication = true
            guard isPresent, let rate = Self.rate(&reader) else { return }
            extensionRate = rate
            if reader.number(11) == 0x548, reader.flag() == true { hasParametricStereo = true }
        }

        private static func objectType(_ reader: inout BitReader) -> Int? {
            guard let short = reader.number(5) else { return nil }
            return short < 31 ? short : reader.number(6).map { 32 + $0 }
        }

        private static func rate(_ reader: inout BitReader) -> Int? {
            guard let index = reader.number(4) else { return nil }
            if index == 15 { return reader.number(24) }
            return index < sampleRates.count ? sampleRates[index] : nil
        }

        /// Reads a program config element as far as its channels (§4.4.1.1).
        private static func programChannels(_ reader: inout BitReader) -> Int? {
            // Instance, object type, sampling frequency index.
            guard reader.number(10) != nil, let front = reader.number(4), let side = reader.number(4),
                let back = reader.number(4), let effects = reader.number(2), reader.number(3) != nil,
                reader.number(4) != nil
            else { return nil }
            // Mono and stereo mixes, and a matrix with two bits and a flag.
            for bitCount in [4, 4, 3] {
                guard let has = reader.flag() else { return nil }
                if has { guard reader.number(bitCount) != nil else { return nil } }
            }
            var count = effects
            for _ in 0..<front + side + back {
                guard let isPair = reader.flag(), reader.number(4) != nil else { return nil }
                count += isPair ? 2 : 1
            }
            return count
        }
    }
}
