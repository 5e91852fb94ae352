internal import Synchronization

/// A resource on a server, read with range requests.
final class HTTPResource: ByteResource {
    let address: String
    private let fields: TransportFields
    private let server: Reconnection
    private let timeouts: TransportTimeouts
    /// The ETag used to detect changes of the resource.
    private let validator = Mutex<String?>(nil)
    private let traffic: TrafficMeter?

    var isNear: Bool { false }

    init(
        _ address: String, fields: TransportFields, transport: any Transport, timeouts: TransportTimeouts,
        traffic: TrafficMeter?
    ) {
        self.address = address
        self.fields = fields
        server = Reconnection(transport)
        self.timeouts = timeouts
        self.traffic = traffic
    }

    func open(at offset: Int) async throws(PlaybackError) -> ByteRun {
        try await open(at: offset, upTo: nil)
    }

    /// Opens a range of bytes; `end` is exclusive.
    func open(at offset: Int, upTo end: Int?) async throws(PlaybackError) -> ByteRun {
        var request = TransportRequest(address, fields: fields, timeouts: timeouts)
        if offset > 0 || end != nil {
            request.range = TransportRange(first: offset, last: end.map { $0 - 1 })
            if let validator = validator.withLock({ $0 }) { request.fields["if-range"] = validator }
        }
        let began = traffic?.now
        let response = try await server.fetch(request)
        if response.status == 416, offset > 0 {
            // Nothing from this offset on; this is the end if the reported size says so.
            guard response.contentRange?.total == offset else {
                throw PlaybackError(.refused, "range not satisfiable (416)")
            }
            return ByteRun(
                offset: offset, total: offset, fields: response.fields, address: response.address
            ) { () async throws(PlaybackError) in nil }
        }
        if let error = PlaybackError(status: response.status) { throw error }
        if let began, let traffic { traffic.waited(since: began) }
        try remember(response)
        var toDrop = 0
        var total = response.contentLength
        if request.range != nil {
            if response.status == 206 {
                guard let range = response.contentRange, range.range?.lowerBound == offset else {
                    throw PlaybackError(.refused, "the server returned a different byte range than requested")
                }
                total = range.total
            } else {
                // The server does not support ranges.
                toDrop = offset
            }
        }
        let run = BodyRun(response.body, toDrop: toDrop, traffic: traffic)
        return ByteRun(offset: offset, total: total, fields: response.fields, address: response.address) {
            () async throws(PlaybackError) in try await run.next()
        }
    }

    /// Remembers the ETag, and throws if it has changed.
    private func remember(_ response: TransportResponse) throws(PlaybackError) {
        guard let tag = response.fields["etag"], !tag.hasPrefix("W/") else { return }
        let known = validator.withLock { known in
            defer { known = known ?? tag }
            return known
        }
        if let known, known != tag {
            throw PlaybackError(.refused, "the file has changed on the server during playback")
        }
    }
}

/// Reads the body of one response.
private actor BodyRun {
    private var iterator: TransportBody.AsyncIterator?
    private var toDrop: Int
    private let traffic: TrafficMeter?

    init(_ body: TransportBody, toDrop: Int, traffic: TrafficMeter?) {
        iterator = body.makeAsyncIterator()
        self.toDrop = toDrop
        self.traffic = traffic
    }

    func next() async throws(PlaybackError) -> [UInt8]? {
        while var reader = iterator {
            let began = traffic?.now
            let piece: [UInt8]?
            do throws(TransportError) {
                piece = try await reader.next(isolation: self)
            } catch {
                iterator = nil
                throw PlaybackError(error)
            }
            iterator = reader
            guard let piece else {
                iterator = nil
                return nil
            }
            if let began, let traffic { traffic.received(piece.count, since: began) }
            guard toDrop > 0 else { return piece }
            let dropped = min(toDrop, piece.count)
            toDrop -= dropped
            if dropped < piece.count { return Array(piece.dropFirst(dropped)) }
        }
        return nil
    }
}
