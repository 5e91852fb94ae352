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

        /// Returns the number of seconds before a retry, without the random part.
        /// - Parameter failures: number of failed attempts so far, from 1.
        func retrySeconds(after failures: Int) -> Double {
            min(longestRetrySeconds, firstRetrySeconds * pow(2, Double(min(failures, 60) - 1)))
        }
    }

    private let connection: HostConnection
    private let appVersion: String
    private let trust: ServerTrust
    private let pace: Pace
    private var socket: RemoteSocket?
    /// Whether a handshake has succeeded before: then a different server at this address is treated as a temporary error.
    private var isKnown = false
    private let continuation: AsyncStream<Event>.Continuation

    /// The events, for one consumer.
    public nonisolated let events: AsyncStream<Event>

    /// Creates a channel; does not connect yet.
    /// - Parameter appVersion: name and version of the program, for display.
    public init(
        _ connection: HostConnection, appVersion: String, trust: ServerTrust = .machine, pace: Pace = Pace()
    ) {
        self.connection = connection
        self.appVersion = appVersion
        self.trust = trust
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
        var failures = 0
        while !Task.isCancelled {
            do throws(ClientError) {
                try await converse { failures = 0 }
                failures += 1
                try await rest(reason: "The host closed the channel.", failures)
            } catch {
                if error.code == .cancelled || Task.isCancelled { return }
                guard isWorthRetrying(error) else { throw error }
                failures += 1
                do throws(ClientError) { try await rest(reason: error.description, failures) } catch {
                    return
                }
            }
        }
    }

    private func isWorthRetrying(_ error: ClientError) -> Bool {
        if [.unauthorized, .versionMismatch, .noHost].contains(error.code) { return false }
        return isKnown || ![.notAHost, .notFound].contains(error.code)
    }

    private func rest(reason: String, _ failures: Int) async throws(ClientError) {
        let seconds = pace.retrySeconds(after: failures) * Double.random(in: 1...1.25)
        continuation.yield(.disconnected(reason: reason, retryInSeconds: seconds))
        do { try await Task.sleep(for: .seconds(seconds)) } catch {
            throw ClientError(.cancelled, "cancelled")
        }
    }

    /// Runs one connection from start to end.
    private func converse(_ hasConnected: () -> Void) async throws(ClientError) {
        try await connection.connect()
        guard let request = connection.request(Routes.remoteChannel) else { return }
        let socket = RemoteSocket(request, trust: trust)
        let keeper = Task { await Self.keepAlive(socket, pace) }
        defer {
            keeper.cancel()
            self.socket = nil
            socket.close()
        }
        var isGreeted = false
        do {
            for try await message in socket.messages {
                switch message {
                case .text(RemoteSocket.opening):
                    if let greeting = Self.json(HandshakeMessage(appVersion: appVersion)) {
                        socket.send(greeting)
                    }
                case .text(let text) where !isGreeted:
                    try greet(text, socket)
                    isGreeted = true
                    hasConnected()
                case .text(let text):
                    // Ignore unknown events of later versions.
                    if let event = try? JSONDecoder().decode(HostEvent.self, from: Data(text.utf8)) {
                        continuation.yield(.host(event))
                    }
                case .closed(let code, let reason):
                    try Self.judge(code, reason)
                }
            }
        } catch let error as ClientError {
            throw error
        } catch {
            throw ClientError(.cancelled, "cancelled")
        }
        if Task.isCancelled { throw ClientError(.cancelled, "cancelled") }
    }

    private func greet(_ text: String, _ socket: RemoteSocket) throws(ClientError) {
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

    private static func keepAlive(_ socket: RemoteSocket, _ pace: Pace) async {
        let timeout = Duration.seconds(pace.pingSeconds * Double(pace.missedPingLimit))
        while (try? await Task.sleep(for: .seconds(pace.pingSeconds))) != nil {
            guard ContinuousClock.now - socket.lastSign < timeout else {
                socket.lose()
                return
            }
            socket.ping()
        }
    }

    private static func json(_ value: some Encodable) -> String? {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }
}
