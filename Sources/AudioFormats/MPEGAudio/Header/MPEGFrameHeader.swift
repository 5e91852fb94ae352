/// The four-byte header at the start of each MPEG audio frame (ISO/IEC 11172-3 §2.4.1.3, ISO/IEC 13818-3).
public struct MPEGFrameHeader: Sendable, Hashable {
    /// The four bytes as a big-endian number.
    public let word: UInt32
    /// MPEG-1, -2 or -2.5.
    public let version: MPEGVersion
    /// The layer.
    public let layer: MPEGLayer
    /// Samples per second, in Hz.
    public let sampleRate: Int
    /// Bits per second; nil in free format, where the header does not specify it.
    public let bitRate: Int?
    /// Channel coding.
    public let channelMode: ChannelMode

    /// Parses a header from its four bytes as a big-endian number; returns nil if a field has a forbidden or reserved value.
    public init?(word: UInt32) {
        guard word & 0xFFE0_0000 == 0xFFE0_0000, word & 3 != 2 else { return nil }
        switch (word >> 19) & 3 {
        case 0: version = .v2_5
        case 2: version = .v2
        case 3: version = .v1
        default: return nil
        }
        switch (word >> 17) & 3 {
        case 1: layer = .layer3
        case 2: layer = .layer2
        case 3: layer = .layer1
        default: return nil
        }
        let bitRateIndex = Int(word >> 12) & 15
        guard bitRateIndex != 15,
            let rate = BitRateTable.sampleRate(version: version, index: Int(word >> 10) & 3)
        else { return nil }
        self.word = word
        sampleRate = rate
        let kilobits = BitRateTable.kilobits(version: version, layer: layer, index: bitRateIndex)
        bitRate = bitRateIndex == 0 ? nil : kilobits * 1000
        channelMode =
            switch (word >> 6) & 3 {
            case 0: .stereo
            case 1: .jointStereo
            case 2: .dualChannel
            default: .mono
            }
    }

    /// Parses the header at `offset`; returns nil for anything else.
    public init?(_ bytes: RawSpan, at offset: Int = 0) {
        guard offset >= 0, offset <= bytes.byteCount - 4 else { return nil }
        self.init(word: bytes.bigEndian32(at: offset))
    }

    /// 1 or 2.
    public var channelCount: Int { channelMode.channelCount }

    /// Samples per channel in one frame.
    public var samplesPerFrame: Int {
        switch (layer, version) {
        case (.layer1, _): 384
        case (.layer2, _), (.layer3, .v1): 1152
        default: 576
        }
    }

    /// Whether a 16-bit CRC follows the header.
    public var isProtected: Bool { word & 0x1_0000 == 0 }

    /// Whether the frame is padded by one slot.
    public var padding: Bool { word & 0x200 != 0 }

    /// Whether the header does not state the bit rate.
    public var isFreeFormat: Bool { bitRate == nil }

    /// Whether mid/side coding is used in this frame (Layer III joint stereo only).
    public var isMidSideStereo: Bool { layer == .layer3 && channelMode == .jointStereo && word & 0x20 != 0 }

    /// Whether intensity coding is used in this frame (in Layers I and II always for joint stereo).
    public var isIntensityStereo: Bool {
        channelMode == .jointStereo && (layer != .layer3 || word & 0x10 != 0)
    }

    /// Bytes per slot of padding: four in Layer I, otherwise one.
    var slotLength: Int { layer == .layer1 ? 4 : 1 }

    /// Length of the frame in bytes, including the header; nil in free format.
    ///
    /// `⌊samplesPerFrame / 8 × bitRate / sampleRate⌋ + padding`, in slots of four bytes in Layer I.
    public var frameLength: Int? {
        guard let bitRate else { return nil }
        let slots = samplesPerFrame / 8 / slotLength * bitRate / sampleRate + (padding ? 1 : 0)
        return slots * slotLength
    }

    /// Length of the Layer III side information in bytes: 32 or 17 in MPEG-1, 17 or 9 in MPEG-2 and 2.5; 0 in other layers.
    public var sideInformationLength: Int {
        guard layer == .layer3 else { return 0 }
        return version == .v1 ? (channelMode == .mono ? 17 : 32) : (channelMode == .mono ? 9 : 17)
    }

    /// Number of bytes before the main data: header, CRC and side information.
    public var overheadLength: Int { 4 + (isProtected ? 2 : 0) + sideInformationLength }
}
