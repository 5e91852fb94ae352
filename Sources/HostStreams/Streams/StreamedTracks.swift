internal import APIDescription
internal import Analyzer
package import Companion
internal import FileSystem
package import HTTPServer
package import LibraryStore
internal import MPEGAudio
package import MusicFiles
internal import Synchronization
internal import Threads

/// The tracks being streamed, by ID: opened on first request and closed a minute after the last.
///
/// Each request checks the file's size and modification time. So a file that was replaced or retagged is
/// noticed immediately: it is served from its new analysis, or rejected with 409 until there is one, never
/// with bytes of a different file.
package final class StreamedTracks: Sendable {
    /// Maximum number of open tracks.
    private static let capacity = 256

    private struct Cache {
        var tracks: [Int: (track: StreamedTrack, lastUse: ContinuousClock.Instant)] = [:]
        /// Whether the task that closes unused tracks is running.
        var isSwept = false

        /// Returns an open track and updates its time of last use.
        mutating func use(_ id: Int) -> StreamedTrack? {
            guard let index = tracks.index(forKey: id) else { return nil }
            tracks.values[index].lastUse = .now
            return tracks.values[index].track
        }

        mutating func insert(_ track: StreamedTrack) {
            tracks[track.id] = (track, .now)
        }

        /// Closes the least recently used tracks if there are too many.
        mutating func trim() {
            guard tracks.count > StreamedTracks.capacity else { return }
            // Close a quarter at once, so that sorting is rare.
            let oldest = tracks.sorted { $0.value.lastUse < $1.value.lastUse }
                .prefix(StreamedTracks.capacity / 4)
            for entry in oldest { tracks[entry.key] = nil }
        }
    }

    private let music: MusicFolder
    private let library: LibraryStore
    private let queue: AnalysisQueue
    private let parts: PartFiles
    private let keepsOpen: Duration
    private let cache = Mutex(Cache())
    private let complain: @Sendable (String) -> Void

    /// - Parameters:
    ///   - parts: Files of tracks that are parts of another file.
    ///   - keepsOpen: Time until an unused file is closed. A disk with open files cannot be unmounted.
    ///   - complain: Called with a message about missing files.
    package init(
        music: MusicFolder, library: LibraryStore, queue: AnalysisQueue, parts: PartFiles,
        keepsOpen: Duration = .seconds(60),
        complain: @escaping @Sendable (String) -> Void
    ) {
        self.keepsOpen = keepsOpen
        self.complain = complain
        self.music = music
        self.library = library
        self.queue = queue
        self.parts = parts
    }

    /// Returns a track if it is open and its file is unchanged; nil otherwise. Does not block.
    func openTrack(_ id: Int) -> StreamedTrack? {
        guard let known = cache.withLock({ $0.use(id) }), known.isCurrent else { return nil }
        return known
    }

    /// Returns a track. If it is already open, this does not block, so it may be called on the server's event
    /// threads; otherwise it switches to a thread that may block.
    /// - Throws: 404 if the track or its file does not exist; 409 if the file has changed since it was
    ///   analysed, in which case it is queued for analysis.
    package func track(_ id: Int) async throws -> StreamedTrack {
        if let known = openTrack(id) { return known }
        await Task.yield()
        let track = try await open(id)
        let startsSweep = cache.withLock { cache in
            cache.insert(track)
            cache.trim()
            defer { cache.isSwept = true }
            return !cache.isSwept
        }
        if startsSweep { sweep() }
        return track
    }

    /// Closes unused tracks periodically, until none are open.
    private func sweep() {
        let pause = keepsOpen / 4
        Task { [weak self] in
            repeat { try? await Task.sleep(for: pause) } while self?.closeUnused() == true
        }
    }

    /// - Returns: Whether tracks are still open.
    private func closeUnused() -> Bool {
        // Close files after releasing the lock.
        var closed: [StreamedTrack] = []
        let remain = cache.withLock { cache in
            let limit = ContinuousClock.now - keepsOpen
            for (id, entry) in cache.tracks where entry.lastUse <= limit {
                closed.append(entry.track)
                cache.tracks[id] = nil
            }
            cache.isSwept = !cache.tracks.isEmpty
            return cache.isSwept
        }
        return withExtendedLifetime(closed) { remain }
    }

    /// Queues a changed file for analysis. Failures are ignored, because the response is an error anyway.
    private func enqueue(_ path: RelativePath) {
        _ = try? queue.enqueue(path.audioFile, priority: .waitedFor)
    }

    private func open(_ id: Int) async throws -> StreamedTrack {
        guard let found = try library.track(id: id) else {
            throw APIError.noSuchTrack("There is no track \(id).", field: "id")
        }
        let path = music.absolutePath(of: found.track.path.audioFile)
        let file: HTTPFile
        do {
            file = try HTTPFile(pathBytes: path)
        } catch {
            enqueue(found.track.path)
            let message = "The file of track \(id) cannot be opened: \(found.track.path.audioFile.text)"
            complain(message)
            throw APIError.fileMissing(message)
        }
        let state = FileState(
            size: file.byteCount, modificationTimeNanoseconds: Int(file.modificationNanoseconds))
        guard state == found.track.file, let analysis = found.analysis else { throw changed(found) }
        do {
            if found.track.path.sheetTrack == nil {
                return try StreamedTrack(found, analysis, file: file, filePath: path)
            }
            return try await part(found, analysis, of: file, at: path)
        } catch let error as AnalyzerError where error.code == .fileChanged {
            throw changed(found)
        } catch is SystemError {
            throw Self.cannotSplit
        } catch {
            enqueue(found.track.path)
            throw APIError.analysisDamaged(
                "The stored frame index of track \(id) cannot be read; the track is being analysed again.",
                fields: [.retryAfter: "5"])
        }
    }

    /// Opens a track that is a part of a file.
    private func part(
        _ found: AnalysedTrack, _ analysis: TrackAnalysis, of source: HTTPFile, at path: [UInt8]
    ) async throws -> StreamedTrack {
        guard let part = found.track.part else { throw changed(found) }
        let parts = parts
        // Copying and checking a long track takes a moment.
        let made = try await DedicatedThread.run("part") { try parts.path(of: part, analysis, source: path) }
        return try StreamedTrack(
            found, analysis, file: try HTTPFile(pathBytes: made), filePath: made, source: source)
    }

    /// Returns the file of a track for clients that keep it: of a part of another file, one with the track's tags.
    /// - Returns: the file, and the ETag of its content.
    /// - Throws: as ``track(_:)``.
    package func keptFile(of track: StreamedTrack) async throws -> (file: HTTPFile, tag: EntityTag) {
        guard let found = track.isPart ? try library.track(id: track.id) : nil, let analysis = found.analysis
        else { return (track.file, track.fileTag) }
        guard analysis.audioHash.description == track.hashText else { throw changed(found) }
        let (parts, whole) = (parts, music.absolutePath(of: found.track.path.audioFile))
        do {
            let path = try await DedicatedThread.run("part") {
                try parts.taggedPath(of: track.filePath, analysis, tags: found.track.tags, source: whole)
            }
            let name = path.split(separator: UInt8(ascii: "/")).last ?? []
            return (try HTTPFile(pathBytes: path), EntityTag(String(decoding: name, as: UTF8.self)))
        } catch is SystemError {
            throw Self.cannotSplit
        }
    }

    private static let cannotSplit = APIError.systemFailed(
        "The track cannot be split from its file: the data folder cannot be written.")

    private func changed(_ found: AnalysedTrack) -> HTTPError {
        enqueue(found.track.path)
        return APIError.fileChanged(
            "The file of track \(found.track.id) has changed since it was analysed; it is being analysed again. "
                + "Try again in a moment.", fields: [.retryAfter: "5"])
    }
}
