internal import Glibc
internal import Threads

/// Reads buckets of Amazon S3, or of a service with the same interface. Connections are reused.
///
/// Requests that fail for a passing reason are repeated, after random pauses that become longer. Safe to call from any thread;
/// each call blocks its thread.
package final class ObjectStore: Sendable {
    /// Size of a range that is requested at once, in bytes: the memory that a read needs.
    static let rangeSize = 8 << 20
    /// Maximum size of a page of a list: 1,000 objects with keys of up to 1,024 bytes, percent-encoded.
    private static let listLimit = 8 << 20

    private let settings: ObjectStoreSettings
    private let loop: TransferLoop
    /// Maximum number of attempts for a request.
    private let attempts: Int
    private let isCancelled: @Sendable () -> Bool

    /// Creates a client.
    /// - Parameters:
    ///   - userAgent: the program's name for the `User-Agent` field.
    ///   - attempts: for each request; with eight, a service may be away for half a minute.
    ///   - isCancelled: called before each attempt; true ends the request with the error `cancelled`.
    package init(
        _ settings: ObjectStoreSettings, userAgent: String, attempts: Int = 8,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.settings = settings
        self.attempts = attempts
        self.isCancelled = isCancelled
        loop = TransferLoop(userAgent: userAgent)
    }

    /// Lists the objects whose keys start with a prefix, in pages in the order of their keys.
    /// - Parameter body: called with each page; false ends the list.
    package func list(
        bucket: String, prefix: String, _ body: ([StoredObject]) throws -> Bool
    ) throws {
        var continuation: String?
        repeat {
            // Sorted, since older versions of the library sign the query as it is.
            let query = [
                ("continuation-token", continuation), ("encoding-type", "url"), ("list-type", "2"),
                ("prefix", prefix),
            ]
            .compactMap { name, value in value.map { "\(name)=\(ObjectStoreSettings.encoded($0))" } }
            let address = "\(settings.address(ofBucket: bucket))/?\(query.joined(separator: "&"))"
            let answer = try answer(TransferRequest(address: address), limit: Self.listLimit)
            guard let page = ObjectListing(answer.body) else {
                throw ObjectStoreError(.rejected, "the answer is not a list of objects")
            }
            guard try body(page.objects) else { return }
            continuation = page.continuation
        } while continuation != nil
    }

    /// Reads an object in ranges.
    /// - Parameters:
    ///   - entityTag: the version that is wanted; another one is the error `changed`.
    ///   - byteCount: its size.
    ///   - body: called with each range, in order.
    package func read(
        bucket: String, key: String, entityTag: String?, byteCount: Int, _ body: ([UInt8]) throws -> Void
    ) throws {
        var request = TransferRequest(
            address: "\(settings.address(ofBucket: bucket))/\(ObjectStoreSettings.encoded(key, keeping: "/"))"
        )
        if let entityTag { request.fields.append(("If-Match", entityTag)) }
        for start in stride(from: 0, to: byteCount, by: Self.rangeSize) {
            let end = min(start + Self.rangeSize, byteCount)
            request.range = "\(start)-\(end - 1)"
            let answer = try answer(request, limit: Self.rangeSize)
            guard answer.body.count == end - start, answer.status == 206 || end - start == byteCount else {
                throw ObjectStoreError(.changed, "has another size than in the list of objects")
            }
            try body(answer.body)
        }
    }

    private func answer(
        _ request: TransferRequest, limit: Int
    ) throws(ObjectStoreError) -> TransferLoop.Answer {
        var request = request
        request.signature = settings.signature
        // Each attempt has its own time; a slow connection may need minutes for a range.
        request.totalSeconds = 600
        for attempt in 1... {
            guard !isCancelled() else { throw ObjectStoreError(.cancelled, "cancelled") }
            let failure: ObjectStoreError
            do throws(HTTPClientError) {
                let answer = try loop.answerBlocking(to: request, limit: limit)
                if (200..<300).contains(answer.status) { return answer }
                failure = ObjectStoreError(status: answer.status, body: answer.body)
            } catch {
                let isPassing = [.unreachable, .connectionLost, .timedOut].contains(error.code)
                failure = ObjectStoreError(isPassing ? .unavailable : .rejected, error.description)
            }
            guard failure.code == .unavailable, attempt < attempts else { throw failure }
            pause(after: attempt)
        }
        throw ObjectStoreError(.unavailable, "no attempt was made")
    }

    /// Waits for a random time of up to 0.2 s after the first attempt, twice as long after each further one, at most 10 s.
    private func pause(after attempt: Int) {
        let longest = min(10, 0.1 * Double(1 << min(attempt, 10)))
        usleep(UInt32(Double.random(in: 0...longest) * 1e6))
    }
}
