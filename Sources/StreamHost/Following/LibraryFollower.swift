internal import Catalogue
internal import FileSystem
internal import Foundation
internal import HostAccounts
internal import HTTPClient
internal import LibraryStore
internal import MusicShared
internal import Threads

/// Keeps the copies of a primary's library, accounts, listening data and app passwords up to date, on a thread of its own.
final class LibraryFollower: Sendable {
    /// Seconds between looks at the primary's state.
    private static let interval = 1.0

    private struct State {
        var report: FollowingReport
        /// Number of the last look that was requested, begun and finished.
        var requested = 0
        var finished = 0
        var hasSucceeded = false
        /// Number of times that the primary was lost or came back.
        var contactChanges = 0
        var inSyncAt: Double
        var isStopped = false
    }

    /// Whether the primary is reachable, at one of the times between which that changes.
    struct Contact: Sendable, Equatable {
        let isReachable: Bool
        fileprivate let number: Int
    }

    private let primary: PrimaryHost
    private let credentials: CredentialFollower
    private let data: DataFolder
    private let library: LibraryStore
    private let listening: ListeningStore
    private let listeningChanged: @Sendable () -> Void
    private let complain: @Sendable (String) -> Void
    private let state: Turnstile<State>

    /// - Parameters:
    ///   - listeningChanged: called after the listening data was replaced.
    ///   - complain: called with a message when the primary is lost, when it is back, and when a copy fails.
    init(
        primary: PrimaryHost, data: DataFolder, library: LibraryStore, listening: ListeningStore,
        listeningChanged: @escaping @Sendable () -> Void, complain: @escaping @Sendable (String) -> Void
    ) {
        self.primary = primary
        credentials = CredentialFollower(
            primary: primary, data: data, listening: listening, complain: complain)
        self.data = data
        self.library = library
        self.listening = listening
        self.listeningChanged = listeningChanged
        self.complain = complain
        state = Turnstile(
            State(report: FollowingReport(primary: primary.address), inSyncAt: Self.now))
    }

    private static var now: Double { ProcessInfo.processInfo.systemUptime }

    func start() {
        credentials.start()
        DedicatedThread.start("follower") { [weak self] in
            while let follower = self, follower.waitForTurn() { follower.look() }
        }
    }

    func stop() {
        credentials.stop()
        state.change { $0.isStopped = true }
    }

    /// The current report.
    var report: FollowingReport {
        state.read { state in
            var report = state.report
            let isInSync = report.lastError == nil && report.revisionsBehind == 0 && state.hasSucceeded
            report.secondsBehind = isInSync ? 0 : ((Self.now - state.inSyncAt) * 10).rounded() / 10
            return report
        }
    }

    /// Whether the copies have been equal to the primary's data since the start, or the primary could not be asked.
    var isReady: Bool { state.read { $0.hasSucceeded || $0.finished > 0 && !$0.report.isPrimaryReachable } }

    /// Whether the primary is reachable now.
    var contact: Contact {
        state.read { Contact(isReachable: $0.report.isPrimaryReachable, number: $0.contactChanges) }
    }

    /// Returns when the primary is lost or back.
    /// - Throws: `CancellationError`.
    func waitForChange(of contact: Contact) async throws {
        while self.contact == contact { try await Task.sleep(for: .milliseconds(250)) }
    }

    /// Looks at the primary now; returns when the copies have everything that the primary had at the time of the call, or after
    /// a time limit.
    func refresh(withinSeconds seconds: Double) async {
        let number = state.change { state in
            state.requested += 1
            return state.requested
        }
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline, state.read({ $0.finished < number && !$0.isStopped }) {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    private func waitForTurn() -> Bool {
        _ = state.wait(upTo: Self.interval) { $0.isStopped || $0.requested > $0.finished ? true : nil }
        return state.read { !$0.isStopped }
    }

    private func look() {
        let number = state.read(\.requested)
        let before = state.read(\.report.lastError)
        var failure: String?
        do {
            try copy()
        } catch let error as PrimaryHost.Failure {
            failure = error.description
            if error.status == nil { note(isReachable: false) }
        } catch {
            failure = "the primary's data cannot be copied: \(error)"
        }
        if failure != before { complain(failure ?? "following the primary") }
        state.change { state in
            state.finished = max(state.finished, number)
            state.report.lastError = failure
            if failure == nil {
                state.hasSucceeded = true
                state.inSyncAt = Self.now
                state.report.revisionsBehind = 0
            }
        }
    }

    private func note(isReachable: Bool) {
        state.change { state in
            if state.report.isPrimaryReachable != isReachable { state.contactChanges += 1 }
            state.report.isPrimaryReachable = isReachable
        }
    }

    // MARK: - The thread

    private func copy() throws {
        let answer = try primary.answer(Routes.replicaState)
        let theirs = try JSONDecoder().decode(ReplicaState.self, from: Data(answer.body))
        let ours = try library.rowState
        let behind = (CatalogueRevision(theirs.rows)?.number ?? 0) - ours.rows.number
        note(isReachable: true)
        state.change { $0.report.revisionsBehind = max(0, behind) }
        // First what revokes access.
        try credentials.update(to: theirs.credentials)
        if listening.isShared {
            // Its own thread reports failures.
            try? listening.catchUp()
        } else {
            try copyListening(theirs.listening)
        }
        if theirs.rows != ours.rows.description { try copyLibrary(from: ours) }
    }

    private func copyListening(_ wanted: String) throws {
        guard try listening.state != wanted else { return }
        try withFile("listening") { path in
            try primary.download(Routes.replicaListening, to: path)
            try listening.apply(copy: path)
        }
        listeningChanged()
    }

    private func copyLibrary(from ours: RowState) throws {
        do {
            try copyChanges(from: ours, hasAllPlaylists: false)
        } catch let error as PrimaryHost.Failure where error.status == 409 {
            try withFile("library") { path in
                try primary.download(PrimaryHost.wholeLibrary, to: path)
                try LibraryStore.makeRowChanges(ofCopy: path)
                try library.apply(rowChanges: path)
            }
            try copyChanges(from: try library.rowState, hasAllPlaylists: true)
        }
    }

    private func copyChanges(from ours: RowState, hasAllPlaylists: Bool) throws {
        let query = "?rows=\(ours.rows)&catalogue=\(ours.catalogue)&all_playlists=\(hasAllPlaylists)"
        try withFile("changes") { path in
            try primary.download(Routes.replicaChanges + query, to: path)
            try library.apply(rowChanges: path)
        }
    }

    /// Calls a closure with the path of a file in the data folder, and deletes the file afterwards.
    private func withFile(_ name: String, _ body: (String) throws -> Void) throws {
        let path = "\(data.path)/following-\(name).sqlite"
        defer { for end in ["", "-wal", "-shm", "-journal"] { try? Files.remove(path + end) } }
        try body(path)
    }
}
