import Foundation
import MusicShared
import Testing
import TestSupport
@testable import MusicFiles

@testable import Companion
@testable import Tagging

/// Resumable uploads and their files on disk.
@Suite("Resumable uploads", .timeLimit(.minutes(30)))
struct ResumableUploadTests {
    private let fixture: IntakeFixture
    private let bytes: [UInt8]

    init() throws {
        fixture = try IntakeFixture()
        bytes = try IntakeTracks.first.get()
    }

    /// A new object for each access, to simulate restarts of the program.
    private var uploads: ResumableUploads { ResumableUploads(fixture.intake) }

    private func send(_ id: String, _ range: Range<Int>) throws -> UploadReport? {
        let writer = try uploads.writer(of: id, at: range.lowerBound, of: bytes.count)
        try writer.append(Array(bytes[range]))
        try writer.flush()
        return try uploads.finish(writer) { fields in
            var edit = TagEdit()
            if let title = fields["title"] { edit.title = .set(title) }
            return edit
        }
    }

    @Test(
        "Parts add up over restarts, and the report is available until the upload is removed"
    )
    func parts() throws {
        let id = try uploads.open(
            NewResumableUpload(fileName: "a.mp3", byteCount: bytes.count, fields: ["title": "Sent in parts"])
        ).uploadID
        #expect(try send(id, 0..<1000) == nil)
        #expect(try uploads.state(of: id).offset == 1000)
        // Wrong offsets, and a wrong file size.
        #expect(throws: IntakeError.self) { try send(id, 0..<1000) }
        #expect(throws: IntakeError.self) { try send(id, 2000..<3000) }
        #expect(throws: IntakeError.self) { try uploads.writer(of: id, at: 1000, of: bytes.count + 1) }
        #expect(try send(id, 1000..<5000) == nil)
        let report = try #require(try send(id, 5000..<bytes.count))
        #expect(report.files.first?.relativePath == "Band/2001 - Album/01 Sent in parts.mp3")
        #expect(try uploads.state(of: id).report == report && uploads.state(of: id).offset == bytes.count)
        #expect(try send(id, bytes.count..<bytes.count) == report)
        try uploads.remove(id)
        #expect(throws: IntakeError.self) { try uploads.state(of: id) }
        #expect(fixture.files.count == 1)
    }

    @Test("Only one request at a time can send to an upload")
    func busy() throws {
        let id = try uploads.open(NewResumableUpload(fileName: "a.mp3", byteCount: bytes.count)).uploadID
        let writer = try uploads.writer(of: id, at: 0, of: bytes.count)
        #expect(throws: IntakeError(.uploadBusy, "Another request is sending to this upload.")) {
            try uploads.writer(of: id, at: 0, of: bytes.count)
        }
        #expect(throws: IntakeError.self) { try uploads.remove(id) }
        _ = writer
    }

    @Test("An upload that was killed while writing tags is completed by the next request")
    func interrupted() throws {
        let upload = try uploads.open(
            NewResumableUpload(fileName: "a.mp3", byteCount: bytes.count, fields: ["title": "T"]))
        let folder = "\(fixture.intake.staging.path)/\(ResumableUploads.prefix)\(upload.uploadID)"
        // The state after a kill: everything received, the report not written.
        try Data(bytes).write(to: URL(filePath: "\(folder)/\(ResumableUploads.receivedName)"))
        #expect(try uploads.state(of: upload.uploadID).offset == bytes.count)
        let report = try #require(try send(upload.uploadID, bytes.count..<bytes.count))
        #expect(report.storedCount == 1 && fixture.files == ["Band/2001 - Album/01 T.mp3"])
    }

    @Test("Inactive uploads expire, and invalid ids are rejected")
    func expiry() throws {
        let id = try uploads.open(NewResumableUpload(fileName: "a.mp3", byteCount: 10)).uploadID
        uploads.removeExpired(now: Date() + 23 * 3600)
        #expect(try uploads.state(of: id).offset == 0)
        uploads.removeExpired(now: Date() + 25 * 3600)
        #expect(throws: IntakeError.self) { try uploads.state(of: id) }
        for name in [
            "", ".", "../data", "..%2f", String(repeating: "g", count: 32), String(repeating: "A", count: 32),
        ] {
            #expect(throws: IntakeError.self) { try uploads.state(of: name) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.intake.staging.path).isEmpty)
    }

    @Test("The number of open uploads is limited, and uploads must fit on the disk")
    func limits() throws {
        var limits = IntakeLimits()
        limits.openUploads = 2
        let narrow = try IntakeFixture(limits)
        let uploads = ResumableUploads(narrow.intake)
        for _ in 0..<2 { _ = try uploads.open(NewResumableUpload(fileName: "a", byteCount: 10)) }
        defer { #expect(narrow.files.isEmpty) }
        #expect(throws: IntakeError.self) {
            try uploads.open(NewResumableUpload(fileName: "a", byteCount: 10))
        }
        #expect(throws: IntakeError.self) {
            try self.uploads.open(NewResumableUpload(fileName: "a", byteCount: 1 << 60))
        }
        #expect(throws: IntakeError.self) {
            try self.uploads.open(NewResumableUpload(fileName: "a", byteCount: 0))
        }
    }

    @Test("Finished uploads do not count as open, and only the latest reports are kept")
    func finishedUploads() throws {
        var limits = IntakeLimits()
        limits.openUploads = 2
        limits.finishedUploads = 3
        let narrow = try IntakeFixture(limits)
        let uploads = ResumableUploads(narrow.intake)
        var ids: [String] = []
        for number in 0..<5 {
            let id = try uploads.open(
                NewResumableUpload(fileName: "\(number).mp3", byteCount: bytes.count)
            ).uploadID
            let writer = try uploads.writer(of: id, at: 0, of: bytes.count)
            try writer.append(bytes)
            _ = try #require(try uploads.finish(writer) { _ in TagEdit() })
            ids.append(id)
        }
        let open = try uploads.open(NewResumableUpload(fileName: "a", byteCount: 10)).uploadID
        // Reports of the last uploads are available; the oldest are removed first.
        for (number, id) in ids.enumerated() {
            if number < 2 {
                #expect(throws: IntakeError.self) { try uploads.state(of: id) }
            } else {
                #expect(try uploads.state(of: id).report != nil)
            }
        }
        #expect(try uploads.state(of: open).offset == 0)
    }
}
