/// Names of the files that an edit writes before they take the place of the old ones: hidden, and not named .mp3, so
/// that no scan takes them for music.
enum EditCopyName {
    private static let prefix = Array(".audio-companion-".utf8)
    private static let suffix = Array(".tag-edit".utf8)
    private static let digits = Array("0123456789abcdef".utf8)
    private static let digitCount = 16

    /// A name that nobody else has chosen.
    static func random() -> [UInt8] {
        prefix + (0..<digitCount).map { _ in digits[Int.random(in: 0..<16)] } + suffix
    }

    /// Whether a name is one of these.
    static func matches(_ name: [UInt8]) -> Bool {
        name.count == prefix.count + digitCount + suffix.count && name.starts(with: prefix)
            && name.suffix(suffix.count).elementsEqual(suffix)
            && name[prefix.count..<prefix.count + digitCount].allSatisfy(digits.contains)
    }
}
