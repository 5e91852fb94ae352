import Foundation
import HTTPServer
import TestSupport
import Testing

@testable import StreamHost

@Suite("Audio through the OpenSubsonic API", .timeLimit(.minutes(30)))
struct SubsonicMediaTests {
    private let library: SubsonicLibrary

    init() async throws { library = try await SubsonicLibrary.shared.value }

    private func get(_ endpoint: String, _ query: String, _ options: [String] = []) async throws
        -> ServedLibrary.Answer
    {
        try await library.served.get("/rest/\(endpoint)?\(library.credentials)&\(query)", options, key: "")
    }

    @Test(
        "The original is streamed byte for byte, whole and in ranges",
        arguments: ["stream", "stream.view", "download"])
    func original(endpoint: String) async throws {
        let id = try library.id("c/1.mp3")
        let file = [UInt8](try Data(contentsOf: URL(filePath: library.served.file("c/1.mp3"))))
        let whole = try await get(endpoint, "id=\(id)")
        #expect(whole.status == 200 && whole.body == file && whole.field("Content-Type") == "audio/mpeg")
        #expect(whole.field("Content-Length") == "\(file.count)")
        let part = try await get(endpoint, "id=\(id)", ["-r", "100-199"])
        #expect(part.status == 206 && part.body == Array(file[100..<200]))
    }

    @Test("A lower maxBitRate gives the low quality of the same length; raw gives the original")
    func lowQuality() async throws {
        let id = try library.id("c/1.mp3")
        let low = try await get("stream", "id=\(id)&maxBitRate=96&format=mp3&estimateContentLength=true")
        let directory = try TemporaryDirectory()
        let path = try directory.write(low.body, as: "low.mp3")
        let probe = try await ProcessRun.aside(
            "ffprobe", ["-v", "error", "-show_entries", "format=duration,bit_rate", "-of", "csv=p=0", path]
        ).text
        let numbers = probe.split(whereSeparator: { ",\n".contains($0) }).compactMap { Double($0) }
        #expect(
            numbers.count == 2 && abs(numbers[0] - 4) < 0.2 && abs(numbers[1] - 64_000) < 2_000, "\(probe)")
        for query in [
            "maxBitRate=0", "maxBitRate=320", "maxBitRate=96&format=raw", "maxBitRate=9223372036854775807",
        ] {
            #expect(try await get("stream", "id=\(id)&\(query)").body.count > low.body.count * 2, "\(query)")
        }
    }

    @Test("timeOffset starts at the frame that plays then")
    func timeOffset() async throws {
        let id = try library.id("c/1.mp3")
        let rest = try await get("stream", "id=\(id)&timeOffset=3")
        let directory = try TemporaryDirectory()
        let path = try directory.write(rest.body, as: "rest.mp3")
        let seconds = try await ProcessRun.aside(
            "ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path]
        ).text.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(abs((Double(seconds) ?? 0) - 1.07) < 0.1, "\(seconds)")
        #expect(try await library.error("stream", "id=\(id)&timeOffset=999999999") == 0)
    }

    @Test("hls.m3u8 leads to a playlist that plays without further credentials")
    func hls() async throws {
        let id = try library.id("c/1.mp3")
        for query in ["id=\(id)", "id=\(id)&bitRate=64"] {
            let run = try await ProcessRun.aside(
                "ffprobe",
                [
                    "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0",
                    "\(library.served.base)/rest/hls.m3u8?\(library.credentials)&\(query)",
                ])
            let seconds = Double(run.text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
            #expect(abs(seconds - 4) < 0.2, "\(run.text)")
        }
    }
}
