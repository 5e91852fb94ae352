import Foundation
import TestSupport
import Testing

@testable import Analyzer
import MusicShared

/// Passes over FLAC files.
@Suite("FLAC analysis")
struct FLACAnalysisTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func file(_ bytes: [UInt8], _ name: String = UUID().uuidString) throws -> MappedFile {
        try MappedFile(path: Array(directory.write(bytes, as: name).utf8))
    }

    private func analysis(_ bytes: [UInt8]) throws -> TrackAnalysis { try .of(bytes, in: directory) }

    private static let formats: [(rate: Int, channels: Int, depth: Int, options: [String])] = [
        (8_000, 1, 16, []), (44_100, 2, 16, ["-8"]), (44_100, 2, 16, ["-b", "192"]), (44_100, 2, 8, []),
        (48_000, 6, 24, []), (96_000, 2, 24, ["-b", "16384"]), (192_000, 2, 24, []), (48_000, 2, 32, []),
    ]

    @Test("Decoded samples equal those of ffmpeg and the encoder's input", arguments: formats.indices)
    func samples(index: Int) throws {
        let (rate, channels, depth, options) = Self.formats[index]
        let sound = IntegerSound.tones(
            frameCount: rate + 321, sampleRate: rate, channelCount: channels, bitDepth: depth)
        let bytes = try sound.flac(options)
        let decoded = try DecodedSound(bytes)
        #expect(decoded.result == DecodedAudio())
        let scale = 1 / Float(1 << (depth - 1))
        #expect(decoded.channels == sound.channels.map { $0.map { Float($0) * scale } })
        // ffmpeg decodes up to 24 bits exactly, and 32 bits since version 6.
        guard depth < 32 else { return }
        let path = try directory.write(bytes, as: "ffmpeg.flac")
        let run = try ProcessRun.run("ffmpeg", ["-v", "error", "-i", path, "-f", "f32le", "-"])
        let theirs = run.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let mine = (0..<sound.frameCount).flatMap { place in decoded.channels.map { $0[place] } }
        #expect(mine == theirs)
    }

    /// Combinations of all values, 20 for each sample rate: numbers without a common factor meet in every pairing.
    @Test(
        "200 files of all rates, channels, depths, block sizes and levels have their exact length and samples",
        arguments: [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000])
    func manyFormats(rate: Int) throws {
        let depths = [16, 24, 32, 8]
        let blocks = [192, 576, 1152, 4096, 4608, 16_384, 65_535]
        for number in 0..<20 {
            let (depth, channels) = (depths[number % 4], 1 + (number + rate / 100) % 6)
            let options = ["-b", "\(blocks[(number + rate / 25) % 7])", "-\((number * 2) % 9)"]
            let sound = IntegerSound.tones(
                frameCount: 5_000 + 1_237 * number, sampleRate: rate, channelCount: channels, bitDepth: depth,
                seed: UInt64(rate + number))
            let bytes = try sound.flac(options)
            let name = "\(rate) Hz, \(channels) channels, \(depth) bit, \(options)"
            let stream = try AudioStreams.scan(bytes.span.bytes) { _ in }
            #expect(stream.sampleCount == sound.frameCount, "\(name)")
            let decoded = try DecodedSound(bytes)
            #expect(decoded.result == DecodedAudio(), "\(name)")
            let scale = 1 / Float(1 << (depth - 1))
            let isExact = decoded.channels == sound.channels.map { $0.map { Float($0) * scale } }
            #expect(isExact, "\(name)")
            // The reference decoder, which writes the integers.
            let path = try directory.write(bytes, as: "\(rate)-\(number).flac")
            let run = try ProcessRun.run(
                "flac",
                ["--silent", "-d", "--force-raw-format", "--endian=little", "--sign=signed", "-c", path])
            #expect(run.output == Data(sound.bytes), "\(name)")
        }
    }

    @Test("The description has the exact length, the bit depth and no delay")
    func description() throws {
        let bytes = try IntegerSound.tones(frameCount: 100_001, sampleRate: 48_000, bitDepth: 24).flac()
        let stream = try analysis(bytes).stream
        #expect(stream.format == .flac && stream.bitDepth == 24 && stream.mpegVersion == nil)
        #expect(stream.sampleCount == 100_001 && stream.decodedSampleCount == 100_001)
        #expect(stream.durationSeconds == 100_001.0 / 48_000)
        #expect(stream.headTrimSamples == 0 && stream.encoderPaddingSamples == 0)
        #expect(stream.bitRateMode == "lossless" && stream.remarks.isEmpty)
        #expect(stream.damagedFrameCount == 0)
    }

    @Test(
        "Measurements of FLAC equal those of the same samples with libebur128's reference", arguments: [2, 6])
    func loudness(channels: Int) throws {
        let bytes = try IntegerSound.tones(
            frameCount: 48_000 * 8, sampleRate: 48_000, channelCount: channels, bitDepth: 24
        ).flac()
        let own = try #require(try analysis(bytes).profile?.loudness)
        let path = try directory.write(bytes, as: "loudness.flac")
        // ffmpeg's meter weights the surrounds of 5.1 as BS.1770 demands.
        let run = try ProcessRun.run(
            "ffmpeg", ["-hide_banner", "-nostats", "-i", path, "-af", "ebur128", "-f", "null", "-"])
        let text = String(decoding: run.errors, as: UTF8.self)
        let line = try #require(text.split(separator: "\n").last { $0.contains("I:") && $0.contains("LUFS") })
        let words = line.split(separator: " ")
        let value = try #require(words.firstIndex(of: "I:").flatMap { Double(words[$0 + 1]) })
        #expect(abs(try #require(own.integratedLUFS) - value) < 0.06)
    }

    @Test("The audio hash does not depend on tags, and a copy as MP3 has the same fingerprint")
    func identity() throws {
        let music = PCM.music(frameCount: 44_100 * 30)
        let channels = (0..<2).map { channel in
            (0..<music.frameCount).map { Int32(music.samples[2 * $0 + channel]) }
        }
        let sound = IntegerSound(sampleRate: 44_100, channels: channels, bitDepth: 16)
        let plain = try analysis(sound.flac())
        let tagged = try analysis(sound.flac(["-T", "TITLE=Night Ferry", "--padding=9000"]))
        #expect(tagged == plain)
        let mp3 = try analysis(Encoders.lame(music, ["-V", "2"]))
        #expect(mp3.audioHash != plain.audioHash)
        let (one, other) = try (
            #require(plain.profile?.fingerprint), #require(mp3.profile?.fingerprint)
        )
        #expect(try #require(one.match(other)).hasSameNotes)
    }

    @Test("Damage is measured as silence in its place, and reported")
    func damage() throws {
        var bytes = try IntegerSound.tones(frameCount: 100_000).flac(["-b", "4096"])
        let sound = try DecodedSound(bytes).channels
        let middle = bytes.count / 2
        for position in middle..<middle + 8 { bytes[position] ^= 0x33 }
        let decoded = try DecodedSound(bytes)
        #expect(decoded.result == DecodedAudio(damagedFrames: 1))
        #expect(decoded.channels[0].count == 100_000)
        let differing = (0..<100_000).filter { decoded.channels[0][$0] != sound[0][$0] }
        let first = try #require(differing.first) / 4096 * 4096
        #expect(try #require(differing.last) < first + 4096)
        #expect(decoded.channels[0][first..<first + 4096].allSatisfy { $0 == 0 })
        #expect(try analysis(bytes).stream.remarks == ["1 frame is damaged and was measured as silence"])
    }

    @Test("A wrong MD5 and wrong claims are remarks")
    func claims() throws {
        let bytes = try IntegerSound.tones(frameCount: 50_000).flac()
        var wrong = bytes
        wrong[30] ^= 1
        #expect(try analysis(wrong).stream.remarks == ["the samples do not match the MD5 in STREAMINFO"])
        // No MD5 at all is no fault.
        var none = bytes
        for position in 26..<42 { none[position] = 0 }
        #expect(try analysis(none).stream.remarks.isEmpty)
        var length = bytes
        length[25] ^= 1
        #expect(try analysis(length).stream.remarks == ["STREAMINFO claims 50001 samples, found 50000"])
        var rate = bytes
        rate[18] ^= 8
        #expect(
            try analysis(rate).stream.remarks
                == ["STREAMINFO claims another sample rate, channel count or bit depth than the frames"])
    }

    @Test("Uploads must be complete")
    func uploads() throws {
        let bytes = try IntegerSound.tones(frameCount: 50_000).flac()
        let audio = try PlayableAudio(checking: file(bytes, "song.mp3"))
        #expect(audio.format == .flac && audio.durationSeconds == 50_000.0 / 44_100)
        let short = try file(Array(bytes.dropLast(100)))
        let truncated = #expect(throws: AnalyzerError.self) { try PlayableAudio(checking: short) }
        #expect(truncated?.code == .truncated)
        let padded = try file(bytes + [UInt8](repeating: 7, count: 500_000))
        let mostlyElse = #expect(throws: AnalyzerError.self) { try PlayableAudio(checking: padded) }
        #expect(mostlyElse?.code == .noAudio)
    }

    @Test("Five channels and more are mixed to two without exceeding full scale")
    func downmix() throws {
        let constant = [Int32](repeating: 32_767, count: 9_000)
        let sound = IntegerSound(
            sampleRate: 48_000, channels: [[Int32]](repeating: constant, count: 6), bitDepth: 16)
        let stereo = try DecodedSound(sound.flac()).stereo
        #expect(stereo.count == 2)
        // (1 + 2 · 1/√2) / (1 + 2 · 1/√2): all channels but the low-frequency effects.
        #expect(stereo[0].allSatisfy { abs($0 - 32_767.0 / 32_768) < 1e-6 })
        let centre = IntegerSound(
            sampleRate: 48_000,
            channels: (0..<6).map { $0 == 2 ? constant : [Int32](repeating: 0, count: 9_000) }, bitDepth: 16)
        let mixed = try DecodedSound(centre.flac()).stereo
        let share = Float(0.5).squareRoot() / (1 + 2 * Float(0.5).squareRoot())
        #expect(mixed[0] == mixed[1] && abs(mixed[0][5] - share) < 1e-4)
    }
}
