import Foundation
import TestSupport
import Testing

/// The runners in `deploy/batch`, without the engines: `Benchmarks/scale/run` uses Spark itself.
@Suite("Batch runners")
struct BatchRunnerTests {
    private static let folder = "\(PythonTools.root)/deploy/batch"

    @Test("The job passes Kubernetes' schema, and its command runs a part")
    func kubernetes() async throws {
        let manifest = "\(Self.folder)/kubernetes-job.yaml"
        let schema = try await ProcessRun.aside(
            try await PythonTools.program("kubernetes-validate"), ["--strict", manifest], mustSucceed: false)
        #expect(schema.status == 0, "\(schema.text)")
        let command = try await PythonTools.run(
            """
            import sys, yaml
            container = yaml.safe_load(open(sys.argv[1]))['spec']['template']['spec']['containers'][0]
            print(*container['command'], sep='\\n')
            """, [manifest]
        ).split(separator: "\n").map(String.init)
        #expect(command.first == "analyze-cli" && command.contains("/run/batch"))
        let batch = try Batch(pieces: 0..<1, partSize: 1)
        let arguments = command.dropFirst().map {
            $0.replacing("/run/batch", with: batch.run).replacing("$(PART)", with: "0")
        }
        #expect(try AnalyzeCLI.start(Array(arguments), wrapper: []).wait().status == 0)
        #expect(try batch.pending() == [])
    }

    @Test(
        "The tasks of a Slurm array, whatever its range, divide the parts among themselves",
        arguments: [0, 3])
    func slurm(first: Int) throws {
        let batch = try Batch(pieces: 0..<5, partSize: 1)
        var left = [0, 1, 2, 3, 4]
        for task in 0..<2 {
            let run = try ProcessRun.run(
                "env",
                [
                    "ANALYZE_CLI=\(AnalyzeCLI.path)", "SLURM_ARRAY_TASK_ID=\(first + task)",
                    "SLURM_ARRAY_TASK_MIN=\(first)", "SLURM_ARRAY_TASK_COUNT=2",
                    "\(Self.folder)/slurm-array.sh", batch.run, "5",
                ])
            #expect(run.status == 0)
            left.removeAll { $0 % 2 == task }
            #expect(try batch.pending() == left)
        }
    }

    @Test("A part that fails makes the Slurm task fail, after the other parts")
    func slurmFailure() throws {
        let batch = try Batch(pieces: 0..<2, partSize: 1)
        try FileManager.default.createDirectory(
            atPath: "\(batch.run)/parts", withIntermediateDirectories: true)
        // In the place of the first part's folder.
        try Data().write(to: URL(filePath: "\(batch.run)/parts/000000"))
        let run = try ProcessRun.run(
            "env",
            [
                "ANALYZE_CLI=\(AnalyzeCLI.path)", "SLURM_ARRAY_TASK_ID=0", "SLURM_ARRAY_TASK_MIN=0",
                "SLURM_ARRAY_TASK_COUNT=1", "\(Self.folder)/slurm-array.sh", batch.run, "2",
            ], mustSucceed: false)
        #expect(run.status == 1)
        #expect(try batch.pending() == [0])
    }
}

/// A planned run over a folder of short pieces.
private struct Batch {
    let run: String
    private let fixture: MusicFixture
    private let directory: TemporaryDirectory

    init(pieces: Range<Int>, partSize: Int) throws {
        fixture = try MusicFixture(pieces: pieces)
        directory = try TemporaryDirectory()
        run = directory.file("run")
        let plan = try AnalyzeCLI.run(
            "plan", fixture.music, "--output", run, "--part-size", "\(partSize)", "--data",
            directory.file("none"))
        #expect(plan.status == 0, "\(plan.errors)")
    }

    func pending() throws -> [Int] {
        try AnalyzeCLI.run("status", run, "--pending").outputLines.compactMap { Int($0) }
    }
}
