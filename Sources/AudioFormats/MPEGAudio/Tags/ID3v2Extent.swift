/// The extent of an ID3v2 tag according to its header and to its frames.
///
/// ID3v2.4 structure §3.1: "ID3", two version bytes, flags, and a synchsafe size that excludes the ten bytes of the header and
/// of a footer. Unsynchronisation changes the contents, not the size.
package struct ID3v2Extent {
    /// Start of the tag.
    let start: Int
    /// End of the tag according to its header. May be past the end of the file.
    package let claimedEnd: Int
    private let majorVersion: UInt8

    /// Parses the tag header at `start`; returns nil for anything else.
    package init?(_ bytes: RawSpan, at start: Int) {
        guard bytes.holds("ID3", at: start), start <= bytes.byteCount - 10,
            bytes.byte(at: start + 3) != 0xFF, bytes.byte(at: start + 4) != 0xFF,
            let size = bytes.synchsafe32(at: start + 6)
        else { return nil }
        let hasFooter = bytes.byte(at: start + 5) & 0x10 != 0
        self.start = start
        majorVersion = bytes.byte(at: start + 3)
        claimedEnd = start + 10 + size + (hasFooter ? 10 : 0)
    }

    /// Returns the end of the last readable ID3v2 frame, at most `limit`. The frames are reliable even if the header's size is
    /// wrong. Padding is not included.
    package func endOfFrames(_ bytes: RawSpan, limit: Int) -> Int {
        let identifierLength = majorVersion <= 2 ? 3 : 4
        let headerLength = majorVersion <= 2 ? 6 : 10
        var position = start + 10
        while position + headerLength <= limit {
            for i in 0..<identifierLength where !Self.isIdentifier(bytes.byte(at: position + i)) {
                return position
            }
            guard let size = frameSize(bytes, at: position) else { return position }
            guard size <= limit - position - headerLength else { return position }
            position += headerLength + size
        }
        return position
    }

    private func frameSize(_ bytes: RawSpan, at position: Int) -> Int? {
        switch majorVersion {
        case ...2:
            return Int(bytes.bigEndian32(at: position + 2) & 0xFF_FFFF)
        case 3:
            return Int(bytes.bigEndian32(at: position + 4))
        default:
            // Some writers use plain numbers where ID3v2.4 requires synchsafe ones; those that are not synchsafe must be plain.
            return bytes.synchsafe32(at: position + 4) ?? Int(bytes.bigEndian32(at: position + 4))
        }
    }

    private static func isIdentifier(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
    }
}
