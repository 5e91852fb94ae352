import FileSystem
import Foundation
import TestSupport
import Testing

@testable import Analyzer

/// Parts of files as files of their own, compared with the reference decoder.
@Suite("Parts of audio files")
struct PartFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Divides a file at samples, and returns the parts as files.
    private func divided(_ bytes: [UInt8], _ ranges: [Range<Int>]) throws -> [[UInt8]] {
        let path = try directory.write(bytes, as: "whole-\(UUID().uuidString)")
        let file = try MappedFile(path: Array(path.utf8))
        let parts = try AudioPart.find(in: file) { _ in ranges }
        #expect(parts.count == ranges.count)
        return try parts.map { part in
            let output = try FileDescriptor.open(
                directory.file("part"), for: .readAndWrite, [.create, .truncate])
            try PartFile.write(part, of: file, to: output)
            return try directory.read("part")
        }
    }

    /// The raw samples that `flac` decodes.
    private func decoded(_ bytes: [UInt8], _ options: [String] = []) throws -> [UInt8] {
        let path = try directory.write(bytes, as: "in.flac")
        return Array(
            try ProcessRun.run(
                "flac",
                ["-d", "-s", "-c", "--force-raw-format", "--endian=little", "--sign=signed"] + options + [
                    path
                ]
            ).output)
    }

    private static let formats: [(rate: Int, channels: Int, depth: Int, options: [String])] = [
        (44_100, 2, 16, []), (44_100, 2, 16, ["-b", "192"]), (8_000, 1, 16, []), (48_000, 6, 24, []),
        (96_000, 2, 24, ["-b", "16384", "--lax"]), (48_000, 2, 32, []), (44_100, 2, 8, []),
        (11_025, 3, 16, ["-0"]),
        (37_800, 2, 16, []),
    ]

    @Test("FLAC parts contain the samples that flac --skip --until decodes", arguments: formats.indices)
    func flac(index: Int) throws {
        let (rate, channels, depth, options) = Self.formats[index]
        let sound = IntegerSound.tones(
            frameCount: 40_000, sampleRate: rate, channelCount: channels, bitDepth: depth)
        let bytes = try sound.flac(options)
        var ranges = [
            0..<1, 1..<15, 15..<4096, 4096..<8192, 8192..<8193, 8193..<20_000, 20_000..<39_995,
            39_995..<40_000,
        ]
        var random = SeededGenerator(seed: UInt64(index))
        for _ in 0..<20 {
            let start = Int.random(in: 0..<39_999, using: &random)
            ranges.append(start..<Int.random(in: start + 1...40_000, using: &random))
        }
        for (range, part) in zip(ranges, try divided(bytes, ranges)) {
            let expected = try decoded(bytes, ["--skip=\(range.lowerBound)", "--until=\(range.upperBound)"])
            #expect(expected.count == range.count * channels * depth / 8)
            #expect(try decoded(part) == expected, "\(range)")
            // The reference decoder accepts the file, and states its exact length.
            let path = try directory.write(part, as: "part.flac")
            try ProcessRun.run("flac", ["-t", "-s", path])
            #expect(
                try ProcessRun.run("metaflac", ["--show-total-samples", path]).text == "\(range.count)\n")
        }
    }

    @Test("Adjacent parts joined are the whole, also as ffmpeg decodes them")
    func joined() throws {
        let sound = IntegerSound.tones(frameCount: 100_000)
        let cuts = [0, 588, 20_001, 65_536, 99_990, 100_000]
        let parts = try divided(try sound.flac(), zip(cuts, cuts.dropFirst()).map { $0..<$1 })
        var samples: [UInt8] = []
        for part in parts {
            let path = try directory.write(part, as: "in.flac")
            samples += try ProcessRun.run("ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-"]).output
        }
        #expect(samples == sound.bytes)
    }

    @Test("Frames within a part keep their coded samples, so it is hardly larger")
    func size() throws {
        let sound = IntegerSound.tones(frameCount: 400_000)
        let bytes = try sound.flac()
        let part = try #require(try divided(bytes, [1000..<399_000]).first)
        // Two uncoded frames at most.
        #expect(part.count < bytes.count + 2 * 4096 * 4)
    }

    @Test("Tags do not change the part, and damaged frames are silent in it")
    func damage() throws {
        let sound = IntegerSound.tones(frameCount: 60_000)
        let bytes = try sound.flac(["-b", "4096"])
        let tagged = try sound.flac(["-b", "4096", "-T", "TITLE=x", "--padding=9000"])
        let range = 5000..<50_000
        #expect(try divided(bytes, [range]) == divided(tagged, [range]))

        let index = try #require(
            AudioPart.find(in: MappedFile(path: Array(directory.write(bytes, as: "d").utf8))) { _ in
                [20_480..<24_576]
            }.first)
        var damaged = bytes
        damaged[index.bytes.lowerBound + 1000] ^= 0xFF
        let part = try #require(try divided(damaged, [range]).first)
        var expected = sound.bytes
        expected.replaceSubrange(20_480 * 4..<24_576 * 4, with: [UInt8](repeating: 0, count: 4096 * 4))
        #expect(try decoded(part) == Array(expected[range.lowerBound * 4..<range.upperBound * 4]))
    }

    @Test("WAV parts are the samples with the same format", arguments: [16, 24])
    func wav(depth: Int) throws {
        let sound = IntegerSound.tones(frameCount: 5001, channelCount: 1, bitDepth: depth)
        let path = try directory.write(sound.flac(), as: "in.flac")
        try ProcessRun.run("flac", ["-d", "-s", "-f", "-o", directory.file("in.wav"), path])
        let ranges = [0..<1, 1..<2000, 2000..<5001]
        for (range, part) in zip(ranges, try divided(directory.read("in.wav"), ranges)) {
            let path = try directory.write(part, as: "part.wav")
            let run = try ProcessRun.run(
                "ffmpeg", ["-v", "error", "-i", path, "-f", "s\(depth)le", "-c:a", "pcm_s\(depth)le", "-"])
            let size = depth / 8
            #expect(
                Array(run.output) == Array(sound.bytes[range.lowerBound * size..<range.upperBound * size]))
        }
    }

    @Test("Parts of a file that has become another one are not written")
    func changedFile() throws {
        let bytes = try IntegerSound.tones(frameCount: 20_000).flac()
        let path = try directory.write(bytes, as: "a.flac")
        let file = try MappedFile(path: Array(path.utf8))
        let part = try #require(AudioPart.find(in: file) { _ in [5000..<15_000] }.first)
        let output = try FileDescriptor.open(
            directory.file("part"), for: .readAndWrite, [.create, .truncate])
        var beyond = part
        beyond.bytes = part.bytes.lowerBound..<bytes.count + 10
        #expect(throws: AnalyzerError.self) { try PartFile.write(beyond, of: file, to: output) }
        try directory.write(bytes.dropLast(100), as: "a.flac")
        let error = #expect(throws: AnalyzerError.self) { try PartFile.write(part, of: file, to: output) }
        #expect(error?.code == .fileChanged)
    }
}
