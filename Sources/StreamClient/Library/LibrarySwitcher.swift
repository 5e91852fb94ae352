/// Which of several libraries is browsed: that of a host, its copy while the host is away, or another host's.
///
/// A host is taken only after it has answered. When the one in use goes away, the first of the others that answers is taken in
/// its place; where none does, the copy of the library in use.
public actor LibrarySwitcher {
    /// What is browsed.
    public struct Selection: Sendable {
        /// The host.
        public let host: KnownHost
        /// The way to it; also where it is away.
        public let connection: HostConnection
        /// Its library.
        public let provider: any LibraryServiceProvider
        /// Whether the host answers; otherwise the library is the copy.
        public let isOnline: Bool

        /// Puts the parts together.
        public init(
            host: KnownHost, connection: HostConnection, provider: any LibraryServiceProvider, isOnline: Bool
        ) {
            self.host = host
            self.connection = connection
            self.provider = provider
            self.isOnline = isOnline
        }
    }

    /// What happens.
    public enum Event: Sendable, Equatable {
        /// The library of the host with this id is browsed from now on; from its copy where it is not online.
        case selected(id: String, isOnline: Bool)
        /// The host in use does not answer.
        case lost(id: String)
        /// No host answers, and there is no copy.
        case unavailable
    }

    private let connections: [HostConnection]
    private let copies: [String: LibraryCopy]
    private let listeners = Listeners<Event>(capacity: 64)

    /// What is browsed at the moment; nil before a library was chosen.
    public private(set) var selection: Selection?

    /// Knows the libraries.
    /// - Parameters:
    ///   - connections: the hosts, the preferred one first.
    ///   - copies: their copies, by the hosts' ids.
    public init(_ connections: [HostConnection], copies: [String: LibraryCopy] = [:]) {
        self.connections = connections
        self.copies = copies
    }

    /// What happens from now on.
    public func events() -> AsyncStream<Event> { listeners.stream() }

    /// Browses the library of a host from now on, if the host answers, or else its copy.
    /// - Throws: why the host cannot be used, where there is no copy either; then nothing changes.
    @discardableResult
    public func select(id: String) async throws(ClientError) -> Selection {
        guard let connection = connections.first(where: { $0.host.id == id }) else {
            throw ClientError(.noHost, "There is no host \(id).")
        }
        do throws(ClientError) {
            try await connection.connect()
            return take(connection, RemoteLibrary(connection), isOnline: true)
        } catch {
            // Only silence can be made up for: a host that refuses the key does not mean its copy to be read on.
            guard error.isTransient, let copy = try? copies[id]?.library() else { throw error }
            return take(connection, copy, isOnline: false)
        }
    }

    private func take(
        _ connection: HostConnection, _ provider: any LibraryServiceProvider, isOnline: Bool
    ) -> Selection {
        let taken = Selection(
            host: connection.host, connection: connection, provider: provider, isOnline: isOnline)
        selection = taken
        listeners.send(.selected(id: connection.host.id, isOnline: isOnline))
        return taken
    }

    /// Looks whether the host in use still answers, and takes the next best library where it does not; goes back to a
    /// host that was away once it is there again.
    /// - Returns: what is browsed afterwards; nil where nothing is.
    @discardableResult
    public func check() async -> Selection? {
        guard let current = selection else { return nil }
        if await current.connection.isHealthy() {
            if !current.isOnline { _ = try? await select(id: current.host.id) }
            return selection
        }
        if current.isOnline { listeners.send(.lost(id: current.host.id)) }
        for connection in connections where connection.host.id != current.host.id {
            do throws(ClientError) {
                try await connection.connect()
                return take(connection, RemoteLibrary(connection), isOnline: true)
            } catch { continue }
        }
        if let copy = try? copies[current.host.id]?.library() {
            return current.isOnline ? take(current.connection, copy, isOnline: false) : current
        }
        selection = nil
        listeners.send(.unavailable)
        return nil
    }

    /// Looks again and again, until the task is cancelled.
    public func watch(every interval: Duration = .seconds(15), clock: any Clock<Duration> = ContinuousClock())
        async
    {
        while (try? await clock.sleep(for: interval)) != nil { await check() }
    }
}
