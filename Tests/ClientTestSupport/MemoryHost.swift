internal import Foundation
internal import MusicShared
package import StreamClient

extension SimulatedServer {
    /// A host in memory that the client can sign in to, in real time.
    package static func host() throws -> (server: SimulatedServer, connection: HostConnection) {
        let server = SimulatedServer(clock: .continuous, bitsPerSecond: 1e9)
        let host = KnownHost(
            id: "attic", name: "Attic", addresses: [HostAddress(name: "attic")], key: "a-key")
        let answer = AuthResponse(
            hostName: "Attic", protocolVersion: StreamingConstants.protocolVersion)
        server.serve(
            host.addresses[0].address(of: Routes.auth),
            Resource(bytes: Array(try JSONEncoder().encode(answer)), type: "application/json"))
        return (server, HostConnection(host, transport: server))
    }
}
