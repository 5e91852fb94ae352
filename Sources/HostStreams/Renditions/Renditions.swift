internal import APIDescription
internal import Analyzer
internal import FileSystem
internal import Foundation
package import HTTPServer
internal import MPEGAudio
package import MusicFiles
internal import Threads

/// Creates and caches the low-quality renditions of tracks: on first request, one at a time, limited in
/// bytes; the least recently used are evicted first.
///
/// Files are named by audio hash, so a track keeps its rendition when it is retagged or moved.
package actor Renditions {
    /// Maximum total size in bytes.
    private static let capacity = 4 << 30
    /// Incremented when encoding produces different results.
    private static let version = 1
    /// Maximum number of renditions kept open.
    private static let openLimit = 64

    private let folder: String
    private let music: MusicFolder
    private var known: [String: Task<Rendition, any Error>] = [:]
    private var last: Task<Rendition, any Error>?

    /// - Parameter folder: Created when the first rendition is stored.
    package init(folder: String, music: MusicFolder) {
        self.folder = folder
        self.music = music
    }

    /// Returns a track's rendition, creating it if necessary.
    /// - Throws: 422 if the track has none; any error while creating it.
    package func rendition(of track: StreamedTrack) async throws -> Rendition {
        guard let bitRate = Rendition.bitRate(of: track) else { throw Self.none }
        let path = "\(folder)/\(track.hashText)-\(bitRate)-\(Self.version).mp3"
        if let task = known[path] {
            if let rendition = try? await task.value, rendition.file.isUnchanged { return rendition }
            if known[path] == task { known[path] = nil }
        }
        if let task = known[path] { return try await task.value }
        if known.count >= Self.openLimit { known = [:] }
        // One at a time: few clients wait for it, and the rest of the host must stay responsive.
        let earlier = last
        let original = music.absolutePath(of: track.path)
        let folder = folder
        let task = Task {
            if let ready = try? await DedicatedThread.run("low quality", { try Self.open(path, of: track) }) {
                return ready
            }
            _ = await earlier?.result
            return try await DedicatedThread.run("low quality") {
                try Self.make(path, in: folder, from: original, of: track, bitRate: bitRate)
            }
        }
        known[path] = task
        last = task
        do {
            return try await task.value
        } catch {
            if known[path] == task { known[path] = nil }
            throw error
        }
    }

    package static let none = APIError.noLowQuality(
        "This track has no low quality: its bit rate is already low, or its frames are not uniform.",
        field: "quality")

    private static func open(_ path: String, of track: StreamedTrack) throws -> Rendition {
        let file = try HTTPFile(path: path)
        let content = try file.content()
        let index = try MPEGAudioStream.scan(content.span.bytes).index
        guard index.count == track.index.count, index.byteCount == file.byteCount else {
            throw APIError.damaged("The rendition is damaged.")
        }
        // The modification time records the last use.
        try? Files.touch(path)
        return Rendition(file: try HTTPFile(path: path), index: index)
    }

    private static func make(
        _ path: String, in folder: String, from original: [UInt8], of track: StreamedTrack, bitRate: Int
    ) throws -> Rendition {
        try? Files.makeFolder(folder, permissions: 0o700)
        let fresh = "\(path).\(getpid()).new"
        defer { try? Files.remove(fresh) }
        try? Files.remove(fresh)
        try RenditionMaker(track: track, bitRate: bitRate).make(from: original, to: fresh)
        guard track.isCurrent else {
            throw APIError.fileChanged(
                "The file of track \(track.id) has changed.", fields: [.retryAfter: "5"])
        }
        try Files.rename(fresh, to: path)
        makeRoom(in: folder)
        return try open(path, of: track)
    }

    private static func makeRoom(in folder: String) {
        let keys: [URLResourceKey] = [.fileSizeKey, .contentModificationDateKey]
        let urls =
            (try? FileManager.default.contentsOfDirectory(
                at: URL(filePath: folder), includingPropertiesForKeys: keys)) ?? []
        let files = urls.compactMap { url -> (url: URL, size: Int, date: Date)? in
            guard let values = try? url.resourceValues(forKeys: Set(keys)), let size = values.fileSize,
                let date = values.contentModificationDate
            else { return nil }
            return (url, size, date)
        }.sorted { $0.date < $1.date }
        var total = files.reduce(0) { $0 + $1.size }
        for file in files.dropLast() where total > capacity {
            if (try? FileManager.default.removeItem(at: file.url)) != nil { total -= file.size }
        }
    }
}
