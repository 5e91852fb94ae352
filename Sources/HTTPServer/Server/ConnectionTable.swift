internal import Glibc
internal import Synchronization

/// The key by which connections are counted: an IPv4 address, or the /64 network of an IPv6 address, which belongs to one
/// client.
struct ClientGroup: Hashable, Sendable {
    private let bytes: [UInt8]

    init(_ address: RemoteAddress?) {
        var four = in_addr()
        var six = in6_addr()
        if let host = address?.host, inet_pton(AF_INET, host, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if let host = address?.host, inet_pton(AF_INET6, host, &six) == 1 {
            bytes = withUnsafeBytes(of: six) { Array($0.prefix(8)) }
        } else {
            bytes = []
        }
    }
}

/// The connections of a listener and their number per client, so that no client can lock out the others.
final class ConnectionTable: Sendable {
    private struct State {
        var connections: [ObjectIdentifier: ClientConnection] = [:]
        /// By client; includes connections that were accepted but are not in the table yet, but not those closed to make
        /// room.
        var counts: [ClientGroup: Int] = [:]

        mutating func release(_ group: ClientGroup) {
            guard let count = counts[group] else { return }
            counts[group] = count > 1 ? count - 1 : nil
        }
    }

    private let limitPerClient: Int
    private let trustedProxies: Set<String>
    private let state = Mutex(State())

    init(_ configuration: ServerConfiguration) {
        limitPerClient = max(1, configuration.connectionLimitPerAddress ?? .max)
        trustedProxies = configuration.trustedProxies
    }

    /// All connections.
    var all: [ClientConnection] { state.withLock { Array($0.connections.values) } }

    /// Counts an accepted connection. A client at its limit loses its longest idle connection.
    /// - Returns: Whether the connection may be served; false if the client has no idle connection.
    func admit(_ address: RemoteAddress?) -> Bool {
        let group = ClientGroup(address)
        let isLimited = !(address.map { trustedProxies.contains($0.host) } ?? false)
        return state.withLock { state in
            while isLimited, state.counts[group, default: 0] >= limitPerClient {
                let idle = state.connections.values.filter { $0.group == group }
                guard Self.cutOldest(idle, &state) else { return false }
            }
            state.counts[group, default: 0] += 1
            return true
        }
    }

    /// Removes a connection from the count that was admitted but never added to the table.
    func release(_ address: RemoteAddress?) {
        state.withLock { $0.release(ClientGroup(address)) }
    }

    /// Closes the longest idle connection of the client with the most connections, among clients with an idle one. Proxies,
    /// which serve many clients, come last.
    func makeRoom() {
        state.withLock { state in
            var idle: [ClientGroup: [ClientConnection]] = [:]
            for connection in state.connections.values where connection.owingSince != nil {
                idle[connection.group, default: []].append(connection)
            }
            let direct = idle.filter { $0.value.contains { !$0.isOfTrustedProxy } }
            let greediest = (direct.isEmpty ? idle : direct)
                .max { state.counts[$0.key, default: 0] < state.counts[$1.key, default: 0] }
            if let greediest { _ = Self.cutOldest(greediest.value, &state) }
        }
    }

    private static func cutOldest(_ connections: [ClientConnection], _ state: inout State) -> Bool {
        let idle = connections.compactMap { connection in connection.owingSince.map { ($0, connection) } }
        for (_, connection) in idle.sorted(by: { $0.0 < $1.0 }) where connection.makeRoom() {
            state.release(connection.group)
            return true
        }
        return false
    }

    /// Adds a connection that was admitted.
    func add(_ connection: ClientConnection) {
        state.withLock { $0.connections[ObjectIdentifier(connection)] = connection }
    }

    /// Removes a connection that has ended.
    func remove(_ connection: ClientConnection) {
        state.withLock { state in
            guard state.connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
            if !connection.hasMadeRoom { state.release(connection.group) }
        }
    }
}
