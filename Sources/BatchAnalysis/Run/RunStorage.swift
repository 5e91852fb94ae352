internal import FileSystem
internal import SQLiteDatabase

/// Where the files of a run are stored. Names are relative to the run, with slashes.
///
/// A file appears under its name when it is complete, and replaces an existing one then.
protocol RunStorage: Sendable {
    /// The path or address of the run, for people and other processes.
    var place: String { get }
    /// A local folder for files that are not complete yet.
    var scratchFolder: String { get throws }

    /// Whether there is a file.
    func hasFile(_ name: String) throws -> Bool
    /// Returns which of some files in the folder `parts` there are.
    func existing(_ names: [String]) throws -> Set<String>
    /// Returns the content of those of some small files that there are.
    func contents(of names: [String]) throws -> [String: [UInt8]]
    /// Reads a database; nil if it does not exist.
    func read<Result>(database name: String, _ body: (Database) throws -> Result) throws -> Result?
    /// Makes a file available to this process.
    func local(_ name: String) throws -> LocalRunFile
    /// Stores a copy of a file.
    func store(_ file: borrowing FileDescriptor, as name: String) throws
    /// Deletes what processes that were killed have left in a folder, other than files with some names.
    func clean(folder: String, keeping names: [String]) throws
    /// Opens the file of ``PartCrashes``.
    func crashFile(_ name: String) throws -> CrashFile
}

/// A file of a run that this process can open.
final class LocalRunFile: Sendable {
    /// Its path.
    let path: String
    private let isCopy: Bool

    /// - Parameter isCopy: whether to delete it with the last reference.
    init(path: String, isCopy: Bool) {
        self.path = path
        self.isCopy = isCopy
    }

    deinit { if isCopy { try? Files.remove(path) } }
}

/// The open file of ``PartCrashes``.
struct CrashFile: ~Copyable {
    let descriptor: FileDescriptor
    /// Its path in the run's folder; nil if it is a copy, which only this process sees.
    let path: String?

    /// Returns the file.
    consuming func take() -> FileDescriptor { descriptor }
}
