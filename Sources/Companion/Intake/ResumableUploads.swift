public import Foundation
public import MusicShared
public import Tagging

/// Uploads that are sent in parts, over any number of connections and starts of the program.
///
/// Each is a folder in the staging area, whose files alone say how far it has come: `ticket.json` what was announced,
/// `content.mp3` what is here, `received.mp3` the same once it is all, `report.json` what became of it. One request at a time
/// adds to an upload.
public final class ResumableUploads: Sendable {
    static let prefix = "upload-"
    static let ticketName = "ticket.json"
    static let contentName = "content.mp3"
    static let receivedName = "received.mp3"
    static let takenName = "taken.mp3"
    static let reportName = "report.json"

    private let intake: MusicIntake

    /// Uploads into a music folder.
    public init(_ intake: MusicIntake) { self.intake = intake }

    /// Opens an upload.
    /// - Throws: `tooLarge`, `noSpace`, `tooManyUploads`, `writeFailed`.
    public func open(_ new: NewResumableUpload, now: Date = Date()) throws(IntakeError) -> ResumableUpload {
        guard new.byteCount <= intake.limits.fileBytes else {
            throw IntakeError(
                .tooLarge, "A file may have \(intake.limits.fileBytes) bytes.", field: "byte_count")
        }
        guard new.byteCount > 0 else { throw IntakeError(.empty, "The file is empty.", field: "byte_count") }
        removeExpired(now: now)
        let area = try OpenFolder.at(Array(intake.staging.path.utf8))
        // What others have announced and not sent yet is taken too.
        let openUploads = area.names().compactMap(Self.identifier).compactMap {
            try? OpenUpload($0, in: intake.staging)
        }
        guard openUploads.count < intake.limits.openUploads else {
            throw IntakeError(
                .tooManyUploads, "There are \(openUploads.count) uploads open: finish or remove some.")
        }
        try intake.requireSpace(
            for: openUploads.reduce(new.byteCount) { $0 + max(0, $1.ticket.byteCount - $1.offset) })
        let id = StagingArea.randomName()
        let folder = try area.folder(Array((Self.prefix + id).utf8), creates: true, mode: 0o700)
        do throws(IntakeError) {
            try OpenUpload.write(new, as: Self.ticketName, in: folder)
        } catch {
            area.remove(Array((Self.prefix + id).utf8))
            throw error
        }
        return try state(of: id)
    }

    /// How far an upload has come.
    /// - Throws: `noUpload`.
    public func state(of id: String) throws(IntakeError) -> ResumableUpload {
        let upload = try OpenUpload(id, in: intake.staging)
        return ResumableUpload(
            uploadID: id, fileName: upload.ticket.fileName, byteCount: upload.ticket.byteCount,
            offset: upload.offset,
            expiresAt: upload.lastChange.timeIntervalSince1970 + intake.limits.uploadLifetimeSeconds,
            report: upload.report)
    }

    /// Lets a request add to an upload, and nobody else meanwhile.
    /// - Parameters:
    ///   - offset: where its bytes begin: exactly where those end that are here.
    ///   - byteCount: the size of the whole file that it speaks of.
    /// - Throws: `noUpload`, `uploadBusy`, `wrongOffset`, `writeFailed`.
    public func writer(of id: String, at offset: Int, of byteCount: Int) throws(IntakeError) -> UploadWriter {
        let upload = try OpenUpload(id, in: intake.staging)
        guard flock(upload.folder.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw IntakeError(.uploadBusy, "Another request is sending to this upload.")
        }
        guard byteCount == upload.ticket.byteCount else {
            throw IntakeError(.wrongOffset, "The file was announced with \(upload.ticket.byteCount) bytes.")
        }
        // Asked under the lock.
        guard offset == upload.offset else {
            throw IntakeError(.wrongOffset, "The next byte is number \(upload.offset), not \(offset).")
        }
        return UploadWriter(upload, file: upload.isReceived ? nil : try upload.makeFile())
    }

    /// Takes the file in that a writer has completed; tells again what became of it where that is known.
    /// - Parameter edit: makes an edit of the fields that were announced.
    /// - Returns: nil where bytes are missing still.
    public func finish(
        _ writer: UploadWriter, edit: ([String: String]) throws -> TagEdit
    ) throws -> UploadReport? {
        // Closed: tags are not written into what somebody has open.
        try writer.file?.finish()
        let upload = writer.upload
        if let report = upload.report { return report }
        guard upload.offset == upload.ticket.byteCount else { return nil }
        let edit = try edit(upload.ticket.fields ?? [:])
        let file = try upload.receivedFile()
        let report = UploadReport(intake.takeIn(file, named: upload.ticket.fileName, edit: edit))
        try OpenUpload.write(report, as: Self.reportName, in: upload.folder)
        upload.folder.remove(Array(Self.receivedName.utf8))
        return report
    }

    /// Gives an upload up.
    /// - Throws: `noUpload`, `uploadBusy`.
    public func remove(_ id: String) throws(IntakeError) {
        let upload = try OpenUpload(id, in: intake.staging)
        guard flock(upload.folder.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw IntakeError(.uploadBusy, "Another request is sending to this upload.")
        }
        try intake.staging.removeAtOnce(Array((Self.prefix + id).utf8))
    }

    /// Deletes uploads that nothing was added to for long, and those whose ticket was never written.
    public func removeExpired(now: Date = Date()) {
        guard let area = try? OpenFolder.at(Array(intake.staging.path.utf8)) else { return }
        for name in area.names() where name.starts(with: Self.prefix.utf8) {
            guard let folder = try? area.folder(name, creates: false), let status = area.status(of: name)
            else { continue }
            let upload = Self.identifier(name).flatMap { try? OpenUpload($0, in: intake.staging) }
            let change = upload?.lastChange ?? Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
            guard now.timeIntervalSince(change) > (upload == nil ? 60 : intake.limits.uploadLifetimeSeconds),
                flock(folder.descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            try? intake.staging.removeAtOnce(name)
        }
    }

    private static func identifier(_ name: [UInt8]) -> String? {
        guard name.starts(with: prefix.utf8) else { return nil }
        return String(decoding: name.dropFirst(prefix.utf8.count), as: UTF8.self)
    }
}

/// A request's hold on an upload in parts. It ends when the last reference goes.
///
/// For one thread at a time.
public final class UploadWriter {
    let upload: OpenUpload
    let file: StagedFile?

    init(_ upload: OpenUpload, file: StagedFile?) {
        self.upload = upload
        self.file = file
    }

    /// Adds bytes.
    /// - Throws: `tooLarge` where they are more than were announced, `noSpace`, `writeFailed`.
    public func append(_ bytes: [UInt8]) throws(IntakeError) {
        // The file holds itself to what was announced.
        file?.append(bytes)
        if let failure = file?.failure { throw failure }
    }

    /// Waits until the disk has what was written, so that what a client is told of holds.
    public func flush() throws(IntakeError) { try file?.flush() }
}
