import Foundation
import MP4Audio
import TestSupport
import Testing

@testable import RadioRelay

@Suite("Frames of stations", .timeLimit(.minutes(5)))
struct FrameSplitterTests {
    @Test("AAC frames are found completely, however the bytes are split", arguments: [1, 100, 4096])
    func adts(_ size: Int) async throws {
        let bytes = try await StationSound.adts.value
        let junk: [UInt8] = [0xFF, 0xF1, 0, 0xFF, 0xF1, 0x50, 1, 2, 3]
        var feed = ADTSFeed()
        var found: [UInt8] = []
        let input = junk + bytes
        for start in stride(from: 0, to: input.count, by: size) {
            feed.append(input[start..<min(start + size, input.count)])
            while let frame = feed.next() { found += frame.bytes }
        }
        #expect(found == bytes && feed.skippedBytes == junk.count)
        // ffprobe counts the same frames.
        let directory = try TemporaryDirectory()
        let run = try ProcessRun.run(
            "ffprobe",
            [
                "-v", "error", "-count_packets", "-show_entries",
                "stream=nb_read_packets,sample_rate,channels",
                "-of", "csv=p=0", try directory.write(bytes, as: "x.aac"),
            ])
        let header = try #require(ADTSHeader(bytes))
        #expect(
            run.text.trimmingCharacters(in: .whitespacesAndNewlines)
                == "\(header.sampleRate),\(header.channelConfiguration),\(feed.frameCount)")
    }

    @Test(
        "The audio of a transport stream is extracted, however the bytes are split",
        arguments: [100, 188, 5000])
    func transportStream(_ size: Int) async throws {
        let bytes = try await StationSound.transportStream.value
        #expect(TransportStreamFeed.begins(bytes))
        var feed = TransportStreamFeed()
        var sound: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            sound += feed.take(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        // ffmpeg extracts the same stream.
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes, as: "x.ts")
        try ProcessRun.run("ffmpeg", ["-v", "error", "-i", path, "-c", "copy", directory.file("x.aac")])
        let expected = try directory.read("x.aac")
        #expect(sound.count > 10_000)
        var splitter = FrameSplitter()
        var others = FrameSplitter()
        #expect(try splitter.take(sound) == others.take(expected))
    }

    @Test("Damaged bytes never stop the search, and other formats are rejected")
    func damage() async throws {
        var generator = SeededGenerator(seed: 3)
        let mp3 = try await StationSound.mp3.value
        let adts = try await StationSound.adts.value
        for source in [mp3, adts, try await StationSound.transportStream.value] {
            for _ in 0..<20 {
                var bytes = Array(source.prefix(30_000))
                for _ in 0..<50 {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
                        in: 0...255, using: &generator)
                }
                var splitter = FrameSplitter()
                _ = try splitter.take(bytes)
                var feed = TransportStreamFeed()
                _ = feed.take(bytes)
            }
        }
        var splitter = FrameSplitter()
        let noise = (0..<600_000).map { _ in UInt8.random(in: 0..<0xFF, using: &generator) }
        #expect(throws: RelayError.self) { try splitter.take(noise) }
    }

    @Test(
        "Titles of HLS segments",
        arguments: [
            ("", nil), ("no desc", nil), ("A - B", "A - B"),
            (#"title="Song, One",artist="Band""#, "Band - Song, One"), (#"title="",artist="""#, nil),
        ] as [(String, String?)])
    func titles(_ text: String, _ title: String?) { #expect(LiveHLSSource.title(text) == title) }
}
