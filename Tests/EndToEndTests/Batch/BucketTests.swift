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
