import Foundation

/// The place where files are received: `uploads` in the data folder, for this user's eyes only.
public final class StagingArea: Sendable {
    static let batchPrefix = "batch-"
    private static let removedPrefix = "removed-"
    private static let arrivalPrefix = "arriving-"

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
            if name.starts(with: Self.removedPrefix.utf8) {
                folder.remove(name)
                return true
            }
            guard name.starts(with: Self.batchPrefix.utf8),
                let batch = try? folder.folder(name, creates: false),
                flock(batch.descriptor, LOCK_EX | LOCK_NB) == 0
            else { return false }
            folder.remove(name)
            return true
        }
    }

    /// Deletes a folder of this place: gone in one step, whatever becomes of the program while what it held is deleted.
    func removeAtOnce(_ name: [UInt8]) throws(IntakeError) {
        let area = try OpenFolder.at(Array(path.utf8))
        let removed = Array((Self.removedPrefix + Self.randomName()).utf8)
        let isRenamed = MusicFolder.withPath(name) { old in
            MusicFolder.withPath(removed) { renameat(area.descriptor, old, area.descriptor, $0) == 0 }
        }
        area.remove(isRenamed ? removed : name)
    }

    /// Remembers that a file is about to arrive at a path, in case that the program is killed before the library knows of it.
    /// - Returns: what to forget it by.
    func noteArrival(at path: RelativePath) -> String {
        let name = Self.arrivalPrefix + Self.randomName()
        // Where it cannot be noted, the next look through the folder finds the file.
        try? Data(path.bytes).write(to: URL(filePath: "\(self.path)/\(name)"))
        return name
    }

    /// Forgets an arrival, since the library knows of it.
    func forgetArrival(_ name: String) { unlink("\(path)/\(name)") }

    /// The arrivals that a program did not live to tell the library of.
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
