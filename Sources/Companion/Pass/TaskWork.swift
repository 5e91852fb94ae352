internal import Analyzer
internal import Foundation
internal import LibraryStore
internal import MusicFiles
internal import MusicShared
internal import SQLiteDatabase

/// A task that a worker has finished.
struct FinishedTask: Sendable {
    /// The possible outcomes.
    enum Outcome: Sendable {
        /// Cancelled because the program is stopping.
        case interrupted
        /// Analysed, or already known.
        case read(FileAnalysis.Reading)
        case vanished
        case failed(file: FileState, code: String, message: String)
    }

    var task: AnalysisTask
    var outcome: Outcome
}

/// How far a batch has been stored: it is written to two databases, and the second write may fail.
struct StoringProgress {
    /// Whether the batch is in the library.
    fileprivate(set) var isRecorded = false
    fileprivate var news = LibraryChangeSet()
}

/// Processes tasks: reads and measures files, and stores the results.
struct TaskWork: Sendable {
    let music: MusicFolder
    let library: LibraryStore
    let frames: SpectrumStore
    let store: WorkStore
    /// Folder for the spectra of long tracks until the writer stores them: the data folder.
    let spoolFolder: String
    /// Whether to retry files that cannot be read at the moment.
    let triesAgain: Bool
    /// Collects the time spent in each stage, if times are measured.
    var stageTimes: StageTimes?

    /// Reads and measures a file, marked as being analysed by this thread.
    /// - Returns: nil if the file was returned to the queue to be analysed alone, because its analysis has
    ///   crashed a process before.
    func carryOut(
        _ task: AnalysisTask, by worker: WorkerIdentity, isCancelled: @escaping @Sendable () -> Bool
    ) -> FinishedTask? {
        if !task.isSuspect, isKnownToCrash(task), (try? store.requeueAlone(task)) != nil { return nil }
        return worker.marking(task) { carryOut(task, isCancelled) }
    }

    private func isKnownToCrash(_ task: AnalysisTask) -> Bool {
        guard let failure = try? library.failure(at: task.path), failure.isCrash,
            let entry = music.scannedEntry(at: task.path)
        else { return false }
        return failure.isFinal(file: entry.file)
    }

    /// Changes nothing in the stores.
    private func carryOut(_ task: AnalysisTask, _ isCancelled: @escaping @Sendable () -> Bool) -> FinishedTask
    {
        guard let entry = music.scannedEntry(at: task.path) else {
            return FinishedTask(task: task, outcome: .vanished)
        }
        func failed(_ error: AnalyzerError) -> FinishedTask {
            FinishedTask(
                task: task,
                outcome: .failed(file: entry.file, code: error.code.rawValue, message: error.message))
        }
        guard !task.hasCrashedTooOften else {
            return failed(
                AnalyzerError(
                    .killedProgram,
                    "the analysis of this file has crashed the program \(task.crashes) times; it is retried after a day or more"
                ))
        }
        do throws(AnalyzerError) {
            guard entry.isRegular else { throw AnalyzerError(.notARegularFile, "is not a regular file") }
            let place = music.absolutePath(of: entry.path)
            let file = try MappedFile(path: place)
            let analysis = FileAnalysis(
                settings: task.request.settings, spoolFolder: spoolFolder, stageTimes: stageTimes,
                isCancelled: isCancelled)
            let reading = try analysis.read(entry.path, in: music, file, at: place) { hash in
                // If the store cannot be read, do all the work; the writer will report the error.
                (try? neededParts(of: hash, for: task.request)) ?? task.request.parts
            }
            return FinishedTask(task: task, outcome: .read(reading))
        } catch {
            switch error.code {
            case .cancelled: return FinishedTask(task: task, outcome: .interrupted)
            case .fileVanished: return FinishedTask(task: task, outcome: .vanished)
            default: return failed(error)
            }
        }
    }

    /// Parts that are requested and not stored yet.
    private func neededParts(of hash: AudioHash, for request: AnalysisRequest) throws -> AnalysisParts {
        guard !request.isForced else { return request.parts }
        var needed: AnalysisParts = []
        if request.parts.contains(.profile), try !library.hasCurrentProfile(of: hash) {
            needed.insert(.profile)
        }
        if request.parts.contains(.frames), try !frames.hasCurrentSpectra(of: hash) { needed.insert(.frames) }
        return needed
    }

    /// Stores a batch: first spectra and library, so that every track in the library has its spectra; then
    /// the state of the tasks, so that unfinished work is done again after a kill.
    /// - Returns: the results of the files, in order; nil for those that will be retried.
    func store(_ batch: [FinishedTask]) throws -> [TrackResult?] {
        var progress = StoringProgress()
        return try store(batch, &progress)
    }

    /// Stores a batch that may have been stored in part before.
    /// - Parameter progress: the result of the earlier attempt.
    func store(_ batch: [FinishedTask], _ progress: inout StoringProgress) throws -> [TrackResult?] {
        try timed(.store) { try recorded(batch, &progress) }
    }

