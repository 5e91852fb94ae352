import Analyzer
import APIDescription
import Companion
import Foundation
import HTTPServer
import Testing
import TestSupport
@testable import HostAccounts
@testable import LibraryStore
@testable import MusicFiles

@testable import Secrets
@testable import StreamHost

/// An analysed music folder, served by a host on a free local port.
final class ServedLibrary: Sendable {
    let directory: TemporaryDirectory
    let data: DataFolder
    let music: MusicFolder
    let library: LibraryStore
    let secrets: HostSecrets
    /// Answers requests without a socket.
    let responder: RoutedResponder
    /// The API reference, as `docs/api.md` has it.
    let apiMarkdown: String
    /// Names of the OpenSubsonic endpoints that need an account.
    let subsonicEndpoints: [String]
    let server: HTTPServer
    private let host: StreamHost.Host

    /// - Parameters:
    ///   - files: Name and content of each file of the music folder; folders in names are created.
    ///   - parts: The results to compute.
    ///   - arrange: Changes the music folder before it is analysed.
    ///   - allowedFailures: Invalid keys per minute before the address is blocked; high, because all tests
    ///     share one address.
    ///   - watches: Whether the host watches the music folder.
    ///   - accessLog: Called for every request to the server.
    ///   - adjust: Changes further settings.
    init(
        _ files: [(name: String, bytes: [UInt8])], parts: AnalysisParts = .all,
        arrange: (_ folder: String) throws -> Void = { _ in },
        allowedFailures: Int = 1_000_000, watches: Bool = false,
        accessLog: (@Sendable (AccessLogEntry) -> Void)? = nil,
        settings adjust: (inout StreamHost.Host.Settings) -> Void = { _ in }
    ) throws {
        directory = try TemporaryDirectory()
        let folder = try directory.makeFolder("music", of: files)
        try arrange(folder)
        data = try DataFolder(path: directory.file("data"))
        music = try MusicFolder(path: folder)
        var options = PassOptions()
        options.jobs = 2
        options.parts = parts
        _ = try LibraryPass(music: music, data: data, options: options).run()
        secrets = try HostSecrets(dataFolder: data.path)
        library = try LibraryStore(data)
        var settings = Host.Settings(name: "test host")
        settings.allowedFailures = allowedFailures
        settings.watch.isOn = watches
        adjust(&settings)
        host = try Host(
            music: music, data: data, settings: settings, secrets: secrets,
            queue: AnalysisQueue(data))
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.accessLog = accessLog
        responder = host.responder()
        subsonicEndpoints = host.subsonic.endpoints
        apiMarkdown = host.reference.reference.markdown
        server = try HTTPServer(responder, configuration: configuration)
    }

    /// Creates a library for one test, and shuts its host down before the files are deleted.
    static func with(
        _ files: [(name: String, bytes: [UInt8])], parts: AnalysisParts = .all,
        allowedFailures: Int = 1_000_000, watches: Bool = false,
        accessLog: (@Sendable (AccessLogEntry) -> Void)? = nil,
        settings: @escaping @Sendable (inout StreamHost.Host.Settings) -> Void = { _ in },
        _ body: (ServedLibrary) async throws -> Void
    ) async throws {
        let served = try await aside {
            try ServedLibrary(
                files, parts: parts, allowedFailures: allowedFailures, watches: watches, accessLog: accessLog,
                settings: settings)
        }
        do {
            try await body(served)
        } catch {
            await served.shutdown()
            throw error
        }
        await served.shutdown()
    }

    /// Ends the server and the host's background work, as the end of the program does.
    func shutdown() async {
        await server.shutdown(withinSeconds: 2)
        await host.stopJukebox()
        host.stop()
    }

    var base: String { "http://127.0.0.1:\(server.port)" }
    var authorization: String { "Authorization: Bearer \(secrets.apiKeyText)" }

    /// Returns the track ID of a file.
    func id(_ name: String) throws -> Int {
        let path = try #require(RelativePath(text: name))
        return try #require(try library.track(path: path)).track.id
    }

    func file(_ name: String) -> String { "\(music.displayPath)/\(name)" }

    /// A response as received by curl.
    struct Answer {
        let status: Int
        let head: String
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        /// Returns the value of a header field.
        func field(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }

        /// Returns the value of a key in a JSON object, or in a nested object.
        func json(_ keys: String...) throws -> Any? {
            var value: Any? = try JSONSerialization.jsonObject(with: Data(body))
            for key in keys { value = (value as? [String: Any])?[key] }
            return value
        }
    }

    /// Sends a request with curl, with the key unless other credentials are given.
    func get(_ path: String, _ options: [String] = [], key: String? = nil) async throws -> Answer {
        let credentials =
            key.map { $0.isEmpty ? [] : ["-H", "Authorization: Bearer \($0)"] } ?? ["-H", authorization]
        let head = try TemporaryDirectory()
        let run = try await ProcessRun.aside(
            "curl", ["-sS", "-m", "240", "-D", head.file("head")] + credentials + options + [base + path])
        let text = String(decoding: try head.read("head"), as: UTF8.self)
        let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Answer(status: status, head: text, body: [UInt8](run.output))
    }
}
