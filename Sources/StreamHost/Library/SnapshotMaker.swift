internal import Companion
internal import Foundation
internal import HTTPServer

/// Creates copies of the library on a dedicated thread, one at a time, for ``LibrarySnapshots``.
final class SnapshotMaker: @unchecked Sendable {
    // Safe although unchecked: all `var` below are only accessed with the condition locked.

    /// Maximum number of copies that exist at a time, including those only kept by downloads. At the limit,
    /// the newest is served however old it is. Limits the disk space used.
    private static func mostAlive(_ contents: LibraryCopyContents) -> Int { contents == .slim ? 4 : 2 }
    /// Seconds between checks whether a copy should be created ahead of time.
    private static let lookInterval = 5.0
    /// A complete copy, which is large, is released if it has not been requested for this many seconds.
    private static let idleSeconds = 600.0

    private struct Request {
        let contents: LibraryCopyContents
        let needsCompression: Bool
        /// Sequence number of the request.
        let number: Int
        /// Version of the library at the time of the request.
        let version: Int
        let answer: @Sendable (Result<LibrarySnapshot, any Error>) -> Void
    }

    private struct Shelf {
        var newest: LibrarySnapshot?
        /// All copies that may still be downloading.
        var made: [WeakSnapshot] = []
        /// Time of the last request, in nanoseconds of the monotonic clock.
        var asked: UInt64 = 0
        /// Whether it was requested since the newest copy was created.
        var isWanted = false
    }

    private struct WeakSnapshot {
        weak var file: HTTPFile?
        weak var compressed: HTTPFile?
        var isAlive: Bool { file != nil || compressed != nil }
    }

    private let library: LibraryStore
    private let files: SnapshotFiles
    private let changes: LibraryChanges
    private let condition = NSCondition()
    private var requests: [Request] = []
    private var lastNumber = 0
    private var shelves: [LibraryCopyContents: Shelf] = [:]
    private var isStopped = false
    /// Version of the library at the last check.
    private var seenVersion: Int?

    /// Whether a scan or a host is writing analyses.
    private let isWriting: @Sendable () -> Bool

    init(library: LibraryStore, files: SnapshotFiles, isWriting: @escaping @Sendable () -> Bool) throws {
        self.isWriting = isWriting
        self.library = library
        self.files = files
        changes = try LibraryChanges(library)
        // Create the first copy ahead of time, so the first request need not wait.
        shelves[.slim] = Shelf(isWanted: true)
    }

