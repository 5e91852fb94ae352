import Foundation
import StreamClient

/// A transport that serves local files (`http://files/PATH`) with ranges, and fails at random.
struct UnreliableFiles: Transport {
    func fetch(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if Int.random(in: 0..<6) == 0 { throw TransportError(.unreachable, "connection refused") }
        let path = String(request.address.dropFirst("http://files".count))
        guard let content = try? Data(contentsOf: URL(filePath: path)) else {
            return TransportResponse(
                status: 404, fields: [:], address: request.address,
                body: TransportBody(next: { () async throws(TransportError) in nil }))
        }
        let first = min(request.range?.first ?? 0, content.count)
        let fields: TransportFields = [
            "content-type": "audio/mpeg", "accept-ranges": "bytes",
            "content-length": "\(content.count - first)",
            "content-range": "bytes \(first)-\(content.count - 1)/\(content.count)",
        ]
        return TransportResponse(
            status: request.range == nil ? 200 : 206, fields: fields, address: request.address,
            body: Self.body(Array(content[first...])))
    }

    /// Returns pieces after short delays; one in ten ends the body early.
    private static func body(_ bytes: [UInt8]) -> TransportBody {
        let stream = AsyncStream<[UInt8]?> { continuation in
            let task = Task {
                for start in stride(from: 0, to: bytes.count, by: 16_384) {
                    try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<3)))
                    guard Int.random(in: 0..<10) > 0 else {
                        continuation.yield(nil)
                        break
                    }
                    continuation.yield(Array(bytes[start..<min(start + 16_384, bytes.count)]))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
        let reader = PieceReader(stream)
        return TransportBody(next: { () async throws(TransportError) in try await reader.next() })
    }
}

/// Returns pieces; a nil piece represents a lost connection.
private actor PieceReader {
    private var iterator: AsyncStream<[UInt8]?>.AsyncIterator

    init(_ stream: AsyncStream<[UInt8]?>) { iterator = stream.makeAsyncIterator() }

    func next() async throws(TransportError) -> [UInt8]? {
        var reader = iterator
        let piece = await reader.next(isolation: self)
        iterator = reader
        switch piece {
        case nil: return nil
        case .some(nil): throw TransportError(.connectionLost, "connection lost")
        case .some(let bytes): return bytes
        }
    }
}
