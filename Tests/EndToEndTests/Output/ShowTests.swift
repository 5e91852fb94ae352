import Foundation
import TestSupport
import Testing

/// `show` and `list`, for human readers.
@Suite("Show")
struct ShowTests {
    /// A library that no test changes, and the output of its pass.
    private static let made = Result { () throws -> (MusicFixture, pass: ProgramRun) in
        let fixture = try MusicFixture(shared: "show")
        for (number, title) in ["Morning Light", "Evening Light", "Rain on a Tin Roof"].enumerated() {
            try fixture.add(
                MusicFixture.tag(title: title) + MadeMusic.pieces[number], as: "Album/0\(number + 1).mp3")
        }
        try fixture.add(
            MusicFixture.tag(title: "Bell\u{07} and \u{1B}[31mred") + MadeMusic.pieces[3], as: "x.mp3")
        let pass = try fixture.pass("--quiet", "--json")
        #expect(pass.status == 0)
        return (fixture, pass)
    }

    private let fixture: MusicFixture
    private let lines: [String: TrackLine]

    init() throws {
        let pass: ProgramRun
        (fixture, pass) = try Self.made.get()
        lines = try TrackLine.byPath(pass)
    }

    private func show(_ options: String...) throws -> ProgramRun {
        try AnalyzeCLI.start(["show", "--data", fixture.data] + options).wait()
    }

    @Test("A track is found by its path, its ID, or words in any order and case")
    func found() throws {
        let id = try #require(lines["Album/03.mp3"]?.id)
        for name in [["Album/03.mp3"], ["\(id)"], ["tin", "RAIN"], ["rain on"]] {
            let run = try AnalyzeCLI.start(["show", "--data", fixture.data, "--json"] + name).wait()
            #expect(run.status == 0, "\(name): \(run.errors)")
            #expect(try TrackLine.all(run).first?.path == "Album/03.mp3", "\(name)")
        }
    }

    @Test("Several matches are listed; no match is reported as such")
    func severalOrNone() throws {
        let several = try show("light")
        #expect(several.status == 1)
        #expect(several.errors.contains("Album/01.mp3") && several.errors.contains("Album/02.mp3"))
        #expect(!several.errors.contains("Album/03.mp3"))
        #expect(several.output.isEmpty)
        let none = try show("no such thing")
        #expect(none.status == 1)
        #expect(none.errors == "no track matches \"no such thing\"\n")
    }

    @Test(
        "The report shows the measurements within the given width, and ignores escapes in tags",
        arguments: [60, 100])
    func report(width: Int) throws {
        let line = try #require(lines["x.mp3"])
        let run = try show("x.mp3", "--plain", "--width", "\(width)")
        #expect(run.status == 0)
        #expect(
            run.output.contains("LUFS")
                && run.output.contains(
                    String(format: "%.1f", line[number: "integrated_lufs"] ?? 0).replacing("-", with: ""))
        )
        #expect(!run.output.contains("\u{07}") && !run.output.contains("\u{1B}"))
        #expect(
            run.outputLines.allSatisfy { $0.count <= width }, "\(run.outputLines.map(\.count).max() ?? 0)")
        #expect(run.outputLines.count > 20)
    }

    @Test("--png writes an image that another program can read")
    func picture() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.png")
        #expect(try show("Album/01.mp3", "--png", path).status == 0)
        let size = try ProcessRun.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0", path]
        ).text
        let parts = size.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ",")
        #expect(parts.first == "png" && (Int(parts[1]) ?? 0) >= 800 && (Int(parts[2]) ?? 0) >= 400, "\(size)")
        let nowhere = try show("Album/01.mp3", "--png", "/nonexistent/a.png")
        #expect(nowhere.status == 2 && nowhere.errors.contains("/nonexistent/a.png"), "\(nowhere.errors)")
    }

    @Test("similar lists the other tracks, the most similar first")
    func similar() throws {
        let run = try AnalyzeCLI.start(["similar", "--data", fixture.data, "--json", "x.mp3"]).wait()
        #expect(run.status == 0, "\(run.errors)")
        let similarities = try run.outputLines.map { line in
            let fields = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(lines[fields?["relative_path"] as? String ?? ""] != nil)
            return try #require(fields?["similarity"] as? Double)
        }
        #expect(similarities.count == 3 && similarities == similarities.sorted(by: >))
        let text = try AnalyzeCLI.start(["similar", "--data", fixture.data, "--count", "1", "tin", "roof"])
            .wait()
        #expect(text.status == 0 && text.outputLines.count == 1 && text.output.contains("%"))
        #expect(!text.output.contains("Rain on a Tin Roof") && !text.output.contains("\u{1B}"))
        let none = try AnalyzeCLI.start(["similar", "--data", fixture.data, "no such thing"]).wait()
        #expect(none.status == 1 && none.errors == "no track matches \"no such thing\"\n")
    }

    @Test("list prints one row per track, optionally filtered by words")
    func list() throws {
        let all = try AnalyzeCLI.run("list", "--data", fixture.data)
        #expect(all.outputLines.count == 5)
        #expect(!all.output.contains("\u{1B}"))
        let some = try AnalyzeCLI.run("list", "light", "--data", fixture.data)
        #expect(some.outputLines.count == 3)
        #expect(try AnalyzeCLI.run("list", "nothing of this", "--data", fixture.data).status == 1)
    }
}
