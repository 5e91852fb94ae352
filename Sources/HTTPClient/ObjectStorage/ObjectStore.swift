internal import Crypto
package import FileSystem
internal import Glibc
internal import Threads

/// Reads and writes buckets of Amazon S3, or of a service with the same interface. Connections are reused.
///
/// Requests that fail for a passing reason are repeated, after random pauses that become longer. Safe to call from any thread;
/// each call blocks its thread.
package final class ObjectStore: Sendable {
    /// Size of a range that is requested at once, in bytes: the memory that a read needs.
    static let rangeSize = 8 << 20
    /// Maximum size of an object that can be written in one request, in bytes.
    package static let largestObject = 5 << 30
    /// Maximum size of a page of a list: 1,000 objects with keys of up to 1,024 bytes, percent-encoded.
    private static let listLimit = 8 << 20

    /// Maximum size of an answer that explains an error, in bytes.
    private static let errorLimit = 64 << 10

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

    /// Returns an object; nil if no object has this key.
    package func object(bucket: String, key: String) throws -> StoredObject? {
        var found: StoredObject?
        // Keys are sorted, so it is the first of those that start with it.
        try list(bucket: bucket, prefix: key) { objects in
            found = objects.first.flatMap { $0.key == key ? $0 : nil }
            return false
        }
        return found
    }

    /// Reads an object in ranges.
    /// - Parameters:
    ///   - entityTag: the version that is wanted; another one is the error `changed`.
    ///   - byteCount: its size.
    ///   - body: called with each range, in order.
    package func read(
        bucket: String, key: String, entityTag: String?, byteCount: Int, _ body: ([UInt8]) throws -> Void
    ) throws {
        for start in stride(from: 0, to: byteCount, by: Self.rangeSize) {
            let end = min(start + Self.rangeSize, byteCount)
            try body(
                read(
                    start..<end, ofObject: key, bucket: bucket, entityTag: entityTag, byteCount: byteCount))
        }
    }

    /// Reads a range of an object, which is not empty.
    /// - Parameters:
    ///   - entityTag: the version that is wanted; another one is the error `changed`.
    ///   - byteCount: the object's size.
    package func read(
        _ range: Range<Int>, ofObject key: String, bucket: String, entityTag: String?, byteCount: Int
    ) throws(ObjectStoreError) -> [UInt8] {
        var request = TransferRequest(address: address(ofObject: key, bucket: bucket))
        if let entityTag { request.fields.append(("If-Match", entityTag)) }
        request.range = "\(range.lowerBound)-\(range.upperBound - 1)"
        let answer = try answer(request, limit: range.count)
        guard answer.body.count == range.count, answer.status == 206 || range.count == byteCount else {
            throw ObjectStoreError(.changed, "has another size than in the list of objects")
        }
        return answer.body
    }

    /// Returns the whole content of a small object; nil if no object has this key.
    /// - Parameter limit: its maximum size in bytes.
    package func content(bucket: String, key: String, limit: Int) throws(ObjectStoreError) -> [UInt8]? {
        do throws(ObjectStoreError) {
            let request = TransferRequest(address: address(ofObject: key, bucket: bucket))
            let content = try answer(request, limit: limit).body
            guard content.count <= limit else {
                throw ObjectStoreError(.rejected, "has more than \(limit) bytes")
            }
            return content
        } catch {
            guard error.code == .notFound, !error.isMissingBucket else { throw error }
            return nil
        }
    }

    /// Stores a file as an object, which replaces one with the same key when it is complete.
    /// - Throws: ``ObjectStoreError``; `rejected` also if the file is larger than ``largestObject``; `SystemError` if it cannot be read.
    package func write(_ file: borrowing FileDescriptor, bucket: String, key: String) throws {
        let byteCount = try file.status().byteCount
        guard byteCount <= Self.largestObject else {
            throw ObjectStoreError(
                .rejected, "\(byteCount) bytes are more than one request can store (5 GiB)")
        }
        let digest = SHA256()
        for start in stride(from: 0, to: byteCount, by: Self.rangeSize) {
            digest.update(try file.read(min(Self.rangeSize, byteCount - start), at: start))
        }
        var request = TransferRequest(address: address(ofObject: key, bucket: bucket))
        request.method = "PUT"
        request.file = try TransferFile(file, byteCount: byteCount, digest: digest.finish())
        _ = try answer(request, limit: Self.errorLimit)
    }

    private func address(ofObject key: String, bucket: String) -> String {
        "\(settings.address(ofBucket: bucket))/\(ObjectStoreSettings.encoded(key, keeping: "/"))"
    }

    private func answer(
        _ request: TransferRequest, limit: Int
    ) throws(ObjectStoreError) -> TransferLoop.Answer {
        var request = request
        request.signature = settings.signature
        // Each attempt has its own time; a slow connection may need minutes for a range. A file may take longer while it advances.
        if request.file == nil { request.totalSeconds = 600 }
        for attempt in 1... {
            guard !isCancelled() else { throw ObjectStoreError(.cancelled, "cancelled") }
            let failure: ObjectStoreError
            do throws(HTTPClientError) {
                let answer = try loop.answerBlocking(to: request, limit: max(limit, Self.errorLimit))
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
