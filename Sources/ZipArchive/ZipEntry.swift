/// What a zip says of a file in it. All of it is somebody's claim.
public struct ZipEntry: Sendable, Hashable {
    /// The name with its folders, as text; what is no UTF-8 is replaced. Never to be used as a path.
    public let name: String
    /// Whether it is a file, not a folder or a link.
    public let isFile: Bool
    /// Whether it can be read with a password only.
    public let isEncrypted: Bool
    /// The size of its content in bytes, where the zip tells before it.
    public let claimedByteCount: Int?

    /// The name without folders, whichever way slashes lean.
    public var lastName: String {
        String(name.split(omittingEmptySubsequences: true) { $0 == "/" || $0 == "\\" }.last ?? "")
    }
}
