/// What an encoder says of its stream in a first frame that holds no audio: Xing's "Xing" and "Info" frames,
/// LAME's extension of them, and Fraunhofer's "VBRI".
///
/// All counts here are **claims**. They are kept for comparison; nothing is computed from them but the
/// trimming of encoder delay and padding.
public struct XingInfoTag: Sendable, Hashable {
    /// Which of the forms stands in the frame.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// "Xing", which writers use for a variable bit rate.
        case xing = "Xing"
        /// "Info", which writers use for a constant bit rate.
        case info = "Info"
        /// Fraunhofer's "VBRI".
        case vbri = "VBRI"
    }

    /// How LAME says it chose bit rates (LAME tag, revision 0, low nibble of byte 9).
    public enum EncodingMethod: Sendable, Hashable {
        /// One bit rate throughout.
        case constant
        /// A varying bit rate with a given average.
        case average
        /// A varying bit rate with a given quality.
        case variable
        /// Not stated, or by a number of unknown meaning.
        case unknown
    }

    /// The form of the tag.
    public internal(set) var kind: Kind
    /// The frame that holds the tag, as bytes in the file.
    public internal(set) var frame: Range<Int>
    /// Audio frames, by the tag.
    public internal(set) var claimedFrameCount: Int?
    /// Bytes of the stream with the tag's own frame, by the tag.
    public internal(set) var claimedByteCount: Int?
    /// Xing's table of contents: entry *i* is where *i* % of the duration lies, in 256ths of the bytes. Empty or
    /// 100 entries.
    public internal(set) var tableOfContents: [UInt8] = []
    /// Xing's quality indicator, 0…100 (0 is best in Xing's own use, 100 in LAME's), or VBRI's.
    public internal(set) var quality: Int?
    /// The encoder's name, such as "LAME3.100", of at most nine characters.
    public internal(set) var encoder: String?
    /// How the bit rate was chosen, by LAME's extension.
    public internal(set) var method: EncodingMethod = .unknown
    /// Samples of silence that the encoder put before the sound. Only with LAME's extension.
    public internal(set) var encoderDelay: Int?
    /// Samples that the encoder put after the sound to fill the last frame. Only with LAME's extension.
    public internal(set) var encoderPadding: Int?

    /// Whether delay and padding are stated.
    public var hasGaplessFields: Bool { encoderDelay != nil }

    /// Reads the tag of the layer III frame `frame`, or nil where the frame is audio.
    ///
    /// - Parameter requiresSilence: demand that the side information be all zeros, as it is in a frame that
    ///   decodes to silence. Used in mid-stream, where audio could hold the magic bytes by chance.
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
            // LAME puts the tag where an unprotected frame would have it; others count the CRC.
            magic += 2
            found = kind(at: magic)
        }
        if found == nil, side + 32 + 26 <= frame.upperBound, bytes.bigEndian32(at: side + 32) == 0x5642_5249 {
            magic = side + 32
            found = .vbri
        }
        guard let found else { return nil }
        // Where a CRC is stated its two bytes may stand before the side information.
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

    /// LAME's extension: nine characters, method, low-pass, peak and gains, flags, bit rate, then 12 bits of delay
    /// and 12 of padding at byte 21. Written by LAME and, in the same form, by libavformat.
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
