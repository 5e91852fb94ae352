import Analyzer
import BatchAnalysis
import Foundation
import LibraryStore
import MusicFiles
import SQLiteDatabase
import TestSupport
import Testing

/// Plans, parts and merges.
@Suite("Batch analysis")
struct BatchTests {
    private let fixture: BatchFixture

    init() throws { fixture = try BatchFixture() }

    @Test("A merged library equals that of a pass, row for row")
    func equality() throws {
        let (run, plan, summary) = try fixture.planned()
        #expect(summary.trackCount == 6 && summary.partCount == 3 && plan.partCount == 3)
        try fixture.complete(run, plan)
        let merged = try fixture.data("merged")
        let result = try BatchMerge(run, plan, into: merged).merge()
        #expect(result.changes.addedCount == 5 && result.changes.failureCount == 1 && result.missing.isEmpty)
        #expect(result.changes.analysisCount == 4 && result.spectraCount == 4)
        let single = try fixture.data("single")
        try fixture.pass(into: single)
        let rows = try LibraryRows.all(single)
        // Five tracks, one failure; four recordings with details and spectra; one album, which two artists share, and they.
        #expect(rows.count == 5 + 1 + 4 * 3 + 2 + 2)
        #expect(try LibraryRows.all(merged) == rows)
    }

    @Test("Merging again changes nothing, not even the library's revision")
    func idempotence() throws {
        let (run, plan, _) = try fixture.planned()
        try fixture.complete(run, plan)
        let data = try fixture.data("data")
        _ = try BatchMerge(run, plan, into: data).merge()
        let before = try LibraryRows.all(data, isExact: true)
        let again = try BatchMerge(run, plan, into: data).merge()
        #expect(again.changes.unchangedCount == 5 && again.changes.addedCount == 0 && again.spectraCount == 0)
        #expect(again.changes.analysisCount == 0 && again.changes.failureCount == 0)
        #expect(try LibraryRows.all(data, isExact: true) == before)
    }

    @Test("The tracks of a cue sheet are those of a pass, and are known afterwards")
    func cueSheets() throws {
        try fixture.addAlbum()
        // Two libraries know the album as one track before there is a sheet.
        let (early, late) = (try fixture.data("early"), try fixture.data("late"))
        for data in [early, late] { try fixture.pass(into: data) }
        try fixture.addSheet()
        let (run, plan, summary) = try fixture.planned()
        #expect(try summary.trackCount == 7 && BatchStatus(run, plan).trackCount == 7)
        try fixture.complete(run, plan)
        let status = try BatchStatus(run, plan)
        #expect(status.trackCount == 9 && status.doneCount == 9 && status.failedCount == 1)
        let (merged, single) = (try fixture.data("merged"), try fixture.data("single"))
        let result = try BatchMerge(run, plan, into: merged).merge()
        #expect(result.changes.addedCount == 8)
        try fixture.pass(into: single)
        let rows = try LibraryRows.all(single)
        #expect(rows.contains { $0.contains("b/Album.flac/03") } && rows.contains { $0.contains("1 2 3") })
        #expect(try LibraryRows.all(merged) == rows)
        let before = try LibraryRows.all(merged, isExact: true)
        #expect(try BatchMerge(run, plan, into: merged).merge().changes.unchangedCount == 8)
        #expect(try LibraryRows.all(merged, isExact: true) == before)
        let (_, _, again) = try fixture.planned("again") { $0.known = try KnownTracks(merged) }
        #expect(again.trackCount == 0 && again.knownCount == 7)

        _ = try BatchMerge(run, plan, into: early).merge()
        try fixture.pass(into: late)
        #expect(try LibraryRows.all(early) == LibraryRows.all(late))
        // Results from before the sheet do not join the tracks again.
        try FileManager.default.removeItem(atPath: fixture.directory.file("music/b/Album.cue"))
        let (former, formerPlan, _) = try fixture.planned("former")
        try fixture.complete(former, formerPlan)
        try fixture.addSheet()
        #expect(try BatchMerge(former, formerPlan, into: late).merge().changes.outdatedCount == 1)
        #expect(try LibraryRows.all(early) == LibraryRows.all(late))
    }

    @Test("A merge of some parts is completed by the next one")
    func partialMerge() throws {
        let (run, plan, _) = try fixture.planned()
        _ = try PartRunner(run, plan).run(part: 1)
        let data = try fixture.data("data")
        #expect(try BatchMerge(run, plan, into: data).merge().missing == [0, 2])
        #expect(try BatchStatus(run, plan).pending == [0, 2])
        try fixture.complete(run, plan)
        #expect(try BatchMerge(run, plan, into: data).merge().missing.isEmpty)
        let single = try fixture.data("single")
        try fixture.pass(into: single)
        #expect(try LibraryRows.all(data) == LibraryRows.all(single))
    }

