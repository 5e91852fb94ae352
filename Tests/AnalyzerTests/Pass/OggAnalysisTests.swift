import Foundation
import TestSupport
import Testing

@testable import Analyzer
import MusicShared

/// Passes over Ogg files with Opus and Vorbis.
@Suite("Ogg analysis")
struct OggAnalysisTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func file(_ bytes: [UInt8], _ name: String = UUID().uuidString) throws -> MappedFile {
        try MappedFile(path: Array(directory.write(bytes, as: name).utf8))
    }

    private func analysis(_ bytes: [UInt8]) throws -> TrackAnalysis { try .of(bytes, in: directory) }

    /// For each channel of blocks its place in the order of the reference decoders: Vorbis I §4.3.9, RFC 9639 §9.1.3.
    private static let places = [
        [0], [0, 1], [0, 2, 1], [0, 1, 2, 3], [0, 2, 1, 3, 4], [0, 2, 1, 5, 3, 4],
        [0, 2, 1, 6, 5, 3, 4], [0, 2, 1, 7, 5, 6, 3, 4],
    ]

    private static func interleaved(_ channels: [[Float]]) -> [Float] {
        let order = places[channels.count - 1]
        var result = [Float](repeating: 0, count: channels.count * channels[0].count)
        for (channel, place) in order.enumerated() {
            for (index, sample) in channels[channel].enumerated() {
                result[index * channels.count + place] = sample
            }
        }
        return result
    }

    private func compareOpus(_ bytes: [UInt8], _ name: String) throws {
        let decoded = try DecodedSound(bytes)
        let theirs = try OggReference.opus(bytes)
        #expect(decoded.result == DecodedAudio(), "\(name)")
        #expect(decoded.channels.allSatisfy { $0.count == decoded.sampleCount }, "\(name)")
        #expect(decoded.sampleCount * decoded.channels.count == theirs.count, "\(name)")
        let isSame = Self.interleaved(decoded.channels) == theirs
        #expect(isSame, "\(name)")
    }

    private func compareVorbis(_ bytes: [UInt8], _ name: String) throws {
        let decoded = try DecodedSound(bytes)
        let theirs = try OggReference.vorbis(bytes)
        #expect(decoded.result == DecodedAudio(), "\(name)")
        #expect(decoded.channels.allSatisfy { $0.count == decoded.sampleCount }, "\(name)")
        #expect(decoded.sampleCount * decoded.channels.count == theirs.count, "\(name)")
        // oggdec rounds to 16 bits.
        let isSame = zip(Self.interleaved(decoded.channels), theirs).allSatisfy { own, other in
            abs(max(-32_768, min(32_767, own * 32_768)) - Float(other)) <= 1
        }
        #expect(isSame, "\(name)")
    }

    // MARK: - Samples

    /// Combinations of all values, 20 for each: numbers without a common factor meet in every pairing.
    @Test(
        "200 Opus files of all input rates, frame sizes, channels and bit rates have the samples of opusdec",
        arguments: [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 44_100, 48_000, 96_000, 192_000])
    func manyOpusFiles(rate: Int) throws {
        let frames = ["2.5", "5", "10", "20", "40", "60"]
        for number in 0..<20 {
            let channels = 1 + (number + rate / 100) % 6
            let options = [
                "--framesize", frames[(number + rate / 25) % 6], "--bitrate",
                "\(channels * [12, 24, 32, 64, 96, 160, 200][number % 7])",
                ["--vbr", "--cvbr", "--hard-cbr"][number % 3],
            ]
            let sound = IntegerSound.tones(
                frameCount: 2_000 + 1_237 * number, sampleRate: rate, channelCount: channels,
                seed: UInt64(rate + number))
            try compareOpus(try sound.opus(options), "\(rate) Hz, \(channels) channels, \(options)")
        }
    }

    @Test(
        "200 Vorbis files of all rates, channels and qualities have the samples of oggdec",
        arguments: [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000])
    func manyVorbisFiles(rate: Int) throws {
        for number in 0..<20 {
            let channels = 1 + (number + rate / 100) % 6
            let options = ["-q", "\(number % 12 - 1)"]
            let sound = IntegerSound.tones(
                frameCount: 1 + 1_237 * number, sampleRate: rate, channelCount: channels,
                seed: UInt64(rate + number))
            let bytes = try sound.vorbis(options)
            let name = "\(rate) Hz, \(channels) channels, \(options)"
            try compareVorbis(bytes, name)
            #expect(
                try AudioStreams.scan(bytes.span.bytes) { _ in }.sampleCount == sound.frameCount, "\(name)")
        }
    }

    @Test("Chained streams have the samples of the reference decoders, without a gap")
    func chains() throws {
        let sounds = (1...3).map {
            IntegerSound.tones(frameCount: 20_000 * $0 + 77, sampleRate: 48_000, seed: UInt64($0))
        }
        let opus = try sounds.flatMap { try $0.opus() }
        try compareOpus(opus, "opus")
        #expect(try DecodedSound(opus).sampleCount == 120_000 + 3 * 77)
        let vorbis = try sounds.flatMap { try $0.vorbis() }
        try compareVorbis(vorbis, "vorbis")
        #expect(try DecodedSound(vorbis).sampleCount == 120_000 + 3 * 77)
        #expect(try analysis(vorbis).stream.remarks == ["3 streams joined"])
    }

    @Test(
        "Streams that start in the middle of a longer one have the samples of the reference decoders",
        arguments: 3...7)
    func cutStarts(first: Int) throws {
        let sound = IntegerSound.tones(frameCount: 400_000, sampleRate: 48_000)
        for (isOpus, bytes) in [(true, try sound.opus()), (false, try sound.vorbis(["-q", "8"]))] {
            let pages = OggTestPage.pages(of: bytes)
            let cut = OggTestPage.file(
                OggTestPage.numbered(Array(pages[..<2] + pages[first...]), serial: 5))
            try isOpus ? compareOpus(cut, "opus") : compareVorbis(cut, "vorbis")
        }
    }

    @Test("The output gain of Opus is applied, as opusdec does")
    func outputGain() throws {
        let sound = IntegerSound.tones(frameCount: 48_000, sampleRate: 48_000)
        var pages = OggTestPage.pages(of: try sound.opus())
        let plain = try analysis(OggTestPage.file(pages))
        // -6 dB.
        pages[0].body[16] = 0
        pages[0].body[17] = UInt8(bitPattern: -6)
        let quiet = OggTestPage.file(pages)
        try compareOpus(quiet, "gain")
        let (one, other) = try (
            #require(plain.profile?.loudness.integratedLUFS),
            #require(analysis(quiet).profile?.loudness.integratedLUFS)
        )
        #expect(abs(one - other - 6) < 0.02)
        #expect(plain.audioHash != (try analysis(quiet).audioHash))
    }

    // MARK: - Passes

    @Test("The description has the exact length and what was dropped")
    func description() throws {
        let sound = IntegerSound.tones(frameCount: 100_001, sampleRate: 48_000)
        let opus = try analysis(sound.opus()).stream
        #expect(opus.format == .opus && opus.bitDepth == nil && opus.mpegVersion == nil)
        #expect(opus.sampleCount == 100_001 && opus.durationSeconds == 100_001.0 / 48_000)
        #expect(opus.encoderDelaySamples == 312 && opus.samplesPerFrame == 960 && opus.headTrimSamples == 312)
        #expect(opus.decodedSampleCount % 960 == 0 && opus.remarks.isEmpty && opus.damagedFrameCount == 0)
        #expect(opus.bitRateMode == "variable")
        #expect(try analysis(sound.opus(["--hard-cbr"])).stream.bitRateMode == "constant")
        let vorbis = try analysis(sound.vorbis()).stream
        #expect(vorbis.format == .vorbis && vorbis.sampleCount == 100_001 && vorbis.remarks.isEmpty)
        #expect(vorbis.sampleRateHz == 48_000 && vorbis.channels == 2 && vorbis.encoderDelaySamples == 0)
    }

    @Test("Loudness equals that of libebur128's reference", arguments: ["opus", "ogg"])
    func loudness(suffix: String) throws {
        for channels in [2, 6] {
            let sound = IntegerSound.tones(
                frameCount: 48_000 * 8, sampleRate: 48_000, channelCount: channels)
            let bytes = try suffix == "opus" ? sound.opus() : sound.vorbis()
            let own = try #require(try analysis(bytes).profile?.loudness)
            let path = try directory.write(bytes, as: "loudness\(channels).\(suffix)")
            // ffmpeg's meter weights the surrounds of 5.1 as BS.1770 demands.
            let run = try ProcessRun.run(
                "ffmpeg", ["-hide_banner", "-nostats", "-i", path, "-af", "ebur128", "-f", "null", "-"])
            let text = String(decoding: run.errors, as: UTF8.self)
            let line = try #require(
                text.split(separator: "\n").last { $0.contains("I:") && $0.contains("LUFS") })
            let words = line.split(separator: " ")
            let value = try #require(words.firstIndex(of: "I:").flatMap { Double(words[$0 + 1]) })
            #expect(abs(try #require(own.integratedLUFS) - value) < 0.06, "\(channels) channels")
        }
    }

    @Test("The audio hash does not depend on tags or pages, and a copy as FLAC has the same fingerprint")
    func identity() throws {
        let music = PCM.music(frameCount: 44_100 * 30)
        let channels = (0..<2).map { channel in
            (0..<music.frameCount).map { Int32(music.samples[2 * $0 + channel]) }
        }
        let sound = IntegerSound(sampleRate: 44_100, channels: channels, bitDepth: 16)
        let flac = try analysis(sound.flac())
        for bytes in [try sound.opus(), try sound.vorbis()] {
            let plain = try analysis(bytes)
            let (one, other) = try (
                #require(plain.profile?.fingerprint), #require(flac.profile?.fingerprint)
            )
            #expect(try #require(one.match(other)).hasSameNotes)
        }
        let bytes = try sound.vorbis()
        let path = try directory.write(bytes, as: "tagged.ogg")
        try ProcessRun.run(
            "vorbiscomment", ["-w", path, "-t", "TITLE=" + String(repeating: "x", count: 70_000)])
        #expect(try analysis(directory.read("tagged.ogg")).audioHash == analysis(bytes).audioHash)
    }

    @Test("Damaged pages and packets are reported", arguments: [true, false])
    func damage(isOpus: Bool) throws {
        let sound = IntegerSound.tones(frameCount: 400_000, sampleRate: 48_000)
        var bytes = isOpus ? try sound.opus() : try sound.vorbis()
        bytes[bytes.count / 2] ^= 0x33
        let decoded = try DecodedSound(bytes)
        #expect(
            decoded.result == DecodedAudio() && decoded.channels[0].count == decoded.sampleCount
                && decoded.sampleCount < 400_000)
        #expect(
            try analysis(bytes).stream.remarks
                == ["1 page is damaged and left out", "1 gap in the pages' numbers"])
        guard isOpus else { return }
        // A packet whose frames have impossible sizes, on a page with the right checksum.
        var pages = OggTestPage.pages(of: try sound.opus(["--framesize", "20"]))
        // Two frames of 10 ms, of which the first has 1275 bytes.
        pages[3].body[0] = 30 << 3 | 4 | 3
        pages[3].body[1] = 0x82
        pages[3].body[2] = 0xFF
        pages[3].body[3] = 0xFF
        let damaged = try DecodedSound(OggTestPage.file(pages))
        #expect(damaged.result == DecodedAudio(damagedFrames: 1))
        #expect(damaged.sampleCount == 400_000 && damaged.channels[0].count == 400_000)
    }

    @Test("Uploads must be complete; content decides, not the name", arguments: [true, false])
    func uploads(isOpus: Bool) throws {
        let sound = IntegerSound.tones(frameCount: 200_000, sampleRate: 48_000)
        let bytes = isOpus ? try sound.opus() : try sound.vorbis()
        let audio = try PlayableAudio(checking: file(bytes, "song.mp3"))
        #expect(audio.format == (isOpus ? .opus : .vorbis) && audio.durationSeconds == 200_000.0 / 48_000)
        let short = try file(Array(bytes.dropLast(100)))
        let truncated = #expect(throws: AnalyzerError.self) { try PlayableAudio(checking: short) }
        #expect(truncated?.code == .truncated)
        let padded = try file(bytes + [UInt8](repeating: 7, count: 500_000))
        let mostlyElse = #expect(throws: AnalyzerError.self) { try PlayableAudio(checking: padded) }
        #expect(mostlyElse?.code == .noAudio)
    }

    @Test("FLAC in Ogg is rejected by name")
    func flacInOgg() throws {
        let path = try directory.write(IntegerSound.tones(frameCount: 20_000).flac(), as: "a.flac")
        try ProcessRun.run("ffmpeg", ["-v", "error", "-i", path, "-c", "copy", directory.file("a.oga")])
        let oga = try file(directory.read("a.oga"))
        let error = #expect(throws: AnalyzerError.self) { try TrackAnalyzer().analyze(oga) }
        #expect(error?.code.rawValue == "unsupported_codec" && error?.message.contains("FLAC in Ogg") == true)
    }
}
