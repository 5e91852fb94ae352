/// A file in a zip, as its header describes it. Do not trust any of it.
package struct ZipEntry: Sendable, Hashable {
    /// The name with its folders, as text; invalid UTF-8 is replaced. Never use it as a path.
    package let name: String
    /// Whether it is a file, not a folder or a link.
    package let isFile: Bool
    /// Whether it is encrypted.
    package let isEncrypted: Bool
    /// The size of its content in bytes, if the header before it says so.
    package let claimedByteCount: Int?

    /// The name without folders, whether they are separated by slashes or backslashes.
    package var lastName: String {
        String(name.split(omittingEmptySubsequences: true) { $0 == "/" || $0 == "\\" }.last ?? "")
    }
}
