internal import Analyzer
internal import Catalogue
internal import Foundation
package import LibraryStore
package import MusicFiles
package import MusicShared
internal import Synchronization
internal import Threads

/// Keeps a library up to date with its music folder for as long as the program runs: new and changed files
/// are queued, and missing ones are marked as unavailable. Runs on one thread, which is mostly idle.
///
/// If something cannot be stored, because the disk is full or another program has a database locked, it is
/// kept and retried every second.
package final class LibraryWatch: Sendable {
    /// Options that users can set.
    package struct Options: Sendable {
        /// Seconds between two scans of the whole folder, for changes that the system does not report: those
        /// made by other machines on network file systems. Nil for a single scan at the start.
        package var scanInterval: Double? = 600
        /// Whether the folder is watched at all.
        package var isOn = true
        /// Receives a line with the number of files for each scan and each detected change. Nil for no log.
        package var activityLog: (@Sendable (String) -> Void)?

        /// Creates the default options.
        package init() {}
    }

    /// Minimum number of deleted tracks for which losing more than half of the library counts as unavailable.
    package static let largeCount = MissingFiles.largeCount

    /// Seconds between two attempts to store something.
    private static let retryInterval = 1.0
    /// Seconds between two reports of the same failure.
    private static let reportInterval = 10.0
    /// Seconds between two checks of unavailable folders.
    private static let unavailableInterval = 2.0
    /// Number of missing files to check to see whether an unavailable folder is back.
    private static let sampleCount = 50

    private let music: MusicFolder
    private let library: LibraryStore
    private let queue: AnalysisQueue
    private let scan: LibraryScan
    private let missing: MissingTracks
    private let options: Options
    private let report: @Sendable (String) -> Void
    private let stopped = PassCancellation()
    private let scanIsWanted = Mutex(false)
    private let unavailable = Mutex(MissingFiles.Judgement())
    /// Events that have not been written to the event log yet.
    private let unannounced = Mutex<[PushEvent]>([])

    /// Starts the thread.
    /// - Parameter report: receives log messages for the owner.
    package init(
        music: MusicFolder, library: LibraryStore, frames: SpectrumStore, queue: AnalysisQueue,
        options: Options, report: @escaping @Sendable (String) -> Void
    ) {
        self.music = music
        self.library = library
        self.queue = queue
        self.options = options
        self.report = report
        scan = LibraryScan(
            music: music, library: library, frames: frames, settlingSeconds: FolderFollower.settlingSeconds,
            givesUp: true)
        missing = MissingTracks(music: music, library: library, store: queue.store)
        DedicatedThread.start("library watch") { [self] in run() }
    }

    /// Stops watching.
    package func stop() { stopped.cancel() }

    /// Requests a scan of the whole folder.
    package func requestScan() { scanIsWanted.withLock { $0 = true } }

    /// Folders that are unavailable at the moment, and whose tracks are kept, sorted by path.
    package var unavailableFolders: [UnavailableFolder] { unavailable.withLock { $0.folders } }

    /// Marks the tracks of unavailable folders as missing if their files do not exist.
    /// - Parameter paths: paths from ``unavailableFolders``.
    /// - Returns: the result.
    /// - Throws: `StoreError` `notUnavailable` if a path is not that of an unavailable folder; nothing has
    ///   been changed then.
    package func confirmRemoval(of paths: [String]) throws -> RemovalReport {
        var folders: Set<RelativePath?> = []
        for path in paths {
            let found = unavailable.withLock { known in
                known.kept.keys.first { ($0?.text ?? UnavailableFolder.musicFolder) == path }
            }
            guard let found else {
                throw StoreError(.notUnavailable, "is not an unavailable folder", path: path)
            }
            folders.insert(found)
        }
        let files = unavailable.withLock { known in folders.flatMap { known.kept[$0]?.files ?? [] } }
        let outcome = try missing.settle(at: files, confirmed: folders)
        unavailable.withLock { known in for folder in folders { known.kept[folder] = nil } }
        unannounced.withLock { if !outcome.gone.isEmpty { $0.append(.tracksRemoved(outcome.gone)) } }
        // The scan also writes the events, and checks whether anything is left.
        requestScan()
        queue.measureAlbums()
        return RemovalReport(removedCount: outcome.gone.count, unavailableFolders: unavailableFolders)
    }

    /// Pending work of the thread.
    private struct State {
        var changes = FolderChanges()
        var seenVersion: Int?
        var scannedAt = Date.distantPast
        var retryAt = Date.distantPast
        var lookedAt = Date.distantPast
        var countedRevision: String?
        var reported: (text: String, at: Date)?
    }

    private func run() {
        let follower = makeFollower()
        if options.isOn { requestScan() }
        var state = State()
        while !stopped.isCancelled {
            if Date() >= state.retryAt { work(follower, &state) }
            guard let follower else {
                stopped.wait(upTo: 0.2)
                continue
            }
            switch follower.changes(waitingSeconds: 0.2) {
            case .nothing: break
            case .everything: requestScan()
            case .some(let changes):
                state.changes.formUnion(changes)
                // If too much is pending, a scan of everything finds it.
                if state.changes.count > FolderFollower.capacity {
                    state.changes = FolderChanges()
                    requestScan()
                }
            }
        }
    }

    private func makeFollower() -> FolderFollower? {
        guard options.isOn else { return nil }
        do {
            let follower = try FolderFollower(music)
            if !follower.isComplete {
                report(
                    "too many folders to watch them all (fs.inotify.max_user_watches): changes in the others are "
                        + "found by periodic scans")
            }
            return follower
        } catch {
            report("\(error)")
            return nil
        }
    }

    /// Does all pending work. Work that fails stays pending.
    private func work(_ follower: FolderFollower?, _ state: inout State) {
        attempt(&state) { state in
            try announce()
            if let version = try? queue.store.version, version != state.seenVersion {
                try prepareJobs()
                state.seenVersion = version
            }
            if !state.changes.isEmpty {
                try take(state.changes)
                state.changes = FolderChanges()
            }
            let isDue =
                options.isOn
                && options.scanInterval.map { Date().timeIntervalSince(state.scannedAt) >= $0 } == true
            let isWanted = scanIsWanted.withLock { wanted in
                defer { wanted = false }
                return wanted
            }
            if isDue || isWanted {
                do { try scanAll(follower) } catch {
                    requestScan()
                    throw error
                }
                // However long the scan takes, the pause starts after it.
                state.scannedAt = Date()
            }
            try lookAtUnavailable(&state)
        }
    }

    private func attempt(_ state: inout State, _ body: (inout State) throws -> Void) {
        do { try body(&state) } catch {
            let text = "the library could not be updated; retrying: \(error)"
            let isNew =
                state.reported.map {
                    $0.text != text || Date().timeIntervalSince($0.at) >= Self.reportInterval
                } ?? true
            if isNew {
                report(text)
                state.reported = (text, Date())
            }
            state.retryAt = Date() + Self.retryInterval
        }
    }

    /// Processes changes.
    private func take(_ changes: FolderChanges) throws {
        var scan = scan
        scan.settlingSeconds = 0
        let plan = try scan.plan(changes.entries(in: music))
        try markReturned(plan.returned)
        try queue.add(plan.toDo.map { AnalysisRequest($0.path, priority: .changed, file: $0.file) })
        let outcome = try missing.settle(at: changes.places)
        try remove(outcome.gone)
        // Unavailable folders are determined for the whole folder at once.
        if !outcome.judgement.kept.isEmpty { requestScan() }
        if !plan.toDo.isEmpty || !plan.returned.isEmpty || !outcome.gone.isEmpty {
            options.activityLog?(
                "watch: \(plan.toDo.count) new or changed files, \(plan.returned.count) returned, "
                    + "\(outcome.gone.count) missing")
        }
    }

    /// Scans the whole folder.
    private func scanAll(_ follower: FolderFollower?) throws {
        let stopped = stopped
        let contents = music.scan { stopped.isCancelled }
        guard !stopped.isCancelled else { return }
        follower?.watch(contents.folders)
        let plan = try scan.plan(contents)
        follower?.follow(plan.unsettled)
        try markReturned(plan.returned)
        try queue.add(plan.toDo.map { AnalysisRequest($0.path, priority: .found, file: $0.file) })
        let present = Set(contents.entries.map(\.path))
        // Files that have arrived since the scan exist too.
        let outcome = try missing.settle(after: contents) {
            present.contains($0) || music.scannedEntry(at: $0) != nil
        }
        note(outcome.judgement)
        try remove(outcome.gone)
        options.activityLog?(
            "scan: \(contents.entries.count) files, \(plan.toDo.count) new or changed, \(plan.returned.count) returned, "
                + "\(outcome.gone.count) missing")
        queue.measureAlbums()
    }

    /// Reports newly unavailable folders.
    private func note(_ judgement: MissingFiles.Judgement) {
        let before = unavailable.withLock { known in
            defer { known = judgement }
            return Set(known.folders.map(\.relativePath))
        }
        for folder in judgement.folders where !before.contains(folder.relativePath) {
            report("\(folder.summary); they are kept until it is back or you confirm its removal")
        }
    }

    /// Checks whether unavailable folders are back, and updates the numbers of their missing tracks.
    private func lookAtUnavailable(_ state: inout State) throws {
        guard Date().timeIntervalSince(state.lookedAt) >= Self.unavailableInterval else { return }
        state.lookedAt = Date()
        let known = unavailable.withLock { $0 }
        guard !known.kept.isEmpty else { return }
        let isBack = known.kept.values.contains { found in
            found.files.prefix(Self.sampleCount).contains { music.scannedEntry(at: $0) != nil }
        }
        if isBack {
            requestScan()
            return
        }
        // Tracks may have been found elsewhere, or moved to the trash.
        let revision = try library.catalogue { try $0.revision }
        guard revision != state.countedRevision else { return }
        state.countedRevision = revision
        var counted = MissingFiles.Judgement()
        for (folder, found) in known.kept {
            let files = try library.availablePaths(among: found.files)
            if !files.isEmpty { counted.kept[folder] = (found.reason, found.message, files) }
        }
        unavailable.withLock { $0 = counted }
    }

    /// Marks tracks as available again.
    private func markReturned(_ tracks: [TrackState]) throws {
        guard !tracks.isEmpty else { return }
        try library.markAvailable(tracks.map(\.trackID))
        try announce([
            .tracksAdded(tracks.map { PushTrack(trackID: $0.trackID, relativePath: $0.path.text) })
        ])
    }

    private func remove(_ gone: [PushTrack]) throws {
        guard !gone.isEmpty else { return }
        queue.measureAlbums()
        try announce([.tracksRemoved(gone)])
    }

    /// Logs events for clients, together with earlier ones that could not be written.
    private func announce(_ events: [PushEvent] = []) throws {
        let all = unannounced.withLock { waiting in
            waiting += events
            return waiting
        }
        guard !all.isEmpty else { return }
        try queue.store.announce(all)
        unannounced.withLock { $0.removeFirst(all.count) }
    }

    /// Determines the files of jobs for the whole folder.
    private func prepareJobs() throws {
        for (id, request) in try queue.store.jobsToPrepare() {
            let stopped = stopped
            let contents = music.scan { stopped.isCancelled }
            guard !stopped.isCancelled else { return }
            var scan = scan
            scan.parts = request.parts
            scan.isForced = request.isForced
            scan.settlingSeconds = 0
            let plan = try scan.plan(contents)
            try queue.store.fillJob(
                id, wanted: plan.toDo.map { AnalysisRequest($0.path, priority: .ahead, file: $0.file) },
                done: plan.unchangedCount,
                failures: plan.knownFailures.map {
                    FileFailure(relativePath: $0.path.text, code: $0.code, message: $0.message)
                })
        }
    }
}
