internal import AudioFrames

/// The configuration of an ALAC decoder: an ALACSpecificConfig, as Apple's description of the "magic cookie" defines it.
public struct ALACConfiguration: Sendable, Hashable {
    /// Size of the configuration in bytes.
    static let byteCount = 24

    /// The configuration itself.
    public let bytes: [UInt8]
    /// Samples per channel in a usual access unit.
    public let frameLength: Int
    /// Bits per sample: 16, 20, 24 or 32.
    public let bitDepth: Int
    /// Number of channels, 1 to 8.
    public let channelCount: Int
    /// Samples per second.
    public let sampleRate: Int

    /// Reads the configuration.
    /// - Throws: `unsupportedCodec` for what is too short or out of range.
    init(_ bytes: [UInt8]) throws(AudioFormatError) {
        func number(_ offset: Int, _ count: Int) -> Int {
            bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.count >= Self.byteCount, bytes[4] == 0, (1...1 << 16).contains(number(0, 4)),
            [16, 20, 24, 32].contains(bytes[5]), (1...8).contains(bytes[9]),
            (1...384_000).contains(number(20, 4))
        else {
            throw AudioFormatError(.unsupportedCodec, "the configuration of the ALAC decoder is damaged")
        }
        self.bytes = Array(bytes.prefix(Self.byteCount))
        frameLength = number(0, 4)
        bitDepth = Int(bytes[5])
        channelCount = Int(bytes[9])
        sampleRate = number(20, 4)
    }

    /// Returns the samples per channel of an access unit: its header states them if they are fewer than usual.
    func sampleCount(of unit: Range<Int>, _ bytes: RawSpan) -> Int {
        // Three bits for the element, four for its instance, twelve unused, a flag for whether 32 bits of size follow the
        // next three.
        guard let head = bytes.number(at: unit.lowerBound, byteCount: 7, in: unit), head >> 36 & 1 == 1 else {
            return frameLength
        }
        let count = head >> 1 & 0xFFFF_FFFF
        return (1...frameLength).contains(count) ? count : frameLength
    }
}
