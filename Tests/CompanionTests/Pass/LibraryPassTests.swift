import Analyzer
import Companion
import Foundation
import LibraryStore
import MusicFiles
import Testing
import TestSupport

/// A pass as programs use it.
@Suite("Library pass")
struct LibraryPassTests {
    private static let pieces = Result {
        try (0..<3).map {
            try Encoders.lame(PCM.music(frameCount: 44_100 * 3, seed: UInt64($0)), ["-b", "128"])
        }
    }

    private let directory: TemporaryDirectory
    private let music: MusicFolder
    private let data: DataFolder

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("music"), withIntermediateDirectories: true)
        music = try MusicFolder(path: directory.file("music"))
        data = try DataFolder(path: directory.file("data"))
        for (number, piece) in try Self.pieces.get().enumerated() {
            try directory.write(piece, as: "music/\(number).mp3")
        }
    }

    private func pass(_ options: PassOptions = PassOptions(), _ cancellation: PassCancellation = .init())
        throws -> LibraryPass
    {
        try LibraryPass(music: music, data: data, options: options, cancellation: cancellation)
    }

    @Test("Each file is reported once, and the summary is the sum of the events")
    func events() throws {
        try directory.write(Array("no music".utf8), as: "music/bad.mp3")
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("music/gone.mp3"), withDestinationPath: "nowhere")
        var plans: [PassPlan] = []
        var analyzed: [String] = []
        var failed: [String] = []
        var unreadable: [String] = []
        var options = PassOptions()
        options.jobs = 3
        let first = try pass(options).run { event in
            switch event {
            case .scanned(let plan): plans.append(plan)
            case .unreadable(let failure): unreadable.append(failure.path.text)
            case .stillFailing: Issue.record("no failures are known yet")
            case .finished(let result):
                switch result.outcome {
                case .analyzed(let seconds):
                    analyzed.append(result.path.text)
                    #expect(seconds == 3)
                case .failed: failed.append(result.path.text)
                default: Issue.record("\(result)")
                }
            }
        }
        #expect(plans.map(\.fileCount) == [4] && plans.map(\.toDoCount) == [4])
        #expect(
            analyzed.sorted() == ["0.mp3", "1.mp3", "2.mp3"] && failed == ["bad.mp3"]
                && unreadable == ["gone.mp3"])
        #expect(first.analyzedCount == 3 && first.failedCount == 2 && first.audioSeconds == 9)

        var stillFailing: [String] = []
        let second = try pass(options).run { event in
            if case .stillFailing(let failure) = event { stillFailing.append(failure.path.text) }
            if case .finished(let result) = event { Issue.record("\(result)") }
        }
        #expect(stillFailing == ["bad.mp3"])
        #expect(second.unchangedCount == 3 && second.failedCount == 2 && second.analyzedCount == 0)
    }

    @Test("A cancelled pass keeps its results, and marks nothing as missing")
    func cancelled() throws {
        #expect(try pass().run().analyzedCount == 3)
        let cancellation = PassCancellation()
        cancellation.cancel()
        let summary = try pass(PassOptions(), cancellation).run()
        #expect(summary.wasCancelled && summary.removedCount == 0)
        var available = 0
        try pass().library.forEachTrackState { if $0.isAvailable { available += 1 } }
        #expect(available == 3)
    }

    @Test("After a cancellation in the middle, finished files are kept and the next pass does the rest")
    func cancelledMidway() throws {
        let cancellation = PassCancellation()
        let summary = try pass(PassOptions(), cancellation).run { event in
            if case .finished = event { cancellation.cancel() }
        }
        #expect(summary.wasCancelled)
        #expect((1...3).contains(summary.analyzedCount))
        #expect(try pass().run().analyzedCount == 3 - summary.analyzedCount)
    }

    @Test("Files that were just written, or are open for writing, are left for the next pass")
    func settling() throws {
        var options = PassOptions()
        options.settlingSeconds = 2
        #expect(try pass(options).run().unsettledCount == 3)
        for number in 0..<3 {
            try FileManager.default.setAttributes(
                [.modificationDate: Date() - 60], ofItemAtPath: directory.file("music/\(number).mp3"))
        }
        let writer = try #require(FileHandle(forWritingAtPath: directory.file("music/0.mp3")))
        let held = try pass(options).run()
        #expect(held.unsettledCount == 1 && held.analyzedCount == 2)
        try writer.close()
        let free = try pass(options).run()
        #expect(free.unsettledCount == 0 && free.analyzedCount == 1)
    }

    @Test("Only one pass at a time works on a data folder, and its lock ends with it")
    func lock() throws {
        var first: LibraryPass? = try pass()
        let error = #expect(throws: StoreError.self) { try pass() }
        #expect(error?.code == .passRunning)
        // A second run of the same pass shares the lock.
        #expect(try first?.incremental().run().analyzedCount == 3)
        first = nil
        #expect(try pass().run().unchangedCount == 3)
    }

    @Test("A folder without MP3 files is an error, and nothing is marked as missing")
    func noMusic() throws {
        #expect(try pass().run().analyzedCount == 3)
        for number in 0..<3 {
            try FileManager.default.removeItem(atPath: directory.file("music/\(number).mp3"))
        }
        let error = #expect(throws: StoreError.self) { try pass().run() }
        #expect(error?.code == .noMusic)
        var available = 0
        try pass().library.forEachTrackState { if $0.isAvailable { available += 1 } }
        #expect(available == 3)
    }
}
