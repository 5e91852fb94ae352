/// An upgraded connection, whose descriptor may be used until `close`.
struct WebSocketEndpoint: Sendable {
    let descriptor: Int32
    /// Returns the connection to the library, which closes the descriptor. Must be called once.
    let close: @Sendable () -> Void
}
