internal import Companion
internal import Foundation
internal import HTTPServer
internal import LibraryStore
internal import Threads

/// Creates copies of the library on a dedicated thread, one at a time, for ``LibrarySnapshots``.
final class SnapshotMaker: Sendable {
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

    private struct State {
        var requests: [Request] = []
        var lastNumber = 0
        var shelves: [LibraryCopyContents: Shelf] = [:]
        var isStopped = false
        /// Version of the library at the last check.
        var seenVersion: Int?

        mutating func takeRequests(_ isTaken: (Request) -> Bool) -> [Request] {
            let taken = requests.filter(isTaken)
            requests.removeAll(where: isTaken)
            return taken
        }
    }

    private let library: LibraryStore
    private let files: SnapshotFiles
    private let changes: LibraryChanges
    private let state: Turnstile<State>

    /// Whether a scan or a host is writing analyses.
    private let isWriting: @Sendable () -> Bool

    init(library: LibraryStore, files: SnapshotFiles, isWriting: @escaping @Sendable () -> Bool) throws {
        self.isWriting = isWriting
        self.library = library
        self.files = files
        changes = try LibraryChanges(library)
        // Create the first copy ahead of time, so the first request need not wait.
        state = Turnstile(State(shelves: [.slim: Shelf(isWanted: true)]))
    }

    func start() {
        DedicatedThread.start("library copies", stackBytes: 1 << 20) { [self] in run() }
    }

    /// Stops the thread after the current copy; pending requests fail.
    func stop() {
        state.change { $0.isStopped = true }
    }

    // MARK: Any thread

    /// Calls `answer` immediately if there is a suitable copy, otherwise once it has been created.
    func requestCopy(
        of contents: LibraryCopyContents, needsCompression: Bool,
        answer: @escaping @Sendable (Result<LibrarySnapshot, any Error>) -> Void
    ) {
        do {
            let version = try changes.version
            let ready = state.change { state -> LibrarySnapshot? in
                state.shelves[contents, default: Shelf()].asked = Self.now()
                state.shelves[contents]?.isWanted = true
                if let newest = newest(contents, for: version, in: state),
                    !needsCompression || newest.compressedFile != nil
                {
                    return newest
                }
                state.lastNumber += 1
                state.requests.append(
                    Request(
                        contents: contents, needsCompression: needsCompression, number: state.lastNumber,
                        version: version, answer: answer))
                return nil
            }
            if let ready { answer(.success(ready)) }
        } catch {
            answer(.failure(error))
        }
    }

    /// Returns the newest copy if it may be served to a client that sees this version of the library.
    private func newest(
        _ contents: LibraryCopyContents, for version: Int, in state: State
    ) -> LibrarySnapshot? {
        guard let newest = state.shelves[contents]?.newest else { return nil }
        if newest.version == version { return newest }
        let alive = state.shelves[contents]?.made.filter(\.isAlive).count ?? 0
        if alive >= Self.mostAlive(contents) { return newest }
        let leastAge = max(UInt64(LibrarySnapshots.leastAgeSeconds * 1e9), 20 * newest.effort)
        return Self.now() - newest.began < leastAge && isWriting() ? newest : nil
    }

    // MARK: The maker's thread

    private func run() {
        files.removeLeftovers()
        while let contents = next() { make(contents) }
        let left = state.change { $0.takeRequests { _ in true } }
        for request in left { request.answer(.failure(CancellationError())) }
    }

    /// Waits for the next copy to create; nil when stopped.
    private func next() -> LibraryCopyContents? {
        while true {
            switch state.read(Self.step) ?? lookAhead() {
            case .stop: return nil
            case .make(let contents): return contents
            case .wait: _ = state.wait(upTo: Self.lookInterval) { Self.step($0) }
            }
        }
    }

    /// The next step for the oldest request, or at the end; nil without either.
    private static func step(_ state: State) -> Step? {
        if state.isStopped { return .stop }
        return state.requests.first.map { .make($0.contents) }
    }

    private enum Step {
        case make(LibraryCopyContents), stop, wait
    }

    /// Looks whether to create a copy ahead: the library has settled at a new version, and the previous copy was requested.
    private func lookAhead() -> Step {
        let version = try? changes.version
        return state.change { state in
            if let idle = state.shelves[.whole], Self.now() - idle.asked > UInt64(Self.idleSeconds * 1e9) {
                state.shelves[.whole] = nil
            }
            guard let version, let shelf = state.shelves[.slim], shelf.isWanted else { return .wait }
            guard let newest = shelf.newest else { return state.seenVersion == nil ? .make(.slim) : .wait }
            defer { state.seenVersion = version }
            let isDue =
                newest.version != version && state.seenVersion == version
                && shelf.made.filter(\.isAlive).count < Self.mostAlive(.slim) && !isWriting()
            return isDue ? .make(.slim) : .wait
        }
    }

    private func make(_ contents: LibraryCopyContents) {
        do {
            let (lastNumber, isAhead) = state.read { ($0.lastNumber, $0.requests.isEmpty) }
            // Read the version first: concurrent writes may or may not be in the copy.
            let version = try changes.version
            let present = state.read { newest(contents, for: version, in: $0) }
            if let present { return try finish(present, contents, upTo: lastNumber, isAhead: false) }
            let began = Self.now()
            let (file, tag) = try files.copy(library, contents)
            let snapshot = LibrarySnapshot(
                version: version, began: began, effort: Self.now() - began, file: file, entityTag: tag)
            state.change { state in
                var shelf = state.shelves[contents, default: Shelf()]
                shelf.newest = snapshot
                shelf.made = shelf.made.filter(\.isAlive) + [WeakSnapshot(file: file)]
                shelf.isWanted = state.requests.contains { $0.contents == contents }
                state.shelves[contents] = shelf
                state.seenVersion = version
            }
            try finish(snapshot, contents, upTo: lastNumber, isAhead: isAhead)
        } catch {
            let version = (try? changes.version) ?? 0
            let failed = state.change { state in
                state.seenVersion = version
                state.shelves[contents]?.isWanted = false
                return state.takeRequests { $0.contents == contents }
            }
            for request in failed { request.answer(.failure(error)) }
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
        let isServed: (Request, State) -> Bool = { [self] request, state in
            request.contents == contents
                && (request.number <= number || newest(contents, for: request.version, in: state) != nil)
        }
        let simple = state.change { state in
            state.takeRequests { [now = state] in isServed($0, now) && !$0.needsCompression }
        }
        for request in simple { request.answer(.success(snapshot)) }
        // A copy created ahead of time is always compressed; others only if a request needs it.
        let isToBeCompressed = state.read { state in
            state.requests.contains { isServed($0, state) } ? true : isAhead
        }
        guard contents == .slim, isToBeCompressed else { return }
        if snapshot.compressedFile == nil {
            let compressed = try files.compressed(snapshot.file)
            snapshot.set(compressedFile: compressed)
            state.change { state in
                guard let last = state.shelves[contents]?.made.indices.last else { return }
                state.shelves[contents]?.made[last].compressed = compressed
            }
        }
        let waiting = state.change { state in
            state.takeRequests { [now = state] in isServed($0, now) }
        }
        for request in waiting { request.answer(.success(snapshot)) }
    }

    private static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}
