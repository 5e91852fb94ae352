internal import Foundation
public import MusicShared

/// The client's end of the remote channel: tells the host what is played, and hears what happens there.
///
/// ``run()`` keeps it open: it answers and sends pings, takes three missed ones for the end of the connection, and connects again
/// by whichever address answers, at first at once and then ever more seldom. After each ``Event/connected(_:)`` the client tells
/// anew what it plays, since the host forgets it with the connection.
public actor RemoteChannel {
    /// What happens.
    public enum Event: Sendable, Equatable {
        /// The host was greeted, and this is how it answered. Commands get through from now on.
        case connected(HandshakeMessage)
        /// The host tells of something.
        case host(HostEvent)
        /// The connection is gone, and why; it is tried again after so many seconds.
        case disconnected(reason: String, retryInSeconds: Double)
    }

    /// How often signs of life are asked for, and how long the channel waits until it tries again.
    public struct Pace: Sendable {
        /// Between two pings, in seconds.
        public var pingSeconds = StreamingConstants.pingSeconds
        /// After how many pings without any sign of life the host counts as lost.
        public var missedPingLimit = StreamingConstants.missedPingLimit
        /// How long the first wait is, in seconds; each next one is twice as long. Up to a quarter is added at random, so
        /// that all clients of a host that comes back do not come at the same moment.
        public var firstRetrySeconds = 0.5
        /// How long a wait is at most, in seconds.
        public var longestRetrySeconds = 30.0

        /// The usual pace.
        public init() {}

        /// How long to wait before an attempt, without what is added at random.
        /// - Parameter failures: how many attempts have failed before it, from 1.
        func retrySeconds(after failures: Int) -> Double {
            min(longestRetrySeconds, firstRetrySeconds * pow(2, Double(min(failures, 60) - 1)))
        }
    }

    private let connection: HostConnection
    private let appVersion: String
    private let trust: ServerTrust
    private let pace: Pace
    private var socket: RemoteSocket?
    private let continuation: AsyncStream<Event>.Continuation

    /// What happens. For one listener.
    public nonisolated let events: AsyncStream<Event>

    /// Knows the way; opens nothing yet.
    /// - Parameter appVersion: name and version of the program, as people read it.
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

    /// Tells the host of something.
    /// - Throws: ``ClientError/Code/noAnswer`` while there is no connection.
    public func send(_ command: RemoteCommand) throws(ClientError) {
        guard let socket, let text = Self.json(command) else {
            throw ClientError(TransportError(.connectionLost, "The remote channel is not open."))
        }
        socket.send(text)
    }

    /// Keeps the channel open until the task is cancelled.
    /// - Throws: where trying again is of no use: the key or the version is wrong, or there is no such host.
    public func run() async throws(ClientError) {
        var failures = 0
        while !Task.isCancelled {
            do throws(ClientError) {
                try await converse { failures = 0 }
                failures += 1
                try await rest(reason: "The host closed the channel.", failures)
            } catch {
                if error.code == .cancelled || Task.isCancelled { return }
                guard Self.isWorthRetrying(error) else { throw error }
                failures += 1
                do throws(ClientError) { try await rest(reason: error.description, failures) } catch {
                    return
                }
            }
        }
    }

    private static func isWorthRetrying(_ error: ClientError) -> Bool {
        ![.unauthorized, .versionMismatch, .notAHost, .notFound, .noHost].contains(error.code)
    }

    private func rest(reason: String, _ failures: Int) async throws(ClientError) {
        let seconds = pace.retrySeconds(after: failures) * Double.random(in: 1...1.25)
        continuation.yield(.disconnected(reason: reason, retryInSeconds: seconds))
        do { try await Task.sleep(for: .seconds(seconds)) } catch {
            throw ClientError(.cancelled, "cancelled")
        }
    }

    /// One connection from its beginning to its end.
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
                    // Events of later versions are passed over.
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
            throw ClientError(.notAHost, "The host does not answer the greeting.")
        }
        guard answer.protocolVersion == StreamingConstants.protocolVersion else {
            throw ClientError(
                .versionMismatch,
                "The host speaks version \(answer.protocolVersion) of the protocol, this program version "
                    + "\(StreamingConstants.protocolVersion).")
        }
        self.socket = socket
        continuation.yield(.connected(answer))
    }

    private static func judge(_ code: UInt16, _ reason: String) throws(ClientError) {
        if code == RemoteCloseCode.versionMismatch { throw ClientError(.versionMismatch, reason) }
        throw ClientError(TransportError(.connectionLost, reason.isEmpty ? "closed with \(code)" : reason))
    }

    private static func keepAlive(_ socket: RemoteSocket, _ pace: Pace) async {
        let patience = Duration.seconds(pace.pingSeconds * Double(pace.missedPingLimit))
        while (try? await Task.sleep(for: .seconds(pace.pingSeconds))) != nil {
            guard ContinuousClock.now - socket.lastSign < patience else {
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
