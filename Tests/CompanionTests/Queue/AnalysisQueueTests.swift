import Analyzer
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Companion

/// The queue as several programs use it: each has a store and a worker of its own.
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

    @Test("What a client waits for comes first, in order of asking; found files by size; places are true")
    func order() throws {
        let queue = try AnalysisQueue(data)
        func found(_ number: Int, _ size: Int) throws -> AnalysisRequest {
            AnalysisRequest(
                try path(number), priority: .found,
                file: FileState(size: size, modificationTimeNanoseconds: 1))
        }
        #expect(try queue.ask([found(1, 10), found(2, 30), found(3, 20)]) == [3, 1, 2])
        #expect(try queue.ask(path(4), priority: .ahead) == 1)
        #expect(try queue.ask(path(5), priority: .changed) == 1)
        #expect(try queue.ask(path(6), priority: .waitedFor) == 1)
        // One that waits already is wanted sooner now, behind the one that was asked for before; asked again, it stays.
        #expect(try queue.ask(path(1), priority: .waitedFor) == 2)
        #expect(try queue.ask(path(6), priority: .waitedFor) == 1)
        #expect(try queue.ask(path(1), priority: .found) == 2)
        #expect(try queue.length == 6)
        // Many at once are given the same places as one by one.
        #expect(
            try queue.ask((1...6).map { AnalysisRequest(try path($0), priority: .found) })
                == [2, 5, 6, 4, 3, 1])
        let worker = try WorkerIdentity(queue.store)
        let first = try #require(try begin(queue.store, worker))
        #expect(first.path == (try path(6)))
        // The one under way counts as well.
        #expect(try queue.ask(path(1), priority: .waitedFor) == 2)
        #expect(try end(first, queue.store))
        #expect(try queue.ask(path(1), priority: .waitedFor) == 1)
        var rest: [String] = []
        while let task = try begin(queue.store, worker) {
            rest.append(task.path.text)
            #expect(try end(task, queue.store))
        }
        #expect(rest == ["1.mp3", "5.mp3", "4.mp3", "2.mp3", "3.mp3"])
        #expect(try queue.length == 0)
    }

    @Test("Places of many close up as those before them are done")
    func places() throws {
        let queue = try AnalysisQueue(data)
        let paths = try (0..<100).map { try path($0) }
        for (index, path) in paths.enumerated() {
            #expect(try queue.ask(path, priority: .waitedFor) == index + 1)
        }
        let worker = try WorkerIdentity(queue.store)
        for _ in 0..<50 {
            let task = try #require(try begin(queue.store, worker))
            #expect(try end(task, queue.store))
        }
        #expect(try queue.ask(paths[50], priority: .waitedFor) == 1)
        #expect(try queue.ask(paths[99], priority: .waitedFor) == 50)
        #expect(try queue.ask(paths[0], priority: .waitedFor) == 51)
    }

    @Test("Programs that take from it at the same time never have the same file, and leave none")
    func concurrent() throws {
        let count = 300
        let queue = try AnalysisQueue(data)
        _ = try queue.ask((0..<count).map { AnalysisRequest(try path($0), priority: .found) })
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
        "What a program had begun when it died is free for others, comes after the rest, and is looked at alone"
    )
    func recovery() throws {
        let queue = try AnalysisQueue(data)
        _ = try queue.ask([1, 2].map { AnalysisRequest(try path($0), priority: .found) })
        let survivor = try WorkerIdentity(queue.store)
        let suspect = try #require(try Self.dying(data)).path
        #expect(suspect == (try path(1)))
        try queue.store.recover(asking: survivor)
        let other = try #require(try begin(queue.store, survivor))
        #expect(other.path == (try path(2)))
        guard case .later = try queue.store.begin(by: survivor, running: 1, limit: 8) else {
            Issue.record("a suspect was begun beside another file")
            return
        }
        #expect(try end(other, queue.store))
        let again = try #require(try begin(queue.store, survivor))
        #expect(again.path == suspect && again.attempts == 2)
        // Of the living nobody takes anything away.
        try queue.store.recover(asking: try WorkerIdentity(try WorkStore(data)))
        #expect(try begin(queue.store, survivor)?.path == nil)
        #expect(try end(again, queue.store))
        #expect(try queue.length == 0)
    }

    @Test("Of a file whose reading ended the program too often, a failure remains")
    func poison() throws {
        let queue = try AnalysisQueue(data)
        _ = try queue.ask(path(1), priority: .found)
        let survivor = try WorkerIdentity(queue.store)
        for round in 1...AnalysisTask.mostAttempts + 1 {
            let task = try Self.dying(data)
            #expect(task?.attempts == round && task?.isPoisonous == (round > AnalysisTask.mostAttempts))
            try queue.store.recover(asking: survivor)
        }
    }

    /// What a worker has begun that dies.
    private static func dying(_ data: DataFolder) throws -> AnalysisTask? {
        let store = try WorkStore(data)
        let worker = try WorkerIdentity(store)
        guard case .task(let task) = try store.begin(by: worker, running: 0, limit: 1) else { return nil }
        return task
    }

    @Test("Asked for again while it is looked at, a file waits again if more is wanted or it has changed")
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
            _ = try queue.ask([profile])
            let task = try #require(try begin(queue.store, worker))
            _ = try queue.ask([again])
            #expect(try end(task, queue.store) == !waits)
            #expect(try queue.length == (waits ? 1 : 0))
            if let task = try begin(queue.store, worker) { #expect(try end(task, queue.store)) }
            #expect(try queue.length == 0)
        }
    }

    @Test("No more files are under way than are allowed, over all programs; but each program may be at one")
    func limit() throws {
        let queue = try AnalysisQueue(data)
        _ = try queue.ask((0..<9).map { AnalysisRequest(try path($0), priority: .found) })
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
        // But what a client waits for does not wait for other programs.
        _ = try queue.ask(path(100), priority: .waitedFor)
        #expect(try begins(second, running: 1))
    }

    @Test("What a pass alone had asked for can be taken back; what others want as well stays")
    func withdrawal() throws {
        let queue = try AnalysisQueue(data)
        let pass = try WorkerIdentity(queue.store)
        _ = try queue.store.ask(
            (1...3).map { AnalysisRequest(try path($0), priority: .found) }, pass: pass.id)
        _ = try queue.ask(path(2), priority: .found)
        let task = try #require(try begin(queue.store, pass))
        try queue.store.withdraw(pass: pass)
        #expect(try queue.length == 2)
        #expect(try queue.store.hasTask(task.path) && queue.store.hasTask(path(2)))
    }
}
