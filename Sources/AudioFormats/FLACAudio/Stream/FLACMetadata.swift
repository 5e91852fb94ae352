/// The metadata of a FLAC file that describes its audio: STREAMINFO, and the cue sheet that divides it into tracks.
public struct FLACMetadata: Sendable, Hashable {
    /// The STREAMINFO block.
    public let info: StreamInfo
    /// The contents of the CUESHEET block (RFC 9639 §8.7); nil without one.
    public private(set) var cueSheetBlock: [UInt8]?
    /// The value of the comment CUESHEET, the text of a cue sheet; nil without one.
    public private(set) var cueSheetComment: String?

    /// Largest size of a cue sheet in bytes; larger ones are ignored. 99 tracks need 5 kB as a block.
    private static let largestSheet = 1 << 20

    /// Reads the metadata in `bytes`, which must be a complete file. Nil without a valid STREAMINFO block.
    public init?(_ bytes: RawSpan) {
        guard let marker = FLACAudioStream.marker(in: bytes), marker + 8 <= bytes.byteCount,
            bytes.octet(marker + 4) & 0x7F == 0, let info = StreamInfo(bytes, at: marker + 8)
        else { return nil }
        self.info = info
        var position = marker + 4
        while position + 4 <= bytes.byteCount {
            let type = bytes.octet(position)
            let size = bytes.number(at: position + 1, byteCount: 3)
            let start = position + 4
            guard type & 0x7F != 0x7F, size <= bytes.byteCount - start else { return }
            switch type & 0x7F {
            case 4: cueSheetComment = cueSheetComment ?? Self.comment("CUESHEET", bytes, start..<start + size)
            case 5 where size <= Self.largestSheet:
                cueSheetBlock = cueSheetBlock ?? (start..<start + size).map { bytes.octet($0) }
            default: break
            }
            if type & 0x80 != 0 { return }
            position = start + size
        }
    }

    /// Returns the value of the first comment with a name, which is compared without regard to case (RFC 9639 §8.6).
    private static func comment(_ name: String, _ bytes: RawSpan, _ block: Range<Int>) -> String? {
        var position = block.lowerBound
        /// Reads a little-endian size of what follows within the block.
        func size() -> Int? {
            guard position + 4 <= block.upperBound else { return nil }
            let size = (0..<4).reduce(0) { $0 | Int(bytes.octet(position + $1)) << (8 * $1) }
            position += 4
            return size
        }
        guard let vendor = size(), vendor <= block.upperBound - position else { return nil }
        position += vendor
        guard let count = size() else { return nil }
        let prefix = Array("\(name)=".utf8)
        for _ in 0..<count {
            guard let length = size(), length <= block.upperBound - position else { return nil }
            defer { position += length }
            guard length > prefix.count, length <= largestSheet,
                prefix.indices.allSatisfy({ upper(bytes.octet(position + $0)) == prefix[$0] })
            else { continue }
            return String(
                decoding: (position + prefix.count..<position + length).map { bytes.octet($0) }, as: UTF8.self
            )
        }
        return nil
    }

    private static func upper(_ byte: UInt8) -> UInt8 { 0x61...0x7A ~= byte ? byte - 0x20 : byte }
}
