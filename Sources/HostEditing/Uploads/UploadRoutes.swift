internal import APIDescription
internal import Foundation
package import HTTPServer
package import MusicFiles
internal import MusicShared
internal import Tagging
internal import Threads

/// Receives files for the music folder. They are streamed to disk and checked once they are complete.
package struct UploadRoutes: DescribedRoutes {
    let intake: MusicIntake
    let uploads: ResumableUploads
    let slots: UploadSlots

    /// Memberwise initializer.
    package init(intake: MusicIntake, uploads: ResumableUploads, slots: UploadSlots) {
        self.intake = intake
        self.uploads = uploads
        self.slots = slots
    }

    /// Media types of a file sent as the request body.
    static let fileTypes = [
        "audio/mpeg", "audio/mp3", "audio/flac", "audio/x-flac", "audio/ogg", "application/ogg",
        "application/zip", "application/x-zip-compressed",
        "application/octet-stream",
    ]

    package func add(to routes: some RouteCollection) {
        routes.post(Routes.upload) { request in
            try await slots.run { try await upload(request) }
        }
        routes.post(Routes.resumableUploads) { try await open($0) }
        routes.get(Routes.resumableUpload) { request in
            try answer(try uploads.state(of: request.parameters.require("upload_id")))
        }
        routes.put(Routes.resumableUpload) { request in
            try await slots.run { try await addPart(request) }
        }
        routes.delete(Routes.resumableUpload) { request in
            try uploads.remove(request.parameters.require("upload_id"))
            return HTTPResponse(.noContent)
        }
    }

    // MARK: Single request

    private func upload(_ request: HTTPRequest) async throws -> HTTPResponse {
        let type = ParameterizedValue(request.fields[.contentType] ?? "").value
        let announced = request.body.announcedByteCount
        guard announced ?? 0 <= intake.limits.requestBytes else { throw Self.tooLarge(intake.limits) }
        if let announced { try intake.requireSpace(for: announced) }
        if type == "multipart/form-data" { return try await Self.reporting { try await uploadForm(request) } }
        guard Self.fileTypes.contains(type) else {
            throw APIError.formExpected(
                "Send multipart/form-data, or a file as one of \(Self.fileTypes.joined(separator: ", ")).",
                field: "Content-Type")
        }
        return try await Self.reporting { try await uploadFile(request) }
    }

    /// Converts 422 errors to an upload report: every 422 of an upload has that form.
    private static func reporting(_ body: () async throws -> HTTPResponse) async throws -> HTTPResponse {
        do {
            return try await body()
        } catch let error as HTTPError where error.status == .unprocessableContent {
            let failure = UploadFailure(code: error.code, message: error.message, field: error.field)
            return try answer(UploadReport(files: [], error: failure))
        }
    }

    private func uploadForm(_ request: HTTPRequest) async throws -> HTTPResponse {
        var limits = MultipartParser.Limits()
        limits.partCount = intake.limits.files + 100
        var parser = try MultipartParser(contentType: request.fields[.contentType], limits: limits)
        var form = try FormUpload(intake)
        try await receive(request) { chunk in try parser.parse(chunk) { try form.take($0) } }
        try parser.finish()
        guard !form.files.isEmpty else {
            throw APIError.missingField("The form contains no file.", field: "file")
        }
        return try await takeIn(form.files, form.fields, form)
    }

    private func uploadFile(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = request.query["filename"] ?? ""
        var fields = UploadFields()
        for (name, value) in request.query.all where name != "filename" && name != "token" {
            try fields.take(name, value)
        }
        let batch = try intake.makeBatch()
        let file = try intake.makeFile(in: batch)
        try await receive(request) { file.append($0) }
        return try await takeIn([(name, file)], fields, batch)
    }

    /// Passes on the content in chunks. After an error the rest of the content is still read, up to the
    /// limit, or else the client would not read the response.
    private func receive(_ request: HTTPRequest, _ take: ([UInt8]) throws -> Void) async throws {
        var failure: (any Error)?
        var byteCount = 0
        for try await chunk in request.body {
            byteCount += chunk.count
            guard byteCount <= intake.limits.requestBytes else { throw Self.tooLarge(intake.limits) }
            guard failure == nil else { continue }
            do {
                try take(chunk)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func takeIn(
        _ files: [(name: String, file: StagedFile)], _ fields: UploadFields, _ keptAlive: some Any
    ) async throws -> HTTPResponse {
        let isForSeveral = files.count > 1 || files.contains { MusicIntake.isZip($0.file) }
        let edit = try fields.checked(forSeveral: isForSeveral)
        let results = try await DedicatedThread.run("upload", with: (files, keptAlive)) {
            [intake] (files, _) in
            files.flatMap { intake.takeIn($0.file, named: $0.name, edit: edit) }
        }
        return try Self.answer(UploadReport(results))
    }

    static func answer(_ report: UploadReport) throws -> HTTPResponse {
        if let error = report.error, error.code == IntakeError.Code.noSpace.rawValue {
            throw IntakeError(.noSpace, error.message)
        }
        var response = try HTTPResponse.json(report)
        if report.error != nil { response.status = .unprocessableContent }
        response.fields[.cacheControl] = "no-store"
        return response
    }

    private static func tooLarge(_ limits: IntakeLimits) -> HTTPError {
        APIError.contentTooLarge("A request can have at most \(limits.requestBytes) bytes.")
    }

    // MARK: Resumable uploads

    private func open(_ request: HTTPRequest) async throws -> HTTPResponse {
        let new = try await request.json(NewResumableUpload.self)
        guard !new.fileName.isEmpty, new.fileName.unicodeScalars.count <= Self.longestName else {
            throw APIError.invalidField(
                "The name must have 1 to \(Self.longestName) characters.", field: "file_name")
        }
        guard new.byteCount > 0 else {
            throw APIError.invalidField("The file must have at least one byte.", field: "byte_count")
        }
        if let field = new.fields?.keys.first(where: { !UploadFields.names.contains($0) }) {
            throw APIError.unknownField(
                "Unknown field; known fields are: \(UploadFields.names.joined(separator: ", ")).",
                field: field)
        }
        _ = try Self.edit(new.fields ?? [:])
        let upload = try uploads.open(new)
        var response = try answer(upload)
        response.status = .created
        response.fields[.location] = "\(Routes.resumableUploads)/\(upload.uploadID)"
        return response
    }

    private func addPart(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id: String = try request.parameters.require("upload_id")
        let upload = try uploads.state(of: id)
        let part = try UploadPart(request, fileByteCount: upload.byteCount, offset: upload.offset)
        let writer = try uploads.writer(of: id, at: part.range.lowerBound, of: part.fileByteCount)
        // Keep the received bytes even if the part is incomplete.
        let failure = await receive(request.body, part.range.count, writer)
        if let failure {
            try? writer.flush()
            throw failure
        }
        let report = try await DedicatedThread.run("upload", with: writer) { [uploads] writer in
            try uploads.finish(writer) { try Self.edit($0) }
        }
        if let report, report.error != nil { return try Self.answer(report) }
        return try answer(try uploads.state(of: id))
    }

    /// Writes the content of a part.
    /// - Returns: The error that ended it early, if any.
    private func receive(
        _ body: HTTPRequestBody, _ byteCount: Int, _ writer: UploadWriter
    ) async -> (any Error)? {
        var missing = byteCount
        var chunks = body.makeAsyncIterator()
        do {
            while let chunk = try await chunks.next() {
                missing -= chunk.count
                guard missing >= 0 else { return UploadPart.wrongLength }
                try writer.append(chunk)
            }
        } catch {
            return error
        }
        return missing == 0 ? nil : UploadPart.wrongLength
    }

    private func answer(_ upload: ResumableUpload) throws -> HTTPResponse {
        var response = try HTTPResponse.json(upload)
        response.fields[.cacheControl] = "no-store"
        response.fields[.uploadOffset] = "\(upload.offset)"
        return response
    }

    /// Maximum length of the file name of a resumable upload.
    static let longestName = 250

    private static func edit(_ fields: [String: String]) throws -> TagEdit {
        var edit = UploadFields()
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { try edit.take(name, value) }
        return try edit.checked(forSeveral: false)
    }
}

extension NewResumableUpload: JSONContent {
    static let keys = ["file_name", "byte_count", "fields"]
}
