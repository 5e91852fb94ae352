internal import Companion
internal import Foundation
internal import HTTPServer

/// Makes copies of the library on a thread of its own, one at a time, for ``LibrarySnapshots``.
final class SnapshotMaker: @unchecked Sendable {
    // Proof: all `var` below are touched only with the condition locked.

    /// Copies of one kind that exist at the same time, those included that are kept by downloads only: the newest is
    /// handed out, however old it is, until one of them ends. Bounds the place on the disk.
    private static func mostAlive(_ contents: LibraryCopyContents) -> Int { contents == .slim ? 4 : 2 }
    /// Seconds between two looks whether a copy should be made ahead.
    private static let lookInterval = 5.0
    /// A whole copy, which is large, is given up when nobody has asked for it for so many seconds.
    private static let idleSeconds = 600.0

    private struct Request {
        let contents: LibraryCopyContents
        let needsCompression: Bool
        /// Its place in the order of all requests.
        let number: Int
        /// The state of the library when it was asked for.
        let version: Int
        let answer: @Sendable (Result<LibrarySnapshot, any Error>) -> Void
    }

    private struct Shelf {
        var newest: LibrarySnapshot?
        /// All that were made and may still be downloaded.
        var made: [WeakSnapshot] = []
        /// When it was last asked for, on the monotonic clock.
        var asked: UInt64 = 0
        /// Whether it was asked for since the newest was made.
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
    /// The state seen at the last look.
    private var seenVersion: Int?

    /// Whether a pass or a host is writing analyses.
    private let isWriting: @Sendable () -> Bool

    init(library: LibraryStore, folder: DataFolder, isWriting: @escaping @Sendable () -> Bool) throws {
        self.isWriting = isWriting
        self.library = library
        files = SnapshotFiles(folder: folder)
        changes = try LibraryChanges(library)
        // The first is made ahead, so that it is there for the first who asks.
        shelves[.slim] = Shelf(isWanted: true)
    }

    func start() {
        let thread = Thread { [self] in run() }
        thread.name = "library copies"
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Ends the thread, after the copy under way, and whoever waits gets an error.
    func stop() {
        condition.withLock {
            isStopped = true
            condition.broadcast()
        }
    }

    // MARK: Any thread

    /// Answers at once where there is a copy that will do, else when it is made.
    func ask(
        for contents: LibraryCopyContents, needsCompression: Bool,
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

    /// The newest copy, if it will do for somebody who sees the library in a state. With the condition locked.
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

    /// Waits until there is something to make; nil at the end.
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

    /// Whether the library has come to rest in another state than the newest copy's, which somebody asked for. With the
    /// condition locked.
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
            // Asked before the copy begins: what is written meanwhile may be in it or not.
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

    /// Answers those whom a copy serves: first those who take it as it is, then, when it is compressed, the others.
    /// - Parameter number: the last request from before the making began. Who came later is served as well where the copy
    ///   still will do; else the next copy is for them.
    private func finish(
        _ snapshot: LibrarySnapshot, _ contents: LibraryCopyContents, upTo number: Int, isAhead: Bool
    ) throws {
        let isServed: (Request) -> Bool = { [self] in
            $0.contents == contents && ($0.number <= number || newest(contents, for: $0.version) != nil)
        }
        for request in takeRequests({ isServed($0) && !$0.needsCompression }) {
            request.answer(.success(snapshot))
        }
        // Made ahead it is for whoever comes; else only for those who take it so.
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
