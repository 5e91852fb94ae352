final class WebSocketReactor: Sendable {
    init() throws(HTTPServerError) {}
    func closeAll() {}
    func stop() {}
}
