import Analyzer
import Foundation
import Synchronization
import Testing
import TestSupport
@testable import LibraryStore

@testable import Companion

/// The queue as shared by several programs, each with its own store and worker.
@Suite("Analysis queue")
struct AnalysisQueueTests {
    private let directory: TemporaryDirectory
    private let data: DataFolder

    init() throws {
        directory = try TemporaryDirectory()
        data = try DataFolder(path: directory.file("data"))
    }

    private func path(_ number: Int) throws -> RelativePath {
        try #require(RelativePath(text: "\(number).mp3"))
    }

    private func begin(_ store: WorkStore, _ worker: WorkerIdentity) throws -> AnalysisTask? {
        if case .task(let task) = try store.begin(by: worker, running: 0, limit: 1) { task } else { nil }
    }

    private func end(_ task: AnalysisTask, _ store: WorkStore) throws -> Bool {
        try store.write { try WorkStore.end(task, $0) }
    }

    @Test("Awaited files come first, in the order of requests, found files by size; places are correct")
    func order() throws {
        let queue = try AnalysisQueue(data)
        func found(_ number: Int, _ size: Int) throws -> AnalysisRequest {
            AnalysisRequest(
                try path(number), priority: .found,
                file: FileState(size: size, modificationTimeNanoseconds: 1))
        }
        #expect(try queue.enqueue([found(1, 10), found(2, 30), found(3, 20)]) == [3, 1, 2])
        #expect(try queue.enqueue(path(4), priority: .ahead) == 1)
        #expect(try queue.enqueue(path(5), priority: .changed) == 1)
        #expect(try queue.enqueue(path(6), priority: .waitedFor) == 1)
        // A queued file becomes more urgent, after those requested before; another request does not change
        // its place.
        #expect(try queue.enqueue(path(1), priority: .waitedFor) == 2)
        #expect(try queue.enqueue(path(6), priority: .waitedFor) == 1)
        #expect(try queue.enqueue(path(1), priority: .found) == 2)
        #expect(try queue.length == 6)
        // A batch gets the same places as single requests.
        #expect(
            try queue.enqueue((1...6).map { AnalysisRequest(try path($0), priority: .found) })
                == [2, 5, 6, 4, 3, 1])
        let worker = try WorkerIdentity(queue.store)
        let first = try #require(try begin(queue.store, worker))
        #expect(first.path == (try path(6)))
        // The running task counts as well.
        #expect(try queue.enqueue(path(1), priority: .waitedFor) == 2)
        #expect(try end(first, queue.store))
        #expect(try queue.enqueue(path(1), priority: .waitedFor) == 1)
        var rest: [String] = []
        while let task = try begin(queue.store, worker) {
            rest.append(task.path.text)
            #expect(try end(task, queue.store))
        }
        #expect(rest == ["1.mp3", "5.mp3", "4.mp3", "2.mp3", "3.mp3"])
        #expect(try queue.length == 0)
    }

    @Test("Places move up as the files ahead are done")
    func places() throws {
        let queue = try AnalysisQueue(data)
        let paths = try (0..<100).map { try path($0) }
        for (index, path) in paths.enumerated() {
            #expect(try queue.enqueue(path, priority: .waitedFor) == index + 1)
        }
        let worker = try WorkerIdentity(queue.store)
        for _ in 0..<50 {
            let task = try #require(try begin(queue.store, worker))
            #expect(try end(task, queue.store))
        }
        #expect(try queue.enqueue(paths[50], priority: .waitedFor) == 1)
        #expect(try queue.enqueue(paths[99], priority: .waitedFor) == 50)
        #expect(try queue.enqueue(paths[0], priority: .waitedFor) == 51)
    }

    @Test("Concurrent programs never get the same file, and all files are processed")
    func concurrent() throws {
        let count = 300
        let queue = try AnalysisQueue(data)
        _ = try queue.enqueue((0..<count).map { AnalysisRequest(try path($0), priority: .found) })
        let begun = Mutex<[String: Int]>([:])
        let failures = Mutex<[String]>([])
        let group = DispatchGroup()
        for _ in 0..<4 {
            let store = try WorkStore(data)
            let worker = try WorkerIdentity(store)
            group.enter()
            Thread {
                defer { group.leave() }
                do {
                    while case .task(let task) = try store.begin(by: worker, running: 0, limit: 1) {
                        begun.withLock { $0[task.path.text, default: 0] += 1 }
                        _ = try store.write { try WorkStore.end(task, $0) }
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }.start()
        }
        group.wait()
        #expect(failures.withLock { $0 } == [])
        #expect(begun.withLock { $0.count } == count && begun.withLock { $0.values.allSatisfy { $0 == 1 } })
        #expect(try queue.length == 0)
    }

    @Test(
        "Tasks of a killed program are recovered, and run alone, after the others"
    )
    func recovery() throws {
        let queue = try AnalysisQueue(data)
        _ = try queue.enqueue([1, 2].map { AnalysisRequest(try path($0), priority: .found) })
        let survivor = try WorkerIdentity(queue.store)
        let suspect = try #require(try Self.dying(data)).path
        #expect(suspect == (try path(1)))
        try queue.store.recover(asking: survivor)
        let other = try #require(try begin(queue.store, survivor))
        #expect(other.path == (try path(2)))
        guard case .later = try queue.store.begin(by: survivor, running: 1, limit: 8) else {
            Issue.record("a suspect was started while another file was running")
            return
        }
        #expect(try end(other, queue.store))
        let again = try #require(try begin(queue.store, survivor))
        #expect(again.path == suspect && again.attempts == 2)
        // Tasks of live workers are not recovered.
        try queue.store.recover(asking: try WorkerIdentity(try WorkStore(data)))
        #expect(try begin(queue.store, survivor)?.path == nil)
        #expect(try end(again, queue.store))
        #expect(try queue.length == 0)
    }

    @Test(
        "A file that has crashed the program twice is given up; other running files are not suspect"
    )
    func crashes() throws {
        let queue = try AnalysisQueue(data)
        _ = try queue.enqueue([1, 2].map { AnalysisRequest(try path($0), priority: .found) })
        let survivor = try WorkerIdentity(queue.store)
        for round in 1...AnalysisTask.mostCrashes {
            let task = try #require(try Self.dying(data, crashes: true, besides: round == 1 ? 1 : 0))
            #expect(task.crashes == round - 1 && !task.hasCrashedTooOften)
            try queue.store.recover(asking: survivor)
            if round == 1 {
                let other = try #require(try begin(queue.store, survivor))
                #expect(other.path != task.path && !other.isSuspect && other.attempts == 1)
                #expect(try end(other, queue.store))
            }
        }
        let last = try #require(try begin(queue.store, survivor))
        #expect(last.hasCrashedTooOften && last.isSuspect)
        // A changed file resets the counters.
        _ = try queue.store.write { try WorkStore.requeue(last, $0) }
        for size in [1, 2] {
            _ = try queue.enqueue([
                AnalysisRequest(
                    last.path, priority: .found, file: FileState(size: size, modificationTimeNanoseconds: 1))
            ])
        }
        let changed = try #require(try begin(queue.store, survivor))
        #expect(!changed.hasCrashedTooOften && !changed.isSuspect && changed.attempts == 1)
    }

    @Test(
        "A file whose analysis was killed is never given up, but postponed for increasing times")
    func kills() throws {
        #expect((1...4).allSatisfy { AnalysisTask.delay(afterAttempts: $0) == 0 })
        let delays = (5...8).map { AnalysisTask.delay(afterAttempts: $0) }
        #expect(delays == [60, 240, 960, 3840])
        #expect(AnalysisTask.delay(afterAttempts: 1_000_000) == 86_400)
        let queue = try AnalysisQueue(data)
        _ = try queue.enqueue(path(1), priority: .found)
        let survivor = try WorkerIdentity(queue.store)
        for round in 1...5 {
            #expect(try queue.store.delayAfterKills(path(1)) == nil)
            let task = try #require(try Self.dying(data))
            #expect(task.attempts == round && !task.hasCrashedTooOften)
            try queue.store.recover(asking: survivor)
        }
        let delay = try #require(try queue.store.delayAfterKills(path(1)))
        #expect(delay.attempts == 5 && abs(delay.until.timeIntervalSinceNow - 60) < 30)
        #expect(try Self.dying(data) == nil)
        // Repeated requests from clients do not shorten the delay; a forced request does.
        _ = try queue.enqueue(path(1), priority: .waitedFor)
        #expect(try begin(queue.store, survivor) == nil)
        var forced = AnalysisRequest(try path(1), priority: .waitedFor)
        forced.isForced = true
        _ = try queue.enqueue([forced])
        let task = try #require(try begin(queue.store, survivor))
        #expect(task.attempts == 1 && !task.isSuspect)
    }

    @Test("While a suspect is analysed, the same program starts nothing else")
    func suspectsAreAlone() throws {
        let queue = try AnalysisQueue(data)
        _ = try queue.enqueue(path(1), priority: .found)
        let survivor = try WorkerIdentity(queue.store)
        _ = try Self.dying(data)
        try queue.store.recover(asking: survivor)
        let suspect = try #require(try begin(queue.store, survivor))
        #expect(suspect.isSuspect)
        _ = try queue.enqueue(path(2), priority: .waitedFor)
        guard case .later = try queue.store.begin(by: survivor, running: 1, limit: 8) else {
            Issue.record("a file was started while a suspect was running")
            return
        }
        #expect(try end(suspect, queue.store))
        #expect(try begin(queue.store, survivor)?.path == path(2))
    }

    /// Starts a task in a worker whose program then ends.
    /// - Parameters:
    ///   - crashes: whether the program ends with a crash of the analysis.
    ///   - others: number of other tasks that it has started.
    private static func dying(
        _ data: DataFolder, crashes: Bool = false, besides others: Int = 0
    ) throws -> AnalysisTask? {
        let store = try WorkStore(data)
        let worker = try WorkerIdentity(store)
        guard case .task(let task) = try store.begin(by: worker, running: 0, limit: 1) else { return nil }
        for _ in 0..<others { _ = try store.begin(by: worker, running: 1, limit: 8) }
        // The same as the crash handler writes.
        if crashes {
            var number = task.id
            let file = try FileHandle(forUpdating: URL(filePath: data.workLock))
            try file.seek(toOffset: UInt64(worker.id * 8))
            try withUnsafeBytes(of: &number) { try file.write(contentsOf: Data($0)) }
            try file.close()
        }
        return task
    }

    @Test("A file requested again during its analysis is queued again if more is requested or it has changed")
    func askedMeanwhile() throws {
        let queue = try AnalysisQueue(data)
        let worker = try WorkerIdentity(queue.store)
        let old = FileState(size: 1, modificationTimeNanoseconds: 1)
        let new = FileState(size: 2, modificationTimeNanoseconds: 1)
        var profile = AnalysisRequest(try path(1), priority: .found, file: old)
        profile.parts = .profile
        for (again, waits) in [
            (profile, false), (AnalysisRequest(try path(1), priority: .waitedFor, file: old), true),
            (AnalysisRequest(try path(1), priority: .changed, file: new), true),
        ] {
            _ = try queue.enqueue([profile])
            let task = try #require(try begin(queue.store, worker))
            _ = try queue.enqueue([again])
            #expect(try end(task, queue.store) == !waits)
            #expect(try queue.length == (waits ? 1 : 0))
            if let task = try begin(queue.store, worker) { #expect(try end(task, queue.store)) }
            #expect(try queue.length == 0)
        }
    }

    @Test("The limit of running files applies to all programs together, but each may run one")
    func limit() throws {
        let queue = try AnalysisQueue(data)
        _ = try queue.enqueue((0..<9).map { AnalysisRequest(try path($0), priority: .found) })
        let first = try WorkerIdentity(queue.store)
        let second = try WorkerIdentity(try WorkStore(data))
        func begins(_ worker: WorkerIdentity, running: Int) throws -> Bool {
            if case .task = try queue.store.begin(by: worker, running: running, limit: 2) {
                true
            } else {
                false
            }
        }
        #expect(try begins(first, running: 0) && begins(first, running: 1))
        #expect(try !begins(first, running: 2))
        #expect(try begins(second, running: 0))
        #expect(try !begins(second, running: 1))
        // Files that a client is waiting for do not count other programs.
        _ = try queue.enqueue(path(100), priority: .waitedFor)
        #expect(try begins(second, running: 1))
    }

    @Test("Requests made only by a pass can be withdrawn; files requested by others stay")
    func withdrawal() throws {
        let queue = try AnalysisQueue(data)
        let pass = try WorkerIdentity(queue.store)
        _ = try queue.store.enqueue(
            (1...3).map { AnalysisRequest(try path($0), priority: .found) }, pass: pass.id)
        _ = try queue.enqueue(path(2), priority: .found)
        let task = try #require(try begin(queue.store, pass))
        try queue.store.withdraw(pass: pass)
        #expect(try queue.length == 2)
        #expect(try queue.store.hasTask(task.path) && queue.store.hasTask(path(2)))
    }
}
