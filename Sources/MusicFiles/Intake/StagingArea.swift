internal import FileSystem
internal import Foundation
package import LibraryStore

/// The folder in which files are received: `uploads` in the data folder, accessible only to the current user.
package final class StagingArea: Sendable {
    static let batchPrefix = "batch-"
    private static let removedPrefix = "removed-"
    private static let arrivalPrefix = "arriving-"

    let path: String

    /// Opens the folder and creates it if it is missing.
    /// - Throws: ``IntakeError`` if the system fails to create it.
    package init(_ data: DataFolder) throws(IntakeError) {
        path = "\(data.path)/uploads"
        do throws(SystemError) {
            try Files.makeFolder(path, permissions: 0o700)
        } catch {
            guard error.kind == .alreadyExists else { throw .system(error, path) }
        }
        try? Files.setPermissions(0o700, of: path)
    }

    /// Creates a staging folder for the files of one request.
    func makeBatch() throws(IntakeError) -> StagedBatch { try StagedBatch(in: self) }

    /// Free bytes on the disk of the staging area.
    var freeBytes: Int { (try? Folder(path))?.descriptor.freeBytes ?? .max }

    /// Deletes what requests of killed processes have left behind: batches that no process has locked.
    /// - Returns: the number of deleted entries.
    @discardableResult
    package func removeLeftovers() -> Int {
        guard let folder = try? Folder(path) else { return 0 }
        return folder.names().count { name in
            if name.starts(with: Self.removedPrefix.utf8) {
                folder.removeAll(name)
                return true
            }
            guard name.starts(with: Self.batchPrefix.utf8),
                let batch = try? folder.folder(name),
                (try? batch.descriptor.lock(.exclusive)) == true
            else { return false }
            folder.removeAll(name)
            return true
        }
    }

    /// Deletes a folder of the staging area. It is renamed first, so that it is gone in one step even if the
    /// process is killed.
    func removeAtOnce(_ name: [UInt8]) throws(IntakeError) {
        let area = try openFolder()
        let removed = Array((Self.removedPrefix + Self.randomName()).utf8)
        let isRenamed = (try? area.rename(name, to: removed, in: area)) != nil
        area.removeAll(isRenamed ? removed : name)
    }

    /// Opens the folder of the staging area.
    func openFolder() throws(IntakeError) -> Folder {
        try IntakeError.writing(path) { () throws(SystemError) in try Folder(path) }
    }

    /// Records that a file is about to be moved to a path, in case the process is killed before the library
    /// is updated.
    /// - Returns: the name to pass to ``forgetArrival(_:)``.
    func noteArrival(at path: RelativePath) -> String {
        let name = Self.arrivalPrefix + Self.randomName()
        // If this fails, the next scan of the folder finds the file.
        try? Data(path.bytes).write(to: URL(filePath: "\(self.path)/\(name)"))
        return name
    }

    /// Deletes the record of an arrival, once the library has been updated.
    func forgetArrival(_ name: String) { try? Files.remove("\(path)/\(name)") }

    /// The arrivals that a killed process could not record in the library.
    func arrivals() -> [(name: String, path: RelativePath)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasPrefix(Self.arrivalPrefix) }.compactMap { name in
            let bytes = (try? Data(contentsOf: URL(filePath: "\(path)/\(name)"))).map { [UInt8]($0) } ?? []
            guard let arrived = RelativePath(bytes: bytes) else {
                forgetArrival(name)
                return nil
            }
            return (name, arrived)
        }
    }

    /// Returns a random, unguessable name of 32 hexadecimal digits.
    static func randomName() -> String {
        let half = { String(UInt64.random(in: .min ... .max), radix: 16) }
        return [half(), half()].map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
    }
}

/// The files of one request. Files that have not been moved are deleted with the last reference.
///
/// Not thread-safe.
package final class StagedBatch {
    private let area: Folder
    private let name: [UInt8]
    let folder: Folder
    let path: String
    private var count = 0

    init(in area: StagingArea) throws(IntakeError) {
        let staging = try area.openFolder()
        self.area = staging
        let name = StagingArea.batchPrefix + StagingArea.randomName()
        self.name = Array(name.utf8)
        path = "\(area.path)/\(name)"
        folder = try IntakeError.writing(name) { () throws(SystemError) in
            try staging.folder(name, creating: 0o700)
        }
        // Held while the process runs.
        _ = try? folder.descriptor.lock(.exclusive)
    }

    deinit { area.removeAll(name) }

    /// Creates a file of at most `limit` bytes.
    func makeFile(limit: Int) throws(IntakeError) -> StagedFile {
        count += 1
        return try StagedFile("\(count)", in: folder, path: path, limit: limit)
    }
}
