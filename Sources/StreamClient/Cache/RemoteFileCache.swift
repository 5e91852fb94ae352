internal import Foundation

/// A cache of a host's audio files, downloaded for playback and kept while there is space.
///
/// The most urgent files are downloaded first and may defer less urgent ones. An interrupted download resumes where it
/// stopped, also after a restart, as long as the file has not changed on the host. When the cache is full, the least recently
/// used files are evicted, except for the current and the next track and files kept for offline use.
public actor RemoteFileCache {
    /// Limits and timeouts of the cache.
    public struct Options: Sendable {
        /// Maximum size of the cache in bytes, without files kept for offline use.
        public var limitBytes = 2 << 30
        /// Maximum number of concurrent downloads.
        public var parallelDownloads = 2
        /// Seconds to wait after each consecutive failure without progress. After the last one the download fails, unless the
        /// host has responded before and is now unreachable: then it is retried as long as the file is wanted.
        public var retrySeconds = [1.0, 2, 4, 8]
        /// Number of upcoming tracks that are prefetched.
        public var prefetchCount = 3
        /// Seconds without data after which a connection times out.
        public var idleSeconds = 30.0

        /// The default options.
        public init() {}
    }

    struct Entry {
        var record: CacheIndex.Entry
        var receivedBytes: Int
        /// Nil if the file is not requested at the moment.
        var priority: CachePriority?
        /// Request order among files of the same priority.
        var order = 0
        var download: Task<Void, Never>?
        /// Identifies the download, so that the end of an earlier one is ignored.
        var downloadNumber = 0
        /// Changes when the download restarts because the file has changed on the host.
        var version = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
        /// Format of the complete file.
        var format = CachedFormat.mp3
    }

    let connection: HostConnection
    let folder: String
    let options: Options
    /// Runs all disk access, so that a slow disk does not block status queries.
    let disk = DiskQueue("cache")
    private let index: CacheIndex
    var entries: [Int: Entry] = [:]
    /// Whether the host has responded since the cache was opened; if so, connection failures are treated as temporary.
    var hasAnswered = false
    private var lastUse = 0
    private var lastOrder = 0
    private let listeners = EventBroadcaster<CachedFile>(capacity: 1024)

    /// Opens the cache of a host's files.
    /// - Parameters:
    ///   - folder: a folder used only for this host's files; created if missing.
    /// - Throws: ``ClientError/Code/storage`` if the folder cannot be used.
    public init(_ connection: HostConnection, folder: String, options: Options = Options())
        throws(ClientError)
    {
        self.connection = connection
        self.folder = folder
        self.options = options
        do {
            try PrivateFile.makeFolder(folder)
            let index = try CacheIndex(path: folder + "/files.sqlite")
            let found = try Self.entries(index, folder)
            self.index = index
            entries = found
            lastUse = found.values.map(\.record.lastUse).max() ?? 0
        } catch {
            throw ClientError(.storage, "Cannot use the cache in \(folder): \(error)")
        }
    }

    /// Returns the files that are both in the index and on disk; removes all other files from the folder.
    private static func entries(_ index: CacheIndex, _ folder: String) throws -> [Int: Entry] {
        var entries: [Int: Entry] = [:]
        for var record in try index.entries() {
            let path = folder + "/\(record.trackID)"
            // The program ended after the file was complete but before the index was updated.
            let found = CachedFormat.allCases.first { Self.size(path + $0.ending) != nil }
            if let total = record.totalBytes, let found, Self.size(path + found.ending) == total {
                record.state = .complete
            }
            let format = found ?? .mp3
            let size = Self.size(path + (record.state == .complete ? format.ending : ".part"))
            if record.state == .complete, size != record.totalBytes {
                try index.remove(record.trackID)
                continue
            }
            var entry = Entry(record: record, receivedBytes: size ?? 0, format: format)
            if record.isKept, record.state == .pending { entry.priority = .offline }
            entries[record.trackID] = entry
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let url = URL(filePath: folder + "/" + name)
            guard url.pathExtension == "part" || CachedFormat(rawValue: url.pathExtension) != nil else {
                continue
            }
            let entry = Int(url.deletingPathExtension().lastPathComponent).flatMap { entries[$0] }
            let isOurs = entry.map {
                url.pathExtension == ($0.record.state == .complete ? $0.format.rawValue : "part")
            }
            if isOurs != true { try FileManager.default.removeItem(at: url) }
        }
        return entries
    }

    // MARK: Requests

    /// Returns the state of a track's file; nil if it was never requested or has been removed.
    public func file(of trackID: Int) -> CachedFile? { entries[trackID].map(Self.report) }

    /// The states of all files.
    public var files: [CachedFile] {
        entries.values.map(Self.report).sorted { $0.trackID < $1.trackID }
    }

    /// Returns a stream of the files whose state changes from now on.
    public func changes() -> AsyncStream<CachedFile> {
        listeners.stream()
    }

    /// Sets the current and the upcoming tracks. The current track is downloaded first, then the next ones; prefetches for an
    /// earlier queue are deferred.
    /// - Parameter trackID: nil if the current track is not read from the cache.
    public func play(_ trackID: Int?, then queue: [Int]) {
        for (id, entry) in entries where entry.priority.map({ $0 > .offline }) ?? false {
            entries[id]?.priority = entry.record.isKept ? .offline : nil
        }
        if let trackID { request(trackID, .current) }
        for (place, id) in queue.prefix(options.prefetchCount).enumerated() where id != trackID {
            request(id, place == 0 ? .next : .upcoming)
        }
        schedule()
    }

    /// Downloads files for offline use, in this order.
    public func keep(_ trackIDs: [Int]) {
        for id in trackIDs {
            request(id, max(.offline, entries[id]?.priority ?? .offline))
            entries[id]?.record.isKept = true
            store(id)
        }
        schedule()
    }

    /// Resumes the offline downloads of an earlier run.
    public func resume() { schedule() }

    /// Undoes ``keep(_:)``: the files become evictable.
    public func release(_ trackIDs: [Int]) {
        for id in trackIDs {
            entries[id]?.record.isKept = false
            if entries[id]?.priority == .offline { entries[id]?.priority = nil }
            store(id)
        }
        schedule()
    }

    /// Removes a file and cancels its download.
    public func remove(_ trackID: Int) {
        guard let entry = entries.removeValue(forKey: trackID) else { return }
        entry.download?.cancel()
        let paths = endings.map { path(trackID, $0) }
        disk.enqueue { [index] in
            try? index.remove(trackID)
            for path in paths { try? FileManager.default.removeItem(atPath: path) }
        }
        entry.waiters.forEach { $0.resume() }
        schedule()
    }

    /// Returns the path of a track's file once it is completely downloaded.
    /// - Throws: the reason if the download fails; ``ClientError/Code/cancelled`` if the task is cancelled.
    public func path(of trackID: Int, _ priority: CachePriority = .current) async throws(ClientError)
        -> String
    {
        request(trackID, priority)
        schedule()
        while true {
            try Self.checkCancellation()
            switch entries[trackID]?.record.state {
            case .complete?:
                touch(trackID)
                return path(trackID, (entries[trackID]?.format ?? .mp3).ending)
            case .failed(let reason)?: throw ClientError(.refused, reason)
            case nil: throw ClientError(.notFound, "The file was removed.")
            default: await change(of: trackID)
            }
        }
    }

    /// Returns the path of a track's complete file if this engine can decode it; nil otherwise.
    func playablePath(of trackID: Int) async -> String? {
        guard let entry = entries[trackID], entry.record.state == .complete, entry.format.isPlayable else {
            return nil
        }
        return try? await path(of: trackID)
    }

    static func checkCancellation() throws(ClientError) {
        if Task.isCancelled { throw ClientError(.cancelled, "cancelled") }
    }

    /// Records a request for a file. A failed download is retried.
    func request(_ trackID: Int, _ priority: CachePriority) {
        lastOrder += 1
        if entries[trackID] == nil {
            let record = CacheIndex.Entry(
                trackID: trackID, state: .pending, entityTag: nil, totalBytes: nil, isKept: false, lastUse: 0)
            entries[trackID] = Entry(record: record, receivedBytes: 0, order: lastOrder)
        }
        if case .failed = entries[trackID]?.record.state { entries[trackID]?.record.state = .pending }
        if entries[trackID]?.priority.map({ $0 < priority }) ?? true {
            entries[trackID]?.priority = priority
            entries[trackID]?.order = lastOrder
        }
        touch(trackID)
    }

    private func touch(_ trackID: Int) {
        lastUse += 1
        entries[trackID]?.record.lastUse = lastUse
        store(trackID)
    }

    // MARK: Shared

    /// The endings of all files that a track may have.
    var endings: [String] { CachedFormat.allCases.map(\.ending) + [".part"] }

    func path(_ trackID: Int, _ ending: String) -> String { folder + "/\(trackID)\(ending)" }

    static func size(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }

    /// Updates the index. A failed write is harmless: the index is repaired from the folder when the cache is opened.
    func store(_ trackID: Int) {
        guard let record = entries[trackID]?.record else { return }
        disk.enqueue { [index] in try? index.store(record) }
    }

    /// Waits until all pending writes to the folder and the index are done.
    public func flush() async { try? await disk.perform {} }

    /// Waits until the state or the size of a file changes.
    func change(of trackID: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if entries[trackID] == nil || Task.isCancelled {
                    continuation.resume()
                } else {
                    entries[trackID]?.waiters.append(continuation)
                }
            }
        } onCancel: {
            Task { await self.wake(trackID) }
        }
    }

    func wake(_ trackID: Int) {
        let waiters = entries[trackID]?.waiters ?? []
        entries[trackID]?.waiters = []
        waiters.forEach { $0.resume() }
    }

    func set(_ state: CachedFile.State, of trackID: Int) {
        guard entries[trackID] != nil, entries[trackID]?.record.state != state else { return }
        entries[trackID]?.record.state = state
        store(trackID)
        if let report = entries[trackID].map(Self.report) {
            listeners.send(report)
        }
        wake(trackID)
    }

    private static func report(_ entry: Entry) -> CachedFile {
        CachedFile(
            trackID: entry.record.trackID, state: entry.record.state, receivedBytes: entry.receivedBytes,
            totalBytes: entry.record.totalBytes, isKept: entry.record.isKept)
    }
}
