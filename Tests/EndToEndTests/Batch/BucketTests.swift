import Foundation
import TestSupport
import Testing

/// A batch whose tracks are in a bucket.
@Suite("Bucket")
struct BucketTests {
    private let fixture: MusicFixture
    private let directory: TemporaryDirectory

    init() throws {
        fixture = try MusicFixture(pieces: 0..<5)
        directory = try TemporaryDirectory()
        try fixture.add([], as: "empty.mp3")
        try fixture.add(Array("text".utf8), as: "notes.txt")
    }

    private func run(_ environment: [String: String], _ arguments: String...) throws -> ProgramRun {
        let variables = environment.map { "\($0.key)=\($0.value)" } + ["TMPDIR=\(directory.path)"]
        return try AnalyzeCLI.start(arguments, wrapper: ["env"] + variables).wait()
    }

    @Test("Tracks in a bucket have the same analysis as in a folder, and none of them stays on the disk")
    func equality() async throws {
        #expect(try fixture.pass().status == 1)
        let truth = try fixture.databases.contents()
        let server = try await BucketServer(folder: fixture.music, bucket: "music", prefix: "all/")
        let environment = server.environment()
        let batch = directory.file("run")
        let plan = try run(
            environment, "plan", "s3://music/all", "--output", batch, "--part-size", "4", "--data",
            directory.file("none"))
        #expect(plan.status == 0 && plan.output.hasPrefix("6 tracks in 2 parts"), "\(plan.errors)")
        for part in 0..<2 {
            let done = try run(environment, "part", batch, "--part", "\(part)")
            #expect(done.status == 0, "\(done.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["run"])
        let data = directory.file("data")
        #expect(try run(environment, "merge", batch, "--into", data).status == 0)
        #expect(try Databases(folder: data).contents() == truth)
        // Known objects are left out by key, size and time.
        let again = try run(
            environment, "plan", "s3://music/all", "--output", directory.file("again"), "--data", data)
        #expect(again.output.hasPrefix("0 tracks in 0 parts; left out 6"))
    }

    /// Adds a FLAC file of 8 s with a sheet of two tracks.
    private func addAlbum(_ name: String, sheet: String, naming file: String, seed: UInt64) throws {
        let samples = PCM.music(frameCount: 588 * 600, seed: seed).samples
        let channels = (0..<2).map { channel in
            stride(from: channel, to: samples.count, by: 2).map { Int32(samples[$0]) }
        }
        try fixture.add(
            try IntegerSound(sampleRate: 44_100, channels: channels, bitDepth: 16).flac(), as: "discs/\(name)"
        )
        try fixture.add(Array(Self.sheet(of: file).utf8), as: "discs/\(sheet)")
    }

    private static func sheet(of file: String) -> String {
        """
        TITLE "Live"
        FILE "\(file)" WAVE
        TRACK 01 AUDIO
        TITLE "First"
        INDEX 01 00:00:00
        TRACK 02 AUDIO
        TITLE "Second"
        INDEX 01 00:04:00
        """
    }

    @Test("Cue sheets in a bucket divide the same files as in a folder, into the same tracks")
    func cueSheets() async throws {
        try addAlbum("One.flac", sheet: "one.cue", naming: "ONE.WAV", seed: 71)
        // The file that the sheet names does not exist.
        try addAlbum("Two.flac", sheet: "Two.flac.cue", naming: "Lost.wav", seed: 72)
        // It exists, so the sheet is not that of this file.
        try addAlbum("Whole.flac", sheet: "Whole.cue", naming: "One.wav", seed: 73)
        #expect(try fixture.pass().status == 1)
        let truth = try fixture.databases.contents()
        let paths = truth.map { String($0.prefix { $0 != "|" }) }.filter { $0.hasPrefix("discs/") }
        #expect(
            paths == [
                "discs/One.flac/01", "discs/One.flac/02", "discs/Two.flac/01", "discs/Two.flac/02",
                "discs/Whole.flac",
            ])
        let server = try await BucketServer(folder: fixture.music, bucket: "music", prefix: "all/")
        let proxy = try FaultProxy(before: server.port)
        defer { proxy.quit() }
        let environment = server.environment(port: proxy.port)
        let batch = directory.file("run")
        let plan = try run(
            environment, "plan", "s3://music/all", "--output", batch, "--data", directory.file("none"))
        #expect(plan.output.hasPrefix("9 tracks in 1 part;"), "\(plan.output) \(plan.errors)")
        _ = try ProcessRun.run("curl", ["-sSf", "http://127.0.0.1:\(proxy.port)/__proxy/log"])
        let part = try run(environment, "part", batch, "--part", "0")
        #expect(part.status == 0, "\(part.errors)")
        let requests = try ProcessRun.run("curl", ["-sSf", "http://127.0.0.1:\(proxy.port)/__proxy/log"]).text
        // Once for all files of the folder.
        for sheet in ["one.cue", "Two.flac.cue", "Whole.cue"] {
            #expect(
                requests.components(separatedBy: "discs/\(sheet)").count - 1 == 1, "\(sheet): \(requests)")
        }
        let data = directory.file("data")
        #expect(try run(environment, "merge", batch, "--into", data).status == 0)
        #expect(try Databases(folder: data).contents() == truth)
        let again = try run(
            environment, "plan", "s3://music/all", "--output", directory.file("again"), "--data", data)
        #expect(again.output.hasPrefix("0 tracks in 0 parts; left out 9"))

        // The last of these is One.flac, whose sheet comes after it.
        let limited = directory.file("limited")
        let few = try run(
            environment, "plan", "s3://music/all", "--output", limited, "--limit", "6", "--data",
            directory.file("none"))
        #expect(few.output.hasPrefix("6 tracks"))
        #expect(try run(environment, "part", limited, "--part", "0").status == 0)
        let status = try run(environment, "status", limited, "--json")
        #expect(status.output.contains("\"tracks\":7"), "\(status.output)")

        // The same bucket with another sheet, which might be that of each file of its folder.
        try fixture.add(Array((Self.sheet(of: "One.wav") + "\nREM later").utf8), as: "discs/one.cue")
        let changed = try await BucketServer(folder: fixture.music, bucket: "music", prefix: "all/")
        try FileManager.default.removeItem(atPath: batch + "/parts")
        #expect(try run(changed.environment(), "part", batch, "--part", "0").status == 0)
        let reported = try run(environment, "status", batch, "--json")
        #expect(reported.output.contains(#""file_changed":3"#), "\(reported.output)")
    }

    @Test(
        "Without the service or the right credentials, a part has no results, so that its tracks are not lost"
    )
    func outage() async throws {
        let server = try await BucketServer(folder: fixture.music, bucket: "music", prefix: "")
        let environment = server.environment()
        let batch = directory.file("run")
        #expect(
            try run(environment, "plan", "s3://music", "--output", batch, "--data", directory.file("none"))
                .status == 0)
        var forged = environment
        forged["AWS_SECRET_ACCESS_KEY"] = "wrong"
        let rejected = try run(forged, "part", batch, "--part", "0")
        #expect(rejected.status == 2 && rejected.errors.contains("SignatureDoesNotMatch"))
        #expect(!FileManager.default.fileExists(atPath: batch + "/parts/000000/results.sqlite"))
        #expect(try run(environment, "part", batch, "--part", "0").status == 0)
    }
}
