internal import StreamClientHost
import CommandLineProgram
import Foundation
import MusicShared
import StreamClient

/// The command `stream-player download`: downloads tracks, albums and playlists for offline use.
struct DownloadCommand {
    private var folder = ClientFolder()
    private var host: String?
    private let words: [String]

    /// - Throws: `UsageError`.
    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var (folder, host) = (folder, host)
        try arguments.takeOptions(flags: [], valued: ["--folder", "--host"]) { name, value in
            if name == "--folder" { folder = ClientFolder(value) } else { host = value }
        }
        words = try arguments.operands(1...1000, named: "track:ID, album:ID or playlist:ID")
        (self.folder, self.host) = (folder, host)
    }

    /// - Returns: 0 if everything was downloaded, 1 otherwise.
    func run() async throws -> Int32 {
        let selection = try await folder.library(host)
        var tracks: [TrackItem] = []
        for word in words { tracks += try await HostTracks.named(word, in: selection.provider) }
        let cache = try folder.cache(selection.connection)
        await cache.keep(tracks.map(\.id))
        var hasFailed = false
        for (place, track) in tracks.enumerated() {
            let name = Terminal.harmless(track.title ?? track.relativePath)
            do {
                let path = try await cache.path(of: track.id, .offline)
                Terminal.complain("\(place + 1)/\(tracks.count)  \(name)")
                Terminal.print(path)
            } catch {
                hasFailed = true
                Terminal.complain("\(place + 1)/\(tracks.count)  \(name): \(error)")
            }
        }
        await cache.flush()
        return hasFailed ? 1 : 0
    }
}
