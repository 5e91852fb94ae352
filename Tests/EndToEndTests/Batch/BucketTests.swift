import Foundation
import TestSupport
import Testing

/// A batch whose tracks, or whose results, are in a bucket.
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
        try start(environment, arguments).wait()
    }

    private func start(_ environment: [String: String], _ arguments: [String]) throws -> RunningProgram {
        let variables = environment.map { "\($0.key)=\($0.value)" } + ["TMPDIR=\(directory.path)"]
        return try AnalyzeCLI.start(arguments, wrapper: ["env"] + variables)
    }

    /// The requests that a proxy has passed on since the last call.
    private func requests(_ proxy: FaultProxy) throws -> String {
        try ProcessRun.run("curl", ["-sSf", "http://127.0.0.1:\(proxy.port)/__proxy/log"]).text
    }

    private func set(_ faults: String, _ proxy: FaultProxy) async throws {
        _ = try await ProcessRun.aside(
            "curl",
            [
                "-sf", "-X", "POST", "-H", "Content-Type: application/json", "-d", faults,
                "http://127.0.0.1:\(proxy.port)/__proxy/faults",
            ])
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
        _ = try requests(proxy)
        let part = try run(environment, "part", batch, "--part", "0")
        #expect(part.status == 0, "\(part.errors)")
        let requests = try requests(proxy)
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

    private static let remoteRun = "s3://music/runs/one"

    @Test(
        "A run in a bucket has the same results as in a folder, byte for byte, and leaves nothing on the machines"
    )
    func remoteRun() async throws {
        #expect(try fixture.pass().status == 1)
        let truth = try fixture.databases.contents()
        let server = try await BucketServer(folder: fixture.music, bucket: "music", prefix: "all/")
        let proxy = try FaultProxy(before: server.port)
        defer { proxy.quit() }
        let environment = server.environment(port: proxy.port)
        let place = Self.remoteRun
        let plan = [
            "plan", fixture.music, "--output", "\(place)/", "--part-size", "4", "--data",
            directory.file("none"),
        ]
        let planned = try start(environment, plan).wait()
        #expect(planned.status == 0 && planned.output.hasPrefix("6 tracks in 2 parts"), "\(planned.errors)")
        let again = try start(environment, plan).wait()
        #expect(again.status == 2 && again.errors.contains("\(place): has a plan already"), "\(again.errors)")
        #expect(try run(environment, "status", place, "--pending").output == "0\n1\n")
        let first = try run(environment, "part", place, "--part", "1")
        #expect(first.status == 0, "\(first.errors)")
        #expect(try run(environment, "status", place, "--pending").output == "0\n")
        let library = directory.file("data")
        let half = try run(environment, "merge", place, "--into", library)
        #expect(half.status == 1 && half.errors.contains("1 parts have no results yet"), "\(half.errors)")
        #expect(try run(environment, "part", place, "--part", "0").status == 0)
        #expect(try run(environment, "part", place, "--part", "0").errors.contains("part 0 is complete"))
        let missing = try run(environment, "part", place, "--part", "2")
        #expect(missing.status == 2 && missing.errors.contains("there is no part 2"), "\(missing.errors)")
        let status = try run(environment, "status", place, "--json")
        #expect(
            status.output.contains(#""done":6"#) && status.output.contains(#""analysed":5"#)
                && status.output.contains(#""pending":[]"#), "\(status.output)")
        #expect(try run(environment, "merge", place, "--into", library).status == 0)
        #expect(try Databases(folder: library).contents() == truth)
        _ = try requests(proxy)
        let unchanged = try run(environment, "merge", place, "--into", library)
        #expect(unchanged.output.hasPrefix("0 added, 0 changed"), "\(unchanged.output)")
        let requested = try requests(proxy)
        #expect(requested.contains("results.sqlite") && !requested.contains("spectra.bin\""), "\(requested)")
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: directory.path)).subtracting(["data"])
                .isEmpty)

        // The same plan in a folder.
        let local = directory.file("run")
        let same = try run(
            environment, "plan", fixture.music, "--output", local, "--part-size", "4", "--data",
            directory.file("none"))
        #expect(same.status == 0)
        for part in 0..<2 {
            #expect(try run(environment, "part", local, "--part", "\(part)").status == 0)
            for file in ["results.sqlite", "spectra.bin"] {
                let bytes = try Data(contentsOf: URL(filePath: "\(local)/parts/00000\(part)/\(file)"))
                #expect(
                    try await fetched("runs/one/parts/00000\(part)/\(file)", server) == bytes,
                    "\(part) \(file)")
            }
        }
    }

    /// The content of an object, read by the AWS library for Python.
    private func fetched(_ key: String, _ server: BucketServer) async throws -> Data {
        let environment = server.environment()
        let script = """
            import boto3, sys
            s3 = boto3.client('s3', endpoint_url=sys.argv[1], aws_access_key_id=sys.argv[2],
                              aws_secret_access_key=sys.argv[3], region_name='us-east-1')
            s3.download_file('music', sys.argv[4], sys.argv[5])
            """
        let file = directory.file("fetched")
        _ = try await ProcessRun.aside(
            try await PythonTools.program("python"),
            [
                "-B", "-c", script, environment["AWS_ENDPOINT_URL"] ?? "",
                environment["AWS_ACCESS_KEY_ID"] ?? "",
                environment["AWS_SECRET_ACCESS_KEY"] ?? "", key, file,
            ])
        return try Data(contentsOf: URL(filePath: file))
    }

    @Test(
        "A part that is killed while it writes to a bucket has no results, and a file that crashes it is left out"
    )
    func remoteFaults() async throws {
        try fixture.add(CrashingDecoder.badFile(), as: "bad.mp3")
        let server = try await BucketServer(
            folder: directory.makeFolder("none", of: []), bucket: "music", prefix: "")
        let environment = server.environment()
        let place = Self.remoteRun
        #expect(
            try run(environment, "plan", fixture.music, "--output", place, "--data", directory.file("no"))
                .status == 0)
        var crashing = environment
        for variable in try CrashingDecoder.command().dropFirst() {
            let parts = variable.split(separator: "=", maxSplits: 1)
            crashing[String(parts[0])] = String(parts[1])
        }
        let crash = try run(crashing, "part", place, "--part", "0")
        #expect(
            crash.status == 2 && crash.errors.contains("bad.mp3: its analysis has crashed the program"),
            "\(crash.errors)")
        // The results are the last file of a part.
        let proxy = try FaultProxy(before: server.port)
        defer { proxy.quit() }
        try await set(#"[{"match": "/000000/results.sqlite", "hang": true}]"#, proxy)
        var slow = crashing
        slow["AWS_ENDPOINT_URL"] = server.environment(port: proxy.port)["AWS_ENDPOINT_URL"]
        let program = try start(slow, ["part", place, "--part", "0", "--quiet", "--force"])
        try await until { try requests(proxy).contains("/000000/results.sqlite\"") }
        program.signal(SIGKILL)
        _ = try program.wait()
        #expect(try run(environment, "status", place, "--pending").output == "0\n")
        let done = try run(crashing, "part", place, "--part", "0")
        #expect(done.status == 0, "\(done.errors)")
        let status = try run(environment, "status", place, "--json")
        #expect(
            status.output.contains(#""analysed":5"#) && status.output.contains(#""killed_program":1"#),
            "\(status.output)")
        let none = try run(environment, "part", place, "--part", "0", "--note-crash", "99")
        #expect(none.status == 2 && none.errors.contains("has no track 99"), "\(none.errors)")
    }

    @Test("A bucket that cannot be used for a run is an error that names it and the reason")
    func remoteErrors() async throws {
        let server = try await BucketServer(folder: fixture.music, bucket: "music", prefix: "")
        let environment = server.environment()
        var forged = environment
        forged["AWS_SECRET_ACCESS_KEY"] = "wrong"
        let data = directory.file("data")
        for (variables, arguments, message) in [
            (environment, ["status", "s3://music/none"], "s3://music/none: there is no plan"),
            (environment, ["status", "s3://none/run"], "s3://none/run/plan.sqlite: NoSuchBucket"),
            (
                environment, ["part", "s3:/music", "--part", "0"],
                "s3:/music: give the address of a bucket as s3://"
            ),
            (forged, ["plan", fixture.music, "--output", Self.remoteRun], "SignatureDoesNotMatch"),
            (forged, ["merge", Self.remoteRun, "--into", data], "SignatureDoesNotMatch"),
        ] {
            let run = try start(variables, arguments).wait()
            #expect(run.status == 2 && run.errors.contains(message), "\(arguments): \(run.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: data))
    }

    @Test("Ctrl-C ends a step that waits for the service", arguments: [["part", "--part", "0"], ["merge"]])
    func interruption(_ step: [String]) async throws {
        let server = try await BucketServer(folder: fixture.music, bucket: "music", prefix: "")
        #expect(
            try run(
                server.environment(), "plan", fixture.music, "--output", Self.remoteRun, "--data",
                directory.file("none")
            ).status == 0)
        let proxy = try FaultProxy(before: server.port)
        defer { proxy.quit() }
        // The first attempt ends after half a minute; there would be others.
        try await set(#"[{"match": "/music/", "hang": true}]"#, proxy)
        let program = try start(
            server.environment(port: proxy.port),
            [step[0], Self.remoteRun] + step.dropFirst()
                + (step[0] == "merge" ? ["--into", directory.file("data")] : []))
        try await until { try requests(proxy).contains("/music/") }
        program.signal(SIGINT)
        let ended = try program.wait()
        #expect(ended.status == 130 && ended.errors.contains("cancelled"), "\(ended.errors)")
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
