/// The parts of an elementary stream descriptor that name the decoder (ISO/IEC 14496-1 §7.2.6).
struct ESDescriptor {
    /// The object type indication: 0x40 for MPEG-4 audio, 0x66 to 0x68 for MPEG-2 AAC.
    let objectType: Int
    /// The configuration of the decoder; nil without one.
    let configuration: [UInt8]?

    /// No AudioSpecificConfig is longer.
    private static let longestConfiguration = 512

    /// Reads the contents of an `esds` box after its version and flags.
    init?(_ bytes: RawSpan, in range: Range<Int>) {
        guard var place = Self.open(0x03, bytes, in: range),
            let flags = bytes.number(at: place.lowerBound + 2, byteCount: 1, in: place)
        else { return nil }
        var position = place.lowerBound + 3
        if flags & 0x80 != 0 { position += 2 }
        if flags & 0x40 != 0 {
            guard let length = bytes.number(at: position, byteCount: 1, in: place) else { return nil }
            position += 1 + length
        }
        if flags & 0x20 != 0 { position += 2 }
        guard position <= place.upperBound else { return nil }
        place = position..<place.upperBound
        guard let decoder = Self.open(0x04, bytes, in: place),
            let type = bytes.number(at: decoder.lowerBound, byteCount: 1, in: decoder)
        else { return nil }
        objectType = type
        // Object type, stream type, buffer size and two bit rates.
        let rest = min(decoder.lowerBound + 13, decoder.upperBound)..<decoder.upperBound
        configuration = Self.open(0x05, bytes, in: rest).map {
            bytes.array($0.lowerBound..<min($0.upperBound, $0.lowerBound + Self.longestConfiguration))
        }
    }

    /// Returns the contents of the first descriptor with a tag.
    private static func open(_ tag: Int, _ bytes: RawSpan, in range: Range<Int>) -> Range<Int>? {
        var position = range.lowerBound
        while let found = bytes.number(at: position, byteCount: 1, in: range) {
            position += 1
            var length = 0
            // Seven bits per byte, at most four bytes.
            for _ in 0..<4 {
                guard let byte = bytes.number(at: position, byteCount: 1, in: range) else { return nil }
                position += 1
                length = length << 7 | byte & 0x7F
                if byte < 0x80 { break }
            }
            let end = min(position + length, range.upperBound)
            if found == tag { return position..<end }
            position = end
        }
        return nil
    }
}
