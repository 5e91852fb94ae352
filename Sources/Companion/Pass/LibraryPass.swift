internal import Analyzer
import Foundation
internal import Synchronization
internal import Tagging

/// One pass over a music folder: finds what is new or changed, analyses it, stores it.
///
/// Files are analysed on threads of their own, one file each; one writer stores their results in small batches, each a
/// transaction. A kill at any moment loses at most the files in flight and those of the batch under way; the next pass
/// finds them undone. Only one pass works on a data folder at a time.
public final class LibraryPass: Sendable {
    /// Results that may wait for the writer: they hold visualizer frames.
    private static let queueCapacity = 16

    private let music: MusicFolder
    private let options: PassOptions
    private let cancellation: PassCancellation
    private let lock: SharedPassLock
    /// The library that the pass works on.
    public let library: LibraryStore
    private let frames: FrameStore
    /// The frames of long tracks wait here for the writer, on the disk that they are going to.
    private let spoolFolder: String

    /// Opens the library and takes the lock of the data folder, until this object is gone.
    /// - Throws: `StoreError` `passRunning` when another pass works on the data folder, `DatabaseError` when a database
    ///   cannot be used.
    public init(
        music: MusicFolder, data: DataFolder, options: PassOptions,
        cancellation: PassCancellation = PassCancellation()
    ) throws {
        self.music = music
        self.options = options
        self.cancellation = cancellation
        lock = SharedPassLock(try PassLock(data))
        library = try LibraryStore(data)
        frames = try FrameStore(data)
        spoolFolder = data.path
    }

    /// The same pass without the wish to analyse everything again.
    public func incremental() -> LibraryPass {
        var options = options
        options.isForced = false
        return LibraryPass(
            music: music, options: options, cancellation: cancellation, lock: lock, library: library,
            frames: frames, spoolFolder: spoolFolder)
    }

    private init(
        music: MusicFolder, options: PassOptions, cancellation: PassCancellation, lock: SharedPassLock,
        library: LibraryStore, frames: FrameStore, spoolFolder: String
    ) {
        self.music = music
        self.options = options
        self.cancellation = cancellation
        self.lock = lock
        self.library = library
        self.frames = frames
        self.spoolFolder = spoolFolder
    }

    /// Runs the pass, on this thread and others, to its end.
    /// - Parameter report: told of each file; called from this thread only.
    /// - Throws: `StoreError` `musicFolder` when there is nothing to do because the folder holds no MP3;
    ///   `DatabaseError` when the store fails, on a full disk for instance: what was stored before stays.
    public func run(_ report: (PassEvent) -> Void = { _ in }) throws -> PassSummary {
        let contents = music.scan { cancellation.isCancelled }
        guard !cancellation.isCancelled else {
            // What was not looked at is not gone.
            var summary = PassSummary()
            summary.wasCancelled = true
            return summary
        }
        guard !contents.entries.isEmpty || !contents.unreadable.isEmpty else {
            // An empty folder is more likely a disk that is not mounted than a library given up.
            throw StoreError(.noMusic, "holds no file named .mp3", path: music.displayPath)
        }
        let present = Set(contents.entries.map(\.path))
        var summary = PassSummary()
        summary.fileCount = contents.entries.count
        let work = try plan(contents, &summary)
        report(
            .scanned(
                PassPlan(
                    fileCount: summary.fileCount, unchangedCount: summary.unchangedCount,
                    stillFailingCount: work.knownFailures.count, toDoCount: work.toDo.count,
                    toDoBytes: work.toDo.reduce(0) { $0 + $1.file.size })))
        for failure in work.knownFailures {
            summary.failedCount += 1
            report(.stillFailing(failure))
        }
        for (path, reason) in contents.unreadable {
            summary.failedCount += 1
            report(
                .unreadable(
                    TrackFailure(
                        path: path, code: AnalyzerError.Code.fileUnreadable.rawValue,
                        message: "cannot be read: \(reason)")))
        }
        try analyze(work.toDo, isPresent: { present.contains($0) }, &summary, report)
        summary.wasCancelled = cancellation.isCancelled
        // Files in a folder that could not be read are not known to be gone.
        if contents.unreadable.isEmpty {
            summary.removedCount = try library.markUnavailable { present.contains($0) }
        }
        try library.measureOutdatedAlbums()
        try library.checkpoint()
        try frames.checkpoint()
        return summary
    }
}

