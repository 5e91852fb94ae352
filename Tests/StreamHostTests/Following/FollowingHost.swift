import Companion
import Foundation
import HostAccounts
import HTTPServer
import LibraryStore
import MusicFiles
import StreamHost
import Synchronization
import Testing
import TestSupport

/// A host that follows a served library, with a data folder of its own.
final class FollowingHost: Sendable {
    let directory: TemporaryDirectory
    let data: DataFolder
    let server: HTTPServer
    private let host: StreamHost.Host
    private let log: ReportLog

    /// - Parameters:
    ///   - address: the primary's address.
    ///   - key: the primary's API key.
    ///   - music: the primary's music folder, if it is shared.
    ///   - audioCacheBytes: the limit of copied music files.
    ///   - shared: the listening data that the host shares with others.
    init(
        address: String, key: String, music: String? = nil, audioCacheBytes: Int = 1 << 30,
        shared: (any SharedListening)? = nil
    ) throws {
        let log = ReportLog()
        self.log = log
        directory = try TemporaryDirectory()
        data = try DataFolder(path: directory.file("data"))
        let following = Following(
            primary: try PrimaryHost(address: address, key: key, userAgent: "test"),
            sharesMusic: music != nil, audioCacheBytes: audioCacheBytes)
        try following.prepare(data)
        var settings = Host.Settings(name: "follower")
        settings.allowedFailures = 1_000_000
        settings.following = following
        settings.sharedListening = shared
        let folder = try music ?? directory.makeFolder("music", of: [])
        host = try Host(
            music: try MusicFolder(path: folder), data: data, settings: settings,
            secrets: try HostSecrets(dataFolder: data.path), queue: AnalysisQueue(data)
        ) { log.add($0) }
        var configuration = ServerConfiguration()
        configuration.port = 0
        server = try HTTPServer(host.responder(), configuration: configuration)
    }

    func shutdown() async {
        await server.shutdown(withinSeconds: 2)
        host.stop()
    }

    func drain() { host.drain() }

    /// The messages that the host has reported so far.
    var reports: [String] { log.lines }

    /// Path of a copied music file.
    func copy(_ name: String) -> String { directory.file("music/\(name)") }

    /// Path of the copied library.
    var library: String { data.libraryDatabase }

    /// Names of the copied music files.
    var copiedFiles: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory.file("music"))) ?? []
    }

    /// Sends a request with curl.
    func ask(_ path: String, key: String, _ options: String...) async throws -> ServedLibrary.Answer {
        try await ask(path, key: key, options)
    }

    /// The same with a list of options.
    func ask(_ path: String, key: String, _ options: [String]) async throws -> ServedLibrary.Answer {
        let head = try TemporaryDirectory()
        let run = try await ProcessRun.aside(
            "curl",
            ["-sS", "-m", "240", "-D", head.file("head"), "-H", "Authorization: Bearer \(key)"] + options
                + ["http://127.0.0.1:\(server.port)\(path)"])
        let text = String(decoding: try head.read("head"), as: UTF8.self)
        let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return ServedLibrary.Answer(status: status, head: text, body: [UInt8](run.output))
    }

    /// Three short tracks.
    static func tracks(seconds: Int = 12) throws -> [(name: String, bytes: [UInt8])] {
        try (1...3).map { number in
            (
                name: "\(number).mp3",
                bytes: try Encoders.lame(
                    PCM.music(frameCount: seconds * 44_100, seed: UInt64(number)),
                    [
                        "-b", "128", "--add-id3v2", "--tt", "Title \(number)", "--ta", "Artist", "--tl",
                        "Album",
                    ])
            )
        }
    }

    /// Calls a closure with a primary of three short tracks and a host that follows it.
    static func with(
        sharesMusic: Bool = false, audioCacheBytes: Int = 1 << 30, trackSeconds: Int = 12,
        _ body: (ServedLibrary, FollowingHost) async throws -> Void
    ) async throws {
        try await ServedLibrary.with(tracks(seconds: trackSeconds)) { primary in
            try await with(
                primary, at: primary.base, sharesMusic: sharesMusic, audioCacheBytes: audioCacheBytes
            ) { try await body(primary, $0) }
        }
    }

    /// The same with a proxy between both, which simulates faults of the network.
    /// - Parameter shared: returns the listening data that both hosts share, for one of them.
    static func withProxy(
        shared: @escaping @Sendable () -> (any SharedListening)? = { nil },
        _ body: (ServedLibrary, FollowingHost, FaultProxy) async throws -> Void
    ) async throws {
        try await ServedLibrary.with(tracks(), settings: { $0.sharedListening = shared() }) { primary in
            let proxy = try FaultProxy(before: Int(primary.server.port))
            defer { proxy.quit() }
            try await with(primary, at: "http://127.0.0.1:\(proxy.port)", shared: shared()) {
                try await body(primary, $0, proxy)
            }
        }
    }

    private static func with(
        _ primary: ServedLibrary, at address: String, sharesMusic: Bool = false,
        audioCacheBytes: Int = 1 << 30, shared: (any SharedListening)? = nil,
        _ body: (FollowingHost) async throws -> Void
    ) async throws {
        let music = sharesMusic ? primary.music.displayPath : nil
        let follower = try await aside {
            try FollowingHost(
                address: address, key: primary.secrets.apiKeyText, music: music,
                audioCacheBytes: audioCacheBytes, shared: shared)
        }
        do {
            try await until { try await follower.ask("/ready", key: "").status == 200 }
            try await body(follower)
        } catch {
            await follower.shutdown()
            throw error
        }
        await follower.shutdown()
    }
}

extension FaultProxy {
    /// Replaces the faults; see `fault-proxy.py`.
    func setFaults(_ rules: String) async throws {
        _ = try await ProcessRun.aside(
            "curl", ["-sSf", "-m", "240", "-d", rules, "http://127.0.0.1:\(port)/__proxy/faults"])
    }

    /// The requests since the last call as JSON.
    func requests() async throws -> String {
        try await ProcessRun.aside("curl", ["-sSf", "-m", "240", "http://127.0.0.1:\(port)/__proxy/log"]).text
    }
}

/// Collects the messages of a host.
private final class ReportLog: Sendable {
    private let all = Mutex<[String]>([])

    var lines: [String] { all.withLock { $0 } }

    func add(_ line: String) { all.withLock { $0.append(line) } }
}
