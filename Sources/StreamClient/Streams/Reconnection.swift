internal import Synchronization

/// Sends requests to one server, and detects quickly when it is reachable again.
final class Reconnection: Sendable {
    /// Connect timeout in seconds for a server that did not respond to the last request: together with the delay between
    /// attempts, the server is reached within three seconds of its return. The kernel repeats a SYN packet after 1, 3 and 7
    /// s.
    private static let connectSeconds = 3.5

    private let transport: any Transport
    /// Whether the last request got no response.
    private let isUnanswered = Mutex(false)

    init(_ transport: any Transport) { self.transport = transport }

    /// Sends a request and returns the response.
    /// - Throws: ``PlaybackError/Code/noConnection`` if there was no response.
    func fetch(_ request: TransportRequest) async throws(PlaybackError) -> TransportResponse {
        var request = request
        if isUnanswered.withLock({ $0 }) {
            request.timeouts.connect = min(request.timeouts.connect, Self.connectSeconds)
        }
        do throws(TransportError) {
            let response = try await transport.fetch(request)
            isUnanswered.withLock { $0 = false }
            return response
        } catch {
            isUnanswered.withLock { $0 = true }
            throw PlaybackError(unanswered: error)
        }
    }
}
