/// Names of the temporary files that edits write: hidden, and not ending in .mp3, so that scans ignore them.
enum ReplacementName {
    private static let prefix = Array(".audio-companion-".utf8)
    private static let suffix = Array(".tag-edit".utf8)
    private static let digits = Array("0123456789abcdef".utf8)
    private static let digitCount = 16

    /// Returns a random name.
    static func random() -> [UInt8] {
        prefix + (0..<digitCount).map { _ in digits[Int.random(in: 0..<16)] } + suffix
    }

    /// Whether a name has the form of these names.
    static func matches(_ name: [UInt8]) -> Bool {
        name.count == prefix.count + digitCount + suffix.count && name.starts(with: prefix)
            && name.suffix(suffix.count).elementsEqual(suffix)
            && name[prefix.count..<prefix.count + digitCount].allSatisfy(digits.contains)
    }
}
