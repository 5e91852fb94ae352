import Analyzer
import BatchAnalysis
import FileSystem
import Foundation
import LibraryStore
import MusicFiles
import SQLiteDatabase
import TestSupport
import Testing

/// The contents of plans, and damaged runs.
@Suite("Batch plan")
struct BatchPlanTests {
    private let fixture: BatchFixture

    init() throws { fixture = try BatchFixture() }

    @Test("Tracks that the library knows are left out, until their file changes")
    func knownTracks() throws {
        let data = try fixture.data("data")
        try fixture.pass(into: data)
        let (_, _, first) = try fixture.planned("one") { $0.known = try KnownTracks(data) }
        #expect(first.trackCount == 0 && first.partCount == 0 && first.knownCount == 6)
        try FileManager.default.setAttributes(
            [.modificationDate: Date() + 60], ofItemAtPath: fixture.directory.file("music/3.mp3"))
        let (_, plan, second) = try fixture.planned("two") { $0.known = try KnownTracks(data) }
        #expect(second.knownCount == 5)
        #expect(try plan.tracks(ofPart: 0).map(\.path.text) == ["3.mp3"])
    }

    @Test("Without visualizer frames, tracks have profiles only, and frames are no reason to plan them")
    func profilesOnly() throws {
        let (run, plan, _) = try fixture.planned { $0.parts = .profile }
        try fixture.complete(run, plan)
        let data = try fixture.data("data")
        #expect(try BatchMerge(run, plan, into: data).merge().spectraCount == 0)
        #expect(
            try fixture.planned("two") {
                $0.known = try KnownTracks(data); $0.parts = .profile
            }.summary.trackCount == 0)
        #expect(try fixture.planned("three") { $0.known = try KnownTracks(data) }.summary.trackCount == 5)
    }

    @Test("A limit keeps the first tracks; a sample is the same each time and keeps their order")
    func selection() throws {
        let all = try paths("all") { _ in }
        #expect(all.count == 6 && Set(all).count == 6)
        #expect(try paths("first") { $0.limit = 3 } == Array(all.prefix(3)))
        let sample = try paths("sample") { $0.sample = 3 }
        #expect(sample.count == 3 && all.filter(sample.contains) == sample)
        #expect(try paths("again") { $0.sample = 3 } == sample)
        #expect(try paths("more") { $0.sample = 100 } == all)
    }

    private func paths(_ name: String, _ configure: (inout BatchPlanner) throws -> Void) throws -> [String] {
        let plan = try fixture.planned(name, configure).plan
        return try (0..<plan.partCount).flatMap { try plan.tracks(ofPart: $0).map(\.path.text) }
    }

    @Test("A list contains paths and addresses of files below its root; missing files are planned")
    func list() throws {
        let music = fixture.music.displayPath
        let list = try fixture.directory.write(
            Array(
                "# comment\n\(music)/1.mp3\nfile://\(music)/b/copy.mp3\n\nbad.mp3\ngone.mp3\n/elsewhere.mp3"
                    .utf8),
            as: "list")
        let run = try BatchRun(at: fixture.directory.file("run"))
        let summary = try BatchPlanner().plan(list: list, folder: fixture.music.pathBytes, to: run)
        let plan = try BatchPlan(run)
        let tracks = try plan.tracks(ofPart: 0)
        #expect(tracks.map(\.path.text) == ["1.mp3", "b/copy.mp3", "bad.mp3", "gone.mp3"])
        #expect(summary.problems == ["/elsewhere.mp3: is not in \(music)"])
        #expect(
            tracks[0].file.size > 10_000
                && tracks[3].file == FileState(size: 0, modificationTimeNanoseconds: 0))
        let report = try PartRunner(run, plan).run(part: 0)
        #expect(report.analyzedCount == 2 && report.failures["file_vanished"] == 1 && report.failedCount == 2)
    }

    @Test("The tracks of a list are relative to the root folder, or to one whose name is not UTF-8")
    func unusualRoots() throws {
        try expectAnalysis(ofList: "\(fixture.music.displayPath)/1.mp3\n", folder: [], run: "from-root")
        let odd = Array("\(fixture.directory.path)/m".utf8) + [0xFF]
        try Files.rename(fixture.directory.file("music"), to: odd)
        try expectAnalysis(ofList: "1.mp3\n", folder: odd, run: "odd")
    }

    /// Checks that the only track of a list is analysed, and is available after a merge.
    private func expectAnalysis(ofList text: String, folder: [UInt8], run name: String) throws {
        let list = try fixture.directory.write(Array(text.utf8), as: "list")
        let run = try BatchRun(at: fixture.directory.file(name))
        _ = try BatchPlanner().plan(list: list, folder: folder, to: run)
        let plan = try BatchPlan(run)
        let report = try PartRunner(run, plan).run(part: 0)
        #expect(report.analyzedCount == 1 && report.failedCount == 0, "\(report.failures)")
        let data = try fixture.data("data of \(name)")
        #expect(try BatchMerge(run, plan, into: data).merge().changes.addedCount == 1)
        var available = 0
        try LibraryStore(reading: data).forEachAvailablePath { _ in available += 1 }
        #expect(available == 1)
    }

    @Test(
        "Roots are absolute paths and addresses of buckets",
        arguments: [
            ("/", "/"), ("/srv/music/", "/srv/music"), ("/ä/b c", "/ä/b c"), ("s3://music", "s3://music/"),
            ("s3://music/", "s3://music/"), ("s3://music/a/b", "s3://music/a/b/"), ("music", nil), ("", nil),
            ("/a/../b", nil), ("s3://", nil), ("s3:///a", nil), ("s3://user@host/a", nil), ("http://x/", nil),
        ])
    func roots(text: String, written: String?) {
        #expect(TrackRoot(text: text)?.text == written)
        #expect(written.flatMap { TrackRoot(text: $0) } == TrackRoot(text: text))
    }

    @Test("A folder has one plan; parts out of its range and plans of another version are rejected")
    func rejections() throws {
        let (run, plan, _) = try fixture.planned()
        #expect { try fixture.planned() } throws: { ($0 as? BatchError)?.code == .run }
        for part in [-1, 3] {
            #expect { try PartRunner(run, plan).run(part: part) } throws: {
                ($0 as? BatchError)?.code == .plan
            }
        }
        let database = try Database(path: run.place + "/plan.sqlite")
        try database.execute("UPDATE plan SET analyzer_version = analyzer_version + 1")
        #expect { try BatchPlan(run) } throws: { ($0 as? BatchError)?.code == .plan }
        #expect { try BatchPlan(BatchRun(at: fixture.directory.file("none"))) } throws: {
            ($0 as? BatchError)?.code == .plan
        }
    }

    @Test("Damaged results are reported with their path, and change nothing")
    func damage() throws {
        let (run, plan, _) = try fixture.planned { $0.partSize = 6 }
        try fixture.complete(run, plan)
        let data = try fixture.data("data")
        let spectra = run.place + "/parts/000000/spectra.bin"
        let whole = try Data(contentsOf: URL(filePath: spectra))
        try whole.dropLast(1).write(to: URL(filePath: spectra))
        #expect { try BatchMerge(run, plan, into: data).merge() } throws: { "\($0)".contains(spectra) }
        try whole.write(to: URL(filePath: spectra))
        let results = run.place + "/parts/000000/results.sqlite"
        let bytes = try Data(contentsOf: URL(filePath: results))
        for damaged in [Data("no database".utf8), bytes.prefix(bytes.count / 2), Data()] {
            try damaged.write(to: URL(filePath: results))
            #expect(try !PartRunner(run, plan).isComplete(part: 0) || damaged.count > 100)
            #expect { try BatchMerge(run, plan, into: data).merge() } throws: {
                "\($0)".contains("results.sqlite")
            }
        }
        #expect(try LibraryStore(reading: data).trackCount() == 0)
        _ = try PartRunner(run, plan).run(part: 0)
        #expect(try BatchMerge(run, plan, into: data).merge().changes.addedCount == 5)
    }
}
