internal import Analyzer
internal import Foundation
internal import MusicShared
internal import SQLiteDatabase
internal import Tagging

/// A task that a worker is through with.
struct FinishedTask: Sendable {
    /// What came of it.
    enum Outcome: Sendable {
        /// Whoever runs the program ends it.
        case interrupted
        /// Analysed, or known already.
        case read(TrackRecord)
        case vanished
        case failed(file: FileState, code: String, message: String)
    }

    var task: AnalysisTask
    var outcome: Outcome
}

/// Carries out tasks: reads and measures files, and stores what came of it.
struct TaskWork: Sendable {
    let music: MusicFolder
    let library: LibraryStore
    let frames: FrameStore
    let store: WorkStore
    /// The frames of long tracks wait here for the writer, on the disk that they are going to.
    let spoolFolder: String
    /// Whether a file that cannot be read at the moment is tried again by itself.
    let triesAgain: Bool
    /// Where the time of each stage is added up, if it is taken.
    var stageTimes: StageTimes?

    /// Reads and measures a file. Changes nothing.
    func carryOut(_ task: AnalysisTask, isCancelled: @escaping @Sendable () -> Bool) -> FinishedTask {
        guard let entry = music.scannedEntry(at: task.path) else {
            return FinishedTask(task: task, outcome: .vanished)
        }
        func failed(_ error: AnalyzerError) -> FinishedTask {
            FinishedTask(
                task: task,
                outcome: .failed(file: entry.file, code: error.code.rawValue, message: error.message))
        }
        guard !task.isPoisonous else {
            return failed(
                AnalyzerError(
                    .killedProgram,
                    "the program has ended \(AnalysisTask.mostAttempts) times while it analysed this file"))
        }
        do throws(AnalyzerError) {
            guard entry.isRegular else { throw AnalyzerError(.notARegularFile, "is not a regular file") }
            let file = try MappedFile(path: music.absolutePath(of: entry.path))
            let analyzer = TrackAnalyzer(
                settings: task.request.settings, spoolFolder: spoolFolder, stageTimes: stageTimes,
                isCancelled: isCancelled)
            let outcome = try analyzer.analyze(file) { hash in
                // If the store cannot be asked, the writer will meet the reason; until then the work is done.
                (try? neededParts(of: hash, for: task.request)) ?? task.request.parts
            }
            // Tags that cannot be read are none, since the audio matters more.
            let tags = timed(.tags) {
                (try? TrackTags.read(from: music.absolutePath(of: entry.path))) ?? TrackTags()
            }
            let (hash, analysis, offset): (AudioHash, TrackAnalysis?, Int) =
                switch outcome {
                case .analyzed(let analysis, let offset): (analysis.audioHash, analysis, offset)
                case .known(let hash, let offset): (hash, nil, offset)
                }
            return FinishedTask(
                task: task,
                outcome: .read(
                    TrackRecord(
                        path: entry.path, file: file.state, audioHash: hash, tags: tags, analysis: analysis,
                        payloadOffset: offset)))
        } catch {
            switch error.code {
            case .cancelled: return FinishedTask(task: task, outcome: .interrupted)
            case .fileVanished: return FinishedTask(task: task, outcome: .vanished)
            default: return failed(error)
            }
        }
    }

    /// Parts that are asked for and not stored yet.
    private func neededParts(of hash: AudioHash, for request: AnalysisRequest) throws -> AnalysisParts {
        guard !request.isForced else { return request.parts }
        var needed: AnalysisParts = []
        if request.parts.contains(.profile), try !library.hasCurrentProfile(of: hash) {
            needed.insert(.profile)
        }
        if request.parts.contains(.frames), try !frames.hasCurrentFrames(of: hash) { needed.insert(.frames) }
        return needed
    }

    /// Stores a batch: frames and library, so that a track in the library never lacks its frames; then that it is done, so
    /// that what a kill leaves undone is done again.
    /// - Returns: what came of the files, in their order; nil for those that are to be tried again.
    func store(_ batch: [FinishedTask]) throws -> [TrackResult?] {
        try timed(.store) { try recorded(batch) }
    }

    private func timed<Value, Failure: Error>(
        _ stage: StageTimes.Stage, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard let stageTimes else { return try body() }
        return try stageTimes.measure(stage, body)
    }

    private func recorded(_ batch: [FinishedTask]) throws -> [TrackResult?] {
        var news = LibraryNews()
        var records: [TrackRecord] = []
        for case .read(let record) in batch.map(\.outcome) { records.append(record) }
        if !records.isEmpty {
            let recorded = try AnalysisRecorder(library: library, frames: frames).recordChanges(records) {
                music.scannedEntry(at: $0) != nil
            }
            for (record, track) in zip(records, recorded) { news.note(record, track) }
        }
        for finished in batch where !isToBeTriedAgain(finished) {
            switch finished.outcome {
            case .vanished:
                news.removed += try library.markGone(at: [finished.task.path]) {
                    music.scannedEntry(at: $0) != nil
                }
            case .failed(let file, let code, let message):
                let path = finished.task.path
                let lost = try library.recordFailure(
                    path: path, file: file, errorCode: code, message: message)
                if let lost { news.removed.append(PushTrack(trackID: lost, relativePath: path.text)) }
                news.failures.append(FileFailure(relativePath: path.text, code: code, message: message))
            case .interrupted, .read: break
            }
        }
        try settle(batch, news)
        return batch.map { isToBeTriedAgain($0) ? nil : TrackResult($0) }
    }

    private func settle(_ batch: [FinishedTask], _ news: LibraryNews) throws {
        let now = Date()
        try store.write { database in
            try WorkStore.append(news.events, database)
            for finished in batch {
                let task = finished.task
                if case .interrupted = finished.outcome {
                    try WorkStore.giveBack(task, database)
                } else if isToBeTriedAgain(finished) {
                    try WorkStore.putOff(task, now: now, database)
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
                message: "the file is gone")
        case .read, .interrupted: nil
        }
    }
}

extension TrackResult {
    /// What came of a task; nil if it was interrupted.
    fileprivate init?(_ finished: FinishedTask) {
        switch finished.outcome {
        case .interrupted: return nil
        case .vanished: self.init(path: finished.task.path, fileSize: 0, outcome: .vanished)
        case .failed(let file, let code, let message):
            self.init(
                path: finished.task.path, fileSize: file.size,
                outcome: .failed(code: code, message: message))
        case .read(let record):
            self.init(
                path: record.path, fileSize: record.file.size,
                outcome: record.analysis.map { .analyzed(audioSeconds: $0.stream.durationSeconds) } ?? .linked
            )
        }
    }
}

extension AnalyzerError.Code {
    /// The program was ended too often while it analysed the file.
    static let killedProgram = Self(rawValue: "killed_program")
}
