internal import Analyzer
internal import Companion
internal import FileSystem
internal import Foundation
internal import LibraryStore
internal import MusicFiles

/// Analyses one part of a run, on one thread.
///
/// The results depend only on the plan, the tracks and the program: every machine writes the same bytes, whatever the order of
/// the parts and however often they run. Nothing is visible in the run's folder before the part is complete.
package struct PartRunner: Sendable {
    private let run: BatchRun
    private let plan: BatchPlan
    private let temporaryFolder: String
    private let noteCrash: @Sendable (Int) -> [String]
    private let isCancelled: @Sendable () -> Bool

    /// Prepares a part.
    /// - Parameters:
    ///   - temporaryFolder: for the part's spectra, about 0.5 MB per track; nil for the system's.
    ///   - noteCrash: returns the arguments with which this program calls ``noteCrash(ofTrack:part:)``; a crashing process runs it.
    ///   - isCancelled: called several times per second; true ends the part without results.
    package init(
        _ run: BatchRun, _ plan: BatchPlan, temporaryFolder: String? = nil,
        noteCrash: @escaping @Sendable (_ track: Int) -> [String] = { _ in [] },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.run = run
        self.plan = plan
        self.temporaryFolder =
            temporaryFolder ?? FileManager.default.temporaryDirectory.path(percentEncoded: false)
        self.noteCrash = noteCrash
        self.isCancelled = isCancelled
    }

    /// Whether a part has results that this program can merge.
    /// - Throws: `BatchError` `run` if the run cannot be read.
    package func isComplete(part number: Int) throws -> Bool {
        guard try run.hasResults(ofPart: number) else { return false }
        let results = try run.local(.results, ofPart: number)
        return (try? PartResults.spectra(at: results.path)) != nil
    }

    /// Records that the analysis of a track has crashed the program, so that it is left out the next time.
    /// - Parameter index: number of the track in the part.
    /// - Returns: the track's path as text.
    /// - Throws: `BatchError` `plan` if there is no such track.
    package func noteCrash(ofTrack index: Int, part number: Int) throws -> String {
        let tracks = try plan.tracks(ofPart: number)
        guard tracks.indices.contains(index) else {
            throw BatchError(.plan, "part \(number) has no track \(index)", place: run.place)
        }
        try PartCrashes(run, part: number).note(index)
        return tracks[index].path.text
    }

    /// Analyses the part and stores its results, over existing ones.
    /// - Parameter progress: called after each track with the number done and the total.
    /// - Throws: `BatchError` `plan` if there is no such part, `cancelled`; errors of files and databases.
    package func run(part number: Int, progress: (Int, Int) -> Void = { _, _ in }) throws -> PartReport {
        let tracks = try plan.tracks(ofPart: number)
        var work = PartWork(
            report: PartReport(part: number), results: try PartResults(),
            spectra: try SpectraFile(in: temporaryFolder))
        let crashes = try PartCrashes(run, part: number)
        let files = try makeFiles()
        let analysis = FileAnalysis(spoolFolder: temporaryFolder, isCancelled: isCancelled)
        for (index, track) in tracks.enumerated() {
            let next = index + 1 < tracks.count ? tracks[index + 1] : nil
            let opened = try files.open(track, before: next)
            let result = Result { () throws(AnalyzerError) in
                let open = try opened.get()
                guard !crashes.has(index) else {
                    throw AnalyzerError(.killedProgram, "the analysis of this file has crashed the program")
                }
                return try crashes.marking(index, noting: noteCrash(index)) { () throws(AnalyzerError) in
                    try reading(track, open, with: analysis, known: work.known)
                }
            }
            switch result {
            case .success(let reading): try work.add(reading)
            case .failure(let error) where error.code == .cancelled:
                throw BatchError(.cancelled, "part \(number) was cancelled; it has no results")
            case .failure(let error): try work.add(error, track)
            }
            progress(index + 1, tracks.count)
        }
        work.report.coreSeconds = PartReport.processSeconds
        work.report.finishedAt = Date()
        try store(work)
        crashes.close()
        return work.report
    }

    /// Measures the tracks of a file: those of its cue sheet, or the whole file.
    private func reading(
        _ track: PlannedTrack, _ open: OpenTrack, with analysis: FileAnalysis, known: Set<AudioHash>
    ) throws(AnalyzerError) -> FileAnalysis.Reading {
        var known = known
        let neededParts = { known.insert($0).inserted ? plan.parts : [] }
        var reading = try analysis.read(
            track.path, in: open.sheets, open.file, at: open.place, neededParts: neededParts)
        // An object has its own state, not that of the temporary file.
        for index in reading.records.indices { reading.records[index].file = track.file }
        return reading
    }

    private func makeFiles() throws(BatchError) -> any TrackFiles {
        switch plan.root {
        case .folder(let folder): try FolderFiles(root: folder)
        case .bucket(let name, let prefix):
            BucketFiles(
                .ofEnvironment(isCancelled: isCancelled), bucket: name, prefix: prefix,
                temporaryFolder: temporaryFolder)
        }
    }

    /// Stores the files of a part, the results last.
    private func store(_ work: PartWork) throws {
        let number = work.report.part
        try run.clean(part: number)
        try work.spectra.store(in: run, part: number)
        let report = try FileDescriptor.openTemporary(in: temporaryFolder)
        try report.write(work.report.encoded())
        try run.store(report, as: .report, ofPart: number)
        // SQLite writes to a file of its own, in the folder for temporary files: a network file system may have no locks.
        let written = "\(temporaryFolder)/results-" + String(UInt64.random(in: .min ... .max), radix: 16)
        defer { try? Files.remove(written) }
        try work.results.write(to: written)
        try run.store(FileDescriptor.open(written), as: .results, ofPart: number)
    }
}

/// The results of a part so far.
private struct PartWork {
    var report: PartReport
    let results: PartResults
    let spectra: SpectraFile
    /// Audio whose analysis the results contain.
    var known: Set<AudioHash> = []

    mutating func add(_ reading: FileAnalysis.Reading) throws {
        try results.add(reading.division)
        for record in reading.records { try add(record) }
    }

    private mutating func add(_ record: TrackRecord) throws {
        known.insert(record.audioHash)
        try results.add(record, spectra: try record.analysis.flatMap { try spectra.append($0) })
        if let analysis = record.analysis {
            report.analyzedCount += 1
            report.audioSeconds += analysis.stream.durationSeconds
        } else {
            report.linkedCount += 1
        }
    }

    mutating func add(_ error: AnalyzerError, _ track: PlannedTrack) throws {
        try results.addFailure(
            path: track.path, file: track.file, errorCode: error.code.rawValue, message: error.message)
        report.failures[error.code.rawValue, default: 0] += 1
    }
}