    func start() {
        let thread = Thread { [self] in run() }
        thread.name = "library copies"
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Stops the thread after the current copy; pending requests fail.
    func stop() {
        condition.withLock {
            isStopped = true
            condition.broadcast()
        }
    }

    // MARK: Any thread

    /// Calls `answer` immediately if there is a suitable copy, otherwise once it has been created.
    func requestCopy(
        of contents: LibraryCopyContents, needsCompression: Bool,
        answer: @escaping @Sendable (Result<LibrarySnapshot, any Error>) -> Void
    ) {
        do {
            let version = try changes.version
            let ready = condition.withLock { () -> LibrarySnapshot? in
                shelves[contents, default: Shelf()].asked = Self.now()
                shelves[contents]?.isWanted = true
                if let newest = newest(contents, for: version),
                    !needsCompression || newest.compressedFile != nil
                {
                    return newest
                }
                lastNumber += 1
                requests.append(
                    Request(
                        contents: contents, needsCompression: needsCompression, number: lastNumber,
                        version: version, answer: answer))
                condition.broadcast()
                return nil
            }
            if let ready { answer(.success(ready)) }
        } catch {
            answer(.failure(error))
        }
    }

    /// Returns the newest copy if it may be served to a client that sees this version of the library.
    /// Requires the lock.
    private func newest(_ contents: LibraryCopyContents, for version: Int) -> LibrarySnapshot? {
        guard let newest = shelves[contents]?.newest else { return nil }
        if newest.version == version { return newest }
        let alive = shelves[contents]?.made.filter(\.isAlive).count ?? 0
        if alive >= Self.mostAlive(contents) { return newest }
        let leastAge = max(UInt64(LibrarySnapshots.leastAgeSeconds * 1e9), 20 * newest.effort)
        return Self.now() - newest.began < leastAge && isWriting() ? newest : nil
    }

    // MARK: The maker's thread

    private func run() {
        files.removeLeftovers()
        while let contents = next() { make(contents) }
        let left = condition.withLock {
            defer { requests = [] }
            return requests
        }
        for request in left { request.answer(.failure(CancellationError())) }
    }

    /// Waits for the next copy to create; nil when stopped.
    private func next() -> LibraryCopyContents? {
        condition.lock()
        defer { condition.unlock() }
        while !isStopped {
            if let first = requests.first { return first.contents }
            if isToBeMadeAhead() { return .slim }
            if let idle = shelves[.whole], Self.now() - idle.asked > UInt64(Self.idleSeconds * 1e9) {
                shelves[.whole] = nil
            }
            _ = condition.wait(until: Date(timeIntervalSinceNow: Self.lookInterval))
        }
        return nil
    }

    /// Whether to create a copy ahead: the library has settled at a new version, and the previous copy was
    /// requested. Requires the lock.
    private func isToBeMadeAhead() -> Bool {
        guard let version = try? changes.version, let shelf = shelves[.slim], shelf.isWanted else {
            return false
        }
        guard let newest = shelf.newest else { return seenVersion == nil }
        defer { seenVersion = version }
        return newest.version != version && seenVersion == version
            && shelf.made.filter(\.isAlive).count < Self.mostAlive(.slim) && !isWriting()
    }

    private func make(_ contents: LibraryCopyContents) {
        do {
            let (lastNumber, isAhead) = condition.withLock { (self.lastNumber, requests.isEmpty) }
            // Read the version first: concurrent writes may or may not be in the copy.
            let version = try changes.version
            let present = condition.withLock { newest(contents, for: version) }
            if let present { return try finish(present, contents, upTo: lastNumber, isAhead: false) }
            let began = Self.now()
            let (file, tag) = try files.copy(library, contents)
            let snapshot = LibrarySnapshot(
                version: version, began: began, effort: Self.now() - began, file: file, entityTag: tag)
            condition.withLock {
                var shelf = shelves[contents, default: Shelf()]
                shelf.newest = snapshot
                shelf.made = shelf.made.filter(\.isAlive) + [WeakSnapshot(file: file)]
                shelf.isWanted = requests.contains { $0.contents == contents }
                shelves[contents] = shelf
                seenVersion = version
            }
            try finish(snapshot, contents, upTo: lastNumber, isAhead: isAhead)
        } catch {
            let failed = takeRequests { $0.contents == contents }
            for request in failed { request.answer(.failure(error)) }
            condition.withLock {
                seenVersion = (try? changes.version) ?? 0
                shelves[contents]?.isWanted = false
            }
        }
    }

    /// Answers requests with a copy: first those that accept it uncompressed, then, after compression, the
    /// others.
    ///
    /// - Parameter number: The last request before the creation began. Later requests are answered too if the
    ///   copy is recent enough for them; otherwise they get the next copy.
    private func finish(
        _ snapshot: LibrarySnapshot, _ contents: LibraryCopyContents, upTo number: Int, isAhead: Bool
    ) throws {
        let isServed: (Request) -> Bool = { [self] in
            $0.contents == contents && ($0.number <= number || newest(contents, for: $0.version) != nil)
        }
        for request in takeRequests({ isServed($0) && !$0.needsCompression }) {
            request.answer(.success(snapshot))
        }
        // A copy created ahead of time is always compressed; others only if a request needs it.
        let isToBeCompressed = condition.withLock { () -> Bool in
            let waiting = requests.filter(isServed)
            return waiting.isEmpty ? isAhead : true
        }
        guard contents == .slim, isToBeCompressed else { return }
        if snapshot.compressedFile == nil {
            let compressed = try files.compressed(snapshot.file)
            snapshot.set(compressedFile: compressed)
            condition.withLock {
                guard let last = shelves[contents]?.made.indices.last else { return }
                shelves[contents]?.made[last].compressed = compressed
            }
        }
        for request in takeRequests(isServed) { request.answer(.success(snapshot)) }
    }

    private func takeRequests(_ isTaken: (Request) -> Bool) -> [Request] {
        condition.withLock {
            let taken = requests.filter(isTaken)
            requests.removeAll(where: isTaken)
            return taken
        }
    }

    private static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}
