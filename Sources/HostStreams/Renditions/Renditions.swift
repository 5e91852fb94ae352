internal import APIDescription
internal import Analyzer
internal import FileSystem
package import HTTPServer
internal import MPEGAudio
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
    private var known: [String: Task<Rendition, any Error>] = [:]
    /// Those that are being created.
    private var growing: [String: GrowingRendition] = [:]
    private var last: Task<Rendition, any Error>?

    /// - Parameter folder: Created when the first rendition is stored.
    package init(folder: String) {
        files = FileCache(folder: folder, capacity: Self.capacity)
    }

    /// Frames of a rendition.
    package enum Part: Sendable {
        /// In its file.
        case range(Range<Int>, HTTPFile)
        /// Read while the rendition is still being created.
        case bytes([UInt8])
    }

    /// Returns frames of a track's rendition in a quality, creating it if necessary, as soon as they are encoded.
    /// - Throws: 422 if the track has none; any error while creating it.
    package func part(
        of track: StreamedTrack, _ quality: StreamQuality, _ frames: Range<Int>
    ) async throws -> Part {
        let name = try Self.name(track, quality)
        let task = try started(name, track, quality)
        // If the file has changed meanwhile, the frames may be those of other audio: the task then fails.
        if let bytes = await growing[name]?.bytes(of: frames), track.isCurrent { return .bytes(bytes) }
        var rendition = try await value(of: task, name)
        // The cache may have evicted it.
        if !rendition.file.isUnchanged { rendition = try await self.rendition(of: track, quality) }
        guard let range = rendition.range(of: frames) else { throw Self.none }
        return .range(range, rendition.file)
    }

    /// Returns a track's rendition in a quality, creating it if necessary.
    /// - Throws: 422 if the track has none; any error while creating it.
    package func rendition(of track: StreamedTrack, _ quality: StreamQuality) async throws -> Rendition {
        let name = try Self.name(track, quality)
        if let task = known[name] {
            if let rendition = try? await task.value, rendition.file.isUnchanged { return rendition }
            if known[name] == task { known[name] = nil }
        }
        return try await value(of: try started(name, track, quality), name)
    }

    private static func name(_ track: StreamedTrack, _ quality: StreamQuality) throws -> String {
        guard let bitRate = Rendition.bitRate(of: track, quality) else { throw Self.none }
        return "\(track.hashText)-\(bitRate)-\(version).mp3"
    }

    /// Returns the result of a task, which is forgotten if it has failed.
    private func value(of task: Task<Rendition, any Error>, _ name: String) async throws -> Rendition {
        do {
            return try await task.value
        } catch {
            if known[name] == task { known[name] = nil }
            throw error
        }
    }

    /// Returns the task that opens or creates a rendition, starting it if necessary.
    private func started(
        _ name: String, _ track: StreamedTrack, _ quality: StreamQuality
    ) throws -> Task<Rendition, any Error> {
        if let task = known[name] { return task }
        guard let bitRate = Rendition.bitRate(of: track, quality) else { throw Self.none }
        if known.count >= Self.openLimit { known = [:] }
        // One at a time: few clients wait for it, and the rest of the host must stay responsive.
        let earlier = last
        let original = track.filePath
        let files = files
        let own = GrowingRendition()
        growing[name] = own
        let task = Task {
            defer {
                own.end()
                if growing[name] === own { growing[name] = nil }
            }
            if let ready = try? await DedicatedThread.run(
                "low quality", { try Self.open(name, in: files, of: track) })
            {
                return ready
            }
            _ = await earlier?.result
            return try await DedicatedThread.run("low quality") {
                try Self.make(name, in: files, from: original, of: track, bitRate: bitRate, own)
            }
        }
        known[name] = task
        last = task
        return task
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
        _ name: String, in files: FileCache, from original: [UInt8], of track: StreamedTrack, bitRate: Int,
        _ growing: GrowingRendition
    ) throws -> Rendition {
        try files.store(name) { file in
            try RenditionMaker(track: track, bitRate: bitRate, growing: growing).make(
                from: original, to: file)
            guard track.isCurrent else {
                throw APIError.fileChanged(
                    "The file of track \(track.id) has changed.", fields: [.retryAfter: "5"])
            }
        }
        return try open(name, in: files, of: track)
    }
}
