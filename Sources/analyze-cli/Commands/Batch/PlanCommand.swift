import Analyzer
import BatchAnalysis
import CommandLineProgram
import Foundation
import LibraryStore
import MusicFiles

/// `analyze-cli plan`: divides the analysis of a large library into parts.
struct PlanCommand {
    private let source: String
    private let output: String
    private let root: String?
    private let data: DataOption
    private let isForced: Bool
    private let printsJSON: Bool
    private var planner = BatchPlanner()

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var planner = BatchPlanner()
        var texts: [String: String] = [:]
        var flags: Set<String> = []
        let settings = try arguments.takeSettings(
            for: .analyzer, only: DataOption.names, flags: ["--force", "--dj", "--json"],
            valued: ["--output", "--root", "--limit", "--sample", "--part-size"]
        ) { name, value in
            switch name {
            case "--limit": planner.limit = try OptionValue.integer(value, in: 1...1_000_000_000, for: name)
            case "--sample": planner.sample = try OptionValue.integer(value, in: 1...1_000_000_000, for: name)
            case "--part-size":
                planner.partSize = try OptionValue.integer(
                    value, in: 1...BatchPlanner.largestPartSize, for: name)
            case "--output", "--root": texts[name] = value
            default: flags.insert(name)
            }
        }
        source = try arguments.operands(1...1, named: "one music folder, bucket or list of files")[0]
        guard let output = texts["--output"], !output.isEmpty else {
            throw UsageError(message: "missing option: --output RUN, the folder for the plan and the results")
        }
        if flags.contains("--dj") { planner.parts = .profile }
        self.output = output
        root = texts["--root"]
        data = DataOption(settings)
        isForced = flags.contains("--force")
        printsJSON = flags.contains("--json")
        self.planner = planner
    }

    func run() throws -> ExitCode {
        let run = try BatchRun(at: output)
        var planner = planner
        if !isForced, data.hasLibrary { planner.known = try KnownTracks(try data.existingFolder()) }
        let summary = try summary(planner, run)
        for problem in summary.problems { Terminal.complain(Terminal.harmless(problem)) }
        if printsJSON {
            Terminal.print(try JSONLine.text(summary))
        } else {
            let tracks = summary.trackCount == 1 ? "1 track" : "\(summary.trackCount) tracks"
            let parts = summary.partCount == 1 ? "1 part" : "\(summary.partCount) parts"
            Terminal.print("\(tracks) in \(parts); left out \(summary.knownCount) that the library knows")
        }
        return summary.problems.isEmpty ? .success : .someFailed
    }

    private func summary(_ planner: BatchPlanner, _ run: BatchRun) throws -> BatchPlanner.Summary {
        if source.hasPrefix("s3:") {
            guard case .bucket(let name, let prefix) = TrackRoot(text: source) else {
                throw UsageError(message: "\(source): give the address of a bucket as s3://BUCKET/PREFIX")
            }
            guard root == nil else { throw UsageError(message: "--root is for lists of files only") }
            return try planner.plan(bucket: name, prefix: prefix, to: run)
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: source, isDirectory: &isFolder) else {
            throw UsageError(message: "\(source): there is no such folder or list of files")
        }
        if isFolder.boolValue {
            guard root == nil else { throw UsageError(message: "--root is for lists of files only") }
            return try planner.plan(MusicFolder(path: source), to: run)
        }
        guard case .folder(let folder) = TrackRoot(text: root ?? "/") else {
            throw UsageError(message: "--root must be an absolute path, not \(root ?? "")")
        }
        return try planner.plan(list: source, folder: folder, to: run)
    }
}