/// A lock that several passes, one after the other, hold together.
private final class SharedPassLock: Sendable {
    private let lock: PassLock

    init(_ lock: consuming PassLock) { self.lock = lock }
}

// MARK: - What there is to do

extension LibraryPass {
    private struct Work {
        var toDo: [MusicFolder.Entry] = []
        var knownFailures: [TrackFailure] = []
    }

    private func plan(_ contents: MusicFolder.Contents, _ summary: inout PassSummary) throws -> Work {
        var states: [RelativePath: TrackState] = [:]
        var failures: [RelativePath: AnalysisFailure] = [:]
        if !options.isForced {
            try library.forEachTrackState { states[$0.path] = $0 }
            for failure in try library.failures() { failures[failure.path] = failure }
        }
        let haveFrames = options.parts.contains(.frames) ? try frames.currentHashes() : []
        let settled = Date().timeIntervalSince1970 - options.settlingSeconds
        var returned: [Int] = []
        var work = Work()
        for entry in contents.entries {
            if let state = states[entry.path], isCurrent(state, entry, haveFrames) {
                if !state.isAvailable { returned.append(state.trackID) }
                summary.unchangedCount += 1
            } else if let failure = failures[entry.path], failure.isLasting(file: entry.file) {
                work.knownFailures.append(
                    TrackFailure(path: entry.path, code: failure.errorCode, message: failure.message))
            } else if options.settlingSeconds > 0,
                Double(entry.file.modificationTimeNanoseconds) / 1e9 > settled || music.isBeingWritten(entry)
            {
                summary.unsettledCount += 1
            } else {
                work.toDo.append(entry)
            }
        }
        if !returned.isEmpty { try library.markAvailable(returned) }
        // The largest first, so that no thread is left alone with a long file at the end.
        work.toDo.sort { $0.file.size > $1.file.size }
        return work
    }

    private func isCurrent(
        _ state: TrackState, _ entry: MusicFolder.Entry, _ haveFrames: Set<AudioHash>
    ) -> Bool {
        guard state.file == entry.file, state.hasCurrentStream else { return false }
        if options.parts.contains(.profile), !state.hasCurrentProfile { return false }
        return !options.parts.contains(.frames) || haveFrames.contains(state.audioHash)
    }

    /// Parts that are asked for and not stored yet.
    private func neededParts(of hash: AudioHash) throws -> AnalysisParts {
        guard !options.isForced else { return options.parts }
        var needed: AnalysisParts = []
        if options.parts.contains(.profile), try !library.hasCurrentProfile(of: hash) {
            needed.insert(.profile)
        }
        if options.parts.contains(.frames), try !frames.hasCurrentFrames(of: hash) { needed.insert(.frames) }
        return needed
    }
}

// MARK: - Doing it

extension LibraryPass {
    /// A file that a worker is through with.
    private struct Finished: Sendable {
        var entry: MusicFolder.Entry
        var record: TrackRecord?
        var outcome: TrackResult.Outcome?
    }

