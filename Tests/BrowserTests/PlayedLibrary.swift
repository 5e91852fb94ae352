import Companion
import Foundation
import HostAccounts
import HTTPServer
import LibraryStore
import MusicFiles
import StreamHost
import TestSupport
import WebPlayer

/// An analysed music folder, and a host that serves it and the player's page from the sources, on a free local port.
final class PlayedLibrary: Sendable {
    let directory: TemporaryDirectory
    let secrets: HostSecrets
    let server: HTTPServer
    /// The data folder.
    let data: DataFolder
    private let host: StreamHost.Host

    /// - Parameters:
    ///   - files: name and content of each file of the music folder; folders in names are created.
    ///   - engine: the browser engine; if its driver does not report errors, the page collects them.
    ///   - site: folder of the page's files, if not the sources.
    ///   - port: the port to listen on; 0 for any free one.
    ///   - adjust: changes settings of the host.
    init(
        _ files: [(name: String, bytes: [UInt8])], for engine: WebBrowser.Engine = .usual,
        site: String? = nil, port: UInt16 = 0,
        settings adjust: (inout StreamHost.Host.Settings) -> Void = { _ in }
    ) throws {
        directory = try TemporaryDirectory()
        let folder = try directory.makeFolder("music", of: files)
        data = try DataFolder(path: directory.file("data"))
        let music = try MusicFolder(path: folder)
        var options = PassOptions()
        options.jobs = 2
        // A pass over an empty folder would be rejected as a wrong folder.
        if !files.isEmpty { _ = try LibraryPass(music: music, data: data, options: options).run() }
        secrets = try HostSecrets(dataFolder: data.path)
        var settings = StreamHost.Host.Settings(name: "test host")
        settings.allowedFailures = 1_000_000
        settings.watch.isOn = false
        settings.webPlayer = try WebPlayerSite(
            folder: site ?? (engine == .webkit ? Self.collectingSite(in: directory) : Self.site))
        adjust(&settings)
        host = try StreamHost.Host(
            music: music, data: data, settings: settings, secrets: secrets, queue: AnalysisQueue(data))
        var configuration = ServerConfiguration()
        configuration.port = port
        server = try HTTPServer(host.responder(), configuration: configuration)
    }

    /// The page's files in the sources.
    static let site = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/WebPlayer/Site").standardized.path(percentEncoded: false)

    /// Builds the page as an installation does.
    static func builtSite(in directory: TemporaryDirectory) async throws -> String {
        let folder = directory.file("built")
        try await ProcessRun.aside("\(PythonTools.root)/scripts/build-page", [folder])
        return folder
    }

    /// Copies the page's files and adds a script before all others, which collects console errors.
    private static func collectingSite(in directory: TemporaryDirectory) throws -> String {
        let folder = directory.file("site")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Scripts/collected-errors.js")
        try copy(site, to: folder)
        try copy(script.path, to: "\(folder)/scripts/collected-errors.js")
        let page = URL(filePath: "\(folder)/index.html")
        let text = try String(contentsOf: page, encoding: .utf8)
        let tag = "<script src=\"/player/scripts/collected-errors.js\"></script>"
        try text.replacing("<head>", with: "<head>\(tag)", maxReplacements: 1).write(
            to: page, atomically: false, encoding: .utf8)
        return folder
    }

    /// Copies a file or folder. Contents only: the sources may belong to another user and be read-only.
    static func copy(_ source: String, to destination: String) throws {
        try ProcessRun.run("cp", ["-r", "--no-preserve=all", source, destination])
    }

    /// Address of the page.
    var base: String { "http://127.0.0.1:\(server.port)" }
    /// The host's API key.
    var key: String { secrets.apiKeyText }

    /// Creates a library in a background thread, passes it to `body`, and shuts its host down.
    static func with(
        _ files: [(name: String, bytes: [UInt8])], for engine: WebBrowser.Engine = .usual,
        site: String? = nil,
        settings: @escaping @Sendable (inout StreamHost.Host.Settings) -> Void = { _ in },
        _ body: (PlayedLibrary) async throws -> Void
    ) async throws {
        let played = try await aside { try PlayedLibrary(files, for: engine, site: site, settings: settings) }
        do {
            try await body(played)
        } catch {
            await played.server.shutdown(withinSeconds: 2)
            throw error
        }
        await played.server.shutdown(withinSeconds: 2)
    }
}

/// Runs blocking work on a separate thread: Swift concurrency has few threads, and other tests' handlers need them.
func aside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Result { try body() }) }
        // The decoder and SQLite need a larger stack than secondary threads have by default.
        thread.stackSize = 4 << 20
        thread.start()
    }
}
