import Foundation
import HTTPServer
import MusicShared
import Testing
import TestSupport
@testable import LibraryStore

@testable import Companion
@testable import StreamHost

/// Jobs that analyse files ahead of time.
@Suite("Jobs over HTTP", .timeLimit(.minutes(30)))
struct JobRouteTests {
    private static func piece(_ seed: UInt64) throws -> [UInt8] {
        try Encoders.lame(PCM.music(frameCount: 2 * 44_100, seed: seed), ["-b", "64"])
    }

    private func precompute(_ body: String?, _ served: ServedLibrary) async throws -> ServedLibrary.Answer {
        try await served.get(
            "/visualizer/precompute",
            ["-X", "POST"]
                + (body.map { ["-H", "Content-Type: application/json", "--data-binary", $0] } ?? []))
    }

    private func report(_ answer: ServedLibrary.Answer) throws -> JobReport {
        try JSONDecoder().decode(JobReport.self, from: Data(answer.body))
    }

    /// Waits for a job to finish.
    private func finished(_ id: Int, _ served: ServedLibrary) async throws -> JobReport {
        try await until {
            let job = try report(try await served.get("/jobs/\(id)"))
            return job.finishedAt == nil ? nil : job
        }
    }

    /// Runs a host without workers, so that the queue does not change until a test starts one.
    private func withoutWorkers(
        _ files: [(name: String, bytes: [UInt8])], _ body: (ServedLibrary) async throws -> Void
    ) async throws {
        try await ServedLibrary.with(files, settings: { $0.workers.count = 0 }, body)
    }

    /// Creates a worker for a host without workers.
    private func worker(_ served: ServedLibrary) throws -> AnalysisWorkers {
        try AnalysisWorkers(
            music: served.music, data: served.data, library: served.library,
            frames: SpectrumStore(served.data),
            queue: AnalysisQueue(served.data), options: .init(), report: { _ in })
    }

