internal import Analyzer
internal import Foundation
package import LibraryStore
package import MusicFiles
package import MusicShared

/// Creates jobs from requests: determines what is already stored and what needs to be done.
package struct JobPlanner: Sendable {
    private let music: MusicFolder
    private let library: LibraryStore
    private let frames: SpectrumStore
    private let queue: AnalysisQueue

    /// Creates a planner for a library.
    package init(music: MusicFolder, library: LibraryStore, frames: SpectrumStore, queue: AnalysisQueue) {
        self.music = music
        self.library = library
        self.frames = frames
        self.queue = queue
    }

    /// Creates a job for all files of the folder. A ``LibraryWatch`` finds the files later.
    package func makeFolderJob(_ request: JobRequest) throws -> JobReport {
        try queue.store.makeFolderJob(request)
    }

    /// Creates a job for some files. Paths without a file count as failures of the job.
    package func makeJob(_ request: JobRequest, paths: [String]) throws -> JobReport {
        var entries: [MusicFolder.Entry] = []
        var failures: [FileFailure] = []
        // Compared as bytes: two names that look the same may be two files.
        var seen: Set<[UInt8]> = []
        for text in paths where seen.insert(Array(text.utf8)).inserted {
            if let path = RelativePath(text: text)?.audioFile, let entry = music.entry(at: path) {
                entries.append(entry)
            } else {
                failures.append(
                    FileFailure(
                        relativePath: text, code: "no_such_track",
                        message: "There is no music file at this path."))
            }
        }
        let plan = try LibraryScan(
            music: music, library: library, frames: frames, parts: request.parts, isForced: request.isForced,
            givesUp: true
        ).plan(entries)
        failures += plan.knownFailures.map {
            FileFailure(relativePath: $0.path.text, code: $0.code, message: $0.message)
        }
        return try queue.store.makeJob(
            request, wanted: plan.toDo.map { AnalysisRequest($0.path, priority: .ahead, file: $0.file) },
            done: plan.unchangedCount, failures: failures)
    }

    /// Whether there is a music file at a path.
    package func hasFile(at text: String) -> Bool {
        RelativePath(text: text).flatMap { music.entry(at: $0.audioFile) } != nil
    }
}
