import Foundation
import TestSupport
import Testing

/// Passes over a corpus of everything that is not a valid MP3 file.
@Suite("Bad files", .serialized)
struct BadFilesTests {
    private static let passes = Result {
        () throws -> (first: ProgramRun, second: ProgramRun, folder: String) in
        let folder = try Corpora.bad()
        // The corpus restricts some files to their owner; root can read them anyway.
        let arguments = [folder, "--data", folder + "-data", "--json"]
        return (
            try AnalyzeCLI.start(arguments).wait(), try AnalyzeCLI.start(arguments).wait(), folder
        )
    }

    private let expected: [ExpectedFile]

    init() throws { expected = try ExpectedFile.all(in: Corpora.bad()) }

    @Test("Each file has exactly the expected outcome")
    func outcomes() throws {
        let run = try Self.passes.get().first
        let lines = try TrackLine.byPath(run)
        #expect(run.status == 1)
        #expect(expected.count >= 90)
        for file in expected where getuid() != 0 || !file.dependsOnRights {
            let line = lines[file.text]
            let outcome = line == nil ? "ignored" : line?.error == nil ? "analysed" : "failed"
            #expect(file.outcomes.contains(outcome), "\(file.text) (\(file.why)): \(outcome)")
            guard let line, outcome == "analysed" else { continue }
            for (key, reported) in [
                ("frame_count", "frame_count"), ("samples", "sample_count"),
                ("sample_rate_hz", "sample_rate_hz"),
                ("channels", "channels"),
            ] {
                guard let truth = file[key] else { continue }
                #expect(line[number: reported] == truth, "\(file.text) (\(file.why)): \(reported)")
            }
            if let range = file.frameCountRange {
                #expect(range.contains(line[number: "frame_count"] ?? -1), "\(file.text) (\(file.why))")
            }
        }
        // Nothing but the files in the corpus; files in restricted folders for root only.
        let known = Set(expected.map(\.text))
        #expect(lines.keys.filter { !known.contains($0) && !$0.hasPrefix("special/shut/") }.isEmpty)
    }

    @Test(
        "The error message states the problem",
        arguments: [
            ("not-audio/empty.mp3", "empty"), ("not-audio/text.mp3", "text"),
            ("not-audio/picture.mp3", "JPEG"),
            ("not-audio/zeros.mp3", "zeros"), ("not-audio/random.mp3", "no MP3 frames"),
            ("not-audio/tag-only.mp3", "tags but no audio"),
            ("not-audio/adpcm.wav", "ADPCM"), ("not-audio/header-only.wav", "no samples"),
            ("not-audio/text.flac", "text"),
            ("not-audio/text.opus", "text"), ("not-audio/headers-only.opus", "contains no audio"),
            ("not-audio/headers-only.ogg", "contains no audio"),
            ("not-audio/metadata-only.flac", "no frames of audio"),
            ("not-audio/no-index.m4a", "moov"), ("not-audio/encrypted.m4a", "encrypted"),
            ("not-audio/renamed-aac.mp3", "AAC"),
            ("not-audio/layer-1.mp3", "layer I "), ("not-audio/layer-2.mp3", "layer II "),
            ("unusual/info-frame-only.mp3", "no audio"), ("special/pipe.mp3", "not a regular file"),
            ("links/loop-a.mp3", "symbolic links"), ("links/dangling.mp3", "No such file"),
        ])
    func reasons(path: String, words: String) throws {
        let run = try Self.passes.get().first
        let line = try #require(try TrackLine.byPath(run)[path])
        #expect(line.reason?.contains(words) == true, "\(line.reason ?? "no reason")")
        #expect((line.error?["code"] as? String)?.isEmpty == false)
        let told = run.errorLines.filter { $0.hasPrefix("failed    \(path): ") }
        #expect(told.count == 1 && told.first?.contains(words) == true, "\(told)")
    }

    @Test("Each failure is one counted line on standard error, whatever the file names")
    func listed() throws {
        let run = try Self.passes.get().first
        let failed = try TrackLine.all(run).filter { $0.error != nil }.count
        #expect(run.errorLines.filter { $0.hasPrefix("failed ") }.count == failed)
        #expect(run.errorLines.last?.contains("\(failed) failed") == true, "\(run.errorLines.last ?? "")")
        // Control characters in names could control the terminal.
        #expect(run.errors.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 || $0 == "\n" })
    }

    @Test("Irregularities of an analysed file are reported as remarks")
    func remarks() throws {
        let lines = try TrackLine.byPath(Self.passes.get().first)
        for (path, words) in [
            ("damaged/last-frame-truncated-cbr.mp3", "the last frame is cut off"),
            ("damaged/random-hole-cbr.mp3", "belong to no frame"),
            ("unusual/free-format-320.mp3", "free format"), ("damaged/cut.flac", "STREAMINFO claims"),
            ("damaged/hole.flac", "belong to no frame"), ("damaged/cut.wav", "header claims"),
            ("unusual/concatenated-rates.mp3", "change"), ("lying/xing-count-2-32-1.mp3", "claims"),
        ] {
            let remarks = lines[path]?.values["remarks"] as? [String] ?? []
            #expect(remarks.contains { $0.contains(words) }, "\(path): \(remarks)")
        }
    }

    @Test("A second pass retries only unreadable files, and reports all failures again")
    func secondPass() throws {
        let (first, second, folder) = try Self.passes.get()
        #expect(second.status == 1)
        #expect(try TrackLine.byPath(first).keys == TrackLine.byPath(second).keys)
        let (firstReasons, secondReasons) = (try reasons(of: first), try reasons(of: second))
        #expect(firstReasons == secondReasons)
        // Permissions may change without a change of the file's size and time. For root all files are readable.
        let unreadable =
            getuid() == 0 ? 0 : expected.count { $0.dependsOnRights && $0.text.hasSuffix(".mp3") }
        #expect(second.errors.contains(", \(unreadable) to analyse"), "\(second.errorLines.first ?? "")")
        #expect(second.errors.contains("done: 0 analysed"))
        let databases = Databases(folder: folder + "-data")
        #expect(
            try databases.count(
                "SELECT max(attempts) FROM analysis_failures WHERE error_code <> 'file_unreadable'") == 1)
        try databases.expectIntact()
        #expect(try databases.incomplete().isEmpty)
    }

    @Test("A repaired file is analysed, and its failure is deleted")
    func mended() throws {
        let fixture = try MusicFixture()
        try fixture.add(Array("no music".utf8), as: "a.mp3")
        try fixture.add(MadeMusic.pieces[1], as: "b.mp3")
        #expect(try fixture.pass().status == 1)
        try fixture.add(MadeMusic.pieces[0], as: "a.mp3")
        let run = try fixture.pass()
        #expect(run.status == 0)
        #expect(run.errors.contains("1 analysed, 1 unchanged"), "\(run.errors)")
        #expect(try fixture.databases.count("SELECT count(*) FROM analysis_failures") == 0)
    }

    private func reasons(of run: ProgramRun) throws -> [String: String] {
        try TrackLine.byPath(run).compactMapValues(\.reason)
    }
}
