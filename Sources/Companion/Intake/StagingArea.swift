import Foundation

/// The place where files are received: `uploads` in the data folder, for this user's eyes only.
public final class StagingArea: Sendable {
    static let batchPrefix = "batch-"

    let path: String

    /// Takes the place, and makes it where there is none.
    /// - Throws: ``IntakeError`` if the system refuses.
    public init(_ data: DataFolder) throws(IntakeError) {
        path = "\(data.path)/uploads"
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(errno, path) }
        chmod(path, 0o700)
    }

    /// Makes a place for the files of one request.
    func makeBatch() throws(IntakeError) -> StagedBatch { try StagedBatch(in: self) }

    /// Bytes that are free where files are received.
    var freeBytes: Int { (try? OpenFolder.at(Array(path.utf8)))?.freeBytes ?? .max }

    /// Deletes what requests have left whose program was killed: batches that no program holds locked.
    /// - Returns: how many were deleted.
    @discardableResult
    public func removeLeftovers() -> Int {
        guard let folder = try? OpenFolder.at(Array(path.utf8)) else { return 0 }
        return folder.names().count { name in
            guard name.starts(with: Self.batchPrefix.utf8),
                let batch = try? folder.folder(name, creates: false),
                flock(batch.descriptor, LOCK_EX | LOCK_NB) == 0
            else { return false }
            folder.remove(name)
            return true
        }
    }

    /// A name that nobody else has chosen, and that nobody guesses: 32 hexadecimal digits.
    static func randomName() -> String {
        let half = { String(UInt64.random(in: .min ... .max), radix: 16) }
        return [half(), half()].map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
    }
}

/// The files of one request. They are deleted when the last reference goes, unless they have been moved on.
///
/// For one thread at a time.
public final class StagedBatch {
    private let area: OpenFolder
    private let name: [UInt8]
    let folder: OpenFolder
    let path: String
    private var count = 0

    init(in area: StagingArea) throws(IntakeError) {
        self.area = try OpenFolder.at(Array(area.path.utf8))
        let name = StagingArea.batchPrefix + StagingArea.randomName()
        self.name = Array(name.utf8)
        path = "\(area.path)/\(name)"
        folder = try self.area.folder(self.name, creates: true, mode: 0o700)
        // Held while this program lives.
        flock(folder.descriptor, LOCK_EX | LOCK_NB)
    }

    deinit { area.remove(name) }

    /// Makes a file of at most so many bytes.
    func makeFile(limit: Int) throws(IntakeError) -> StagedFile {
        count += 1
        // The tag editor edits what is named so.
        return try StagedFile("\(count).mp3", in: folder, path: path, limit: limit)
    }
}
