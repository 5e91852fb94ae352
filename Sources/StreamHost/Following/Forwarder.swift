internal import APIDescription
internal import FileSystem
internal import Foundation
internal import Analyzer
internal import HTTPClient
internal import HTTPServer
internal import MusicShared

/// Sends requests of clients to the primary, with the client's own credentials, and its answers back.
struct Forwarder: Sendable {
    /// Maximum size of a request's body in bytes.
    static let bodyLimit = 64 << 20
    /// Seconds that the answer to a change waits until the change is in this host's copy.
    private static let changeSeconds = 3.0
    /// Maximum size of an answer that is stored.
    private static let storedLimit = 256 << 20
    /// Fields that belong to one connection (RFC 9110 §7.6.1), and those that libcurl or the server sets.
    private static let ownFields: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer",
        "transfer-encoding", "upgrade", "host", "content-length", "expect", "date",
    ]

    let primary: PrimaryHost
    let follower: LibraryFollower
    /// Answers that are used again: covers and spectra.
    let stored: FileCache

    /// Forwards a request.
    /// - Parameters:
    ///   - isChange: whether it may change something; by default, whether its method says so. OpenSubsonic changes with GET, too.
    ///   - absence: what the client cannot do while the primary is away.
    /// - Throws: 503 if the primary does not answer.
    func answer(
        _ request: HTTPRequest, isChange: Bool? = nil, absence: String? = nil
    ) async throws -> HTTPResponse {
        do {
            return try await forward(request, isChange: isChange)
        } catch is HTTPClientError {
            throw Self.primaryAway(absence)
        }
    }

    /// - Throws: `HTTPClientError` if the primary does not answer.
    private func forward(_ request: HTTPRequest, isChange: Bool?) async throws -> HTTPResponse {
        var transfer = try transfer(request)
        if ![.get, .head, .options].contains(request.method) {
            transfer.body = try await request.body.collect(upTo: Self.bodyLimit)
        }
        let (head, pipe) = try await send(transfer)
        let isChange = isChange ?? ![.get, .head, .options].contains(request.method)
        // The client may read what it has changed from this host next.
        if isChange, head.status < 400 { await follower.refresh(withinSeconds: Self.changeSeconds) }
        return response(head, pipe, isHead: request.method == .head)
    }

    /// Forwards a change of shared listening data; while the primary is away, this host makes it.
    ///
    /// The primary comes first, since it knows what is playing and passes plays on to other services. A change that it has made
    /// without answering does no harm when it is made again: the latest star or rating counts, and each play once.
    func answer(_ request: HTTPRequest, orHere here: HTTPResponder) async throws -> HTTPResponse {
        var request = request
        request.body = .bytes(try await request.body.collect(upTo: Self.bodyLimit))
        guard follower.contact.isReachable else { return try await here(request) }
        do { return try await answer(request, isChange: true) } catch { return try await here(request) }
    }

    /// Forwards a change of shared data that must not be made twice, such as an addition to a playlist; while the primary is away,
    /// this host makes it.
    /// - Throws: 503 if the primary was lost before it answered: it may have made the change.
    func answerOnce(_ request: HTTPRequest, orHere here: HTTPResponder) async throws -> HTTPResponse {
        var request = request
        request.body = .bytes(try await request.body.collect(upTo: Self.bodyLimit))
        guard follower.contact.isReachable else { return try await here(request) }
        do { return try await forward(request, isChange: true) } catch let error as HTTPClientError {
            guard error.code == .unreachable else { throw Self.primaryAway() }
            // The primary has not received it.
            return try await here(request)
        }
    }

    /// Forwards a request whose answer is stored: it is sent again if the primary confirms it, or is away.
    func storedAnswer(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.method == .get else { return try await answer(request) }
        let name = Self.name(of: request)
        let known = StoredAnswer(path: stored.path(of: name))
        var transfer = try transfer(request)
        transfer.fields.removeAll {
            ["accept-encoding", "range"].contains($0.name.lowercased())
                || $0.name.lowercased().hasPrefix("if-")
        }
        if let known { transfer.fields.append(("If-None-Match", known.head.entityTag)) }
        let (head, pipe): (TransferHead, TransferPipe)
        do throws(HTTPClientError) { (head, pipe) = try await send(transfer) } catch {
            guard let known else { throw Self.primaryAway() }
            return try known.response()
        }
        if head.status == 304, let known {
            pipe.cancel()
            stored.noteUse(of: name)
            return try known.response()
        }
        guard head.status == 200, let tag = Self.field("etag", head), let length = Self.length(head),
            length <= Self.storedLimit
        else { return response(head, pipe, isHead: false) }
        var content: [UInt8] = []
        while let piece = try await pipe.next() { content += piece }
        let line = try StoredAnswer.Head(
            contentType: Self.field("content-type", head) ?? "application/octet-stream", entityTag: tag
        ).line()
        try stored.store(name) { file in try file.descriptor.write(line + content) }
        guard let fresh = StoredAnswer(path: stored.path(of: name)) else {
            // Evicted at once, or the disk is full.
            return HTTPResponse(fields: Self.fields(head), body: .bytes(content))
        }
        return try fresh.response()
    }

    /// The name that an answer is stored by: a hash of everything that it depends on, without credentials.
    private static func name(of request: HTTPRequest) -> String {
        let query = request.query.all.filter { $0.name != "token" }.map { "\($0.name)=\($0.value)" }.sorted()
        let text = ([request.path, request.fields[.accept] ?? ""] + query).joined(separator: "\n")
        return AudioHash(of: Array(text.utf8).span.bytes).description
    }

    /// Returns a client's request as one to the primary, without its body.
    func transfer(_ request: HTTPRequest) throws -> TransferRequest {
        let query = request.query.raw.isEmpty ? "" : "?\(request.query.raw)"
        guard request.path.hasPrefix("/") else { throw APIError.primaryAway() }
        var transfer = TransferRequest(address: primary.address + request.path + query)
        transfer.method = request.method.rawValue
        transfer.fields = request.fields.map { ($0.name.rawName, $0.value) }
            .filter { !Self.ownFields.contains($0.0.lowercased()) }
        if let client = request.remoteAddress?.host { transfer.fields.append(("X-Forwarded-For", client)) }
        transfer.connectSeconds = 3
        transfer.responseSeconds = 120
        // Also ends transfers whose client has gone before it received anything.
        transfer.totalSeconds = 3600
        return transfer
    }

    private func send(
        _ transfer: TransferRequest
    ) async throws(HTTPClientError) -> (TransferHead, TransferPipe) {
        let pipe = TransferPipe(loop: primary.loop)
        pipe.start(transfer)
        return (try await pipe.head(), pipe)
    }

    private static func primaryAway(_ absence: String? = nil) -> HTTPError {
        APIError.primaryAway(absence, fields: [.retryAfter: "5"])
    }

    private func response(_ head: TransferHead, _ pipe: TransferPipe, isHead: Bool) -> HTTPResponse {
        let status = HTTPStatus(rawValue: head.status)
        var response = HTTPResponse(status, fields: Self.fields(head), allowsRanges: false)
        response.allowsCompression = false
        let length = Self.length(head)
        if status.forbidsContent || isHead {
            pipe.cancel()
            if isHead, let length { response.body = .stream(ResponseStream(byteCount: length) { _ in }) }
            return response
        }
        response.body = .stream(
            ResponseStream(byteCount: length) { writer in
                // Also if the client disconnects.
                defer { pipe.cancel() }
                while let piece = try await pipe.next() { try await writer.write(piece) }
            })
        return response
    }

    private static func fields(_ head: TransferHead) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in head.fields where !ownFields.contains(name.lowercased()) {
            if let name = HTTPFieldName(name) { fields.append(HTTPField(name, value)) }
        }
        return fields
    }

    private static func field(_ name: String, _ head: TransferHead) -> String? {
        head.fields.first { $0.name.lowercased() == name }?.value
    }

    private static func length(_ head: TransferHead) -> Int? {
        field("content-length", head).flatMap { Int($0) }
    }
}

/// An answer of the primary in a file: a line of JSON, then the content.
private struct StoredAnswer {
    struct Head: Codable {
        var contentType: String
        var entityTag: String

        func line() throws -> [UInt8] { [UInt8](try JSONEncoder().encode(self)) + [0x0A] }
    }

    let head: Head
    private let file: HTTPFile
    private let start: Int

    /// Opens a stored answer; nil without one.
    init?(path: String) {
        guard let file = try? HTTPFile(path: path) else { return nil }
        var bytes: [UInt8] = []
        guard (try? file.append(0..<min(file.byteCount, 4096), to: &bytes)) != nil,
            let end = bytes.firstIndex(of: 0x0A),
            let head = try? JSONDecoder().decode(Head.self, from: Data(bytes[..<end]))
        else { return nil }
        self.head = head
        self.file = file
        start = end + 1
    }

    func response() throws -> HTTPResponse {
        HTTPResponse(
            fields: [.contentType: head.contentType, .cacheControl: "no-cache", .entityTag: head.entityTag],
            body: .file(try FileRegion(file, offset: start, length: file.byteCount - start)),
            allowsRanges: true)
    }
}
