public import StreamClient

/// Selects the library to browse: that of a host, its copy while the host is offline, or another host's.
///
/// A host is selected only after it has responded. When the current host goes offline, the first other host that responds
/// replaces it; if none does, the copy of the current library is used.
public actor LibrarySwitcher {
    /// The selected library.
    public struct Selection: Sendable {
        /// The host.
        public let host: KnownHost
        /// The connection to the host; present even while the host is offline.
        public let connection: HostConnection
        /// The library.
        public let provider: any LibraryServiceProvider
        /// Whether the host responds; if not, the library is the copy.
        public let isOnline: Bool

        /// Creates a selection from its parts.
        public init(
            host: KnownHost, connection: HostConnection, provider: any LibraryServiceProvider, isOnline: Bool
        ) {
            self.host = host
            self.connection = connection
            self.provider = provider
            self.isOnline = isOnline
        }
    }

    /// A change of the selection.
    public enum Event: Sendable, Equatable {
        /// The library of the host with this id was selected; its copy if the host is not online.
        case selected(id: String, isOnline: Bool)
        /// The selected host does not respond.
        case lost(id: String)
        /// No host responds, and there is no copy.
        case unavailable
    }

    private let connections: [HostConnection]
    private let copies: [String: LibraryCopy]
    private let listeners = EventBroadcaster<Event>(capacity: 64)

    /// The current selection; nil before a library has been selected.
    public private(set) var selection: Selection?

    /// Creates a switcher.
    /// - Parameters:
    ///   - connections: the hosts, preferred one first.
    ///   - copies: their copies, by host id.
    public init(_ connections: [HostConnection], copies: [String: LibraryCopy] = [:]) {
        self.connections = connections
        self.copies = copies
    }

    /// Returns a stream of events from now on.
    public func events() -> AsyncStream<Event> { listeners.stream() }

    /// Selects a host's library if the host responds, otherwise its copy.
    /// - Throws: why the host cannot be used, if there is no copy either; the selection is then unchanged.
    @discardableResult
    public func select(id: String) async throws(ClientError) -> Selection {
        guard let connection = connections.first(where: { $0.host.id == id }) else {
            throw ClientError(.noHost, "Unknown host: \(id)")
        }
        do throws(ClientError) {
            try await connection.connect()
            return take(connection, RemoteLibrary(connection), isOnline: true)
        } catch {
            // Use the copy only if the host is unreachable: after a rejected API key the copy must not be readable either.
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

    /// Checks whether the selected host still responds. If not, selects the next best library; if a host that was offline is
    /// back, selects it again.
    /// - Returns: the selection afterwards; nil if no library is available.
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

    /// Checks periodically until the task is cancelled.
    public func watch(every interval: Duration = .seconds(15), clock: any Clock<Duration> = ContinuousClock())
        async
    {
        while (try? await clock.sleep(for: interval)) != nil { await check() }
    }
}
