import Foundation
import Synchronization
import Testing
import TestSupport
@testable import LibraryStore
@testable import MusicFiles

@testable import Companion

/// Removal of long-missing tracks by the workers of a host.
@Suite("Pruning by a host")
struct HostPruningTests {
    /// Creates a library in which some tracks have been missing for two days, and workers that prune at once.
    private func pruning(
        _ count: Int, gone: Set<Int>, afterDays days: Int,
        until isDone: @escaping @Sendable (LibraryStore, [String]) throws -> Bool
    ) async throws -> (tracks: Int, reports: [String]) {
        let data = try TemporaryData()
        let music = try TemporaryDirectory()
        let library = try LibraryStore(data.folder)
        try library.record(
            (0..<count).map { try Sample.record("\($0).mp3", hash: $0, analysis: Sample.analysis($0)) },
            isPresent: Sample.present)
        try library.markUnavailable(now: Date() - 2 * 86_400) { path in
            !gone.contains { path.text == "\($0).mp3" }
        }
        var options = AnalysisWorkers.Options()
        options.pruneAfterDays = days
        options.pruningDelay = 0
        let told = Told()
        let workers = try AnalysisWorkers(
            music: MusicFolder(path: music.path), data: data.folder, library: library,
            frames: SpectrumStore(data.folder), queue: AnalysisQueue(data.folder), options: options
        ) { told.add($0) }
        defer { workers.stop(withinSeconds: 10) }
        try await until { try isDone(library, told.all) }
        return (try library.trackCounts().available + library.trackCounts().gone, told.all)
    }

    private final class Told: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test("Tracks missing for longer than the limit are removed")
    func removes() async throws {
        let end = try await pruning(5, gone: [1, 3], afterDays: 1) { library, _ in
            try library.trackCounts().gone == 0
        }
        #expect(end.tracks == 3)
    }

    @Test("If most tracks are missing, none are removed, and a message says how to do it")
    func mostAreGone() async throws {
        let end = try await pruning(5, gone: [0, 1, 3], afterDays: 1) { _, reports in !reports.isEmpty }
        #expect(end.tracks == 5 && end.reports[0].contains("analyze-cli prune"))
    }
}
