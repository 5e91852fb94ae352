import AudioFrames
import FLACAudio
import Foundation
import TestSupport
import Testing

@testable import FragmentedMP4

/// Fragmented MP4 files, read by ffprobe and ffmpeg.
@Suite("Fragmented MP4")
struct FragmentedMP4Tests {
    private static let formats: [(rate: Int, channels: Int, depth: Int, options: [String])] = [
        (8_000, 1, 16, []), (44_100, 2, 16, []), (44_100, 2, 24, ["-b", "1000"]),
        (48_000, 6, 24, ["-b", "16384"]),
        (96_000, 2, 24, []), (192_000, 2, 24, ["-b", "65535"]), (37_800, 2, 16, []),
    ]

    /// Cuts a FLAC file into fragments.
    private static func file(_ bytes: [UInt8], base: Int = 0) throws -> [UInt8] {
        let stream = try FLACAudioStream.scan(bytes.span.bytes)
        let info = StreamInfo(
            index: stream.index, sampleRate: stream.format.sampleRate,
            channelCount: stream.format.channelCount, bitDepth: stream.format.bitDepth)
        var file = InitializationSegment.bytes(
            AudioSampleEntry(
                coding: .flac(streamInfo: info.bytes), sampleRate: stream.format.sampleRate,
                channelCount: stream.format.channelCount, bitDepth: stream.format.bitDepth))
        let plan = FrameSegmentPlan(index: stream.index, targetSamples: stream.format.sampleRate)
        for segment in plan.segments {
            let samples = segment.frames.map { frame in
                FragmentHeader.Sample(
                    byteCount: stream.index[frame].range.count, duration: stream.index[frame].sampleCount)
            }
            file += FragmentHeader.bytes(
                number: segment.index + 1, startSample: base + segment.startSample, samples: samples)
            for range in segment.byteRanges { file += bytes[range] }
        }
        return file
    }

    @Test("ffmpeg decodes the file to the samples that were encoded", arguments: formats.indices)
    func decoded(index: Int) throws {
        let (rate, channels, depth, options) = Self.formats[index]
        let sound = IntegerSound.tones(
            frameCount: rate * 3 + 321, sampleRate: rate, channelCount: channels, bitDepth: depth)
        let file = try Self.file(try sound.flac(options))
        let directory = try TemporaryDirectory()
        let path = try directory.write(file, as: "cut.mp4")
        let run = try ProcessRun.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "warning", "-i", path, "-f", "s\(depth)le", "-c:a", "pcm_s\(depth)le", "-",
            ])
        #expect([UInt8](run.output) == sound.bytes)
        #expect(run.errors.isEmpty, "\(String(decoding: run.errors, as: UTF8.self))")
    }

    @Test("ffprobe states the format, and time and size of every frame", arguments: formats.indices)
    func probed(index: Int) throws {
        let (rate, channels, _, options) = Self.formats[index]
        let sound = IntegerSound.tones(
            frameCount: rate * 2 + 77, sampleRate: rate, channelCount: channels, bitDepth: 16)
        let base = 1 << 34
        let bytes = try sound.flac(options)
        let file = try Self.file(bytes, base: base)
        let directory = try TemporaryDirectory()
        let path = try directory.write(file, as: "cut.mp4")
        let run = try ProcessRun.run(
            "ffprobe",
            [
                "-v", "error", "-show_entries",
                "stream=codec_name,sample_rate,channels,time_base:packet=pts,size",
                "-of", "json", path,
            ])
        let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        let stream = try #require((report["streams"] as? [[String: Any]])?.first)
        #expect(stream["codec_name"] as? String == "flac")
        #expect(stream["sample_rate"] as? String == "\(rate)")
        #expect(stream["channels"] as? Int == channels)
        #expect(stream["time_base"] as? String == "1/\(rate)")
        let packets = try #require(report["packets"] as? [[String: Any]])
        let frames = try FLACAudioStream.scan(bytes.span.bytes).index
        #expect(packets.map { $0["pts"] as? Int } == (0..<frames.count).map { base + frames[$0].startSample })
        #expect(
            packets.map { $0["size"] as? String } == (0..<frames.count).map { "\(frames[$0].range.count)" })
    }

    @Test("The preroll of Opus is stated as ffmpeg states it, and ffmpeg reads fragments with it")
    func preroll() throws {
        let directory = try TemporaryDirectory()
        let sound = IntegerSound.tones(frameCount: 96_000, sampleRate: 48_000)
        let path = try directory.write(try sound.opus([]), as: "a.opus")
        try ProcessRun.run(
            "ffmpeg", ["-v", "error", "-i", path, "-c", "copy", directory.file("reference.mp4")])
        let reference = try Self.box("sgpd", in: directory.read("reference.mp4"))
        let entry = AudioSampleEntry(
            coding: .opus(specificBox: Array([0, 2, 1, 56, 0, 0, 187, 128, 0, 0, 0])), sampleRate: 48_000,
            channelCount: 2, bitDepth: 16)
        // 80 ms in packets of 20 ms.
        let start = InitializationSegment.bytes(entry, skippedSamples: 312, prerollFrames: 4)
        #expect(try Self.box("sgpd", in: start) == reference)
        #expect(InitializationSegment.bytes(entry).firstRange(of: Array("sgpd".utf8)) == nil)
        // Packets of silence.
        let header = FragmentHeader.bytes(
            number: 1, startSample: 0,
            samples: .init(repeating: .init(byteCount: 3, duration: 960), count: 50),
            needsPreroll: true)
        let group = try Self.box("sbgp", in: header)
        #expect(
            group
                == MP4Boxes.full(
                    "sbgp", Array("roll".utf8), MP4Boxes.number(1, 4), MP4Boxes.number(50, 4),
                    MP4Boxes.number(1, 4)))
        let packets = [[UInt8]](repeating: [0xF8, 0xFF, 0xFE], count: 50).flatMap { $0 }
        let cut = try directory.write(start + header + packets, as: "cut.mp4")
        let run = try ProcessRun.run(
            "ffmpeg", ["-nostdin", "-v", "warning", "-i", cut, "-f", "s16le", "-ac", "1", "-"])
        #expect(run.errors.isEmpty && run.output.count == 2 * (48_000 - 312))
    }

    /// Returns the first box of a type, wherever it is.
    private static func box(_ type: String, in file: [UInt8]) throws -> [UInt8] {
        let place = try #require(file.firstRange(of: Array(type.utf8))).lowerBound - 4
        return Array(file[place..<place + file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }])
    }

    @Test("A rate above 65,535 Hz is stored as the largest that fits and divides it")
    func highRates() {
        // 96,000 = 2 · 48,000; 192,000 = 3 · 64,000; 352,800 = 6 · 58,800; 65,537 is prime.
        for (rate, stored) in [
            (96_000, 48_000), (192_000, 64_000), (352_800, 58_800), (65_537, 0), (44_100, 44_100),
        ] {
            var writer = BoxWriter()
            AudioSampleEntry(
                coding: .flac(streamInfo: [UInt8](repeating: 0, count: 34)), sampleRate: rate,
                channelCount: 2,
                bitDepth: 16
            ).write(to: &writer)
            // Size, type, 6 + 2 bytes, 8 reserved, channels, depth, 4 reserved.
            let field = writer.bytes[32..<36].reduce(0) { $0 << 8 | Int($1) }
            #expect(field == stored << 16, "\(rate)")
        }
    }
}
