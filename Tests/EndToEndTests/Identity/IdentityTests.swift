import Foundation
import MPEGAudio
import SQLiteDatabase
import TestSupport
import Testing

/// The identity of a track does not depend on its name or tags.
@Suite("Identity")
struct IdentityTests {
    private let fixture: MusicFixture
    private let before: [String: TrackLine]

    init() throws {
        fixture = try MusicFixture(pieces: 0..<3)
        before = try fixture.tracks()
        #expect(before.count == 3)
    }

    @Test("Renamed and moved files keep their ID and are not decoded")
    func moved() throws {
        try fixture.move("0.mp3", to: "other name.mp3")
        try fixture.move("1.mp3", to: "folder/in a folder/1.mp3")
        let run = try fixture.pass("--json")
        #expect(run.errors.contains("0 analysed, 1 unchanged, 2 identified by audio"), "\(run.errors)")
        let lines = try TrackLine.byPath(run)
        #expect(lines.count == 3)
        #expect(lines["other name.mp3"]?.id == before["0.mp3"]?.id)
        #expect(lines["folder/in a folder/1.mp3"]?.id == before["1.mp3"]?.id)
        #expect(
            lines["other name.mp3"]?[number: "integrated_lufs"] == before["0.mp3"]?[number: "integrated_lufs"]
        )
    }

    @Test("A changed tag is not decoded, keeps the ID and updates the title")
    func retagged() throws {
        // Byte by byte, and with a program that rewrites the whole file.
        try fixture.add(MusicFixture.tag(title: "By bytes") + MadeMusic.pieces[0], as: "0.mp3")
        try ProcessRun.run(
            "ffmpeg",
            [
                "-v", "error", "-i", fixture.file("1.mp3"), "-c", "copy", "-write_xing", "0", "-metadata",
                "title=By ffmpeg",
                "-f", "mp3", fixture.file("1.new"),
            ])
        #expect(rename(fixture.file("1.new"), fixture.file("1.mp3")) == 0)
        let run = try fixture.pass("--json")
        let lines = try TrackLine.byPath(run)
        #expect(lines["0.mp3"]?[text: "title"] == "By bytes")
        #expect(lines["0.mp3"]?.id == before["0.mp3"]?.id)
        #expect(lines["0.mp3"]?.audioHash == before["0.mp3"]?.audioHash)
        #expect(lines["1.mp3"]?[text: "title"] == "By ffmpeg")
        #expect(lines["1.mp3"]?.id == before["1.mp3"]?.id)
        // ffmpeg drops the encoder's Info frame: without its delay and padding, the audio differs.
        #expect(run.errors.contains("1 analysed, 1 unchanged, 1 identified by audio"), "\(run.errors)")
    }

    @Test("The stored frame index is valid for each file that shares it, whatever its tags")
    func frameIndex() throws {
        try fixture.add(
            MusicFixture.tag(title: String(repeating: "long ", count: 500)) + MadeMusic.pieces[0], as: "0.mp3"
        )
        try fixture.add(MusicFixture.tag(title: "short") + MadeMusic.pieces[0], as: "copy.mp3")
        #expect(try fixture.pass().errors.contains("0 analysed"))
        let database = try Database(path: fixture.databases.library, options: .init(access: .readOnly))
        let query = """
            SELECT relative_path, payload_offset, frame_index FROM tracks JOIN analysis_details USING (audio_hash)
            """
        var checked = 0
        try database.forEach(query) { row in
            let path: String = try row["relative_path"]
            let index = try FrameIndex(decoding: row["frame_index"]).moved(by: row["payload_offset"])
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: fixture.file(path))))
            #expect(try index == MPEGAudioStream.scan(bytes.span.bytes).index, "\(path)")
            checked += 1
        }
        #expect(checked == 4)
    }

    @Test("A copy is a separate track that shares the analysis")
    func copied() throws {
        try fixture.add(MadeMusic.pieces[0], as: "copy.mp3")
        try fixture.add(MusicFixture.tag(title: "Copy with a title") + MadeMusic.pieces[0], as: "copy 2.mp3")
        let run = try fixture.pass("--json")
        #expect(run.errors.contains("0 analysed, 3 unchanged, 2 identified by audio"), "\(run.errors)")
        let lines = try TrackLine.byPath(run)
        #expect(Set(lines.values.compactMap(\.id)).count == 5)
        #expect(lines["copy.mp3"]?.audioHash == before["0.mp3"]?.audioHash)
        #expect(lines["copy 2.mp3"]?.audioHash == before["0.mp3"]?.audioHash)
        #expect(try fixture.databases.count("SELECT count(*) FROM analyses") == 3)
    }

    @Test("Different audio under the same name is analysed, and remains the same track")
    func changedAudio() throws {
        try fixture.add(MadeMusic.pieces[5], as: "0.mp3")
        let run = try fixture.pass("--json")
        #expect(run.errors.contains("1 analysed, 2 unchanged"), "\(run.errors)")
        let line = try TrackLine.byPath(run)["0.mp3"]
        #expect(line?.id == before["0.mp3"]?.id)
        #expect(line?.audioHash != before["0.mp3"]?.audioHash)
        #expect(try fixture.databases.incomplete().isEmpty)
    }

    @Test("A file rewritten with the same content is only scanned")
    func touched() throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date() + 60], ofItemAtPath: fixture.file("0.mp3"))
        #expect(try fixture.pass().errors.contains("0 analysed, 2 unchanged, 1 identified by audio"))
        #expect(try fixture.pass().errors.contains("0 analysed, 3 unchanged;"))
    }

    @Test("A deleted file is removed from the list; restored, it is the same track, and is not decoded")
    func deleted() throws {
        let modified = try FileManager.default.attributesOfItem(atPath: fixture.file("0.mp3"))[
            .modificationDate]
        try fixture.remove("0.mp3")
        #expect(try fixture.pass().errors.contains("1 removed"))
        #expect(try AnalyzeCLI.run("list", "--data", fixture.data).outputLines.count == 3)
        #expect(try fixture.tracks()["0.mp3"] == nil)
        try fixture.add(MadeMusic.pieces[0], as: "0.mp3")
        // With its old time it is not even read, as with a remounted disk.
        try FileManager.default.setAttributes(
            [.modificationDate: try #require(modified)], ofItemAtPath: fixture.file("0.mp3"))
        let run = try fixture.pass("--json")
        #expect(run.errors.contains("0 analysed"), "\(run.errors)")
        #expect(try TrackLine.byPath(run)["0.mp3"]?.id == before["0.mp3"]?.id)
        #expect(try AnalyzeCLI.run("list", "--data", fixture.data).outputLines.count == 4)
    }

    @Test("After a version change of the analyzer the library is analysed again, and tracks keep their IDs")
    func raisedVersion() throws {
        for (path, statement) in [
            (
                fixture.databases.library,
                "UPDATE analyses SET analyzer_version = analyzer_version - 1, profile_version = profile_version - 1"
            ),
            (fixture.databases.visualizer, "UPDATE frames SET analyzer_version = analyzer_version - 1"),
        ] { try Database(path: path).execute(statement) }
        let run = try fixture.pass("--json")
        #expect(run.errors.contains("3 analysed, 0 unchanged"), "\(run.errors)")
        #expect(try TrackLine.byPath(run).mapValues(\.id) == before.mapValues(\.id))
        #expect(try fixture.pass().errors.contains("0 analysed, 3 unchanged"))
    }

    @Test(
        "--dj and --vis complement each other in either order; --force repeats everything",
        arguments: [["--dj", "--vis"], ["--vis", "--dj"]])
    func parts(order: [String]) throws {
        let fixture = try MusicFixture(pieces: 0..<2)
        let (first, second) = (try fixture.pass(order[0], "--json"), try fixture.pass(order[1], "--json"))
        #expect(
            first.errors.contains("2 analysed") && second.errors.contains("2 analysed"),
            "\(first.errors)\(second.errors)")
        for line in try TrackLine.all(first) {
            #expect((line[number: "integrated_lufs"] != nil) == (order[0] == "--dj"))
            #expect(line[number: "frame_count"] != nil)
        }
        for line in try TrackLine.all(second) { #expect(line[number: "integrated_lufs"] != nil) }
        #expect(try fixture.databases.incomplete().isEmpty)
        let whole = try MusicFixture(pieces: 0..<2)
        _ = try whole.pass()
        #expect(try fixture.databases.contents() == whole.databases.contents())
        #expect(try fixture.pass().errors.contains("0 analysed, 2 unchanged"))
        #expect(try fixture.pass("--force").errors.contains("2 analysed, 0 unchanged"))
        #expect(try fixture.databases.contents() == whole.databases.contents())
    }

    @Test("A pass over an unchanged library reads and writes nothing")
    func unchanged() throws {
        func state() throws -> [Data] {
            try [fixture.databases.library, fixture.databases.visualizer].map {
                try Data(contentsOf: URL(filePath: $0))
            }
        }
        let first = try state()
        let times = try (0..<3).map { try accessTime(fixture.file("\($0).mp3")) }
        let run = try fixture.pass()
        #expect(run.errors.contains("0 analysed, 3 unchanged"))
        #expect(try state() == first)
        #expect(try (0..<3).map { try accessTime(fixture.file("\($0).mp3")) } == times)
        #expect(run.seconds < 5)
    }

    private func accessTime(_ path: String) throws -> Int {
        var status = stat()
        #expect(stat(path, &status) == 0)
        return status.st_atim.tv_sec * 1_000_000_000 + status.st_atim.tv_nsec
    }
}
