internal import Foundation
internal import MusicShared

/// The folder of an upload in parts.
final class OpenUpload {
    let folder: OpenFolder
    let ticket: NewResumableUpload
    private let path: String

    /// - Throws: `noUpload`.
    init(_ id: String, in area: StagingArea) throws(IntakeError) {
        let missing = IntakeError(.noUpload, "There is no upload of this identifier, or it has run out.")
        guard id.utf8.count == 32, id.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { throw missing }
        let name = ResumableUploads.prefix + id
        guard let folder = try? OpenFolder.at(Array(area.path.utf8)).folder(Array(name.utf8), creates: false)
        else { throw missing }
        path = "\(area.path)/\(name)"
        self.folder = folder
        guard let ticket = Self.read(NewResumableUpload.self, ResumableUploads.ticketName, path) else {
            throw missing
        }
        self.ticket = ticket
    }

    /// Whether all bytes have come and the file is being looked at, or was.
    var isReceived: Bool { status(ResumableUploads.receivedName) != nil || report != nil }

    /// Bytes that are here.
    var offset: Int {
        isReceived ? ticket.byteCount : status(ResumableUploads.contentName).map { Int($0.st_size) } ?? 0
    }

    /// What became of the file, once that is known.
    var report: UploadReport? { Self.read(UploadReport.self, ResumableUploads.reportName, path) }

    /// When something was last added.
    var lastChange: Date {
        let names = [ResumableUploads.ticketName, ResumableUploads.contentName, ResumableUploads.reportName]
        let seconds = names.compactMap { status($0) }.map { Double($0.st_mtim.tv_sec) }.max()
        return Date(timeIntervalSince1970: seconds ?? 0)
    }

    /// The content, to be added to.
    func makeFile() throws(IntakeError) -> StagedFile {
        try StagedFile(
            ResumableUploads.contentName, in: folder, path: path, limit: ticket.byteCount, continues: true)
    }

    /// The content when all of it is here, to be taken in: under another name from now on, so that tags that are written
    /// into it do not look like bytes that came.
    ///
    /// A second name is given away. So a kill between the file's arrival in the music folder and the note of it
    /// loses nothing: taken in once more, it is found to be there.
    func receivedFile() throws(IntakeError) -> StagedFile {
        let (received, taken) = (ResumableUploads.receivedName, ResumableUploads.takenName)
        if status(received) == nil {
            _ = try FileMove.move(
                Array(ResumableUploads.contentName.utf8), in: folder, to: Array(received.utf8), in: folder)
        }
        folder.remove(Array(taken.utf8))
        // Some file systems know no second names.
        let isLinked = linkat(folder.descriptor, received, folder.descriptor, taken, 0) == 0
        return try StagedFile(
            isLinked ? taken : received, in: folder, path: path, limit: .max, continues: true)
    }

    private func status(_ name: String) -> stat? { folder.status(of: Array(name.utf8)) }

    private static func read<Value: Decodable>(_ type: Value.Type, _ name: String, _ path: String) -> Value? {
        guard let data = FileManager.default.contents(atPath: "\(path)/\(name)") else { return nil }
        return try? JSONDecoder().decode(type, from: data)
    }

    /// Writes a small file that is there whole or not at all.
    static func write(_ value: some Encodable, as name: String, in folder: OpenFolder) throws(IntakeError) {
        guard let data = try? JSONEncoder().encode(value) else {
            throw IntakeError(.writeFailed, "The upload could not be noted.")
        }
        let draft = "\(name).draft"
        folder.remove(Array(draft.utf8))
        let descriptor = openat(
            folder.descriptor, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw .system(errno, name) }
        defer { close(descriptor) }
        let written = data.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        guard written == data.count, fsync(descriptor) == 0,
            renameat(folder.descriptor, draft, folder.descriptor, name) == 0
        else { throw .system(errno, name) }
        _ = fsync(folder.descriptor)
    }
}
