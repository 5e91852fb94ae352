import Foundation
import MusicShared
import Testing
import TestSupport
@testable import LibraryStore

@testable import Companion

/// Jobs in the store: their counts always add up.
@Suite("Jobs")
struct WorkJobsTests {
    private let directory: TemporaryDirectory
    private let queue: AnalysisQueue
    private let data: DataFolder

    init() throws {
        directory = try TemporaryDirectory()
        data = try DataFolder(path: directory.file("data"))
        queue = try AnalysisQueue(data)
    }

    private var store: WorkStore { queue.store }

    private func requests(_ numbers: Range<Int>) throws -> [AnalysisRequest] {
        try numbers.map {
            AnalysisRequest(try #require(RelativePath(text: "\($0).mp3")), priority: .ahead)
        }
    }

    private func begin(_ worker: WorkerIdentity) throws -> AnalysisTask? {
        if case .task(let task) = try store.begin(by: worker, running: 0, limit: 1) { task } else { nil }
    }

    private func finish(_ task: AnalysisTask, failure: FileFailure? = nil) throws {
        try store.write { database in
            #expect(try WorkStore.end(task, database))
            try WorkStore.settle(task.path, failure: failure, database)
        }
    }

    @Test("Progress counts finished and failed files, with reasons, and survives a restart")
    func progress() throws {
        let bad = FileFailure(relativePath: "x.mp3", code: "no_such_track", message: "none")
        let made = try store.makeJob(JobRequest(), wanted: requests(0..<4), done: 2, failures: [bad])
        #expect(made.state == .running && made.total == 7 && made.done == 2 && made.failed == 1)
        let worker = try WorkerIdentity(store)
        try finish(try #require(try begin(worker)))
        let task = try #require(try begin(worker))
        let reason = FileFailure(relativePath: task.path.text, code: "no_audio", message: "no music")
        try finish(task, failure: reason)
        // As seen by another program, or by this one after a restart.
        let other = try WorkStore(data)
        let half = try #require(try other.job(id: made.id))
        #expect(half.done == 3 && half.failed == 2 && half.state == .running && half.finishedAt == nil)
        #expect(half.failures == [bad, reason])
        while let task = try begin(worker) { try finish(task) }
        let whole = try #require(try other.job(id: made.id))
        #expect(whole.state == .finished && whole.done == 5 && whole.finishedAt != nil)
        #expect(try other.jobs().map(\.id) == [made.id])
    }

    @Test("A cancelled job drops waiting files that are not requested elsewhere; running ones still count")
    func cancel() throws {
        let first = try store.makeJob(JobRequest(), wanted: requests(0..<5))
        let second = try store.makeJob(JobRequest(), wanted: requests(4..<6))
        _ = try queue.enqueue(try #require(RelativePath(text: "3.mp3")), priority: .waitedFor)
        let worker = try WorkerIdentity(store)
        let begun = try #require(try begin(worker))
        #expect(begun.path.text == "3.mp3")
        let other = try #require(try begin(worker))
        let ended = try #require(try store.cancelJob(id: first.id))
        #expect(ended.state == .cancelled && ended.cancelled == 3 && ended.finishedAt == nil)
        // 4.mp3 is requested by the second job too.
        #expect(try queue.length == 4)
        try finish(begun)
        try finish(other)
        let last = try #require(try store.job(id: first.id))
        #expect(last.state == .cancelled && last.done == 2 && last.cancelled == 3 && last.finishedAt != nil)
        #expect(try store.cancelJob(id: first.id)?.cancelled == 3)
        while let task = try begin(worker) { try finish(task) }
        #expect(try store.job(id: second.id)?.state == .finished)
        #expect(try store.cancelJob(id: second.id)?.state == .finished)
        #expect(try store.cancelJob(id: 99) == nil)
    }

    @Test("An empty job is finished at once, and a folder job waits for its files")
    func edges() throws {
        #expect(try store.makeJob(JobRequest(), wanted: []).state == .finished)
        let folder = try store.makeFolderJob(JobRequest())
        #expect(folder.state == .preparing)
        #expect(try store.jobsToPrepare().map(\.id) == [folder.id])
        try store.fillJob(folder.id, wanted: requests(0..<2), done: 7, failures: [])
        #expect(try store.job(id: folder.id)?.total == 9)
        #expect(try store.jobsToPrepare().isEmpty)
        let late = try store.makeFolderJob(JobRequest())
        #expect(try store.cancelJob(id: late.id)?.state == .cancelled)
        try store.fillJob(late.id, wanted: requests(5..<9), done: 0, failures: [])
        #expect(try store.job(id: late.id)?.total == 0)
        #expect(try queue.length == 2)
    }
}
