import Companion
import Foundation
import HTTPServer
import StreamHost
import TestSupport
import WebPlayer

/// A music folder that was analysed, and a host that serves it and the player's page from the sources, on a free port of
/// this machine.
final class PlayedLibrary: Sendable {
    let directory: TemporaryDirectory
    let secrets: HostSecrets
    let server: HTTPServer
    private let host: StreamHost.Host

    /// - Parameters:
    ///   - files: name and content of each file of the music folder; folders in names are made.
    ///   - engine: what shows the page: where its driver does not tell of errors, the page collects them.
    ///   - adjust: what else is to be other than usual.
    init(
        _ files: [(name: String, bytes: [UInt8])], for engine: WebBrowser.Engine = .usual,
        settings adjust: (inout StreamHost.Host.Settings) -> Void = { _ in }
    ) throws {
        directory = try TemporaryDirectory()
        let folder = try directory.makeFolder("music", of: files)
        let data = try DataFolder(path: directory.file("data"))
        let music = try MusicFolder(path: folder)
        var options = PassOptions()
        options.jobs = 2
        // A pass over no music at all is taken for a wrong folder.
        if !files.isEmpty { _ = try LibraryPass(music: music, data: data, options: options).run() }
        secrets = try HostSecrets(dataFolder: data.path)
        var settings = StreamHost.Host.Settings(name: "test host")
        settings.allowedFailures = 1_000_000
        settings.watch.isOn = false
        settings.webPlayer = try WebPlayerSite(
            folder: engine == .webkit ? Self.collectingSite(in: directory) : Self.site)
        adjust(&settings)
        host = try StreamHost.Host(
            music: music, data: data, settings: settings, secrets: secrets, queue: AnalysisQueue(data))
        var configuration = ServerConfiguration()
        configuration.port = 0
        server = try HTTPServer(host.responder(), configuration: configuration)
    }

    /// The page's files in the sources: what is tested is what stands there.
    static let site = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/WebPlayer/Site").standardized.path(percentEncoded: false)

    /// A copy of the page's files with a script before all others, which collects what the console is told.
    private static func collectingSite(in directory: TemporaryDirectory) throws -> String {
        let copy = directory.file("site")
        try FileManager.default.copyItem(atPath: site, toPath: copy)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Scripts/told-errors.js")
        try FileManager.default.copyItem(atPath: script.path, toPath: "\(copy)/scripts/told-errors.js")
        let page = URL(filePath: "\(copy)/index.html")
        let text = try String(contentsOf: page, encoding: .utf8)
        let tag = "<script src=\"/player/scripts/told-errors.js\"></script>"
        try text.replacing("<head>", with: "<head>\(tag)", maxReplacements: 1).write(
            to: page, atomically: false, encoding: .utf8)
        return copy
    }

    /// Address of the page.
    var base: String { "http://127.0.0.1:\(server.port)" }
    /// The key that the page asks for.
    var key: String { secrets.apiKeyText }

    /// Makes a library aside, hands it over, and shuts its host down.
    static func with(
        _ files: [(name: String, bytes: [UInt8])], for engine: WebBrowser.Engine = .usual,
        settings: @escaping @Sendable (inout StreamHost.Host.Settings) -> Void = { _ in },
        _ body: (PlayedLibrary) async throws -> Void
    ) async throws {
        let played = try await aside { try PlayedLibrary(files, for: engine, settings: settings) }
        do {
            try await body(played)
        } catch {
            await played.server.shutdown(withinSeconds: 2)
            throw error
        }
        await played.server.shutdown(withinSeconds: 2)
    }
}

/// Runs something that blocks on a thread of its own: tasks have few threads, and handlers of other tests need them.
func aside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Result { try body() }) }
        // The decoder and SQLite need more than a secondary thread has.
        thread.stackSize = 4 << 20
        thread.start()
    }
}
