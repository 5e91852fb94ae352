import Analyzer
import Foundation
import MusicShared
import TestSupport
import Testing

@testable import Companion
@testable import StreamHost

/// Responses for tracks that have not been or could not be analysed.
@Suite("Missing analyses over HTTP", .timeLimit(.minutes(30)))
struct MissingAnalysisTests {
    @Test("Missing frames and waveforms are 404, or 204 on request")
    func missing() async throws {
        let piece = try Encoders.lame(PCM.music(frameCount: 44_100, seed: 1), ["-b", "64"])
        for (parts, path, code) in [
            (AnalysisParts.profile, "visualizer", "no_frames"), (.frames, "waveform", "no_waveform"),
        ] {
            try await ServedLibrary.with([("1.mp3", piece)], parts: parts, settings: { $0.workers.count = 0 })
            {
                served in
                let address = "/tracks/\(try served.id("1.mp3"))/\(path)"
                let refused = try await served.get(address)
                #expect(refused.status == 404)
                #expect(try refused.json("error", "code") as? String == code)
                let empty = try await served.get("\(address)?missing=empty")
                #expect(empty.status == 204 && empty.body.isEmpty)
                #expect(try await served.get("\(address)?missing=none").status == 422)
                // A track that does not exist is an error anyway.
                #expect(try await served.get("/tracks/999/\(path)?missing=empty").status == 404)
            }
        }
    }

    @Test("Files that could not be analysed are listed with reasons and paging until they are analysed")
    func failures() async throws {
        let piece = try Encoders.lame(PCM.music(frameCount: 44_100, seed: 1), ["-b", "64"])
        let files: [(name: String, bytes: [UInt8])] = [
            ("good.mp3", piece), ("b/bad.mp3", Array("no music".utf8)), ("a.mp3", Array("nor here".utf8)),
        ]
        try await ServedLibrary.with(files) { served in
            func list(_ query: String = "") async throws -> AnalysisFailureList {
                try JSONDecoder().decode(
                    AnalysisFailureList.self,
                    from: Data(try await served.get("/analysis/failures\(query)").body))
            }
            let all = try await list()
            #expect(all.failures.map(\.relativePath) == ["a.mp3", "b/bad.mp3"] && all.total == 2)
            #expect(all.failures.map(\.code) == ["other_file_type", "other_file_type"])
            #expect(all.failures.allSatisfy { $0.message.contains("text") && $0.attempts == 1 })
            let second = try await list("?limit=1&offset=1")
            #expect(second.failures == Array(all.failures.dropFirst()) && second.total == 2)
            #expect(try await served.get("/analysis/failures?order=path").status == 400)
            #expect(try await served.get("/analysis/failures", key: "").status == 401)

            try Data(piece).write(to: URL(filePath: served.file("a.mp3")))
            _ = try await aside {
                try LibraryPass(music: served.music, data: served.data, options: PassOptions()).run()
            }
            #expect(try await list().failures.map(\.relativePath) == ["b/bad.mp3"])
        }
    }
}
