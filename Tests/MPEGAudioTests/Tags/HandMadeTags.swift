/// Tags built byte by byte according to their specifications.
enum HandMadeTags {
    static func synchsafe(_ number: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7F) }
    }

    static func id3v2(
        body: [UInt8], version: UInt8 = 4, flags: UInt8 = 0, claimedSize: Int? = nil
    ) -> [UInt8] {
        let size = synchsafe(claimedSize ?? body.count)
        let footer = flags & 0x10 == 0 ? [] : Array("3DI".utf8) + [version, 0, flags] + size
        return Array("ID3".utf8) + [version, 0, flags] + size + body + footer
    }

    static let id3v1: [UInt8] = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
    static let id3v1Extended: [UInt8] = Array("TAG+".utf8) + [UInt8](repeating: 0x20, count: 223)

    /// Builds an APE tag with one text item of `valueSize` bytes.
    static func ape(valueSize: Int, version: Int = 2000, hasHeader: Bool = true) -> [UInt8] {
        func little(_ number: Int) -> [UInt8] {
            [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        let item =
            little(valueSize) + little(0) + Array("Title".utf8) + [0]
            + [UInt8](repeating: 0x41, count: valueSize)
        func block(isHeader: Bool) -> [UInt8] {
            let flags = (hasHeader ? 0x8000_0000 : 0) | (isHeader ? 0x2000_0000 : 0)
            let rest = little(item.count + 32) + little(1) + little(flags) + [UInt8](repeating: 0, count: 8)
            return Array("APETAGEX".utf8) + little(version) + rest
        }
        return (hasHeader ? block(isHeader: true) : []) + item + block(isHeader: false)
    }

    static let lyrics3v1: [UInt8] = Array("LYRICSBEGINLa la la\r\nLYRICSEND".utf8)

    static var lyrics3v2: [UInt8] {
        let content = Array("LYRICSBEGININD0000210LYR00011[00:01]La la".utf8)
        let digits = "000000\(content.count)".suffix(6)
        return content + Array(digits.utf8) + Array("LYRICS200".utf8)
    }
}
