public import StreamClient
internal import Foundation
public import MusicShared

/// The client's end of the remote channel: reports playback to the host and receives events.
///
/// ``run()`` keeps it open: it sends and answers pings, treats three missed pings as the end of the connection, and
/// reconnects to whichever address responds, with exponential backoff. After each ``Event/connected(_:)`` the client must
/// report its playback again, since the host discards a client's state when its connection closes.
public actor RemoteChannel {
    /// An event of the channel.
    public enum Event: Sendable, Equatable {
        /// The handshake with the host is complete. Commands can be sent from now on.
        case connected(HandshakeMessage)
        /// An event sent by the host.
        case host(HostEvent)
        /// The connection was lost for the given reason; the next attempt follows after the given number of seconds.
        case disconnected(reason: String, retryInSeconds: Double)
    }

    /// Ping and retry intervals.
    public struct Pace: Sendable {
        /// Seconds between pings.
        public var pingSeconds = StreamingConstants.pingSeconds
        /// Number of unanswered pings after which the connection counts as lost.
        public var missedPingLimit = StreamingConstants.missedPingLimit
        /// Seconds before the first retry; doubled for each further one. Up to a quarter is added at random, so that clients
        /// do not all reconnect to a restarted host at the same moment.
        public var firstRetrySeconds = 0.5
        /// Maximum number of seconds between retries.
        public var longestRetrySeconds = 30.0

        /// The default intervals.
        public init() {}

        /// Seconds without data from the host after which the connection counts as lost.
        var timeoutSeconds: Double { pingSeconds * Double(missedPingLimit) }

        /// Returns the number of seconds before a retry, without the random part.
        /// - Parameter failures: number of failed attempts so far, from 1.
        func retrySeconds(after failures: Int) -> Double {
            min(longestRetrySeconds, firstRetrySeconds * pow(2, Double(min(failures, 60) - 1)))
        }
    }

    private let connection: HostConnection
    private let appVersion: String
    private let connector: any WebSocketConnector
    private let pace: Pace
    private var socket: (any WebSocketConnection)?
    /// Number of failed attempts since the last handshake.
    private var failures = 0
    /// Whether a handshake has succeeded before: then a different server at this address is treated as a temporary error.
    private var isKnown = false
    private let continuation: AsyncStream<Event>.Continuation

    /// The events, for one consumer.
    public nonisolated let events: AsyncStream<Event>

    /// Creates a channel; does not connect yet.
    /// - Parameters:
    ///   - connection: the host.
    ///   - connector: opens the WebSocket.
    ///   - appVersion: name and version of the program, for display.
    ///   - pace: the ping and retry intervals.
    public init(
        _ connection: HostConnection, connector: any WebSocketConnector, appVersion: String,
        pace: Pace = Pace()
    ) {
        self.connection = connection
        self.appVersion = appVersion
        self.connector = connector
        self.pace = pace
        (events, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(256))
    }

    /// Sends a command to the host.
    /// - Throws: ``ClientError/Code/noAnswer`` while there is no connection.
    public func send(_ command: RemoteCommand) throws(ClientError) {
        guard let socket, let text = Self.json(command) else {
            throw ClientError(TransportError(.connectionLost, "The remote channel is not open."))
        }
        socket.send(text)
    }

    /// Keeps the channel open until the task is cancelled.
    /// - Throws: if a retry is pointless: invalid API key, version mismatch, or not a music host.
    public func run() async throws(ClientError) {
        failures = 0
        while !Task.isCancelled {
            do throws(ClientError) {
                try await converse()
                failures += 1
                try await rest(reason: "The host closed the channel.")
            } catch {
                if error.code == .cancelled || Task.isCancelled { return }
                guard isWorthRetrying(error) else { throw error }
                failures += 1
                do throws(ClientError) { try await rest(reason: error.description) } catch {
                    return
                }
            }
        }
    }

    private func isWorthRetrying(_ error: ClientError) -> Bool {
        if [.unauthorized, .versionMismatch, .noHost].contains(error.code) { return false }
        return isKnown || ![.notAHost, .notFound].contains(error.code)
    }

    private func rest(reason: String) async throws(ClientError) {
        let seconds = pace.retrySeconds(after: failures) * Double.random(in: 1...1.25)
        continuation.yield(.disconnected(reason: reason, retryInSeconds: seconds))
        do { try await Task.sleep(for: .seconds(seconds)) } catch {
            throw ClientError(.cancelled, "cancelled")
        }
    }

    /// Runs one connection from start to end.
    private func converse() async throws(ClientError) {
        try await connection.connect()
        guard let socket = try await open() else { return }
        defer {
            self.socket = nil
            socket.close(code: 1000, reason: "")
        }
        if let greeting = Self.json(HandshakeMessage(appVersion: appVersion)) { socket.send(greeting) }
        do {
            let pace = pace
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.listen(to: socket) }
                group.addTask { try await Self.keepAlive(socket, pace) }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch let error as ClientError {
            throw error
        } catch let error as WebSocketError {
            throw ClientError(error)
        } catch {
            throw ClientError(.cancelled, "cancelled")
        }
        if Task.isCancelled { throw ClientError(.cancelled, "cancelled") }
    }

    private func open() async throws(ClientError) -> (any WebSocketConnection)? {
        guard var request = connection.request(Routes.remoteChannel) else { return nil }
        request.timeouts.response = pace.timeoutSeconds
        do throws(WebSocketError) { return try await connector.connect(request) } catch {
            throw ClientError(error)
        }
    }

    private func listen(to socket: any WebSocketConnection) async throws {
        var isGreeted = false
        for try await message in socket.messages {
            switch message {
            case .text(let text) where !isGreeted:
                try greet(text, socket)
                isGreeted = true
                failures = 0
            case .text(let text):
                // Ignore unknown events of later versions.
                if let event = try? JSONDecoder().decode(HostEvent.self, from: Data(text.utf8)) {
                    continuation.yield(.host(event))
                }
            case .closed(let code, let reason):
                try Self.judge(code, reason)
            }
        }
    }

    private func greet(_ text: String, _ socket: any WebSocketConnection) throws(ClientError) {
        guard let answer = try? JSONDecoder().decode(HandshakeMessage.self, from: Data(text.utf8)) else {
            throw ClientError(.notAHost, "The host sent an invalid handshake.")
        }
        guard answer.protocolVersion == StreamingConstants.protocolVersion else {
            throw ClientError(
                .versionMismatch,
                "The host uses protocol version \(answer.protocolVersion), but this program uses version "
                    + "\(StreamingConstants.protocolVersion).")
        }
        self.socket = socket
        isKnown = true
        continuation.yield(.connected(answer))
    }

    private static func judge(_ code: UInt16, _ reason: String) throws(ClientError) {
        if code == RemoteCloseCode.versionMismatch { throw ClientError(.versionMismatch, reason) }
        throw ClientError(TransportError(.connectionLost, reason.isEmpty ? "closed with \(code)" : reason))
    }

    private static func keepAlive(
        _ socket: any WebSocketConnection, _ pace: Pace
    ) async throws(ClientError) {
        var lastPing: ContinuousClock.Instant?
        while (try? await Task.sleep(for: .seconds(pace.pingSeconds))) != nil {
            let lastActivity = socket.lastActivity
            // After a long pause of this machine, such as sleep, the host has had no ping to answer.
            let isUnanswered = lastPing.map { lastActivity < $0 } ?? false
            guard !isUnanswered || ContinuousClock.now - lastActivity < .seconds(pace.timeoutSeconds) else {
                throw ClientError(TransportError(.timedOut, "The host stopped responding."))
            }
            lastPing = ContinuousClock.now
            socket.sendPing()
        }
    }

    private static func json(_ value: some Encodable) -> String? {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension ClientError {
    /// Creates an error for a WebSocket that could not be opened or ended early.
    init(_ error: WebSocketError) {
        switch error {
        case .rejected(let status?) where status == 401 || status == 403:
            self.init(.unauthorized, "The host rejected the API key.", status: status)
        case .rejected(let status?) where status == 429 || status >= 500:
            self.init(.refused, "The host returned status \(status).", status: status)
        case .rejected(let status):
            self.init(.notAHost, "The response is not a WebSocket handshake.", status: status)
        case .violation(let reason):
            self.init(.notAHost, "The host violated the WebSocket protocol: \(reason).")
        case .disconnected(let error): self.init(error)
        }
    }
}
