internal import FileSystem
internal import Foundation
internal import MusicShared

/// The folder of a resumable upload.
final class OpenUpload {
    let folder: Folder
    let ticket: NewResumableUpload
    /// Name of the folder in the staging area.
    let name: [UInt8]
    private let path: String

    /// - Throws: `noUpload`.
    init(_ id: String, in area: StagingArea) throws(IntakeError) {
        let missing = IntakeError(.noUpload, "There is no upload with this id, or it has expired.")
        guard id.utf8.count == 32, id.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { throw missing }
        let name = ResumableUploads.prefix + id
        guard let folder = try? Folder(area.path).folder(name)
        else { throw missing }
        self.name = Array(name.utf8)
        path = "\(area.path)/\(name)"
        self.folder = folder
        guard let ticket = Self.read(NewResumableUpload.self, ResumableUploads.ticketName, path) else {
            throw missing
        }
        self.ticket = ticket
    }

    /// Whether all bytes have been received, so that the file is being or has been imported.
    var isReceived: Bool { status(ResumableUploads.receivedName) != nil || report != nil }

    /// Number of bytes received.
    var offset: Int {
        isReceived ? ticket.byteCount : status(ResumableUploads.contentName)?.byteCount ?? 0
    }

    /// The result of the import, once known.
    var report: UploadReport? { Self.read(UploadReport.self, ResumableUploads.reportName, path) }

    /// When the upload last changed.
    var lastChange: Date {
        let names = [ResumableUploads.ticketName, ResumableUploads.contentName, ResumableUploads.reportName]
        let latest = names.compactMap { status($0)?.modificationNanoseconds }.max() ?? 0
        return Date(timeIntervalSince1970: Double(latest) / 1e9)
    }

    /// Opens the content for appending.
    func makeFile() throws(IntakeError) -> StagedFile {
        try StagedFile(
            ResumableUploads.contentName, in: folder, path: path, limit: ticket.byteCount, continues: true)
    }

    /// The complete content, ready to be imported: under another name from now on, so that tags written
    /// into it are not taken for received bytes.
    ///
    /// The import gets a second hard link. So if the process is killed between moving the file into the music
    /// folder and storing the report, nothing is lost: imported again, it is found to be a duplicate.
    func receivedFile() throws(IntakeError) -> StagedFile {
        let (received, taken) = (ResumableUploads.receivedName, ResumableUploads.takenName)
        if status(received) == nil {
            _ = try FileMove.move(
                Array(ResumableUploads.contentName.utf8), in: folder, to: Array(received.utf8), in: folder)
        }
        folder.removeAll(taken)
        // Some file systems do not support hard links.
        let isLinked = (try? folder.link(received, to: taken)) != nil
        return try StagedFile(
            isLinked ? taken : received, in: folder, path: path, limit: .max, continues: true)
    }

    private func status(_ name: String) -> FileStatus? { try? folder.status(of: name) }

    private static func read<Value: Decodable>(_ type: Value.Type, _ name: String, _ path: String) -> Value? {
        guard let data = FileManager.default.contents(atPath: "\(path)/\(name)") else { return nil }
        return try? JSONDecoder().decode(type, from: data)
    }

    /// Writes a small file atomically.
    static func write(_ value: some Encodable, as name: String, in folder: Folder) throws(IntakeError) {
        guard let data = try? JSONEncoder().encode(value) else {
            throw IntakeError(.writeFailed, "The state of the upload could not be saved.")
        }
        try IntakeError.writing(name) { () throws(SystemError) in
            let file = try PendingFile(in: folder)
            try file.descriptor.write(data)
            try file.replace(name)
        }
    }
}
