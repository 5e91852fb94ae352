internal import Analyzer
internal import Foundation
public import MusicShared

/// Makes jobs of what somebody asks for: tells what is there already from what is to be done.
public struct JobPlanner: Sendable {
    private let music: MusicFolder
    private let library: LibraryStore
    private let frames: FrameStore
    private let queue: AnalysisQueue

    /// Makes a planner over a library.
    public init(music: MusicFolder, library: LibraryStore, frames: FrameStore, queue: AnalysisQueue) {
        self.music = music
        self.library = library
        self.frames = frames
        self.queue = queue
    }

    /// Makes a job over all files of the folder. They are looked for afterwards, by a ``LibraryWatch``.
    public func makeFolderJob(_ request: JobRequest) throws -> JobReport {
        try queue.store.makeFolderJob(request)
    }

    /// Makes a job over some files. Paths at which there is none are failures of the job.
    public func makeJob(_ request: JobRequest, paths: [String]) throws -> JobReport {
        var entries: [MusicFolder.Entry] = []
        var failures: [FileFailure] = []
        // Compared as bytes: two names that read the same may be two files.
        var seen: Set<[UInt8]> = []
        for text in paths where seen.insert(Array(text.utf8)).inserted {
            if let path = RelativePath(text: text), let entry = music.entry(at: path) {
                entries.append(entry)
            } else {
                failures.append(
                    FileFailure(
                        relativePath: text, code: "no_such_track",
                        message: "The music folder has no MP3 of this path."))
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

    /// Whether the folder has an MP3 at a path.
    public func hasFile(at text: String) -> Bool {
        RelativePath(text: text).flatMap { music.entry(at: $0) } != nil
    }
}
