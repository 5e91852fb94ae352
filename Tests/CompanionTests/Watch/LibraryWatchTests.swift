import Analyzer
import Foundation
import MusicShared
import SQLiteDatabase
import Synchronization
import Testing
import TestSupport
@testable import LibraryStore
@testable import MusicFiles

@testable import Companion

/// A library that is kept up to date with its music folder.
@Suite("Library watch", .timeLimit(.minutes(30)))
struct LibraryWatchTests {
    private static let piece = Result {
        try Encoders.lame(PCM.music(frameCount: 44_100, seed: 7), ["-b", "64"])
    }

    /// A watched library with its workers.
    private final class Watched {
        let directory: TemporaryDirectory
        let data: DataFolder
        let library: LibraryStore
        let queue: AnalysisQueue
        let workers: AnalysisWorkers
        let watch: LibraryWatch
        private let noted: Notes

        private final class Notes: Sendable {
            let reports = Mutex<[String]>([])
        }

        init(_ files: [String]) throws {
            directory = try TemporaryDirectory()
            let piece = try LibraryWatchTests.piece.get()
            let folder = try directory.makeFolder("music", of: files.map { ($0, piece + Array($0.utf8)) })
            let music = try MusicFolder(path: folder)
            data = try DataFolder(path: directory.file("data"))
            var options = PassOptions()
            options.jobs = 2
            _ = try LibraryPass(music: music, data: data, options: options).run()
            library = try LibraryStore(data)
            let frames = try SpectrumStore(data)
            queue = try AnalysisQueue(data)
            let notes = Notes()
            noted = notes
            let report: @Sendable (String) -> Void = { text in notes.reports.withLock { $0.append(text) } }
            workers = try AnalysisWorkers(
                music: music, data: data, library: library, frames: frames, queue: queue, options: .init(),
                report: report)
            var watching = LibraryWatch.Options()
            watching.scanInterval = nil
            watch = LibraryWatch(
                music: music, library: library, frames: frames, queue: queue, options: watching,
                report: report)
        }

        deinit {
            watch.stop()
            workers.stop(withinSeconds: 5)
        }

        var reports: [String] { noted.reports.withLock { $0 } }

        /// The paths of all available tracks.
        func available() throws -> Set<String> {
            var paths: Set<String> = []
            try library.forEachTrackState { if $0.isAvailable { paths.insert($0.path.text) } }
            return paths
        }

        /// Waits for a state of the library.
        /// - Returns: the last state seen.
        func waits(_ seconds: Double = 60, for expected: Set<String>) async throws -> Set<String> {
            let end = ContinuousClock.now + .seconds(seconds)
            while try available() != expected, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(50))
            }
            return try available()
        }

        func file(_ name: String) -> String { directory.file("music/\(name)") }

        func add(_ name: String) throws {
            try directory.write(LibraryWatchTests.piece.get() + Array(name.utf8), as: "music/\(name)")
        }
    }

    @Test("Changes that occur while another program has locked the library are processed afterwards")
    func locked() async throws {
        let watched = try Watched(["a.mp3", "b.mp3"])
        try watched.add("first.mp3")
        #expect(
            try await watched.waits(for: ["a.mp3", "b.mp3", "first.mp3"]) == ["a.mp3", "b.mp3", "first.mp3"])
        let other = try Database(path: watched.data.libraryDatabase)
        try other.execute("BEGIN IMMEDIATE")
        try FileManager.default.removeItem(atPath: watched.file("b.mp3"))
        // The removal is attempted, and fails after five seconds.
        try await until { watched.reports.contains { $0.hasPrefix("the library could not be") } }
        try other.execute("ROLLBACK")
        let expected: Set = ["a.mp3", "first.mp3"]
        #expect(try await watched.waits(for: expected) == expected, "\(watched.reports)")
        // The removal was logged too.
        let start = EventCursor(epoch: try watched.queue.store.latestCursor().epoch, number: 0)
        let events = try watched.queue.store.events(after: start, limit: 1000).messages.map(\.event)
        let removed = events.flatMap { event -> [String] in
            guard case .tracksRemoved(let tracks) = event else { return [] }
            return tracks.map(\.relativePath)
        }
        #expect(removed == ["b.mp3"])
    }

    @Test("A replaced music folder is followed at once")
    func replaced() async throws {
        let watched = try Watched(["a.mp3"])
        try watched.add("first.mp3")
        #expect(try await watched.waits(for: ["a.mp3", "first.mp3"]).count == 2)
        let away = watched.directory.file("away")
        #expect(rename(watched.file(""), away) == 0)
        try await Task.sleep(for: .seconds(1))
        #expect(try watched.available().count == 2)
        _ = try watched.directory.makeFolder(
            "music", of: [("c.mp3", Self.piece.get() + [1]), ("a.mp3", Self.piece.get() + [2])])
        let expected: Set = ["a.mp3", "c.mp3"]
        #expect(try await watched.waits(for: expected) == expected)
        try watched.add("later.mp3")
        #expect(try await watched.waits(for: expected.union(["later.mp3"])).contains("later.mp3"))
    }
}
