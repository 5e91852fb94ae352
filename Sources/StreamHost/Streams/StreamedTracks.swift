internal import Analyzer
internal import Companion
internal import HTTPServer
internal import MPEGAudio
internal import Synchronization

/// The tracks that are being streamed, by id: opened at the first request and kept while they are asked for.
///
/// Each request looks at the file's size and time anew. So a file that was replaced or tagged is noticed at once: it is
/// answered from its new analysis, or with 409 until there is one, never with bytes of another file.
final class StreamedTracks: Sendable {
    /// Tracks kept open.
    private static let capacity = 256

    private struct Cache {
        var tracks: [Int: (track: StreamedTrack, lastUse: UInt64)] = [:]
        var useCount: UInt64 = 0

        /// The track of an id, used once more.
        mutating func use(_ id: Int) -> StreamedTrack? {
            guard let found = tracks[id]?.track else { return nil }
            insert(found)
            return found
        }

        mutating func insert(_ track: StreamedTrack) {
            useCount += 1
            tracks[track.id] = (track, useCount)
        }

        /// Lets go of the tracks that were not used for the longest.
        mutating func trim() {
            guard tracks.count > StreamedTracks.capacity else { return }
            // A quarter at once, so that looking for the oldest is rare.
            let oldest = tracks.sorted { $0.value.lastUse < $1.value.lastUse }
                .prefix(StreamedTracks.capacity / 4)
            for entry in oldest { tracks[entry.key] = nil }
        }
    }

    private let music: MusicFolder
    private let library: LibraryStore
    private let queue: AnalysisQueue
    private let cache = Mutex(Cache())
    private let complain: @Sendable (String) -> Void

    /// - Parameter complain: told of files that are missing.
    init(
        music: MusicFolder, library: LibraryStore, queue: AnalysisQueue,
        complain: @escaping @Sendable (String) -> Void
    ) {
        self.complain = complain
        self.music = music
        self.library = library
        self.queue = queue
    }

    /// The track of an id: at once if it is open, so that a handler on the server's own threads may ask; else after a change
    /// to a thread that may block.
    /// - Throws: 404 where there is no such track or its file is gone; 409 where the file is not the one that was
    ///   analysed, which is then analysed again.
    func track(_ id: Int) async throws -> StreamedTrack {
        if let known = cache.withLock({ $0.use(id) }), known.isCurrent { return known }
        await Task.yield()
        let track = try open(id)
        cache.withLock { cache in
            cache.insert(track)
            cache.trim()
        }
        return track
    }

    /// Asks for a look at a file that is not what it was. A queue that cannot be asked makes the answer no worse.
    private func ask(for path: RelativePath) { _ = try? queue.ask(path, priority: .waitedFor) }

    private func open(_ id: Int) throws -> StreamedTrack {
        guard let found = try library.track(id: id) else {
            throw HTTPError(
                .notFound, code: "no_such_track", message: "There is no track \(id).", field: "id")
        }
        let file: HTTPFile
        do {
            file = try HTTPFile(pathBytes: music.absolutePath(of: found.track.path))
        } catch {
            ask(for: found.track.path)
            let message = "The file of track \(id) cannot be opened: \(found.track.path.text)"
            complain(message)
            throw HTTPError(.notFound, code: "file_missing", message: message)
        }
        let state = FileState(
            size: file.byteCount, modificationTimeNanoseconds: Int(file.modificationNanoseconds))
        guard state == found.track.file, let analysis = found.analysis else {
            ask(for: found.track.path)
            throw HTTPError(
                .conflict, code: "file_changed",
                message:
                    "The file of track \(id) has changed since it was analysed; it is being analysed again. "
                    + "Ask again in a moment.", fields: [.retryAfter: "5"])
        }
        do {
            return try StreamedTrack(found, analysis, file: file)
        } catch {
            ask(for: found.track.path)
            throw HTTPError(
                .conflict, code: "analysis_damaged",
                message:
                    "The stored frame index of track \(id) cannot be read; the track is being analysed again.",
                fields: [.retryAfter: "5"])
        }
    }
}
