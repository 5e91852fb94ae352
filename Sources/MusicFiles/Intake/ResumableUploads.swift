internal import FileSystem
package import Foundation
package import MusicShared
package import Tagging

/// Uploads that are sent in parts, over any number of connections and restarts of the program.
///
/// Each is a folder in the staging area, and its files are the only state: `ticket.json` is the announcement,
/// `content` the data received so far, `received` the complete data, `report.json` the result. Only
/// one request at a time writes to an upload.
package final class ResumableUploads: Sendable {
    static let prefix = "upload-"
    static let ticketName = "ticket.json"
    static let contentName = "content"
    static let receivedName = "received"
    static let takenName = "taken"
    static let reportName = "report.json"

    private let intake: MusicIntake

    /// Creates the uploads of a music folder.
    package init(_ intake: MusicIntake) { self.intake = intake }

    /// Opens an upload.
    /// - Throws: `tooLarge`, `noSpace`, `tooManyUploads`, `writeFailed`.
    package func open(_ new: NewResumableUpload, now: Date = Date()) throws(IntakeError) -> ResumableUpload {
        guard new.byteCount <= intake.limits.fileBytes else {
            throw IntakeError(
                .tooLarge, "A file may have at most \(intake.limits.fileBytes) bytes.", field: "byte_count")
        }
        guard new.byteCount > 0 else { throw IntakeError(.empty, "The file is empty.", field: "byte_count") }
        removeExpired(now: now)
        let area = try intake.staging.openFolder()
        // Reserves space for data that other uploads have announced but not sent yet.
        let all = area.names().compactMap(Self.identifier).compactMap {
            try? OpenUpload($0, in: intake.staging)
        }
        let openUploads = all.filter { $0.report == nil }
        guard openUploads.count < intake.limits.openUploads else {
            throw IntakeError(
                .tooManyUploads, "There are \(openUploads.count) open uploads: finish or cancel some.")
        }
        try intake.requireSpace(
            for: openUploads.reduce(new.byteCount) { $0 + max(0, $1.ticket.byteCount - $1.offset) })
        forgetOldest(of: all.filter { $0.report != nil })
        let id = StagingArea.randomName()
        let folder = try IntakeError.writing(Self.prefix + id) { () throws(SystemError) in
            try area.folder(Self.prefix + id, creating: 0o700)
        }
        do throws(IntakeError) {
            try OpenUpload.write(new, as: Self.ticketName, in: folder)
        } catch {
            area.removeAll(Self.prefix + id)
            throw error
        }
        return try state(of: id)
    }

    /// The progress of an upload.
    /// - Throws: `noUpload`.
    package func state(of id: String) throws(IntakeError) -> ResumableUpload {
        let upload = try OpenUpload(id, in: intake.staging)
        return ResumableUpload(
            uploadID: id, fileName: upload.ticket.fileName, byteCount: upload.ticket.byteCount,
            offset: upload.offset,
            expiresAt: upload.lastChange.timeIntervalSince1970 + intake.limits.uploadLifetimeSeconds,
            report: upload.report)
    }

    /// Locks an upload for a request that appends to it.
    /// - Parameters:
    ///   - offset: the position of the first byte sent; must equal the number of bytes received.
    ///   - byteCount: the size of the whole file according to the request.
    /// - Throws: `noUpload`, `uploadBusy`, `wrongOffset`, `writeFailed`.
    package func writer(of id: String, at offset: Int, of byteCount: Int) throws(IntakeError) -> UploadWriter
    {
        let upload = try OpenUpload(id, in: intake.staging)
        guard (try? upload.folder.descriptor.lock(.exclusive)) == true else {
            throw IntakeError(.uploadBusy, "Another request is sending to this upload.")
        }
        guard byteCount == upload.ticket.byteCount else {
            throw IntakeError(.wrongOffset, "The file was announced with \(upload.ticket.byteCount) bytes.")
        }
        // Checked under the lock.
        guard offset == upload.offset else {
            throw IntakeError(.wrongOffset, "The next byte is number \(upload.offset), not \(offset).")
        }
        return UploadWriter(upload, file: upload.isReceived ? nil : try upload.makeFile())
    }

    /// Imports the file that a writer has completed; returns the existing report if it was imported before.
    /// - Parameter edit: converts the announced fields to an edit.
    /// - Returns: nil if bytes are still missing.
    package func finish(
        _ writer: UploadWriter, edit: ([String: String]) throws -> TagEdit
    ) throws -> UploadReport? {
        // Close the file first: tags are not written to a file that is open elsewhere.
        try writer.file?.finish()
        let upload = writer.upload
        if let report = upload.report { return report }
        guard upload.offset == upload.ticket.byteCount else { return nil }
        let edit = try edit(upload.ticket.fields ?? [:])
        let file = try upload.receivedFile()
        let report = UploadReport(intake.takeIn(file, named: upload.ticket.fileName, edit: edit))
        try OpenUpload.write(report, as: Self.reportName, in: upload.folder)
        upload.folder.removeAll(Self.receivedName)
        return report
    }

    /// Cancels an upload.
    /// - Throws: `noUpload`, `uploadBusy`.
    package func remove(_ id: String) throws(IntakeError) {
        let upload = try OpenUpload(id, in: intake.staging)
        guard (try? upload.folder.descriptor.lock(.exclusive)) == true else {
            throw IntakeError(.uploadBusy, "Another request is sending to this upload.")
        }
        try intake.staging.removeAtOnce(Array((Self.prefix + id).utf8))
    }

    /// Deletes expired uploads, and those whose ticket was never written.
    package func removeExpired(now: Date = Date()) {
        guard let area = try? intake.staging.openFolder() else { return }
        for name in area.names() where name.starts(with: Self.prefix.utf8) {
            guard let folder = try? area.folder(name), let status = try? area.status(of: name)
            else { continue }
            let upload = Self.identifier(name).flatMap { try? OpenUpload($0, in: intake.staging) }
            let change =
                upload?.lastChange
                ?? Date(timeIntervalSince1970: Double(status.modificationNanoseconds) / 1e9)
            guard now.timeIntervalSince(change) > (upload == nil ? 60 : intake.limits.uploadLifetimeSeconds),
                (try? folder.descriptor.lock(.exclusive)) == true
            else { continue }
            try? intake.staging.removeAtOnce(name)
        }
    }

    /// Deletes the oldest finished uploads beyond the limit.
    private func forgetOldest(of finished: [OpenUpload]) {
        guard finished.count > intake.limits.finishedUploads else { return }
        let oldest = finished.map { (upload: $0, change: $0.lastChange) }.sorted { $0.change < $1.change }
        for (upload, _) in oldest.dropLast(intake.limits.finishedUploads)
        where (try? upload.folder.descriptor.lock(.exclusive)) == true {
            try? intake.staging.removeAtOnce(upload.name)
        }
    }

    private static func identifier(_ name: [UInt8]) -> String? {
        guard name.starts(with: prefix.utf8) else { return nil }
        return String(decoding: name.dropFirst(prefix.utf8.count), as: UTF8.self)
    }
}

/// A request's lock on a resumable upload, released with the last reference.
///
/// Not thread-safe.
package final class UploadWriter {
    let upload: OpenUpload
    let file: StagedFile?

    init(_ upload: OpenUpload, file: StagedFile?) {
        self.upload = upload
        self.file = file
    }

    /// Appends bytes.
    /// - Throws: `tooLarge` if they exceed the announced size, `noSpace`, `writeFailed`.
    package func append(_ bytes: [UInt8]) throws(IntakeError) {
        // The file enforces the announced size.
        file?.append(bytes)
        if let failure = file?.failure { throw failure }
    }

    /// Syncs the data to disk, so that the offset reported to the client is durable.
    package func flush() throws(IntakeError) { try file?.flush() }
}
