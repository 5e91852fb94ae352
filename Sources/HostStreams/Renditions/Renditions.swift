internal import APIDescription
internal import Analyzer
internal import FileSystem
package import HTTPServer
internal import MPEGAudio
package import MusicFiles
internal import Threads

/// Creates and caches the renditions of tracks: on first request, one at a time.
///
/// Files are named by audio hash, so a track keeps its rendition when it is retagged or moved.
package actor Renditions {
    /// Maximum total size in bytes.
    private static let capacity = 4 << 30
    /// Incremented when encoding produces different results.
    private static let version = 1
    /// Maximum number of renditions kept open.
    private static let openLimit = 64

    private let files: FileCache
    private let music: MusicFolder
    private var known: [String: Task<Rendition, any Error>] = [:]
    private var last: Task<Rendition, any Error>?

    /// - Parameter folder: Created when the first rendition is stored.
    package init(folder: String, music: MusicFolder) {
        files = FileCache(folder: folder, capacity: Self.capacity)
        self.music = music
    }

    /// Returns a track's rendition in a quality, creating it if necessary.
    /// - Throws: 422 if the track has none; any error while creating it.
    package func rendition(of track: StreamedTrack, _ quality: StreamQuality) async throws -> Rendition {
        guard let bitRate = Rendition.bitRate(of: track, quality) else { throw Self.none }
        let name = "\(track.hashText)-\(bitRate)-\(Self.version).mp3"
        if let task = known[name] {
            if let rendition = try? await task.value, rendition.file.isUnchanged { return rendition }
            if known[name] == task { known[name] = nil }
        }
        if let task = known[name] { return try await task.value }
        if known.count >= Self.openLimit { known = [:] }
        // One at a time: few clients wait for it, and the rest of the host must stay responsive.
        let earlier = last
        let original = music.absolutePath(of: track.path)
        let files = files
        let task = Task {
            if let ready = try? await DedicatedThread.run(
                "low quality", { try Self.open(name, in: files, of: track) })
            {
                return ready
            }
            _ = await earlier?.result
            return try await DedicatedThread.run("low quality") {
                try Self.make(name, in: files, from: original, of: track, bitRate: bitRate)
            }
        }
        known[name] = task
        last = task
        do {
            return try await task.value
        } catch {
            if known[name] == task { known[name] = nil }
            throw error
        }
    }

    package static let none = APIError.noLowQuality(
        "This track has no such quality: an MP3 file has no high one, and no low one if its bit rate is already low or its frames "
            + "are not uniform. Omit quality to stream the original.",
        field: "quality")

    private static func open(
        _ name: String, in files: FileCache, of track: StreamedTrack
    ) throws -> Rendition {
        let path = files.path(of: name)
        let file = try HTTPFile(path: path)
        let content = try file.content()
        let index = try MPEGAudioStream.scan(content.span.bytes).index
        guard index.count == track.index.count, index.byteCount == file.byteCount else {
            throw APIError.damaged("The rendition is damaged.")
        }
        // Changes the file's modification time.
        files.noteUse(of: name)
        return Rendition(file: try HTTPFile(path: path), index: index)
    }

    private static func make(
        _ name: String, in files: FileCache, from original: [UInt8], of track: StreamedTrack, bitRate: Int
    ) throws -> Rendition {
        try files.store(name) { file in
            try RenditionMaker(track: track, bitRate: bitRate).make(from: original, to: file)
            guard track.isCurrent else {
                throw APIError.fileChanged(
                    "The file of track \(track.id) has changed.", fields: [.retryAfter: "5"])
            }
        }
        return try open(name, in: files, of: track)
    }
}
