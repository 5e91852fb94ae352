internal import HTTPServer
internal import MusicShared

extension WebSocket {
    /// Seconds without any progress after which a client with a full queue is closed.
    static let deliverySeconds = 10.0

    /// Sends a message as soon as the queue has space.
    /// - Parameter seconds: time without any progress after which the client is closed.
    /// - Returns: False if the client has disconnected, or was closed because it reads too slowly.
    func deliver(_ message: WebSocketMessage, withinSeconds seconds: Double = deliverySeconds) async -> Bool {
        var waiting = Int.max
        var readAt = ContinuousClock.now
        while !offer(message) {
            guard closeCode == nil, !Task.isCancelled else { return false }
            let count = outgoingByteCount
            if count < waiting {
                readAt = ContinuousClock.now
            } else if ContinuousClock.now - readAt > .seconds(seconds) {
                close(
                    WebSocketCloseCode(rawValue: PushCloseCode.tooSlow),
                    reason:
                        "Nothing was read for \(Int(seconds)) seconds; reconnect with ?since= and the last id."
                )
                return false
            }
            waiting = count
            try? await Task.sleep(for: .milliseconds(50))
        }
        return true
    }
}