    private func analyze(
        _ entries: [MusicFolder.Entry], isPresent: (RelativePath) -> Bool, _ summary: inout PassSummary,
        _ report: (PassEvent) -> Void
    ) throws {
        let jobs = max(1, min(options.jobs, entries.count))
        guard !entries.isEmpty else { return }
        let queue = BoundedQueue<Finished>(capacity: Self.queueCapacity, producers: jobs)
        let next = Mutex(0)
        let stopped = PassCancellation()
        let cancellation = cancellation
        let analyzer = TrackAnalyzer(settings: options.settings, spoolFolder: spoolFolder) {
            cancellation.isCancelled || stopped.isCancelled
        }
        for _ in 0..<jobs {
            let thread = Thread { [self] in
                while !cancellation.isCancelled, !stopped.isCancelled {
                    let index = next.withLock { next in
                        defer { next += 1 }
                        return next
                    }
                    guard index < entries.count else { break }
                    queue.put(finish(entries[index], by: analyzer))
                }
                queue.producerFinished()
            }
            // The decoder and SQLite need more than the 512 kB that a secondary thread has by default.
            thread.stackSize = 4 << 20
            thread.start()
        }
        var failure: (any Error)?
        while true {
            let batch = queue.takeAll()
            if batch.isEmpty { break }
            // After a failure of the store the workers are only waited for.
            guard failure == nil else { continue }
            do {
                try store(batch, isPresent: isPresent)
                for finished in batch {
                    guard let outcome = finished.outcome else { continue }
                    take(
                        TrackResult(
                            path: finished.entry.path, fileSize: finished.entry.file.size, outcome: outcome),
                        &summary, report)
                }
            } catch {
                failure = error
                stopped.cancel()
            }
        }
        if let failure { throw failure }
    }

    private func finish(_ entry: MusicFolder.Entry, by analyzer: TrackAnalyzer) -> Finished {
        do throws(AnalyzerError) {
            guard entry.isRegular else { throw AnalyzerError(.notARegularFile, "is not a regular file") }
            let file = try MappedFile(path: music.absolutePath(of: entry.path))
            let outcome = try analyzer.analyze(file) { hash in
                // If the store cannot be asked, the writer will meet the reason; until then the work is done.
                (try? neededParts(of: hash)) ?? options.parts
            }
            let tags = readTags(of: entry)
            switch outcome {
            case .analyzed(let analysis, let payloadOffset):
                return Finished(
                    entry: entry,
                    record: TrackRecord(
                        path: entry.path, file: file.state, audioHash: analysis.audioHash, tags: tags,
                        analysis: analysis, payloadOffset: payloadOffset),
                    outcome: .analyzed(audioSeconds: analysis.stream.durationSeconds))
            case .known(let hash, let payloadOffset):
                return Finished(
                    entry: entry,
                    record: TrackRecord(
                        path: entry.path, file: file.state, audioHash: hash, tags: tags, analysis: nil,
                        payloadOffset: payloadOffset),
                    outcome: .linked)
            }
        } catch {
            switch error.code {
            case .cancelled: return Finished(entry: entry)
            case .fileVanished: return Finished(entry: entry, outcome: .vanished)
            default:
                return Finished(
                    entry: entry, outcome: .failed(code: error.code.rawValue, message: error.message))
            }
        }
    }

    /// Tags; none where they cannot be read, since the audio matters more.
    private func readTags(of entry: MusicFolder.Entry) -> TrackTags {
        (try? TrackTags.read(from: music.absolutePath(of: entry.path))) ?? TrackTags()
    }

    /// Stores a batch: frames first, so that a track in the library never lacks its frames.
    private func store(_ batch: [Finished], isPresent: (RelativePath) -> Bool) throws {
        for finished in batch {
            if let analysis = finished.record?.analysis, let matrix = analysis.frames {
                try frames.save(matrix, of: analysis.audioHash)
            }
        }
        let records = batch.compactMap(\.record)
        if !records.isEmpty { try library.record(records, isPresent: isPresent) }
        for finished in batch {
            if case .failed(let code, let message) = finished.outcome {
                try library.recordFailure(
                    path: finished.entry.path, file: finished.entry.file, errorCode: code, message: message)
            }
        }
    }

    private func take(_ result: TrackResult, _ summary: inout PassSummary, _ report: (PassEvent) -> Void) {
        switch result.outcome {
        case .analyzed(let seconds):
            summary.analyzedCount += 1
            summary.audioSeconds += seconds
        case .linked: summary.linkedCount += 1
        case .failed: summary.failedCount += 1
        case .vanished: summary.vanishedCount += 1
        }
        report(.finished(result))
    }
}
