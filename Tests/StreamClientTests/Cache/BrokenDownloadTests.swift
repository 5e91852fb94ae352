import ClientTestSupport
import Foundation
import MusicShared
import StreamClient
import TestSupport
import Testing

/// Downloads over a network in memory.
@Suite("Broken downloads", .timeLimit(.minutes(5)))
struct BrokenDownloadTests {
    private static let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9) }

    private static func options(retries: Int) -> RemoteFileCache.Options {
        var options = RemoteFileCache.Options()
        options.retrySeconds = [Double](repeating: 0.01, count: retries)
        options.idleSeconds = 0.05
        return options
    }

    /// Serves the file of track 7 and signs in.
    /// - Returns: the server and the connection, and the address of the file.
    private static func host() async throws -> (SimulatedServer, HostConnection, String) {
        let (server, connection) = try SimulatedServer.host()
        try await connection.connect()
        let address = try #require(connection.request(Routes.path(Routes.file, 7))?.address)
        var file = SimulatedServer.Resource(bytes: bytes)
        file.fields["etag"] = "\"7\""
        server.serve(address, file)
        return (server, connection, address)
    }

    @Test("A download that breaks in the middle continues at the first missing byte")
    func resumes() async throws {
        let directory = try TemporaryDirectory()
        let (server, connection, address) = try await Self.host()
        server.fail(.cut(afterBytes: 30_001), .status(503), .stall(afterBytes: 10_000))
        let cache = try RemoteFileCache(
            connection, folder: directory.path, options: Self.options(retries: 3))
        let path = try await cache.path(of: 7)
        #expect([UInt8](try Data(contentsOf: URL(filePath: path))) == Self.bytes)
        let requests = server.requests.filter { $0.address == address }
        #expect(requests.map { $0.range?.first } == [nil, 30_001, 30_001, 40_001])
        let file = try #require(await cache.file(of: 7))
        #expect(file.state == .complete && file.receivedBytes == 200_000 && file.totalBytes == 200_000)
    }

    @Test("A host that stays unreachable ends the download; the received part is used later")
    func gaveUp() async throws {
        let directory = try TemporaryDirectory()
        let (server, connection, address) = try await Self.host()
        server.fail(.cut(afterBytes: 50_000), .status(503), .status(503))
        do {
            let cache = try RemoteFileCache(
                connection, folder: directory.path, options: Self.options(retries: 1))
            let error = await failure { () async throws(ClientError) in try await cache.path(of: 7) }
            #expect(error?.code == .refused)
        }
        let cache = try RemoteFileCache(
            connection, folder: directory.path, options: Self.options(retries: 1))
        let path = try await cache.path(of: 7)
        #expect([UInt8](try Data(contentsOf: URL(filePath: path))) == Self.bytes)
        #expect(server.requests.last { $0.address == address }?.range?.first == 50_000)
    }
}
