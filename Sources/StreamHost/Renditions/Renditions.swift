internal import Analyzer
internal import Companion
internal import Foundation
internal import HTTPServer
internal import MPEGAudio

/// The low renditions of all tracks: each made when it is first asked for, one at a time, and kept on disk, up to a number of
/// bytes; the ones that were not asked for longest go first.
///
/// They are named by the audio that they are of, so that a track that is tagged or moved keeps its own.
actor Renditions {
    /// The most bytes of all files.
    private static let capacity = 4 << 30
    /// Changes when the same track would come out differently.
    private static let version = 1
    /// How many are kept open.
    private static let openLimit = 64

    private let folder: String
    private let music: MusicFolder
    private var known: [String: Task<Rendition, any Error>] = [:]
    private var last: Task<Rendition, any Error>?

    /// - Parameter folder: made when the first one is.
    init(folder: String, music: MusicFolder) {
        self.folder = folder
        self.music = music
    }

    /// A track's rendition, made if there is none yet.
    /// - Throws: 422 where the track has none; what keeps it from being made.
    func rendition(of track: StreamedTrack) async throws -> Rendition {
        guard let bitRate = Rendition.bitRate(of: track) else { throw Self.none }
        let path = "\(folder)/\(track.hashText)-\(bitRate)-\(Self.version).mp3"
        if let task = known[path] {
            if let rendition = try? await task.value, rendition.file.isUnchanged { return rendition }
            if known[path] == task { known[path] = nil }
        }
        if let task = known[path] { return try await task.value }
        if known.count >= Self.openLimit { known = [:] }
        // One after the other: listeners who wait are few, and the rest of the host goes on.
        let earlier = last
        let original = music.absolutePath(of: track.path)
        let folder = folder
        let task = Task {
            if let ready = try? await Self.aside({ try Self.open(path, of: track) }) { return ready }
            _ = await earlier?.result
            return try await Self.aside {
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

    static let none = HTTPError(
        .unprocessableContent, code: "no_low_quality",
        message: "This track has no low quality: it is small already, or its frames are not all alike.",
        field: "quality")

    /// Encoding takes seconds, which tasks must not: it has a thread of its own.
    private static func aside<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }

    private static func open(_ path: String, of track: StreamedTrack) throws -> Rendition {
        let file = try HTTPFile(path: path)
        let content = try file.content()
        let index = try MPEGAudioStream.scan(content.span.bytes).index
        guard index.count == track.index.count, index.byteCount == file.byteCount else {
            throw HTTPError(.internalServerError, code: "damaged", message: "A rendition is damaged.")
        }
        // The time of a file says when it was last asked for.
        utimensat(AT_FDCWD, path, nil, 0)
        return Rendition(file: try HTTPFile(path: path), index: index)
    }

    private static func make(
        _ path: String, in folder: String, from original: [UInt8], of track: StreamedTrack, bitRate: Int
    ) throws -> Rendition {
        mkdir(folder, 0o755)
        let fresh = "\(path).\(getpid()).new"
        defer { unlink(fresh) }
        unlink(fresh)
        try RenditionMaker(track: track, bitRate: bitRate).make(from: original, to: fresh)
        guard track.isCurrent else {
            throw HTTPError(
                .conflict, code: "file_changed", message: "The file of track \(track.id) has changed.",
                fields: [.retryAfter: "5"])
        }
        guard rename(fresh, path) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
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
