internal import Analyzer
internal import Foundation
internal import MusicShared
internal import Synchronization

/// Keeps a library in step with its music folder for as long as the program runs: what is new or has changed goes into the
/// queue, what is gone is marked so. One thread, which mostly waits.
public final class LibraryWatch: Sendable {
    /// What a user may choose.
    public struct Options: Sendable {
        /// Seconds between two looks at the whole folder, for what the system does not tell of: changes that other machines
        /// make on network file systems. Nil for none but the first.
        public var scanInterval: Double? = 600
        /// Whether the folder is watched at all.
        public var isOn = true

        /// The defaults.
        public init() {}
    }

    private let music: MusicFolder
    private let library: LibraryStore
    private let queue: AnalysisQueue
    private let scan: LibraryScan
    private let options: Options
    private let report: @Sendable (String) -> Void
    private let stopped = PassCancellation()
    private let scanIsWanted = Mutex(false)

    /// Starts the thread.
    /// - Parameter report: told of what the owner should know.
    public init(
        music: MusicFolder, library: LibraryStore, frames: FrameStore, queue: AnalysisQueue,
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
        let thread = Thread { [self] in run() }
        thread.name = "library watch"
        thread.stackSize = 4 << 20
        thread.start()
    }

    /// Ends the watching.
    public func stop() { stopped.cancel() }

    /// Asks for a look at the whole folder.
    public func requestScan() { scanIsWanted.withLock { $0 = true } }

    private func run() {
        var follower: FolderFollower?
        if options.isOn {
            do {
                follower = try FolderFollower(music)
                if follower?.isComplete == false {
                    report(
                        "too many folders to watch them all (fs.inotify.max_user_watches): changes in the others are "
                            + "found by looking through the folder")
                }
            } catch {
                report("\(error)")
            }
            requestScan()
        }
        var scannedAt = Date.distantPast
        var seenVersion: Int?
        while !stopped.isCancelled {
            if let version = try? queue.store.version, version != seenVersion {
                seenVersion = version
                attempt { try prepareJobs() }
            }
            let isDue =
                options.isOn && options.scanInterval.map { Date().timeIntervalSince(scannedAt) >= $0 } == true
            if isDue
                || scanIsWanted.withLock({ wanted in
                    defer { wanted = false }
                    return wanted
                })
            {
                attempt { try scanAll(follower) }
                // However long it takes, there is a pause of that length.
                scannedAt = Date()
            }
            guard let follower else {
                Thread.sleep(forTimeInterval: 0.2)
                continue
            }
            switch follower.news(waitingSeconds: 0.2) {
            case .nothing: break
            case .everything: requestScan()
            case .some(let changes): attempt { try take(changes) }
            }
        }
    }

    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch {
            report("the library could not be looked through: \(error)")
            // A full disk or a locked library is not asked again at once.
            Thread.sleep(forTimeInterval: 1)
        }
    }

    /// Looks at what has changed.
    private func take(_ changes: FolderChanges) throws {
        var scan = scan
        scan.settlingSeconds = 0
        let plan = try scan.plan(changes.entries(in: music))
        try library.welcomeBack(plan.returned, telling: queue.store)
        try queue.add(plan.toDo.map { AnalysisRequest($0.path, priority: .changed, file: $0.file) })
        try remove(try library.markGone(at: changes.places) { music.scannedEntry(at: $0) != nil })
    }

    /// Looks at the whole folder.
    private func scanAll(_ follower: FolderFollower?) throws {
        let stopped = stopped
        let contents = music.scan { stopped.isCancelled }
        guard !stopped.isCancelled else { return }
        follower?.watch(contents.folders)
        // An empty folder is more likely a disk that is not mounted than a library given up.
        guard !contents.entries.isEmpty else { return }
        let plan = try scan.plan(contents)
        follower?.follow(plan.unsettled)
        try library.welcomeBack(plan.returned, telling: queue.store)
        try queue.add(plan.toDo.map { AnalysisRequest($0.path, priority: .found, file: $0.file) })
        // Files in a folder that could not be read are not known to be gone.
        if contents.unreadable.isEmpty {
            let present = Set(contents.entries.map(\.path))
            // What has come since the look is there too.
            try remove(try library.markGone { present.contains($0) || music.scannedEntry(at: $0) != nil })
        }
        queue.measureAlbums()
    }

    private func remove(_ gone: [PushTrack]) throws {
        guard !gone.isEmpty else { return }
        try queue.store.announce([.tracksRemoved(gone)])
        queue.measureAlbums()
    }

    /// Finds the files of jobs over the whole folder.
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
