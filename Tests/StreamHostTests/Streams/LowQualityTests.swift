import Analyzer
import Companion
import Foundation
import LibraryStore
import Testing
import TestSupport

@testable import StreamHost

/// Streams at a low bit rate, as decoded by ffmpeg.
@Suite("Low quality", .timeLimit(.minutes(30)))
struct LowQualityTests {
    private let served: ServedLibrary

    init() async throws { served = try await ServedStreams.library.value }

    private static let kinds = ["cbr.mp3", "vbr.mp3", "crc.mp3", "mono.mp3", "tagged.mp3"]

    private func playlist(_ name: String, _ query: String = "") async throws -> String {
        try await served.get("/tracks/\(try served.id(name))/stream.m3u8\(query)").text
    }

    /// Returns samples of the first channel of an untrimmed stream.
    private func samples(_ path: String, _ rate: Int) async throws -> [Float] {
        let run = try await ProcessRun.aside(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-headers", served.authorization + "\r\n", "-i",
                "\(served.base)\(path)", "-ar", "\(rate)", "-ac", "1", "-f", "f32le", "-",
            ])
        return run.output.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }

    @Test(
        "Low-quality segments have the same durations and positions as the original's",
        arguments: kinds)
    func standsWhereTheOriginalDoes(name: String) async throws {
        let id = try served.id(name)
        func lengths(_ text: String) -> [Substring] {
            text.split(separator: "\n").filter { $0.hasPrefix("#EXTINF") }
        }
        let original = try await playlist(name)
        let low = try await playlist(name, "?quality=low")
        #expect(lengths(low) == lengths(original))
        #expect(low.contains("quality=low") && !original.contains("quality"))

        let rate = try #require(ServedStreams.kinds.first { $0.name == name }).rate
        let one = try await samples("/tracks/\(id)/stream.m3u8", rate)
        let other = try await samples("/tracks/\(id)/stream.m3u8?quality=low", rate)
        #expect(one.count == other.count)
        func difference(_ shift: Int) -> Double {
            (rate * 9..<rate * 9 + 8000).reduce(0) { sum, place in
                let difference = Double(one[place] - other[place + shift])
                return sum + difference * difference
            }
        }
        #expect((-30...30).min { difference($0) < difference($1) } == 0)
    }

    @Test("The master playlist lists it second, with correct bit rates", arguments: kinds)
    func isListed(name: String) async throws {
        let id = try served.id(name)
        let master = try await served.get("/tracks/\(id)/master.m3u8").text
        let rates = master.matches(of: /:BANDWIDTH=(\d+),AVERAGE-BANDWIDTH=(\d+),/).compactMap { match in
            Int(match.1).flatMap { peak in Int(match.2).map { (peak: peak, average: $0) } }
        }
        let addresses = master.split(separator: "\n").filter { !$0.hasPrefix("#") }
        try #require(rates.count == 2)
        #expect(!addresses[0].contains("quality") && addresses[1] == "stream.m3u8?quality=low")
        #expect(rates[1].peak < rates[0].peak)
        let segments = try await playlist(name, "?quality=low").split(separator: "\n")
        let seconds = segments.filter { $0.hasPrefix("#EXTINF:") }.compactMap {
            Double($0.dropFirst(8).prefix { $0 != "," })
        }
        var sizes: [Int] = []
        for path in segments where !path.hasPrefix("#") {
            sizes.append(try await served.get("/tracks/\(id)/\(path)").body.count)
        }
        try #require(sizes.count == seconds.count)
        let peak = zip(sizes, seconds).map { Double($0 * 8) / $1 }.max() ?? 0
        #expect(peak <= Double(rates[1].peak) && peak > 0.9 * Double(rates[1].peak))
        let average = Double(sizes.reduce(0, +) * 8) / seconds.reduce(0, +)
        #expect(abs(average / Double(rates[1].average) - 1) < 0.02)
    }

    @Test("It is created once and cached by audio")
    func isMadeOnce() async throws {
        let id = try served.id("cbr.mp3")
        let path = "/tracks/\(id)/segments/1.mp3?quality=low"
        let first = try await served.get(path)
        #expect(first.status == 200)
        // Segments are sent while the rest is encoded; the whole file waits until it is stored.
        #expect(try await served.get("/tracks/\(id)/audio.mp3?quality=low").status == 200)
        let folder = served.data.path + "/renditions"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        let hash = try #require(try served.library.track(id: id)?.analysis).audioHash.description
        let file = try #require(files.first { $0.hasPrefix(hash) })
        #expect(files.filter { $0.hasPrefix(hash) }.count == 1)
        let made = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")
        let second = try await served.get(path)
        #expect(second.body == first.body && second.field("ETag") == first.field("ETag"))
        let kept = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")
        #expect(made[.systemFileNumber] as? Int == kept[.systemFileNumber] as? Int)
        // The ETag differs from the original's, or caches would mix them up.
        #expect(try await served.get("/tracks/\(id)/segments/1.mp3").field("ETag") != first.field("ETag"))
    }

    @Test(
        "Tracks without a low quality neither list nor serve one",
        arguments: ["low.mp3", "mpeg2.mp3", "mpeg2.5.mp3"])
    func isNotThere(name: String) async throws {
        let id = try served.id(name)
        let master = try await served.get("/tracks/\(id)/master.m3u8").text
        #expect(!master.contains("quality"))
        let refused = try await served.get("/tracks/\(id)/stream.m3u8?quality=low")
        #expect(refused.status == 422)
        #expect(try refused.json("error", "code") as? String == "no_low_quality")
    }

    @Test(
        "Incompatible options are rejected",
        arguments: [
            ("?quality=best", 422), ("?quality=low&form=byteranges", 422),
            ("?quality=low&normalize=-20", 422),
        ])
    func whatDoesNotGoTogether(query: String, status: Int) async throws {
        let id = try served.id("cbr.mp3")
        #expect(try await served.get("/tracks/\(id)/stream.m3u8\(query)").status == status)
    }
}
