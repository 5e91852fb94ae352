/// The tag formats in a file.
public struct TagKinds: OptionSet, Sendable, Hashable {
    /// The option bits.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// ID3v2.2, 2.3 or 2.4 at the start.
    public static let id3v2 = TagKinds(rawValue: 1)
    /// APE 1 or 2 at the end.
    public static let ape = TagKinds(rawValue: 2)
    /// ID3v1 or 1.1 at the very end.
    public static let id3v1 = TagKinds(rawValue: 4)
}
