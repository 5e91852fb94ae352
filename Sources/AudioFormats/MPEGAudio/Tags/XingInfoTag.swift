/// The encoder's information about its stream, in an initial frame without audio: Xing's "Xing" and "Info" frames, LAME's
/// extension of them, and Fraunhofer's "VBRI".
///
/// All counts here are **claims**. They are kept for comparison; only the trimming of encoder delay and padding is derived from
/// them.
public struct XingInfoTag: Sendable, Hashable {
    /// Forms of the tag.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// "Xing", used for a variable bit rate.
        case xing = "Xing"
        /// "Info", used for a constant bit rate.
        case info = "Info"
        /// Fraunhofer's "VBRI".
        case vbri = "VBRI"
    }

    /// The bit rate method stated by LAME (LAME tag, revision 0, low nibble of byte 9).
    public enum EncodingMethod: Sendable, Hashable {
        /// A constant bit rate.
        case constant
        /// A variable bit rate with a target average.
        case average
        /// A variable bit rate with a target quality.
        case variable
        /// Not stated, or an unknown value.
        case unknown
    }

    /// Form of the tag.
    public internal(set) var kind: Kind
    /// Byte range of the frame that contains the tag.
    public internal(set) var frame: Range<Int>
    /// Number of audio frames according to the tag.
    public internal(set) var claimedFrameCount: Int?
    /// Size of the stream in bytes, including the tag's own frame, according to the tag.
    public internal(set) var claimedByteCount: Int?
    /// Xing's table of contents: entry *i* is the position of *i* % of the duration, in 256ths of the bytes. Empty or 100 entries.
    public internal(set) var tableOfContents: [UInt8] = []
    /// Xing's quality indicator, 0…100 (0 is best for Xing, 100 for LAME), or VBRI's.
    public internal(set) var quality: Int?
    /// Name of the encoder, such as "LAME3.100", at most nine characters.
    public internal(set) var encoder: String?
    /// Bit rate method according to LAME's extension.
    public internal(set) var method: EncodingMethod = .unknown
    /// Encoder delay in samples. Only with LAME's extension.
    public internal(set) var encoderDelay: Int?
    /// Encoder padding in samples. Only with LAME's extension.
    public internal(set) var encoderPadding: Int?

    /// Whether delay and padding are stated.
    public var hasGaplessFields: Bool { encoderDelay != nil }

    /// Parses the tag in the Layer III frame `frame`; returns nil if the frame is audio.
    ///
    /// - Parameter requiresSilence: whether the side information must be all zeros, as in a frame that decodes to silence. Used
    ///   within a stream, where audio could contain the magic bytes by chance.
    init?(_ bytes: RawSpan, frame: Range<Int>, header: MPEGFrameHeader, requiresSilence: Bool) {
        let side = frame.lowerBound + 4
        var magic = side + header.sideInformationLength
        func kind(at offset: Int) -> Kind? {
            guard offset + 8 <= frame.upperBound else { return nil }
            switch bytes.bigEndian32(at: offset) {
            case 0x5869_6E67: return .xing
            case 0x496E_666F: return .info
            default: return nil
            }
        }
        var found = kind(at: magic)
        if found == nil, header.isProtected {
            // LAME puts the tag where it would be in an unprotected frame; others account for the CRC.
            magic += 2
            found = kind(at: magic)
        }
        if found == nil, side + 32 + 26 <= frame.upperBound, bytes.bigEndian32(at: side + 32) == 0x5642_5249 {
            magic = side + 32
            found = .vbri
        }
        guard let found else { return nil }
        // If there is a CRC, its two bytes may precede the side information.
        let silenceStart = side + (header.isProtected ? 2 : 0)
        if requiresSilence, bytes.firstNonZero(in: silenceStart..<max(silenceStart, magic)) < magic {
            return nil
        }
        self.kind = found
        self.frame = frame
        if found == .vbri {
            readVBRI(bytes, at: magic)
        } else {
            readXing(bytes, at: magic, limit: frame.upperBound)
        }
    }

    private mutating func readVBRI(_ bytes: RawSpan, at magic: Int) {
        quality = Int(bytes.bigEndian16(at: magic + 8))
        claimedByteCount = Int(bytes.bigEndian32(at: magic + 10))
        claimedFrameCount = Int(bytes.bigEndian32(at: magic + 14))
    }

    private mutating func readXing(_ bytes: RawSpan, at magic: Int, limit: Int) {
        let flags = bytes.bigEndian32(at: magic + 4)
        var position = magic + 8
        if flags & 1 != 0 {
            guard position + 4 <= limit else { return }
            claimedFrameCount = Int(bytes.bigEndian32(at: position))
            position += 4
        }
        if flags & 2 != 0 {
            guard position + 4 <= limit else { return }
            claimedByteCount = Int(bytes.bigEndian32(at: position))
            position += 4
        }
        if flags & 4 != 0 {
            guard position + 100 <= limit else { return }
            tableOfContents = (0..<100).map { bytes.byte(at: position + $0) }
            position += 100
        }
        if flags & 8 != 0 {
            guard position + 4 <= limit else { return }
            quality = Int(bytes.bigEndian32(at: position))
            position += 4
        }
        readLAME(bytes, at: position, limit: limit)
    }

    /// LAME's extension: nine characters, method, low-pass, peak and gains, flags, bit rate, then 12 bits of delay and 12 of
    /// padding at byte 21. Written by LAME and, in the same form, by libavformat.
    private mutating func readLAME(_ bytes: RawSpan, at position: Int, limit: Int) {
        guard position + 24 <= limit else { return }
        var name = ""
        for i in 0..<9 {
            let character = bytes.byte(at: position + i)
            guard (0x20..<0x7F).contains(character) else { break }
            name.unicodeScalars.append(Unicode.Scalar(character))
        }
        guard !name.isEmpty else { return }
        encoder = name
        guard ["LAME", "L3.9", "Lavf", "Lavc"].contains(where: name.hasPrefix) else { return }
        switch bytes.byte(at: position + 9) & 15 {
        case 1, 8: method = .constant
        case 2, 9: method = .average
        case 3, 4, 5, 6: method = .variable
        default: method = .unknown
        }
        encoderDelay = Int(bytes.bigEndian16(at: position + 21) >> 4)
        encoderPadding = Int(bytes.bigEndian16(at: position + 22) & 0x0FFF)
    }
}
