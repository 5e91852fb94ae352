import Companion
import Foundation
import HostAccounts
import LibraryStore
import StreamHost
import Testing
import TestSupport

@Suite("Library and analyses over HTTP", .timeLimit(.minutes(30)))
struct LibraryDownloadTests {
    private let served: ServedLibrary

    init() async throws { served = try await ServedStreams.library.value }

    @Test("The database can be opened with sqlite3, has the same rows and contains no secrets")
    func database() async throws {
        let directory = try TemporaryDirectory()
        let answer = try await served.get("/db")
        let copy = try directory.write(answer.body, as: "copy.sqlite")
        #expect(try sqlite3Tool(copy, "PRAGMA integrity_check").output == "ok\n")
        for table in ["tracks", "analyses", "analysis_details", "albums", "artists"] {
            let query = "SELECT count(*) FROM \(table)"
            #expect(try sqlite3Tool(copy, query).output == sqlite3Tool(served.library.path, query).output)
        }
        #expect(!String(decoding: answer.body, as: UTF8.self).contains(served.secrets.apiKeyText))
        let tag = try #require(answer.field("ETag"))
        #expect(try await served.get("/db", ["-H", "If-None-Match: \(tag)"]).status == 304)
        #expect(try await served.get("/db", ["-r", "0-15"]).text == "SQLite format 3\0")
    }

    @Test("The analysis equals the report of the command line")
    func analysis() async throws {
        let answer = try await served.get("/tracks/\(try served.id("cbr.mp3"))/analysis")
        #expect(try answer.json("relative_path") as? String == "cbr.mp3")
        #expect(try answer.json("sample_count") as? Int == 20 * 44_100 + 777)
        #expect(try answer.json("integrated_lufs") as? Double != nil)
    }

    @Test("Spectrum frames have a 32-byte header and a matrix that can be read by ranges")
    func visualizer() async throws {
        let path = "/tracks/\(try served.id("cbr.mp3"))/visualizer"
        let binary = try await served.get(path)
        func word(_ offset: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(binary.body[offset + $1]) << (8 * $1) }
        }
        let frames = Int((Double(20 * 44_100 + 777) / 44_100 * 30).rounded(.up))
        #expect(Array(binary.body[0..<4]) == Array("AVF1".utf8))
        #expect(word(4) == 32 && Int(word(8)) == frames && word(12) == 64)
        #expect(Float(bitPattern: word(16)) == 30)
        #expect(binary.body.count == 32 + frames * 64)
        let row = try await served.get(path, ["-r", "\(32 + 10 * 64)-\(32 + 11 * 64 - 1)"])
        #expect(row.status == 206 && row.body == Array(binary.body[(32 + 640)..<(32 + 704)]))
        let json = try await served.get(path + "?format=json")
        let rows = try #require(try json.json("frames") as? [[Int]])
        #expect(rows.count == frames && rows[10].map { UInt8($0) } == row.body)
        let floats = try await served.get(path + "?type=float32")
        #expect(floats.body.count == 32 + frames * 64 * 4)
        #expect(try await served.get(path + "?type=int64").status == 422)
    }

    @Test("The waveform is available in both audiowaveform formats")
    func waveform() async throws {
        let path = "/tracks/\(try served.id("cbr.mp3"))/waveform"
        let json = try await served.get(path)
        let data = try #require(try json.json("data") as? [Int])
        #expect(try json.json("version") as? Int == 2)
        #expect(try json.json("length") as? Int == data.count / 2)
        let binary = try await served.get(path + "?format=dat").body
        #expect(binary[0] == 2 && binary[4] == 1)
        #expect(binary.dropFirst(24).map { Int(Int8(bitPattern: $0)) } == data)
    }

    @Test(
        "Missing items are 404 with a JSON error",
        arguments: ["/tracks/9999/stream.m3u8", "/tracks/x/analysis", "/nothing"])
    func notFound(path: String) async throws {
        let answer = try await served.get(path)
        #expect(answer.status == 404)
        #expect(try answer.json("error", "message") as? String != nil)
    }
}