    @Test("A part has the same bytes each time, in any run of the same tracks")
    func sameBytes() throws {
        let (run, plan, _) = try fixture.planned()
        try fixture.complete(run, plan)
        let first = try fixture.results(run)
        #expect(first.count == 3 * 2 && first.values.contains { !$0.isEmpty })
        for part in 0..<plan.partCount { _ = try PartRunner(run, plan).run(part: part) }
        #expect(try fixture.results(run) == first)
        let (other, otherPlan, _) = try fixture.planned("other")
        try fixture.complete(other, otherPlan)
        #expect(try fixture.results(other) == first)
    }

    @Test("Two workers on the same part do not disturb each other")
    func twice() async throws {
        let (run, plan, _) = try fixture.planned { $0.partSize = 6 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { _ = try PartRunner(run, plan).run(part: 0) } }
            try await group.waitForAll()
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: run.place + "/parts/000000").sorted()
        #expect(names == ["report.json", "results.sqlite", "spectra.bin"])
        let bytes = try fixture.results(run)
        _ = try PartRunner(run, plan).run(part: 0)
        #expect(try fixture.results(run) == bytes)
    }

    @Test("A cancelled part has no results")
    func cancellation() throws {
        let (run, plan, _) = try fixture.planned()
        #expect { try PartRunner(run, plan, isCancelled: { true }).run(part: 0) } throws: {
            ($0 as? BatchError)?.code == .cancelled
        }
        #expect(try !run.hasResults(ofPart: 0) && BatchStatus(run, plan).pending == [0, 1, 2])
    }

    @Test("Files left by a killed process are deleted by the next one, but not those in use")
    func leftovers() throws {
        let (run, plan, _) = try fixture.planned()
        let folder = run.place + "/parts/000000"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data([1]).write(to: URL(filePath: folder + "/results.sqlite.new-1"))
        _ = try PartRunner(run, plan).run(part: 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3)
    }

    @Test("Files that changed or vanished after the plan was made are failures of their part")
    func changedFiles() throws {
        let (run, plan, _) = try fixture.planned()
        try fixture.directory.write(Array("other".utf8), as: "music/1.mp3")
        try FileManager.default.removeItem(atPath: fixture.directory.file("music/2.mp3"))
        try fixture.complete(run, plan)
        let status = try BatchStatus(run, plan)
        #expect(status.failures["file_changed"] == 1 && status.failures["file_vanished"] == 1)
        #expect(status.doneCount == 6 && status.failedCount == 3 && status.analyzedCount == 3)
        let data = try fixture.data("data")
        #expect(try BatchMerge(run, plan, into: data).merge().changes.failureCount == 3)
        #expect(try LibraryStore(reading: data).failures().map(\.path.text) == ["1.mp3", "2.mp3", "bad.mp3"])
    }

    @Test("On a machine without the music, or with an empty mount point, a part has no results")
    func missingMusic() throws {
        let (run, plan, _) = try fixture.planned()
        let music = fixture.directory.file("music")
        try FileManager.default.moveItem(atPath: music, toPath: fixture.directory.file("elsewhere"))
        for isMounted in [false, true] {
            if isMounted {
                try FileManager.default.createDirectory(atPath: music, withIntermediateDirectories: true)
            }
            #expect { try PartRunner(run, plan).run(part: 0) } throws: {
                ($0 as? BatchError)?.code == .source
            }
            #expect(try !run.hasResults(ofPart: 0))
        }
    }

    @Test("Results of an earlier state of a file do not replace those of a later one")
    func laterState() throws {
        let (run, plan, _) = try fixture.planned()
        try fixture.complete(run, plan)
        // Its audio stays the same.
        let path = fixture.directory.file("music/3.mp3")
        try FileManager.default.setAttributes([.modificationDate: Date() + 60], ofItemAtPath: path)
        let data = try fixture.data("data")
        try fixture.pass(into: data)
        let before = try LibraryRows.all(data, isExact: true)
        let changes = try BatchMerge(run, plan, into: data).merge().changes
        #expect(changes.outdatedCount == 1 && changes.changedCount == 0 && changes.addedCount == 0)
        #expect(try LibraryRows.all(data, isExact: true) == before)
    }

    @Test("A file that moved keeps its track")
    func moves() throws {
        let data = try fixture.data("data")
        try fixture.pass(into: data)
        let id = try #require(try LibraryStore(reading: data).track(path: path("1.mp3"))?.track.id)
        try FileManager.default.moveItem(
            atPath: fixture.directory.file("music/1.mp3"), toPath: fixture.directory.file("music/b/new.mp3"))
        let (run, plan, summary) = try fixture.planned { $0.known = try KnownTracks(data) }
        #expect(summary.trackCount == 1 && summary.knownCount == 5)
        try fixture.complete(run, plan)
        #expect(try BatchMerge(run, plan, into: data).merge().changes.changedCount == 1)
        #expect(try LibraryStore(reading: data).track(path: path("b/new.mp3"))?.track.id == id)
    }

    private func path(_ text: String) throws -> RelativePath { try #require(RelativePath(text: text)) }
}
