import Companion
import Foundation
import HostAccounts
import HTTPServer
import LibraryStore
import MusicFiles
import StreamHost
import Testing
import TestSupport

/// A host that follows a served library, with a data folder of its own.
final class FollowingHost: Sendable {
    let directory: TemporaryDirectory
    let data: DataFolder
    let server: HTTPServer
    private let host: StreamHost.Host

    /// - Parameters:
    ///   - address: the primary's address.
    ///   - key: the primary's API key.
    ///   - music: the primary's music folder, if it is shared.
    init(address: String, key: String, music: String? = nil) throws {
        directory = try TemporaryDirectory()
        data = try DataFolder(path: directory.file("data"))
        let following = Following(
            primary: try PrimaryHost(address: address, key: key, userAgent: "test"),
            sharesMusic: music != nil, audioCacheBytes: 1 << 30)
        try following.prepare(data)
        var settings = Host.Settings(name: "follower")
        settings.allowedFailures = 1_000_000
        settings.following = following
        let folder = try music ?? directory.makeFolder("music", of: [])
        host = try Host(
            music: try MusicFolder(path: folder), data: data, settings: settings,
            secrets: try HostSecrets(dataFolder: data.path), queue: AnalysisQueue(data))
        var configuration = ServerConfiguration()
        configuration.port = 0
        server = try HTTPServer(host.responder(), configuration: configuration)
    }

    func shutdown() async {
        await server.shutdown(withinSeconds: 2)
        host.stop()
    }

    func drain() { host.drain() }

    /// Path of the copied library.
    var library: String { data.libraryDatabase }

    /// Names of the copied music files.
    var copiedFiles: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory.file("music"))) ?? []
    }

    /// Sends a request with curl.
    func ask(_ path: String, key: String, _ options: String...) async throws -> ServedLibrary.Answer {
        let head = try TemporaryDirectory()
        let run = try await ProcessRun.aside(
            "curl",
            ["-sS", "-m", "240", "-D", head.file("head"), "-H", "Authorization: Bearer \(key)"] + options
                + ["http://127.0.0.1:\(server.port)\(path)"])
        let text = String(decoding: try head.read("head"), as: UTF8.self)
        let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return ServedLibrary.Answer(status: status, head: text, body: [UInt8](run.output))
    }

    /// Calls a closure with a primary of some short tracks and a host that follows it.
    static func with(
        sharesMusic: Bool = false, _ body: (ServedLibrary, FollowingHost) async throws -> Void
    ) async throws {
        let files = try (1...3).map { number in
            (
                name: "\(number).mp3",
                bytes: try Encoders.lame(
                    PCM.music(frameCount: 12 * 44_100, seed: UInt64(number)),
                    [
                        "-b", "128", "--add-id3v2", "--tt", "Title \(number)", "--ta", "Artist", "--tl",
                        "Album",
                    ])
            )
        }
        try await ServedLibrary.with(files) { primary in
            let music = sharesMusic ? primary.music.displayPath : nil
            let follower = try await aside {
                try FollowingHost(address: primary.base, key: primary.secrets.apiKeyText, music: music)
            }
            do {
                try await until { try await follower.ask("/ready", key: "").status == 200 }
                try await body(primary, follower)
            } catch {
                await follower.shutdown()
                throw error
            }
            await follower.shutdown()
        }
    }
}
