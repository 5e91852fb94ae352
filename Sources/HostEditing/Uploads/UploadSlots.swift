internal import APIDescription
internal import HTTPServer
internal import Synchronization

/// Limits the number of concurrent uploads, each of which needs buffers, threads and files.
package final class UploadSlots: Sendable {
    private let count: Int
    private let taken = Mutex(0)

    package init(_ count: Int) { self.count = count }

    /// Runs an upload.
    /// - Throws: 503 if all slots are taken.
    package func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        let isFree = taken.withLock { taken in
            guard taken < count else { return false }
            taken += 1
            return true
        }
        guard isFree else {
            throw APIError.tooManyUploads(
                "\(count) uploads are already in progress; try again later.", fields: [.retryAfter: "5"])
        }
        defer { taken.withLock { $0 -= 1 } }
        return try await body()
    }
}