    @Test(
        "Jobs for one file, several or all compute their results and report failures with reasons"
    )
    func precompute() async throws {
        try await ServedLibrary.with([("0.mp3", Self.piece(0))]) { served in
            for seed in 1...4 {
                try Data(Self.piece(UInt64(seed))).write(to: URL(filePath: served.file("\(seed).mp3")))
            }
            try Data("no music".utf8).write(to: URL(filePath: served.file("bad.mp3")))

            let one = try await precompute(#"{"relative_path":"1.mp3","parts":["frames"]}"#, served)
            #expect(one.status == 202)
            let first = try report(one)
            #expect(one.field("Location") == "/jobs/\(first.id)")
            #expect(first.total == 1 && first.parts == ["frames"] && first.kind == "precompute")
            #expect(try await finished(first.id, served).done == 1)
            #expect(
                try await served.get("/visualizer/frames?relative_path=1.mp3").json("frame_count") as? Int
                    == 60)

            let many = try report(
                try await precompute(#"{"paths":["0.mp3","2.mp3","2.mp3","bad.mp3","none.mp3"]}"#, served))
            #expect(many.total == 4)
            let manyDone = try await finished(many.id, served)
            #expect(manyDone.state == .finished && manyDone.done == 2 && manyDone.failed == 2)
            #expect(
                manyDone.failures?.map(\.code).sorted() == ["no_such_track", "text"]
                    || manyDone.failures?.map(\.relativePath).sorted() == ["bad.mp3", "none.mp3"])

            let all = try report(try await precompute(nil, served))
            #expect(all.state == .preparing || all.state == .running || all.state == .finished)
            let allDone = try await finished(all.id, served)
            // 1.mp3 did not have a profile yet.
            #expect(allDone.total == 6 && allDone.done == 5 && allDone.failed == 1)
            for name in 0...4 {
                #expect(try await served.get("/smart-dj/profile?relative_path=\(name).mp3").status == 200)
                #expect(try await served.get("/visualizer/frames?relative_path=\(name).mp3").status == 200)
            }
            let list = try JSONDecoder().decode(
                JobList.self, from: Data(try await served.get("/jobs").body))
            #expect(list.jobs.map(\.id) == [all.id, many.id, first.id])
            #expect(try await served.get("/health").json("queue_length") as? Int == 0)
        }
    }

    @Test("Jobs can be forced and cancelled; unknown IDs are rejected")
    func forceAndCancel() async throws {
        let files = try (0..<3).map { ("\($0).mp3", try Self.piece(UInt64($0))) }
        try await withoutWorkers(files) { served in
            try Data(try Self.piece(3)).write(to: URL(filePath: served.file("new.mp3")))
            let first = try report(try await precompute(#"{"relative_path":"new.mp3"}"#, served))
            let job = try report(
                try await precompute(#"{"paths":["0.mp3","1.mp3","2.mp3"],"force":true}"#, served))
            #expect(job.total == 3 && job.done == 0)
            let ended = try await served.get("/jobs/\(job.id)", ["-X", "DELETE"])
            #expect(ended.status == 200)
            let report = try report(ended)
            #expect(report.state == .cancelled && report.cancelled == 3)
            let forced = try self.report(
                try await precompute(#"{"paths":["0.mp3"],"force":true}"#, served))
            let worker = try worker(served)
            defer { worker.stop(withinSeconds: 60) }
            #expect(try await finished(first.id, served).done == 1)
            #expect(try await finished(forced.id, served).done == 1)
            #expect(worker.counts.doneCount == 2)
            for method in ["GET", "DELETE"] {
                #expect(try await served.get("/jobs/999", ["-X", method]).status == 404)
                #expect(try await served.get("/jobs/x", ["-X", method]).status == 404)
            }
        }
    }

    @Test(
        "Contradictory requests are rejected and name the field",
        arguments: [
            (#"{"relative_path":"none.mp3"}"#, 404, "relative_path"),
            (#"{"relative_path":"../cbr.mp3"}"#, 404, "relative_path"),
            (#"{"relative_path":"cbr.mp3","paths":[]}"#, 422, "paths"), (#"{"all":false}"#, 422, "all"),
            (#"{"force":true}"#, 422, "all"),
            (#"{"parts":[]}"#, 422, "parts"), (#"{"parts":["covers"]}"#, 422, "parts"),
            (#"{"path":"cbr.mp3"}"#, 400, "path"),
        ])
    func refusals(body: String, status: Int, field: String) async throws {
        let served = try await ServedStreams.library.value
        let answer = try await precompute(body, served)
        #expect(answer.status == status)
        #expect(try answer.json("error", "field") as? String == field)
    }

    @Test("A requested track is moved to the front of the queue and reported with its position")
    func places() async throws {
        try await withoutWorkers([("0.mp3", Self.piece(0))]) { served in
            for seed in 1...6 {
                try Data(Self.piece(UInt64(seed))).write(to: URL(filePath: served.file("\(seed).mp3")))
            }
            let job = try report(
                try await precompute(#"{"paths":["6.mp3","1.mp3","2.mp3","3.mp3"]}"#, served))
            func place(_ path: String) async throws -> Int? {
                let answer = try await served.get("/smart-dj/profile?relative_path=\(path)")
                #expect(answer.status == 202)
                return try answer.json("position") as? Int
            }
            let store = try WorkStore(served.data)
            try await until { try store.job(id: job.id)?.state != .preparing }
            // One file is in progress, with a worker that dies before it finishes.
            do {
                let other = try WorkerIdentity(store)
                defer { withExtendedLifetime(other) {} }
                guard case .task(let begun) = try store.begin(by: other, running: 0, limit: 1) else {
                    Issue.record("nothing waits")
                    return
                }
                #expect(begun.path == RelativePath(text: "6.mp3"))
                #expect(try await place("4.mp3") == 2)
                #expect(try await place("5.mp3") == 3)
                #expect(try await place("4.mp3") == 2)
            }
            let worker = try worker(served)
            defer { worker.stop(withinSeconds: 60) }
            #expect(try await finished(job.id, served).done == 4)
            for name in ["4.mp3", "5.mp3"] {
                #expect(try await served.get("/smart-dj/profile?relative_path=\(name)").status == 200)
            }
        }
    }
}
