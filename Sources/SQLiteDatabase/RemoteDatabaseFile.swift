/// A database file that is not on this machine, and of which SQLite asks for the pages that it needs.
package protocol RemoteDatabaseFile: AnyObject, Sendable {
    /// Its size in bytes.
    var byteCount: Int { get }

    /// Reads bytes, which may block.
    /// - Parameter range: not empty, within the file.
    /// - Returns: as many bytes as the range has; nil if they cannot be read.
    func read(_ range: Range<Int>) -> [UInt8]?
}