    /// Prepares a batch for another attempt to store it: files that have changed in the meantime will be read
    /// again.
    func refreshed(_ batch: [FinishedTask]) -> [FinishedTask] {
        batch.map { finished in
            guard case .read(let reading) = finished.outcome, let record = reading.records.first,
                music.scannedEntry(at: record.path.audioFile)?.file != record.file
            else { return finished }
            return FinishedTask(task: finished.task, outcome: .interrupted)
        }
    }

    private func timed<Value, Failure: Error>(
        _ stage: StageTimes.Stage, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard let stageTimes else { return try body() }
        return try stageTimes.measure(stage, body)
    }

    private func recorded(
        _ batch: [FinishedTask], _ progress: inout StoringProgress
    ) throws -> [TrackResult?] {
        if !progress.isRecorded {
            progress.news = try record(batch)
            progress.isRecorded = true
        }
        try settle(batch, progress.news)
        return batch.map { isToBeTriedAgain($0) ? nil : TrackResult($0) }
    }

    private func record(_ batch: [FinishedTask]) throws -> LibraryChangeSet {
        var news = LibraryChangeSet()
        let missing = MissingTracks(music: music, library: library, store: store)
        var records: [TrackRecord] = []
        var divisions: [FileDivision] = []
        for case .read(let reading) in batch.map(\.outcome) {
            records += reading.records
            divisions.append(reading.division)
        }
        if !records.isEmpty {
            // Tracks that a cue sheet replaces or no longer has.
            let redivided = try divisions.filter { try $0.isDivided || wasDivided($0.path) }
            let recorded = try AnalysisRecorder(library: library, frames: frames).recordChanges(
                records, divisions: divisions, isPresent: missing.presence())
            for (record, track) in zip(records, recorded) { news.note(record, track) }
            news.removed += try missing.settle(at: redivided.map(\.path)).gone
        }
        for finished in batch where !isToBeTriedAgain(finished) {
            switch finished.outcome {
            case .vanished:
                news.removed += try missing.settle(at: [finished.task.path]).gone
            case .failed(let file, let code, let message):
                let path = finished.task.path
                let hadParts = try wasDivided(path)
                let lost = try library.recordFailure(
                    path: path, file: file, errorCode: code, message: message)
                if let lost { news.removed.append(PushTrack(trackID: lost, relativePath: path.text)) }
                if hadParts { news.removed += try missing.settle(at: [path]).gone }
                news.failures.append(FileFailure(relativePath: path.text, code: code, message: message))
            case .interrupted, .read: break
            }
        }
        return news
    }

    /// Whether the library shows the tracks of a file's cue sheet.
    private func wasDivided(_ file: RelativePath) throws -> Bool {
        try library.division(of: file)?.isDivided == true
    }

    private func settle(_ batch: [FinishedTask], _ news: LibraryChangeSet) throws {
        let now = Date()
        try store.write { database in
            try WorkStore.append(news.events, database)
            for finished in batch {
                let task = finished.task
                if case .interrupted = finished.outcome {
                    try WorkStore.requeue(task, database)
                } else if isToBeTriedAgain(finished) {
                    try WorkStore.deferTask(task, now: now, database)
                } else if try WorkStore.end(task, database) {
                    try WorkStore.settle(task.path, failure: finished.failure, database)
                }
            }
        }
    }

    private func isToBeTriedAgain(_ finished: FinishedTask) -> Bool {
        guard triesAgain, finished.task.retries < AnalysisTask.mostRetries,
            case .failed(_, let code, _) = finished.outcome
        else { return false }
        return AnalysisFailure.passing.contains(AnalyzerError.Code(rawValue: code))
    }

    /// Measures albums whose tracks have changed.
    /// - Returns: whether there were any.
    @discardableResult
    func measureAlbums() throws -> Bool {
        try library.measureOutdatedAlbums()
    }
}

extension FinishedTask {
    fileprivate var failure: FileFailure? {
        switch outcome {
        case .failed(_, let code, let message):
            FileFailure(relativePath: task.path.text, code: code, message: message)
        case .vanished:
            FileFailure(
                relativePath: task.path.text, code: AnalyzerError.Code.fileVanished.rawValue,
                message: "the file no longer exists")
        case .read, .interrupted: nil
        }
    }
}

extension TrackResult {
    /// The result of a task; nil if it was interrupted.
    fileprivate init?(_ finished: FinishedTask) {
        switch finished.outcome {
        case .interrupted: return nil
        case .vanished: self.init(path: finished.task.path, fileSize: 0, outcome: .vanished)
        case .failed(let file, let code, let message):
            self.init(
                path: finished.task.path, fileSize: file.size,
                outcome: .failed(code: code, message: message))
        case .read(let reading):
            let seconds = reading.records.compactMap { $0.analysis?.stream.durationSeconds }
            self.init(
                path: finished.task.path, fileSize: reading.records.first?.file.size ?? 0,
                outcome: seconds.isEmpty ? .linked : .analyzed(audioSeconds: seconds.reduce(0, +)),
                remark: reading.division.remark)
        }
    }
}
