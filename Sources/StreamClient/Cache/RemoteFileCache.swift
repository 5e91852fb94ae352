internal import Foundation

/// Files of a host's tracks, downloaded to be played and kept as long as there is room.
///
/// What is most urgent is downloaded first, and may put off what is less so. A download that breaks goes on from where it broke,
/// also after a restart, as long as the host has the same file. When there is no room left, those files go that were not used for
/// the longest time; never those that are played now or next, or that were downloaded to be there without the host.
public actor RemoteFileCache {
    /// How the cache works.
    public struct Options: Sendable {
        /// How many bytes the files may take, without those that are kept.
        public var limitBytes = 2 << 30
        /// How many files are downloaded at the same time.
        public var parallelDownloads = 2
        /// How long to wait after each failure in a row that brought no byte, in seconds; after the last one the file has failed.
        public var retrySeconds = [1.0, 2, 4, 8]
        /// How many tracks after the one that is played are downloaded ahead.
        public var prefetchCount = 3
        /// How long nothing may arrive, in seconds.
        public var idleSeconds = 30.0

        /// The usual.
        public init() {}
    }

    struct Entry {
        var record: CacheIndex.Entry
        var receivedBytes: Int
        /// Nil for what nobody asks for at the moment.
        var priority: CachePriority?
        /// Which of the equally urgent comes first.
        var order = 0
        var download: Task<Void, Never>?
        /// Names the download, so that the end of an earlier one is not taken for its end.
        var downloadNumber = 0
        /// Changes when the file begins anew, since the host has another one.
        var version = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    let connection: HostConnection
    let folder: String
    let options: Options
    /// All that reads and writes the folder, so that a slow disk holds up nobody who asks how things stand.
    let disk = DiskQueue("cache")
    private let index: Held
    var entries: [Int: Entry] = [:]
    private var lastUse = 0
    private var lastOrder = 0
    private let listeners = Listeners<CachedFile>(capacity: 1024)

    /// Proof: used on the queue only, once the cache is made.
    private struct Held: @unchecked Sendable {
        let index: CacheIndex
    }

    /// Opens the cache of a host's files.
    /// - Parameters:
    ///   - folder: for this host's files alone; made if it is not there.
    /// - Throws: ``ClientError/Code/storage`` where the folder cannot be used.
    public init(_ connection: HostConnection, folder: String, options: Options = Options())
        throws(ClientError)
    {
        self.connection = connection
        self.folder = folder
        self.options = options
        do {
            try OwnFile.makeFolder(folder)
            let index = try CacheIndex(path: folder + "/files.sqlite")
            let found = try Self.entries(index, folder)
            self.index = Held(index: index)
            entries = found
            lastUse = found.values.map(\.record.lastUse).max() ?? 0
        } catch {
            throw ClientError(.storage, "The cache in \(folder) cannot be used: \(error)")
        }
    }

    /// What the index knows and the folder holds; the rest of the folder is cleared away.
    private static func entries(_ index: CacheIndex, _ folder: String) throws -> [Int: Entry] {
        var entries: [Int: Entry] = [:]
        for var record in try index.entries() {
            let path = folder + "/\(record.trackID)"
            // Ended after the file was whole, before the index knew.
            if let total = record.totalBytes, size(path + ".mp3") == total { record.state = .complete }
            let size = size(path + (record.state == .complete ? ".mp3" : ".part"))
            if record.state == .complete, size != record.totalBytes {
                try index.remove(record.trackID)
                continue
            }
            var entry = Entry(record: record, receivedBytes: size ?? 0)
            if record.isKept, record.state == .pending { entry.priority = .offline }
            entries[record.trackID] = entry
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let url = URL(filePath: folder + "/" + name)
            guard ["mp3", "part"].contains(url.pathExtension) else { continue }
            let entry = Int(url.deletingPathExtension().lastPathComponent).flatMap { entries[$0] }
            let isOurs = entry.map { ($0.record.state == .complete) == (url.pathExtension == "mp3") }
            if isOurs != true { try FileManager.default.removeItem(at: url) }
        }
        return entries
    }

    // MARK: What is wanted

    /// What the cache knows of a track's file; nil where it was never asked for, or is gone.
    public func file(of trackID: Int) -> CachedFile? { entries[trackID].map(Self.report) }

    /// All files.
    public var files: [CachedFile] {
        entries.values.map(Self.report).sorted { $0.trackID < $1.trackID }
    }

    /// What changes from now on: each file whose state has changed.
    public func changes() -> AsyncStream<CachedFile> {
        listeners.stream()
    }

    /// Says what is played now and afterwards. The track that is played comes first, then the next ones; what was downloaded
    /// ahead for an earlier queue is put off.
    /// - Parameter trackID: nil where what is played now comes another way.
    public func play(_ trackID: Int?, then queue: [Int]) {
        for (id, entry) in entries where entry.priority.map({ $0 > .offline }) ?? false {
            entries[id]?.priority = entry.record.isKept ? .offline : nil
        }
        if let trackID { ask(for: trackID, .current) }
        for (place, id) in queue.prefix(options.prefetchCount).enumerated() where id != trackID {
            ask(for: id, place == 0 ? .next : .upcoming)
        }
        schedule()
    }

    /// Downloads files to be there without the host, in this order.
    public func keep(_ trackIDs: [Int]) {
        for id in trackIDs {
            ask(for: id, max(.offline, entries[id]?.priority ?? .offline))
            entries[id]?.record.isKept = true
            store(id)
        }
        schedule()
    }

    /// Goes on with what an earlier run was asked to keep and did not bring to its end.
    public func resume() { schedule() }

    /// Takes back ``keep(_:)``: the files stay as long as there is room.
    public func release(_ trackIDs: [Int]) {
        for id in trackIDs {
            entries[id]?.record.isKept = false
            if entries[id]?.priority == .offline { entries[id]?.priority = nil }
            store(id)
        }
        schedule()
    }

    /// Removes a file.
    public func remove(_ trackID: Int) {
        guard let entry = entries.removeValue(forKey: trackID) else { return }
        entry.download?.cancel()
        let paths = [".mp3", ".part"].map { path(trackID, $0) }
        disk.enqueue { [index] in
            try? index.index.remove(trackID)
            for path in paths { try? FileManager.default.removeItem(atPath: path) }
        }
        entry.waiters.forEach { $0.resume() }
        schedule()
    }

    /// Where a track's file is, once it is all there.
    /// - Throws: why it cannot be downloaded; ``ClientError/Code/cancelled`` where the task is cancelled.
    public func path(of trackID: Int, _ priority: CachePriority = .current) async throws(ClientError)
        -> String
    {
        ask(for: trackID, priority)
        schedule()
        while true {
            try Self.checkCancellation()
            switch entries[trackID]?.record.state {
            case .complete?:
                touch(trackID)
                return path(trackID, ".mp3")
            case .failed(let reason)?: throw ClientError(.refused, reason)
            case nil: throw ClientError(.notFound, "The file was removed.")
            default: await change(of: trackID)
            }
        }
    }

    static func checkCancellation() throws(ClientError) {
        if Task.isCancelled { throw ClientError(.cancelled, "cancelled") }
    }

    /// Notes that somebody wants a file. What has failed is tried again.
    func ask(for trackID: Int, _ priority: CachePriority) {
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

    // MARK: What the parts share

    func path(_ trackID: Int, _ ending: String) -> String { folder + "/\(trackID)\(ending)" }

    static func size(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }

    /// What is not written now is found out again later: the index only spares work.
    func store(_ trackID: Int) {
        guard let record = entries[trackID]?.record else { return }
        disk.enqueue { [index] in try? index.index.store(record) }
    }

    /// Waits until the folder holds all that the cache knows.
    public func flush() async { try? await disk.perform {} }

    /// Waits until something about a file has changed.
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
