import StreamClientLinux
import Catalogue
import Foundation
import MusicShared
import SQLiteDatabase
import StreamClient
import TestSupport

/// The parts of a host needed by tests of the client.
enum FakeHost {
    static let key = "a-key"

    /// The responses to `/auth` and `/health`.
    static func resources(
        name: String = "Attic", version: Int = StreamingConstants.protocolVersion
    ) throws -> [String: FaultyServer.Resource] {
        let auth = try JSONEncoder().encode(AuthResponse(hostName: name, protocolVersion: version))
        return [
            "/auth": .init(Array(auth), mediaType: "application/json", entityTag: nil),
            "/health": .init(Array("{}".utf8), mediaType: "application/json", entityTag: nil),
        ]
    }

    /// The content of a library file that contains only its state.
    static func library(revision: Int) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let path = directory.file("library.sqlite")
        do {
            let database = try Database(path: path)
            try database.executeScript(
                """
                CREATE TABLE library_state (id INTEGER PRIMARY KEY, epoch TEXT, revision INTEGER);
                INSERT INTO library_state VALUES (1, 'e', \(revision));
                """)
            try database.execute("PRAGMA journal_mode = DELETE")
        }
        return try directory.read("library.sqlite")
    }

    static func connection(
        _ servers: [FaultyServer], id: String = "attic",
        transport: any Transport = CurlTransport(userAgent: "test")
    ) -> HostConnection {
        let addresses = servers.map { HostAddress(name: "127.0.0.1", port: $0.port) }
        return HostConnection(
            KnownHost(id: id, name: "Attic", addresses: addresses, key: key), transport: transport)
    }
}
