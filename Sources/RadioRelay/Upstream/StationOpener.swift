internal import HTTPClient
internal import MusicShared

/// Finds the stream behind the address of a station, which may be a list of stations, and opens it.
struct StationOpener {
    /// Maximum number of lists that may refer to each other.
    private static let longestChain = 4
    private static let redirectionLimit = 5
    /// Maximum size of a list or playlist in bytes.
    static let listLimit = 1 << 20

    let loop: TransferLoop
    let policy: AddressPolicy
    /// Whether the caller has given up.
    let isStopped: @Sendable () -> Bool

    /// Opens the stream behind an address.
    func open(_ address: String) throws(RelayError) -> any StationSource {
        var address = address
        for _ in 0..<Self.longestChain {
            let transfer = BlockingTransfer()
            var request = request(address)
            // Stations only interleave titles if the client requests them.
            request.fields = [("Icy-MetaData", "1"), ("Accept", "*/*")]
            let loop = loop
            let id = loop.start(request, receiver: transfer)
            let head: TransferHead
            do throws(RelayError) {
                head = try transfer.head(unless: isStopped)
                try Self.check(status: head.status)
            } catch {
                loop.cancel(id)
                throw error
            }
            let type = head.field("content-type") ?? ""
            guard StationList.isList(contentType: type, address: head.address) else {
                return EndlessSource(head, transfer, resume: { loop.resume(id) }, cancel: { loop.cancel(id) })
            }
            let text = try list(transfer, id)
            if text.contains("#EXT-X-") { return try LiveHLSSource(text, from: head.address, opener: self) }
            guard let next = StationList(text).addresses.first else {
                throw RelayError(.badAnswer, "the list contains no stations")
            }
            address = try Self.resolve(next, head.address)
        }
        throw RelayError(.badAnswer, "too many lists refer to each other")
    }

    private func list(_ transfer: BlockingTransfer, _ id: TransferLoop.TransferID) throws(RelayError)
        -> String
    {
        defer { loop.cancel(id) }
        var bytes: [UInt8] = []
        while !isStopped() {
            let (pieces, isPaused) = try transfer.next()
            if isPaused { loop.resume(id) }
            guard let pieces else { return String(decoding: bytes, as: UTF8.self) }
            for piece in pieces { bytes += piece }
            guard bytes.count <= Self.listLimit else {
                throw RelayError(.badAnswer, "the list of stations is too long")
            }
        }
        throw RelayError(.stopped, "stopped")
    }

    /// Downloads a whole resource.
    /// - Returns: its content and the address that answered.
    func content(
        _ address: String, limit: Int, range: Range<Int>? = nil
    ) throws(RelayError) -> (bytes: [UInt8], address: String) {
        let transfer = BlockingTransfer()
        var request = request(address)
        request.totalSeconds = 60
        request.range = range.map { "\($0.lowerBound)-\($0.upperBound - 1)" }
        let id = loop.start(request, receiver: transfer)
        defer { loop.cancel(id) }
        let head = try transfer.head(unless: isStopped)
        try Self.check(status: head.status)
        var bytes: [UInt8] = []
        while !isStopped() {
            let (pieces, isPaused) = try transfer.next()
            if isPaused { loop.resume(id) }
            guard let pieces else { return (bytes, head.address) }
            for piece in pieces { bytes += piece }
            guard bytes.count <= limit else { throw RelayError(.badAnswer, "an answer is too large") }
        }
        throw RelayError(.stopped, "stopped")
    }

    private func request(_ address: String) -> TransferRequest {
        var request = TransferRequest(address: address)
        request.redirectionLimit = Self.redirectionLimit
        request.policy = policy
        request.connectSeconds = 10
        request.responseSeconds = 15
        request.idleSeconds = 20
        return request
    }

    private static func check(status: Int) throws(RelayError) {
        // Old stations answer without a version, and so without a status that the client reads.
        guard status == 0 || (200..<300).contains(status) else {
            throw RelayError(.badAnswer, "the station answers with status \(status)")
        }
    }

    static func resolve(_ address: String, _ base: String) throws(RelayError) -> String {
        try readingPlaylist { () throws(HLSPlaylistError) in try HLSPlaylist.resolve(address, base) }
    }

    static func readingPlaylist<Result>(
        _ body: () throws(HLSPlaylistError) -> Result
    ) throws(RelayError) -> Result {
        do throws(HLSPlaylistError) {
            return try body()
        } catch {
            throw RelayError(error.code == .unsupported ? .unsupportedFormat : .badAnswer, error.message)
        }
    }
}
