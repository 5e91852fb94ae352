import Companion
import Foundation
import HTTPServer
import MusicShared
import TestSupport
import Testing

@testable import StreamHost

/// Analyses that are asked for ahead of time.
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

    /// The job at its end.
    private func finished(_ id: Int, _ served: ServedLibrary) async throws -> JobReport {
        for _ in 0..<600 {
            let job = try report(try await served.get("/jobs/\(id)"))
            if job.finishedAt != nil { return job }
            try await Task.sleep(for: .milliseconds(100))
        }
        return try report(try await served.get("/jobs/\(id)"))
    }

    @Test(
        "One file, many and all: frames are there when the job is done, and what failed is told with its reason"
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
            // 1.mp3 lacked its profile.
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

    @Test("Made anew by force, ended by DELETE, and unknown numbers refused")
    func forceAndCancel() async throws {
        let files = try (0..<3).map { ("\($0).mp3", try Self.piece(UInt64($0))) }
        // So long that it is under way when the job is ended.
        let unit = try Encoders.lame(PCM.music(frameCount: 44_100 * 30, seed: 7), ["-b", "128", "-t"])
        let long = ("long.mp3", Array(repeatElement(unit, count: 120).joined()))
        try await ServedLibrary.with(files) { served in
            try Data(long.1).write(to: URL(filePath: served.file(long.0)))
            let first = try report(
                try await precompute(#"{"relative_path":"long.mp3"}"#, served))
            // One worker: the others wait behind.
            let job = try report(
                try await precompute(#"{"paths":["0.mp3","1.mp3","2.mp3"],"force":true}"#, served))
            #expect(job.total == 3 && job.done == 0)
            let ended = try await served.get("/jobs/\(job.id)", ["-X", "DELETE"])
            #expect(ended.status == 200)
            let report = try report(ended)
            #expect(report.state == .cancelled && report.done + report.cancelled == 3)
            #expect(try await finished(first.id, served).done == 1)
            let forced = try self.report(
                try await precompute(#"{"paths":["0.mp3"],"force":true}"#, served))
            #expect(try await finished(forced.id, served).done == 1)
            for method in ["GET", "DELETE"] {
                #expect(try await served.get("/jobs/999", ["-X", method]).status == 404)
                #expect(try await served.get("/jobs/x", ["-X", method]).status == 404)
            }
        }
    }

    @Test(
        "What cannot be meant is refused, with the field at fault",
        arguments: [
            (#"{"relative_path":"none.mp3"}"#, 404, "relative_path"),
            (#"{"relative_path":"../cbr.mp3"}"#, 404, "relative_path"),
            (#"{"relative_path":"cbr.mp3","paths":[]}"#, 422, "paths"), (#"{"all":false}"#, 422, "all"),
            (#"{"parts":[]}"#, 400, "parts"), (#"{"parts":["covers"]}"#, 400, "parts"),
            (#"{"path":"cbr.mp3"}"#, 400, "path"),
        ])
    func refusals(body: String, status: Int, field: String) async throws {
        let served = try await ServedStreams.library.value
        let answer = try await precompute(body, served)
        #expect(answer.status == status)
        #expect(try answer.json("error", "field") as? String == field)
    }

    @Test("A track that is asked for while others are analysed is told its true place, and comes first")
    func places() async throws {
        let unit = try Encoders.lame(PCM.music(frameCount: 44_100 * 30, seed: 7), ["-b", "128", "-t"])
        let long = Array(repeatElement(unit, count: 480).joined())
        try await ServedLibrary.with([("0.mp3", Self.piece(0))]) { served in
            try Data(long).write(to: URL(filePath: served.file("long.mp3")))
            for seed in 1...5 {
                try Data(Self.piece(UInt64(seed))).write(to: URL(filePath: served.file("\(seed).mp3")))
            }
            let job = try report(
                try await precompute(#"{"paths":["long.mp3","1.mp3","2.mp3","3.mp3"]}"#, served))
            func place(_ path: String) async throws -> Int? {
                let answer = try await served.get("/smart-dj/profile?relative_path=\(path)")
                #expect(answer.status == 202)
                return try answer.json("position") as? Int
            }
            while try WorkStore(served.data).job(id: job.id)?.state != .finished {
                // While the long one is under way, nothing else can end.
                let began = try await served.get("/health").json("queue_length") as? Int
                if began == 4 { break }
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(try await place("4.mp3") == 2)
            #expect(try await place("5.mp3") == 3)
            #expect(try await place("4.mp3") == 2)
            #expect(try await finished(job.id, served).done == 4)
            for name in ["4.mp3", "5.mp3"] {
                #expect(try await served.get("/smart-dj/profile?relative_path=\(name)").status == 200)
            }
        }
    }
}
